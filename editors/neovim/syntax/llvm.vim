" Colours without, or before, those of the server.
if exists('b:current_syntax')
  finish
endif

syn case match
syn iskeyword @,48-57,_
syn sync minlines=50
syn match llvmComment ";.*$" contains=@Spell,llvmTodo
syn keyword llvmTodo contained TODO FIXME XXX RUN CHECK
syn region llvmString start=+"+ skip=+\\"+ end=+"+ oneline
syn match llvmNumber "\%(\k\)\@1<!-\?\d\+\%(\.\d*\%([eE][-+]\?\d\+\)\?\)\?\>"
syn match llvmNumber "\<0x[KLMHR]\?\x\+\>"
syn match llvmType "\<i\d\+\>"
syn keyword llvmType half bfloat float double x86_fp80 fp128 ppc_fp128 void ptr label token metadata opaque
syn match llvmIdentifier /%\%([-a-zA-Z$._0-9]\+\|"[^"]*"\)/
syn match llvmGlobal /@\%([-a-zA-Z$._0-9]\+\|"[^"]*"\)/
syn match llvmMetadata /![-a-zA-Z$._0-9]*/
syn match llvmAttributeGroup /#\d\+/
syn match llvmLabel /^[-a-zA-Z$._0-9]\+\ze:/
syn keyword llvmStatement ret br switch indirectbr invoke callbr resume unreachable call tail musttail notail phi select landingpad
syn keyword llvmStatement cleanupret catchret catchswitch catchpad cleanuppad fneg add fadd sub fsub mul fmul udiv sdiv fdiv urem srem frem
syn keyword llvmStatement shl lshr ashr and or xor extractelement insertelement shufflevector extractvalue insertvalue alloca load store fence
syn keyword llvmStatement cmpxchg atomicrmw getelementptr trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr
syn keyword llvmStatement bitcast addrspacecast icmp fcmp va_arg freeze
syn keyword llvmKeyword define declare global constant alias ifunc attributes source_filename target datalayout triple module asm type to addrspace
syn keyword llvmModifier private internal external linkonce linkonce_odr weak weak_odr common appending extern_weak dso_local hidden protected
syn keyword llvmModifier unnamed_addr local_unnamed_addr thread_local amdgpu_kernel spir_kernel align comdat section volatile atomic inbounds
syn keyword llvmModifier nuw nsw exact disjoint nneg fast nnan ninf nsz arcp contract afn reassoc distinct
syn keyword llvmConstant true false null undef poison none zeroinitializer

hi def link llvmComment Comment
hi def link llvmTodo Todo
hi def link llvmString String
hi def link llvmNumber Number
hi def link llvmType Type
hi def link llvmIdentifier Identifier
hi def link llvmGlobal Function
hi def link llvmMetadata PreProc
hi def link llvmAttributeGroup PreProc
hi def link llvmLabel Label
hi def link llvmStatement Statement
hi def link llvmKeyword Keyword
hi def link llvmModifier StorageClass
hi def link llvmConstant Constant

let b:current_syntax = 'llvm'
