; ---- case: kind
^0 = foo: (name: "x") ; error: unexpected summary kind
; ---- case: module-path
^0 = module: (name: "x") ; error: expected 'path' here
; ---- case: module-hash-count
^0 = module: (path: "x", hash: (0, 0, 0, 0)) ; error: expected ',' here
; ---- case: module-hash-size
^0 = module: (path: "x", hash: (0, 0, 0, 0, 4294967296)) ; error: expected 32-bit integer (too large)
; ---- case: gv-name
^0 = gv: (path: "x") ; error: expected name or guid tag
; ---- case: gv-name-undefined
^0 = gv: (name: "x") ; error: Reference to undefined global "x"
; ---- case: gv-name-later
^0 = gv: (name: "x") ; error: Reference to undefined global "x"
@x = global i32 0
; ---- case: gv-kind
^0 = gv: (guid: 1, summaries: (module: 1)) ; error: expected summary type
; ---- case: gv-summaries
^0 = gv: (guid: 1, calls: (module: 1)) ; error: expected 'summaries' here
; ---- case: gv-comma
^0 = gv: (guid: 1 summaries: (module: 1)) ; error: expected ')' here
; ---- case: function-flag
^0 = gv: (guid: 1, summaries: (function: (module: ^1, flags: (linkage: external, dead: 1), insts: 1))) ; error: expected gv flag type
; ---- case: function-flag-negative
^0 = gv: (guid: 1, summaries: (function: (module: ^1, flags: (live: -1), insts: 1))) ; error: expected integer
; ---- case: function-import-type
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (importType: both), insts: 1))) ; error: unknown import kind. Expect definition or declaration.
; ---- case: function-insts-missing
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1)))) ; error: expected ',' here
; ---- case: function-insts-size
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1), insts: 4294967296))) ; error: expected 32-bit integer (too large)
; ---- case: function-field
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1), insts: 1, varFlags: (readonly: 1)))) ; error: expected optional function summary field
; ---- case: function-flags-word
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1), insts: 1, funcFlags: (live: 1)))) ; error: expected function flag type
; ---- case: call-callee
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1), insts: 1, calls: ((^1))))) ; error: expected 'callee' in call
; ---- case: call-empty
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1), insts: 1, calls: ()))) ; error: expected '(' in call
; ---- case: call-undefined
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1), insts: 1, calls: ((callee: ^2))))) ; error: use of undefined summary '^2'
; ---- case: call-hotness
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1), insts: 1, calls: ((callee: ^1, hotness: warm))))) ; error: invalid call edge hotness
; ---- case: call-field
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1), insts: 1, calls: ((callee: ^1, heat: hot))))) ; error: expected hotness, relbf, or tail
; ---- case: call-hotness-and-frequency
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1), insts: 1, calls: ((callee: ^1, hotness: hot, relbf: 1))))) ; error: Expected only one of hotness or relbf
; ---- case: refs-undefined
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (variable: (module: ^0, flags: (live: 1), varFlags: (readonly: 1), refs: (^0)))) ; error: use of undefined summary '^0'
; ---- case: refs-word
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (variable: (module: ^0, flags: (live: 1), varFlags: (readonly: 1), refs: (constant ^1)))) ; error: expected GV ID
; ---- case: variable-flag
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (variable: (module: ^0, flags: (live: 1), varFlags: (live: 1)))) ; error: expected gvar flag type
; ---- case: variable-field
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (variable: (module: ^0, flags: (live: 1), varFlags: (readonly: 1), calls: (^1)))) ; error: expected optional variable summary field
; ---- case: vtable-function
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (variable: (module: ^0, flags: (live: 1), varFlags: (readonly: 1), vTableFuncs: ((callee: ^1, offset: 0))))) ; error: expected 'callee' in vTableFunc
; ---- case: alias-undefined
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (alias: (module: ^0, flags: (live: 1), aliasee: ^2))) ; error: use of undefined summary '^2'
; ---- case: type-test-undefined
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1), insts: 1, typeIdInfo: (typeTests: (^2))))) ; error: use of undefined type id summary '^2'
; ---- case: type-test-early
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^2 = typeid: (name: "t", summary: (typeTestRes: (kind: unsat, sizeM1BitWidth: 0)))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1), insts: 1, typeIdInfo: (typeTests: (^2))))) ; error: use of undefined type id summary '^2'
; ---- case: type-id-list
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1), insts: 1, typeIdInfo: (refs: (^2))))) ; error: invalid typeIdInfo list type
; ---- case: virtual-call-guid
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1), insts: 1, typeIdInfo: (typeTestAssumeVCalls: (vFuncId: (7, offset: 0)))))) ; error: expected 'guid' here
; ---- case: constant-call-args
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1), insts: 1, typeIdInfo: (typeTestAssumeConstVCalls: ((vFuncId: (guid: 7, offset: 0), 42)))))) ; error: expected 'args' here
; ---- case: param-offset
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1), insts: 1, params: ((param: 0, offset: [0]))))) ; error: expected ',' here
; ---- case: param-number
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1), insts: 1, params: ((0, offset: [0, 1]))))) ; error: expected 'param' here
; ---- case: alloc-type
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1), insts: 1, allocs: ((versions: (warm), memProf: ((type: cold, stackIds: (1)))))))) ; error: invalid alloc type
; ---- case: alloc-stack
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1), insts: 1, allocs: ((versions: (cold), memProf: ((type: cold, ids: (1)))))))) ; error: expected 'stackIds' in memprof
; ---- case: callsite-clones
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = gv: (guid: 1, summaries: (function: (module: ^0, flags: (live: 1), insts: 1, callsites: ((callee: null, clones: (), stackIds: (1)))))) ; error: expected integer
; ---- case: type-id-kind
^0 = typeid: (name: "t", summary: (typeTestRes: (kind: wrong, sizeM1BitWidth: 0))) ; error: unexpected TypeTestResolution kind
; ---- case: type-id-width
^0 = typeid: (name: "t", summary: (typeTestRes: (kind: unsat))) ; error: expected ',' here
; ---- case: type-id-field
^0 = typeid: (name: "t", summary: (typeTestRes: (kind: unsat, sizeM1BitWidth: 0, size: 1))) ; error: expected optional TypeTestResolution field
; ---- case: devirtualization-kind
^0 = typeid: (name: "t", summary: (typeTestRes: (kind: unsat, sizeM1BitWidth: 0), wpdResolutions: ((offset: 0, wpdRes: (kind: wrong))))) ; error: unexpected WholeProgramDevirtResolution kind
; ---- case: devirtualization-field
^0 = typeid: (name: "t", summary: (typeTestRes: (kind: unsat, sizeM1BitWidth: 0), wpdResolutions: ((offset: 0, wpdRes: (kind: indir, name: "x"))))) ; error: expected optional WholeProgramDevirtResolution field
; ---- case: by-argument-kind
^0 = typeid: (name: "t", summary: (typeTestRes: (kind: unsat, sizeM1BitWidth: 0), wpdResolutions: ((offset: 0, wpdRes: (kind: indir, resByArg: (args: (1), byArg: (kind: single)))))) ; error: unexpected WholeProgramDevirtResolution::ByArg kind
; ---- case: by-argument-field
^0 = typeid: (name: "t", summary: (typeTestRes: (kind: unsat, sizeM1BitWidth: 0), wpdResolutions: ((offset: 0, wpdRes: (kind: indir, resByArg: (args: (1), byArg: (kind: indir, x: 1)))))) ; error: expected optional whole program devirt field
; ---- case: compatible-vtable-undefined
^0 = typeidCompatibleVTable: (name: "t", summary: ((offset: 0, ^1))) ; error: use of undefined summary '^1'
; ---- case: compatible-vtable-offset
^0 = typeidCompatibleVTable: (name: "t", summary: ((^1))) ; error: expected 'offset' here
; ---- case: flags-number
^0 = flags: (1) ; error: expected integer
; ---- case: blockcount-negative
^0 = blockcount: -1 ; error: expected integer
