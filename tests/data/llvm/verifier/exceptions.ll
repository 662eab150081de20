; ---- case: landingpad-no-clause
declare i32 @p(...)
declare void @g()
define void @f() personality ptr @p {
  invoke void @g() to label %a unwind label %b
a:
  ret void
b:
  %l = landingpad { ptr, i32 } ; error: LandingPadInst needs at least one clause or to be a cleanup.
  ret void
}
; ---- case: landingpad-personality
declare void @g()
define void @f() {
  invoke void @g() to label %a unwind label %b
a:
  ret void
b:
  %l = landingpad { ptr, i32 } cleanup ; error: LandingPadInst needs to be in a function with a personality.
  ret void
}
; ---- case: landingpad-entry
declare i32 @p(...)
define void @f() personality ptr @p {
  %l = landingpad { ptr, i32 } cleanup ; error: EH pad cannot be in entry block.
  ret void
}
; ---- case: landingpad-branch
declare i32 @p(...)
define void @f() personality ptr @p {
  br label %a
a:
  %l = landingpad { ptr, i32 } cleanup ; error: Block containing LandingPadInst must be jumped to only by the unwind edge of an invoke.
  ret void
}
; ---- case: landingpad-normal-destination
declare i32 @p(...)
declare void @g()
define void @f() personality ptr @p {
  invoke void @g() to label %a unwind label %a
a:
  %l = landingpad { ptr, i32 } cleanup ; error: Block containing LandingPadInst must be jumped to only by the unwind edge of an invoke.
  ret void
}
; ---- case: landingpad-not-first
declare i32 @p(...)
declare void @g()
define void @f() personality ptr @p {
  invoke void @g() to label %a unwind label %b
a:
  ret void
b:
  %x = add i32 1, 1
  %l = landingpad { ptr, i32 } cleanup ; error: The unwind destination does not have an exception handling instruction!
  ret void
}
; ---- case: landingpad-types
declare i32 @p(...)
declare void @g()
define void @f() personality ptr @p {
  invoke void @g() to label %a unwind label %b
a:
  invoke void @g() to label %d unwind label %c
b:
  %l = landingpad { ptr, i32 } cleanup
  ret void
c:
  %m = landingpad { ptr, i64 } cleanup ; error: The landingpad instruction should have a consistent result type inside a function.
  ret void
d:
  ret void
}
; ---- case: landingpad-catch-type
declare i32 @p(...)
define void @f() personality ptr @p {
  %l = landingpad { ptr, i32 } catch i32 0 ; error: EH pad cannot be in entry block.
  ret void
}
; ---- case: landingpad-catch-array
declare i32 @p(...)
define void @f() personality ptr @p {
  %l = landingpad { ptr, i32 } catch [1 x ptr] zeroinitializer ; error: 'catch' clause has an invalid type
  ret void
}
; ---- case: landingpad-filter-type
declare i32 @p(...)
define void @f() personality ptr @p {
  %l = landingpad { ptr, i32 } filter ptr null ; error: 'filter' clause has an invalid type
  ret void
}
; ---- case: landingpad-clause-constant
declare i32 @p(...)
define void @f(ptr %x) personality ptr @p {
  %l = landingpad { ptr, i32 } catch ptr %x ; error: clause argument must be a constant
  ret void
}
; ---- case: landingpad-filter-undef
declare i32 @p(...)
declare void @g()
define void @f() personality ptr @p {
  invoke void @g() to label %a unwind label %b
a:
  ret void
b:
  %l = landingpad { ptr, i32 } filter [1 x ptr] undef ; error: Filter operand is not an array of constants!
  ret void
}
; ---- case: resume-personality
define void @f() {
  resume { ptr, i32 } undef ; error: ResumeInst needs to be in a function with a personality.
}
; ---- case: resume-type
declare i32 @p(...)
declare void @g()
define void @f() personality ptr @p {
  invoke void @g() to label %a unwind label %b
a:
  ret void
b:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i64 } undef ; error: The resume instruction should have a consistent result type inside a function.
}
; ---- case: catchswitch-personality
define void @f() {
  ret void
a:
  %s = catchswitch within none [label %b] unwind to caller ; error: CatchSwitchInst needs to be in a function with a personality.
b:
  %q = catchpad within %s []
  ret void
}
; ---- case: catchswitch-entry
declare i32 @p(...)
define void @f() personality ptr @p {
  %s = catchswitch within none [label %b] unwind to caller ; error: EH pad cannot be in entry block.
b:
  %q = catchpad within %s []
  ret void
}
; ---- case: catchswitch-not-first
declare i32 @p(...)
define void @f() personality ptr @p {
  ret void
a:
  %x = add i32 1, 1
  %s = catchswitch within none [label %b] unwind to caller ; error: CatchSwitchInst not the first non-PHI instruction in the block.
b:
  %q = catchpad within %s []
  ret void
}
; ---- case: catchswitch-handler
declare i32 @p(...)
define void @f() personality ptr @p {
  ret void
a:
  %s = catchswitch within none [label %b] unwind to caller ; error: CatchSwitchInst handlers must be catchpads
b:
  ret void
}
; ---- case: catchswitch-empty
declare i32 @p(...)
define void @f() personality ptr @p {
  ret void
a:
  %s = catchswitch within none [] unwind to caller ; error: expected type
}
; ---- case: catchswitch-unwind-landingpad
declare i32 @p(...)
define void @f() personality ptr @p {
  ret void
a:
  %s = catchswitch within none [label %b] unwind label %c ; error: CatchSwitchInst must unwind to an EH block which is not a landingpad.
b:
  %q = catchpad within %s []
  ret void
c:
  ret void
}
; ---- case: catchswitch-parent
declare i32 @p(...)
define void @f() personality ptr @p {
  ret void
a:
  %s = catchswitch within none [label %b] unwind to caller
b:
  %q = catchpad within %s []
  ret void
c:
  %t = catchswitch within %s [label %d] unwind to caller ; error: CatchSwitchInst has an invalid parent.
d:
  %r = catchpad within %t []
  ret void
}
; ---- case: catchswitch-within
declare i32 @p(...)
define void @f() personality ptr @p {
  %s = catchswitch none [label %b] unwind to caller ; error: expected 'within' after catchswitch
}
; ---- case: catchswitch-scope
declare i32 @p(...)
define void @f() personality ptr @p {
  %s = catchswitch within 5 [label %b] unwind to caller ; error: expected scope value for catchswitch
}
; ---- case: catchswitch-labels
declare i32 @p(...)
define void @f() personality ptr @p {
  %s = catchswitch within none label %b unwind to caller ; error: expected '[' with catchswitch labels
}
; ---- case: catchswitch-unwind-word
declare i32 @p(...)
define void @f() personality ptr @p {
  %s = catchswitch within none [label %b] to caller ; error: expected 'unwind' after catchswitch scope
}
; ---- case: catchpad-personality
define void @f() {
  ret void
b:
  %q = catchpad within none [] ; error: expected scope value for catchpad
  ret void
}
; ---- case: catchpad-not-first
declare i32 @p(...)
define void @f() personality ptr @p {
  ret void
a:
  %s = catchswitch within none [label %b] unwind to caller ; error: CatchSwitchInst handlers must be catchpads
b:
  %x = add i32 1, 1
  %q = catchpad within %s []
  ret void
}
; ---- case: catchpad-branch
declare i32 @p(...)
define void @f(i1 %c) personality ptr @p {
  br i1 %c, label %b, label %z
a:
  %s = catchswitch within none [label %b] unwind to caller
b:
  %q = catchpad within %s [] ; error: Block containg CatchPadInst must be jumped to only by its catchswitch.
  ret void
z:
  ret void
}
; ---- case: catchpad-parent
declare i32 @p(...)
define void @f() personality ptr @p {
  ret void
a:
  %q = cleanuppad within none []
  unreachable
b:
  %r = catchpad within %q [] ; error: Bogus funclet pad use
  ret void
}
; ---- case: catchpad-arguments
declare i32 @p(...)
define void @f() personality ptr @p {
  ret void
a:
  %s = catchswitch within none [label %b] unwind to caller
b:
  %q = catchpad within %s
  ret void ; error: expected '[' in catchpad/cleanuppad
}
; ---- case: catchret-from
declare i32 @p(...)
define void @f() personality ptr @p {
  catchret %x to label %a ; error: expected 'from' after catchret
a:
  ret void
}
; ---- case: catchret-pad
declare i32 @p(...)
define void @f() personality ptr @p {
  ret void
a:
  %q = cleanuppad within none []
  catchret from %q to label %b ; error: CatchReturnInst needs to be provided a CatchPad
b:
  ret void
}
; ---- case: cleanupret-pad
declare i32 @p(...)
define void @f() personality ptr @p {
  ret void
a:
  %s = catchswitch within none [label %b] unwind to caller
b:
  %q = catchpad within %s []
  cleanupret from %q unwind to caller ; error: CleanupReturnInst needs to be provided a CleanupPad
}
; ---- case: cleanupret-from
declare i32 @p(...)
define void @f() personality ptr @p {
  cleanupret %x unwind to caller ; error: expected 'from' after cleanupret
}
; ---- case: cleanupret-unwind
declare i32 @p(...)
define void @f() personality ptr @p {
  ret void
a:
  %q = cleanuppad within none []
  cleanupret from %q to caller ; error: expected 'unwind' in cleanupret
}
; ---- case: cleanupret-caller
declare i32 @p(...)
define void @f() personality ptr @p {
  ret void
a:
  %q = cleanuppad within none []
  cleanupret from %q unwind to %a ; error: expected 'caller' in cleanupret
}
; ---- case: cleanupret-destination
declare i32 @p(...)
define void @f() personality ptr @p {
  ret void
a:
  %q = cleanuppad within none []
  cleanupret from %q unwind label %b ; error: CleanupReturnInst must unwind to an EH block which is not a landingpad.
b:
  ret void
}
; ---- case: cleanuppad-personality
define void @f() {
  ret void
a:
  %q = cleanuppad within none [] ; error: CleanupPadInst needs to be in a function with a personality.
  unreachable
}
; ---- case: cleanuppad-not-first
declare i32 @p(...)
define void @f() personality ptr @p {
  ret void
a:
  %x = add i32 1, 1
  %q = cleanuppad within none [] ; error: CleanupPadInst not the first non-PHI instruction in the block.
  unreachable
}
; ---- case: cleanuppad-parent
declare i32 @p(...)
define void @f() personality ptr @p {
  ret void
a:
  %s = catchswitch within none [label %b] unwind to caller
b:
  %q = catchpad within %s []
  ret void
c:
  %r = cleanuppad within %s [] ; error: CleanupPadInst has an invalid parent.
  unreachable
}
; ---- case: cleanuppad-entry
declare i32 @p(...)
define void @f() personality ptr @p {
  %q = cleanuppad within none [] ; error: EH pad cannot be in entry block.
  unreachable
}
; ---- case: cleanuppad-branch
declare i32 @p(...)
define void @f() personality ptr @p {
  br label %a
a:
  %q = cleanuppad within none [] ; error: EH pad must be jumped to via an unwind edge
  unreachable
}
; ---- case: cleanuppad-within
declare i32 @p(...)
define void @f() personality ptr @p {
  %q = cleanuppad none [] ; error: expected 'within' after cleanuppad
}
; ---- case: cleanuppad-scope
declare i32 @p(...)
define void @f() personality ptr @p {
  %q = cleanuppad within 5 [] ; error: expected scope value for cleanuppad
}
; ---- case: cleanuppad-bogus-use
declare i32 @p(...)
declare void @g(token)
define void @f() personality ptr @p {
  ret void
a:
  %q = cleanuppad within none [] ; error: Function takes token but isn't an intrinsic
  %z = freeze token %q
  unreachable
}
; ---- case: cleanuppad-two-destinations
declare i32 @p(...)
declare void @g()
define void @f(i1 %c) personality ptr @p {
  invoke void @g() to label %z unwind label %a
a:
  %q = cleanuppad within none [] ; error: Unwind edges out of a funclet pad must have the same unwind dest
  br i1 %c, label %x, label %y
x:
  cleanupret from %q unwind to caller
y:
  cleanupret from %q unwind label %b
b:
  %r = cleanuppad within none []
  cleanupret from %r unwind to caller
z:
  ret void
}
; ---- case: catch-unwind-differs
declare i32 @p(...)
declare void @g()
define void @f() personality ptr @p {
  invoke void @g() to label %z unwind label %a
a:
  %s = catchswitch within none [label %b] unwind to caller
b:
  %q = catchpad within %s [] ; error: Unwind edges out of a catch must have the same unwind dest as the parent catchswitch
  invoke void @g() [ "funclet"(token %q) ] to label %z2 unwind label %c
c:
  %r = cleanuppad within none []
  cleanupret from %r unwind to caller
z:
  ret void
z2:
  ret void
}
; ---- case: pad-cycle
declare i32 @p(...)
declare void @g()
define void @f() personality ptr @p {
  invoke void @g() to label %z unwind label %a
a:
  %q = cleanuppad within none [] ; error: EH pads can't handle each other's exceptions
  cleanupret from %q unwind label %b
b:
  %r = cleanuppad within none []
  cleanupret from %r unwind label %a
z:
  ret void
}
; ---- case: unwind-into-two-pads
declare i32 @p(...) ; error: The unwind destination does not have an exception handling instruction!
declare void @g()
define void @f() personality ptr @p {
  invoke void @g() to label %z unwind label %a
a:
  %q = cleanuppad within none []
  invoke void @g() [ "funclet"(token %q) ] to label %z2 unwind label %z2
z2:
  unreachable
z:
  ret void
}
; ---- case: cleanupret-own-pad
declare i32 @p(...)
declare void @g()
define void @f() personality ptr @p {
  invoke void @g() to label %z unwind label %a
a:
  %q = cleanuppad within none []
  cleanupret from %q unwind label %b ; error: A cleanupret must exit its cleanup
b:
  %r = cleanuppad within %q []
  cleanupret from %r unwind to caller
z:
  ret void
}
; ---- case: eh-pad-skips-level
declare i32 @p(...)
declare void @g()
define void @f() personality ptr @p {
  invoke void @g() to label %z unwind label %b ; error: A single unwind edge may only enter one EH pad
a:
  %q = cleanuppad within none []
  unreachable
b:
  %r = cleanuppad within %q []
  cleanupret from %r unwind to caller
z:
  ret void
}
; ---- case: seh-missing-funclet
declare i32 @__CxxFrameHandler3(...)
declare void @g()
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @f(ptr %p) personality ptr @__CxxFrameHandler3 {
  invoke void @g() to label %z unwind label %a
a:
  %q = cleanuppad within none []
  %m = call ptr @llvm.objc.retain(ptr %p) ; error: Missing funclet token on intrinsic call
  cleanupret from %q unwind to caller
z:
  ret void
}
declare ptr @llvm.objc.retain(ptr)
; ---- case: exceptionpointer-catchpad
declare ptr @llvm.eh.exceptionpointer.p0(token)
define void @f() {
  %x = call ptr @llvm.eh.exceptionpointer.p0(token none) ; error: eh.exceptionpointer argument must be a catchpad
  ret void
}
; ---- case: cleanupret-undef
define void @f() personality ptr null {
  br label %a
a:
  cleanupret from undef unwind label %b ; error: CleanupReturnInst needs to be provided a CleanupPad
b:
  %p = cleanuppad within none []
  cleanupret from %p unwind to caller
}
; ---- case: seh-runtime-call-funclet
declare void @g()
declare i32 @__CxxFrameHandler3(...)
declare ptr @llvm.objc.retain(ptr)
define void @f() personality ptr @__CxxFrameHandler3 {
  invoke void @g() to label %done unwind label %dispatch
dispatch:
  %s = catchswitch within none [label %catch] unwind to caller
catch:
  %c = catchpad within %s []
  br label %inner
inner:
  %r = call ptr @llvm.objc.retain(ptr null) ; error: Missing funclet token on intrinsic call
  catchret from %c to label %done
done:
  ret void
}
; ---- case: pad-on-normal-edge
declare void @g()
declare i32 @p(...)
define void @f() personality ptr @p {
  invoke void @g() to label %a unwind label %a
a:
  %q = cleanuppad within none [] ; error: EH pad must be jumped to via an unwind edge
  unreachable
}
