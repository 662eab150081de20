; ---- case: opcode-unknown
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  foo i32 %i ; error: expected instruction opcode
  ret void
}
; ---- case: opcode-missing
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = ; error: instructions returning void cannot have a name
  ret void
}
; ---- case: equals-missing
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a add i32 %i, 1 ; error: expected '=' after instruction name
  ret void
}
; ---- case: void-named
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = store i32 0, ptr %p ; error: instructions returning void cannot have a name
  ret void
}
; ---- case: void-call-named
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call void @f(i32 0, ptr null, float 0.0, i1 false, <4 x i32> zeroinitializer) ; error: instructions returning void cannot have a name
  ret void
}
; ---- case: block-number-wrong
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br label %next
3:
next: ; error: expected instruction opcode
  ret void
}
; ---- case: name-redefined
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %i, 1
  %a = add i32 %i, 1 ; error: multiple definition of local value named 'a'
  ret void
}
; ---- case: name-of-parameter
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %i = add i32 1, 1 ; error: multiple definition of local value named 'i'
  ret void
}
; ---- case: block-redefined
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br label %a ; error: Terminator found in the middle of a basic block!
a:
  br label %a
a:
  ret void
}
; ---- case: value-undefined
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %b, 1 ; error: use of undefined value '%b'
  ret void
}
; ---- case: value-number-undefined
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %9, 1 ; error: use of undefined value '%9'
  ret void
}
; ---- case: block-undefined
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br label %a ; error: use of undefined value '%a'
}
; ---- case: value-as-block
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br label %i ; error: '%i' is not a basic block
}
; ---- case: block-as-value
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br label %a
a:
  %b = add i32 %a, 1 ; error: '%a' defined with type 'label' but expected 'i32'
  ret void
}
; ---- case: forward-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %b, 1
  %b = add i64 0, 1 ; error: instruction forward referenced with type 'i32'
  ret void
}
; ---- case: type-of-use
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i64 %i, 1 ; error: '%i' defined with type 'i32' but expected 'i64'
  ret void
}
; ---- case: type-of-number
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %1 = add i32 %i, 1
  %2 = add i64 %1, 1 ; error: '%1' defined with type 'i32' but expected 'i64'
  ret void
}
; ---- case: terminator-missing
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br label %a
a:
  add i32 %i, 1
b: ; error: expected instruction opcode
  ret void
}
; ---- case: dominance
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %b, 1 ; error: Instruction does not dominate all uses!
  %b = add i32 %i, 1
  ret void
}
; ---- case: dominance-branch
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br i1 %c, label %a, label %b
a:
  %x1 = add i32 %i, 1
  br label %b
b:
  %y = add i32 %x1, 1 ; error: Instruction does not dominate all uses!
  ret void
}
; ---- case: self-use
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %a, 1 ; error: Only PHI nodes may reference their own value!
  ret void
}
; ---- case: phi-self-dominance
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br label %a
a:
  %q = phi i32 [ %r, %0 ]
  %r = add i32 %q, 1 ; error: Instruction does not dominate all uses!
  ret void
}

; ---- case: ret-void-in-int
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  ret i32 0 ; error: value doesn't match function result type 'void'
}
; ---- case: ret-void
define i32 @f() {
ret void ; error: value doesn't match function result type 'i32'
}
; ---- case: ret-type
define i32 @f() {
ret i64 0 ; error: value doesn't match function result type 'i32'
}
; ---- case: ret-comma
define i32 @f() {
ret i32
} ; error: expected value token
; ---- case: br-condition
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br i32 %i, label %a, label %a ; error: branch condition must have 'i1' type
a:
  ret void
}
; ---- case: br-label
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br ptr %p ; error: branch condition must have 'i1' type
}
; ---- case: br-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br i1 %c label %a, label %a ; error: expected ',' after branch condition
a:
  ret void
}
; ---- case: br-second
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br i1 %c, label %a
a: ; error: expected ',' after true destination
  ret void
}
; ---- case: br-true-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br i1 %c, label %a label %a ; error: expected ',' after true destination
a:
  ret void
}
; ---- case: switch-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  switch ptr %p, label %a [ ] ; error: switch condition must have integer type
a:
  ret void
}
; ---- case: switch-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  switch i32 %i label %a [ ] ; error: expected ',' after switch condition
a:
  ret void
}
; ---- case: switch-bracket
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  switch i32 %i, label %a
a: ; error: expected '[' with switch table
  ret void
}
; ---- case: switch-duplicate
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  switch i32 %i, label %a [ i32 0, label %a
  i32 0, label %a ] ; error: duplicate case value in switch
a:
  ret void
}
; ---- case: switch-not-constant
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  switch i32 %i, label %a [ i32 %i, label %a ] ; error: case value is not a constant integer
a:
  ret void
}
; ---- case: switch-case-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  switch i32 %i, label %a [ i64 0, label %a ] ; error: Switch constants must all be same type as switch value!
a:
  ret void
}
; ---- case: switch-case-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  switch i32 %i, label %a [ i32 0 label %a ] ; error: expected ',' after case value
a:
  ret void
}
; ---- case: indirectbr-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  indirectbr i32 %i, [label %a] ; error: indirectbr address must have pointer type
a:
  ret void
}
; ---- case: indirectbr-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  indirectbr ptr %p [label %a] ; error: expected ',' after indirectbr address
a:
  ret void
}
; ---- case: indirectbr-bracket
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  indirectbr ptr %p, label %a ; error: expected '[' with indirectbr
a:
  ret void
}
; ---- case: indirectbr-close
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  indirectbr ptr %p, [label %a
a: ; error: expected ']' at end of block list
  ret void
}
; ---- case: add-float
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add float %x, %x ; error: invalid operand type for instruction
  ret void
}
; ---- case: add-pointer
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add ptr %p, %p ; error: invalid operand type for instruction
  ret void
}
; ---- case: add-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %i 1 ; error: expected ',' in arithmetic operation
  ret void
}
; ---- case: add-flag
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add exact i32 %i, 1 ; error: expected type
  ret void
}
; ---- case: fadd-int
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = fadd i32 %i, %i ; error: invalid operand type for instruction
  ret void
}
; ---- case: fadd-flag
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = fadd nuw float %x, %x ; error: expected type
  ret void
}
; ---- case: fneg-int
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = fneg i32 %i ; error: invalid operand type for instruction
  ret void
}
; ---- case: and-float
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = and float %x, %x ; error: instruction requires integer or integer vector operands
  ret void
}
; ---- case: and-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = and i32 %i 1 ; error: expected ',' in logical operation
  ret void
}
; ---- case: shl-float
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = shl float %x, %x ; error: invalid operand type for instruction
  ret void
}
; ---- case: shl-flag
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = shl exact i32 %i, 1 ; error: expected type
  ret void
}
; ---- case: udiv-flag
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = udiv nsw i32 %i, 1 ; error: expected type
  ret void
}
; ---- case: or-flag
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = or nuw i32 %i, 1 ; error: expected type
  ret void
}
; ---- case: icmp-predicate
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = icmp equal i32 %i, 1 ; error: expected icmp predicate (e.g. 'eq')
  ret void
}
; ---- case: icmp-float-predicate
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = icmp oeq i32 %i, 1 ; error: expected icmp predicate (e.g. 'eq')
  ret void
}
; ---- case: icmp-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = icmp eq float %x, %x ; error: icmp requires integer operands
  ret void
}
; ---- case: icmp-struct
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = icmp eq { i32 } zeroinitializer, zeroinitializer ; error: icmp requires integer operands
  ret void
}
; ---- case: icmp-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = icmp eq i32 %i 1 ; error: expected ',' after compare value
  ret void
}
; ---- case: fcmp-predicate
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = fcmp eq float %x, %x ; error: expected fcmp predicate (e.g. 'oeq')
  ret void
}
; ---- case: fcmp-int
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = fcmp oeq i32 %i, %i ; error: fcmp requires floating point operands
  ret void
}
; ---- case: trunc-wider
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = trunc i32 %i to i64 ; error: invalid cast opcode for cast from 'i32' to 'i64'
  ret void
}
; ---- case: trunc-same
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = trunc i32 %i to i32 ; error: invalid cast opcode for cast from 'i32' to 'i32'
  ret void
}
; ---- case: trunc-vector
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = trunc <4 x i32> %v to i8 ; error: invalid cast opcode for cast from '<4 x i32>' to 'i8'
  ret void
}
; ---- case: trunc-lanes
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = trunc <4 x i32> %v to <2 x i8> ; error: invalid cast opcode for cast from '<4 x i32>' to '<2 x i8>'
  ret void
}
; ---- case: trunc-float
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = trunc float %x to i8 ; error: invalid cast opcode for cast from 'float' to 'i8'
  ret void
}
; ---- case: zext-narrower
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = zext i32 %i to i8 ; error: invalid cast opcode for cast from 'i32' to 'i8'
  ret void
}
; ---- case: zext-flag
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = zext nsw i32 %i to i64 ; error: expected type
  ret void
}
; ---- case: sext-narrower
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = sext i32 %i to i8 ; error: invalid cast opcode for cast from 'i32' to 'i8'
  ret void
}
; ---- case: fptrunc-wider
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = fptrunc float %x to double ; error: invalid cast opcode for cast from 'float' to 'double'
  ret void
}
; ---- case: fptrunc-int
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = fptrunc i32 %i to float ; error: invalid cast opcode for cast from 'i32' to 'float'
  ret void
}
; ---- case: fpext-narrower
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = fpext float %x to half ; error: invalid cast opcode for cast from 'float' to 'half'
  ret void
}
; ---- case: fpext-same-width
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = fpext half 0.0 to bfloat ; error: invalid cast opcode for cast from 'half' to 'bfloat'
  ret void
}
; ---- case: uitofp-float
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = uitofp float %x to double ; error: invalid cast opcode for cast from 'float' to 'double'
  ret void
}
; ---- case: sitofp-to-int
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = sitofp i32 %i to i64 ; error: invalid cast opcode for cast from 'i32' to 'i64'
  ret void
}
; ---- case: fptoui-int
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = fptoui i32 %i to i32 ; error: invalid cast opcode for cast from 'i32' to 'i32'
  ret void
}
; ---- case: fptosi-to-float
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = fptosi float %x to float ; error: invalid cast opcode for cast from 'float' to 'float'
  ret void
}
; ---- case: ptrtoint-int
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = ptrtoint i32 %i to i64 ; error: invalid cast opcode for cast from 'i32' to 'i64'
  ret void
}
; ---- case: ptrtoint-to-float
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = ptrtoint ptr %p to float ; error: invalid cast opcode for cast from 'ptr' to 'float'
  ret void
}
; ---- case: inttoptr-pointer
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = inttoptr ptr %p to ptr ; error: invalid cast opcode for cast from 'ptr' to 'ptr'
  ret void
}
; ---- case: bitcast-size
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = bitcast i32 %i to i64 ; error: invalid cast opcode for cast from 'i32' to 'i64'
  ret void
}
; ---- case: bitcast-pointer-int
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = bitcast ptr %p to i64 ; error: invalid cast opcode for cast from 'ptr' to 'i64'
  ret void
}
; ---- case: bitcast-aggregate
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = bitcast { i32 } zeroinitializer to i32 ; error: invalid cast opcode for cast from '{ i32 }' to 'i32'
  ret void
}
; ---- case: bitcast-space
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = bitcast ptr %p to ptr addrspace(1) ; error: invalid cast opcode for cast from 'ptr' to 'ptr addrspace(1)'
  ret void
}
; ---- case: addrspacecast-same
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = addrspacecast ptr %p to ptr ; error: invalid cast opcode for cast from 'ptr' to 'ptr'
  ret void
}
; ---- case: addrspacecast-int
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = addrspacecast i32 %i to ptr ; error: invalid cast opcode for cast from 'i32' to 'ptr'
  ret void
}
; ---- case: cast-to-word
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = trunc i32 %i, i8 ; error: expected 'to' after cast value
  ret void
}
; ---- case: select-condition
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = select i32 %i, i32 0, i32 1 ; error: select condition must be i1 or <n x i1>
  ret void
}
; ---- case: select-types
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = select i1 %c, i32 0, i64 1 ; error: both values to select must have same type
  ret void
}
; ---- case: select-vector-condition
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = select <4 x i1> zeroinitializer, i32 0, i32 1 ; error: selected values for vector select must be vectors
  ret void
}
; ---- case: select-lanes
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = select <2 x i1> zeroinitializer, <4 x i32> %v, <4 x i32> %v ; error: vector select requires selected vectors to have the same vector length as select condition
  ret void
}
; ---- case: select-token
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = select i1 %c, token none, token none ; error: select values cannot have token type
  ret void
}
; ---- case: select-fast
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = select fast i1 %c, i32 0, i32 1 ; error: fast-math-flags specified for select without floating-point scalar or vector return type
  ret void
}
; ---- case: select-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = select i1 %c i32 0, i32 1 ; error: expected ',' after select condition
  ret void
}
; ---- case: va-arg-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = va_arg ptr %p, void ; error: void type only allowed for function results
  ret void
}
; ---- case: va-arg-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = va_arg ptr %p i32 ; error: expected ',' after vaarg operand
  ret void
}
; ---- case: extractelement-scalar
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = extractelement i32 %i, i32 0 ; error: invalid extractelement operands
  ret void
}
; ---- case: extractelement-index
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = extractelement <4 x i32> %v, float 0.0 ; error: invalid extractelement operands
  ret void
}
; ---- case: extractelement-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = extractelement <4 x i32> %v i32 0 ; error: expected ',' after extract value
  ret void
}
; ---- case: insertelement-element
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = insertelement <4 x i32> %v, i64 0, i32 0 ; error: invalid insertelement operands
  ret void
}
; ---- case: insertelement-scalar
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = insertelement i32 %i, i32 0, i32 0 ; error: invalid insertelement operands
  ret void
}
; ---- case: insertelement-index
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = insertelement <4 x i32> %v, i32 0, ptr %p ; error: invalid insertelement operands
  ret void
}
; ---- case: insertelement-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = insertelement <4 x i32> %v, i32 0 i32 0 ; error: expected ',' after insertelement value
  ret void
}
; ---- case: shufflevector-types
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = shufflevector <4 x i32> %v, <2 x i32> zeroinitializer, <4 x i32> zeroinitializer ; error: invalid shufflevector operands
  ret void
}
; ---- case: shufflevector-mask
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = shufflevector <4 x i32> %v, <4 x i32> %v, <4 x i64> zeroinitializer ; error: invalid shufflevector operands
  ret void
}
; ---- case: shufflevector-index
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = shufflevector <4 x i32> %v, <4 x i32> %v, <1 x i32> <i32 8> ; error: invalid shufflevector operands
  ret void
}
; ---- case: shufflevector-variable
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = shufflevector <4 x i32> %v, <4 x i32> %v, <4 x i32> %v ; error: invalid shufflevector operands
  ret void
}
; ---- case: shufflevector-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = shufflevector <4 x i32> %v, <4 x i32> %v <4 x i32> zeroinitializer ; error: expected ',' after shuffle value
  ret void
}
; ---- case: phi-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = phi void [ 0, %0 ] ; error: void type only allowed for function results
  ret void
}
; ---- case: phi-token
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br label %a
a:
  %q = phi token [ none, %0 ] ; error: PHI nodes cannot have token type!
  ret void
}
; ---- case: phi-bracket
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br label %a
a:
  %q = phi i32 0, %0 ; error: expected instruction opcode
  ret void
}
; ---- case: phi-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br label %a
a:
  %q = phi i32 [ 0 %0 ] ; error: expected ',' after insertelement value
  ret void
}
; ---- case: phi-close
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br label %a
a:
  %q = phi i32 [ 0, %0
  ret void ; error: expected ']' in phi value list
}
; ---- case: phi-value-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br label %a
a:
  %q = phi i32 [ %x, %0 ] ; error: '%x' defined with type 'float' but expected 'i32'
  ret void
}
; ---- case: phi-missing-entry
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br i1 %c, label %a, label %b
b:
  br label %a
a:
  %q = phi i32 [ 0, %0 ] ; error: PHINode should have one entry for each predecessor of its parent basic block!
  ret void
}
; ---- case: phi-extra-entry
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br label %a
b:
  br label %b
a:
  %q = phi i32 [ 0, %0 ], [ 1, %b ] ; error: PHINode should have one entry for each predecessor of its parent basic block!
  ret void
}
; ---- case: phi-wrong-block
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br label %a
b:
  br label %b
a:
  %q = phi i32 [ 1, %b ] ; error: PHI node entries do not match predecessors!
  ret void
}
; ---- case: phi-two-values
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br i1 %c, label %a, label %a
a:
  %q = phi i32 [ 0, %0 ], [ 1, %0 ] ; error: PHI node has multiple entries for the same basic block with different incoming values!
  ret void
}
; ---- case: phi-in-entry
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %q = phi i32 [ 0, %0 ] ; error: PHINode should have one entry for each predecessor of its parent basic block!
  ret void
}
; ---- case: phi-not-first
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br label %a
a:
  %b = add i32 %i, 1
  %q = phi i32 [ 0, %0 ] ; error: PHI nodes not grouped at top of basic block!
  ret void
}
; ---- case: phi-fast
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br label %a
a:
  %q = phi fast i32 [ 0, %0 ] ; error: fast-math-flags specified for phi without floating-point scalar or vector return type
  ret void
}
; ---- case: freeze-void
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = freeze void ; error: void type only allowed for function results
  ret void
}
; ---- case: freeze-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = freeze i32
  ret void ; error: expected value token
}
; ---- case: alloca-void
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = alloca void ; error: void type only allowed for function results
  ret void
}
; ---- case: alloca-function
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = alloca void () ; error: invalid type for alloca
  ret void
}
; ---- case: alloca-opaque
%t = type opaque
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = alloca %t ; error: Cannot allocate unsized type
  ret void
}
; ---- case: alloca-count-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = alloca i32, float 1.0 ; error: element count must have integer type
  ret void
}
; ---- case: alloca-align
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = alloca i32, align 3 ; error: alignment is not a power of two
  ret void
}
; ---- case: alloca-space
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = alloca i32, addrspace(x) ; error: expected integer or string constant
  ret void
}
; ---- case: alloca-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = alloca i32, foo ; error: expected type
  ret void
}
; ---- case: alloca-target-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = alloca target("amdgcn.named.barrier", 0) ; error: Alloca has illegal target extension type
  ret void
}
; ---- case: alloca-amdgpu
target triple = "amdgcn-amd-amdhsa"
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = alloca i32 ; error: alloca on amdgpu must be in addrspace(5)
  ret void
}
; ---- case: load-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load void, ptr %p ; error: void type only allowed for function results
  ret void
}
; ---- case: load-pointer
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, i32 %i ; error: load operand must be a pointer to a first class type
  ret void
}
; ---- case: load-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32 ptr %p ; error: expected comma after load's type
  ret void
}
; ---- case: load-unsized
%t = type opaque
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load %t, ptr %p ; error: load operand must be a pointer to a first class type
  ret void
}
; ---- case: load-align
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, align 3 ; error: alignment is not a power of two
  ret void
}
; ---- case: load-align-huge
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, align 8589934592 ; error: huge alignments are not supported yet
  ret void
}
; ---- case: load-metadata
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, foo ; error: expected metadata or 'align'
  ret void
}
; ---- case: load-atomic-align
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load atomic i32, ptr %p seq_cst ; error: atomic load must have explicit non-zero alignment
  ret void
}
; ---- case: load-atomic-ordering
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load atomic i32, ptr %p, align 4 ; error: Expected ordering on atomic instruction
  ret void
}
; ---- case: load-atomic-release
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load atomic i32, ptr %p release, align 4 ; error: atomic load cannot use Release ordering
  ret void
}
; ---- case: load-atomic-acq-rel
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load atomic i32, ptr %p acq_rel, align 4 ; error: atomic load cannot use Release ordering
  ret void
}
; ---- case: load-atomic-small
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load atomic i1, ptr %p seq_cst, align 1 ; error: atomic memory access' size must be byte-sized
  ret void
}
; ---- case: load-atomic-odd
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load atomic i24, ptr %p seq_cst, align 4 ; error: atomic memory access' operand must have a power-of-two size
  ret void
}
; ---- case: load-ordering-not-atomic
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p seq_cst, align 4 ; error: expected instruction opcode
  ret void
}
; ---- case: store-void
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store void 0, ptr %p ; error: void type only allowed for function results
  ret void
}
; ---- case: store-pointer
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, i32 %i ; error: store operand must be a pointer
  ret void
}
; ---- case: store-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0 ptr %p ; error: expected ',' after store operand
  ret void
}
; ---- case: store-unsized
%t = type opaque
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store %t undef, ptr %p ; error: invalid type for undef constant
  ret void
}
; ---- case: store-label
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store label %0, ptr %p ; error: storing unsized types is not allowed
  ret void
}
; ---- case: store-atomic-align
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store atomic i32 0, ptr %p seq_cst ; error: atomic store must have explicit non-zero alignment
  ret void
}
; ---- case: store-atomic-acquire
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store atomic i32 0, ptr %p acquire, align 4 ; error: atomic store cannot use Acquire ordering
  ret void
}
; ---- case: store-atomic-acq-rel
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store atomic i32 0, ptr %p acq_rel, align 4 ; error: atomic store cannot use Acquire ordering
  ret void
}
; ---- case: store-atomic-odd
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store atomic i24 0, ptr %p seq_cst, align 4 ; error: atomic memory access' operand must have a power-of-two size
  ret void
}
; ---- case: cmpxchg-pointer
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = cmpxchg i32 %i, i32 0, i32 1 seq_cst seq_cst ; error: cmpxchg operand must be a pointer
  ret void
}
; ---- case: cmpxchg-types
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = cmpxchg ptr %p, i32 0, i64 1 seq_cst seq_cst ; error: compare value and new value type do not match
  ret void
}
; ---- case: cmpxchg-success
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = cmpxchg ptr %p, i32 0, i32 1 unordered monotonic ; error: invalid cmpxchg success ordering
  ret void
}
; ---- case: cmpxchg-failure
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = cmpxchg ptr %p, i32 0, i32 1 seq_cst release ; error: invalid cmpxchg failure ordering
  ret void
}
; ---- case: cmpxchg-failure-missing
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = cmpxchg ptr %p, i32 0, i32 1 seq_cst
  ret void ; error: Expected ordering on atomic instruction
}
; ---- case: cmpxchg-float
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = cmpxchg ptr %p, float 0.0, float 1.0 seq_cst seq_cst ; error: cmpxchg operand must have integer or pointer type
  ret void
}
; ---- case: cmpxchg-small
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = cmpxchg ptr %p, i1 0, i1 1 seq_cst seq_cst ; error: atomic memory access' size must be byte-sized
  ret void
}
; ---- case: cmpxchg-odd
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = cmpxchg ptr %p, i24 0, i24 1 seq_cst seq_cst ; error: atomic memory access' operand must have a power-of-two size
  ret void
}
; ---- case: cmpxchg-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = cmpxchg ptr %p i32 0, i32 1 seq_cst seq_cst ; error: expected ',' after cmpxchg address
  ret void
}
; ---- case: atomicrmw-operation
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = atomicrmw div ptr %p, i32 1 seq_cst ; error: expected binary operation in atomicrmw
  ret void
}
; ---- case: atomicrmw-pointer
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = atomicrmw add i32 %i, i32 1 seq_cst ; error: atomicrmw operand must be a pointer
  ret void
}
; ---- case: atomicrmw-unordered
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = atomicrmw add ptr %p, i32 1 unordered ; error: atomicrmw cannot be unordered
  ret void
}
; ---- case: atomicrmw-float
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = atomicrmw add ptr %p, float 1.0 seq_cst ; error: atomicrmw add operand must be an integer
  ret void
}
; ---- case: atomicrmw-fadd-int
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = atomicrmw fadd ptr %p, i32 1 seq_cst ; error: atomicrmw fadd operand must be a floating point type
  ret void
}
; ---- case: atomicrmw-xchg-vector
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = atomicrmw xchg ptr %p, <4 x i32> %v seq_cst ; error: atomicrmw xchg operand must be an integer, floating point, or pointer type
  ret void
}
; ---- case: atomicrmw-size
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = atomicrmw add ptr %p, i24 1 seq_cst ; error: atomicrmw operand must be power-of-two byte-sized integer
  ret void
}
; ---- case: atomicrmw-scalable
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = atomicrmw fadd ptr %p, <vscale x 2 x half> zeroinitializer seq_cst ; error: atomicrmw operand may not be scalable
  ret void
}
; ---- case: atomicrmw-ordering
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = atomicrmw add ptr %p, i32 1
  ret void ; error: Expected ordering on atomic instruction
}
; ---- case: atomicrmw-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = atomicrmw add ptr %p i32 1 seq_cst ; error: expected ',' after atomicrmw address
  ret void
}
; ---- case: fence-unordered
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  fence unordered ; error: fence cannot be unordered
  ret void
}
; ---- case: fence-monotonic
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  fence monotonic ; error: fence cannot be monotonic
  ret void
}
; ---- case: fence-ordering
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  fence
  ret void ; error: Expected ordering on atomic instruction
}
; ---- case: syncscope-paren
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  fence syncscope "agent" seq_cst ; error: Expected '(' in syncscope
  ret void
}
; ---- case: syncscope-name
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  fence syncscope(agent) seq_cst ; error: Expected synchronization scope name
  ret void
}
; ---- case: syncscope-close
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  fence syncscope("agent" seq_cst ; error: Expected ')' in syncscope
  ret void
}
; ---- case: gep-base
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = getelementptr i32, i32 %i, i32 0 ; error: base of getelementptr must be a pointer
  ret void
}
; ---- case: gep-index
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = getelementptr i32, ptr %p, float 0.0 ; error: getelementptr index must be an integer
  ret void
}
; ---- case: gep-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = getelementptr i32 ptr %p, i32 0 ; error: expected comma after getelementptr's type
  ret void
}
; ---- case: gep-indices
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = getelementptr i32, ptr %p, i32 0, i32 0 ; error: invalid getelementptr indices
  ret void
}
; ---- case: gep-struct-index
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = getelementptr { i32 }, ptr %p, i32 0, i32 1 ; error: invalid getelementptr indices
  ret void
}
; ---- case: gep-struct-variable
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = getelementptr { i32 }, ptr %p, i32 0, i32 %i ; error: invalid getelementptr indices
  ret void
}
; ---- case: gep-struct-width
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = getelementptr { i32 }, ptr %p, i32 0, i64 0 ; error: invalid getelementptr indices
  ret void
}
; ---- case: gep-unsized
%t = type opaque
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = getelementptr %t, ptr %p, i32 1 ; error: base element of getelementptr must be sized
  ret void
}
; ---- case: gep-void
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = getelementptr void, ptr %p, i32 1 ; error: void type only allowed for function results
  ret void
}
; ---- case: gep-lanes
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = getelementptr i32, <2 x ptr> zeroinitializer, <4 x i32> %v ; error: getelementptr vector index has a wrong number of elements
  ret void
}
; ---- case: gep-scalable-struct
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = getelementptr { i32, <vscale x 2 x i32> }, ptr %p, i32 0, i32 1 ; error: base element of getelementptr must be sized
  ret void
}
; ---- case: extractvalue-scalar
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = extractvalue i32 %i, 0 ; error: extractvalue operand must be aggregate type
  ret void
}
; ---- case: extractvalue-index
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = extractvalue { i32 } zeroinitializer, 1 ; error: invalid indices for extractvalue
  ret void
}
; ---- case: extractvalue-deep
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = extractvalue { i32 } zeroinitializer, 0, 0 ; error: invalid indices for extractvalue
  ret void
}
; ---- case: extractvalue-array-index
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = extractvalue [2 x i32] zeroinitializer, 2 ; error: invalid indices for extractvalue
  ret void
}
; ---- case: extractvalue-no-index
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = extractvalue { i32 } zeroinitializer
  ret void ; error: expected ',' as start of index list
}
; ---- case: extractvalue-word
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = extractvalue { i32 } zeroinitializer, i32 0 ; error: expected integer
  ret void
}
; ---- case: insertvalue-scalar
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = insertvalue i32 %i, i32 0, 0 ; error: insertvalue operand must be aggregate type
  ret void
}
; ---- case: insertvalue-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = insertvalue { i32 } zeroinitializer, i64 0, 0 ; error: insertvalue operand and field disagree in type: 'i64' instead of 'i32'
  ret void
}
; ---- case: insertvalue-index
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = insertvalue { i32 } zeroinitializer, i32 0, 1 ; error: invalid indices for insertvalue
  ret void
}
; ---- case: insertvalue-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = insertvalue { i32 } zeroinitializer i32 0, 0 ; error: expected comma after insertvalue operand
  ret void
}
; ---- case: metadata-attachment
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %i, 1, !foo
  ret void ; error: expected '!' here
}
; ---- case: metadata-attachment-undefined
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %i, 1, !foo !7 ; error: use of undefined metadata '!7'
  ret void
}
; ---- case: metadata-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %i, 1, foo ; error: expected metadata after comma
  ret void
}
; ---- case: metadata-value
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store metadata !0, ptr %p ; error: expected value token
  ret void
}
!0 = !{}
; ---- case: label-operand
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add label %0, %0 ; error: invalid operand type for instruction
  ret void
}
; ---- case: inline-asm-operand
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store ptr asm "", "", ptr %p ; error: invalid type for inline asm constraint string
  ret void
}
; ---- case: intrinsic-address
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store ptr @llvm.trap, ptr %p ; error: Cannot take the address of an intrinsic!
  ret void
}
declare void @llvm.trap()
; ---- case: intrinsic-address-global
@g = global ptr @llvm.trap ; error: Invalid user of intrinsic instruction!
declare void @llvm.trap()
