//! Operands of each instruction: those that fit and those that do not.

use expect_test::expect;

use crate::rules::testing::marks;

#[test]
fn a_source_is_named_by_a_string() {
    marks(expect![[r#"
        ; target-env: spv1.6
        OpCapability Shader
        OpCapability Linkage
        %set = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
        OpMemoryModel Logical GLSL450
        %file = OpString "a.comp"
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %one = OpConstant %uint 1
        %good = OpExtInst %void %set DebugSource %file
        %bad = OpExtInst %void %set DebugSource %one
        ;                                       ^^^^ error[debug-info]: File must be an OpString, `%one` is not
        ;                                          = line 9:1: defined here
        %unit = OpExtInst %void %set DebugCompilationUnit %one %one %one %one
        ;                                                           ^^^^ error[debug-info]: Source must be DebugSource, `%one` is not
        ;                                                              = line 9:1: defined here
    "#]]);
}

#[test]
fn operands_in_functions() {
    marks(expect![[r#"
        ; target-env: spv1.6
        OpCapability Shader
        OpCapability Linkage
        OpExtension "SPV_KHR_non_semantic_info"
        %d = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
        OpMemoryModel Logical GLSL450
        %s = OpString "name"
        %void = OpTypeVoid
        %int = OpTypeInt 32 1
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %i1 = OpConstant %int 1
        %u0 = OpConstant %uint 0
        %u1 = OpConstant %uint 1
        %u2 = OpConstant %uint 2
        %u3 = OpConstant %uint 3
        %u4 = OpConstant %uint 4
        %u5 = OpConstant %uint 5
        %bool = OpTypeBool
        %true = OpConstantTrue %bool
        %fn = OpTypeFunction %void
        %p = OpTypePointer Private %float
        %global = OpVariable %p Private
        %source = OpExtInst %void %d DebugSource %s
        %unit = OpExtInst %void %d DebugCompilationUnit %u1 %u4 %source %u2
        %none = OpExtInst %void %d DebugInfoNone
        %basic = OpExtInst %void %d DebugTypeBasic %s %u4 %u3 %u0
        %ptr = OpExtInst %void %d DebugTypePointer %basic %u0 %u0
        %qual = OpExtInst %void %d DebugTypeQualifier %basic %u0
        %vec = OpExtInst %void %d DebugTypeVector %basic %u4
        %matrix = OpExtInst %void %d DebugTypeMatrix %vec %u4 %true
        %arr = OpExtInst %void %d DebugTypeArray %basic %u4
        %def = OpExtInst %void %d DebugTypedef %s %basic %source %u1 %u1 %unit
        %func_t = OpExtInst %void %d DebugTypeFunction %u3 %void %basic
        %member = OpExtInst %void %d DebugTypeMember %s %basic %source %u1 %u1 %u0 %u4 %u3
        %comp = OpExtInst %void %d DebugTypeComposite %s %u1 %source %u1 %u1 %unit %s %u4 %u3 %member
        %enum = OpExtInst %void %d DebugTypeEnum %s %basic %source %u1 %u1 %unit %u4 %u3 %u1 %s
        %func = OpExtInst %void %d DebugFunction %s %func_t %source %u1 %u1 %unit %s %u3 %u1
        %decl = OpExtInst %void %d DebugFunctionDeclaration %s %func_t %source %u1 %u1 %unit %s %u3
        %block = OpExtInst %void %d DebugLexicalBlock %source %u1 %u1 %func %s
        %inlined = OpExtInst %void %d DebugInlinedAt %u1 %func
        %local = OpExtInst %void %d DebugLocalVariable %s %basic %source %u1 %u1 %func %u0 %u1
        %param = OpExtInst %void %d DebugTypeTemplateParameter %s %basic %u1 %source %u1 %u1
        %template = OpExtInst %void %d DebugTypeTemplate %comp %param
        %globalv = OpExtInst %void %d DebugGlobalVariable %s %basic %source %u1 %u1 %unit %s %global %u3
        %oper = OpExtInst %void %d DebugOperation %u0 %u1
        %expr = OpExtInst %void %d DebugExpression %oper
        %entry = OpExtInst %void %d DebugEntryPoint %func %unit %s %s
        %build = OpExtInst %void %d DebugBuildIdentifier %s %u0
        %path = OpExtInst %void %d DebugStoragePath %s
        %pf = OpTypePointer Function %float
        %main = OpFunction %void None %fn
        %label = OpLabel
        %var = OpVariable %pf Function
        %z0 = OpExtInst %void %d DebugScope %func
        %z1 = OpExtInst %void %d DebugScope %func %inlined
        %z2 = OpExtInst %void %d DebugScope %comp
        %z3 = OpExtInst %void %d DebugScope %unit
        %z4 = OpExtInst %void %d DebugScope %block
        %z5 = OpExtInst %void %d DebugScope %basic
        ;                                   ^^^^^^ error[debug-info]: Scope must be a lexical scope, `%basic` is not
        ;                                        = line 27:1: defined here
        %z6 = OpExtInst %void %d DebugScope %func %func
        ;                                         ^^^^^ error[debug-info]: Inlined At must be DebugInlinedAt, `%func` is not
        ;                                             = line 38:1: defined here
        %z7 = OpExtInst %void %d DebugNoScope
        %z8 = OpExtInst %void %d DebugDeclare %local %var %expr
        %z9 = OpExtInst %void %d DebugDeclare %local %global %expr
        %z10 = OpExtInst %void %d DebugDeclare %local %i1 %expr
        ;                                             ^^^ error[debug-info]: Variable must be an OpVariable or OpFunctionParameter, `%i1` is neither
        ;                                               = line 12:1: defined here
        %z11 = OpExtInst %void %d DebugDeclare %globalv %var %expr
        ;                                      ^^^^^^^^ error[debug-info]: Local Variable must be DebugLocalVariable, `%globalv` is not
        ;                                             = line 45:1: defined here
        %z12 = OpExtInst %void %d DebugDeclare %local %var %oper
        ;                                                  ^^^^^ error[debug-info]: Expression must be DebugExpression, `%oper` is not
        ;                                                      = line 46:1: defined here
        %z13 = OpExtInst %void %d DebugDeclare %local %var %expr %u1
        %z14 = OpExtInst %void %d DebugDeclare %local %var %expr %i1
        %z15 = OpExtInst %void %d DebugDeclare %local %var %expr %true
        ;                                                        ^^^^^ error[debug-info]: an index must be an integer scalar
        ;                                                            = line 20:1: defined here
        %z16 = OpExtInst %void %d DebugValue %local %i1 %expr
        %z17 = OpExtInst %void %d DebugValue %globalv %i1 %expr
        ;                                    ^^^^^^^^ error[debug-info]: Local Variable must be DebugLocalVariable, `%globalv` is not
        ;                                           = line 45:1: defined here
        %z18 = OpExtInst %void %d DebugValue %local %i1 %basic
        ;                                               ^^^^^^ error[debug-info]: Expression must be DebugExpression, `%basic` is not
        ;                                                    = line 27:1: defined here
        %z19 = OpExtInst %void %d DebugValue %local %i1 %expr %u1
        %z20 = OpExtInst %void %d DebugValue %local %i1 %expr %local
        %z21 = OpExtInst %void %d DebugValue %local %i1 %expr %basic
        ;                                                     ^^^^^^ error[debug-info]: an index must be an integer constant or a debug variable
        ;                                                          = line 27:1: defined here
        %z22 = OpExtInst %void %d DebugLine %source %u1 %u1 %u1 %u2
        %z23 = OpExtInst %void %d DebugLine %source %u1 %u2 %u2 %u1
        %z24 = OpExtInst %void %d DebugLine %source %u2 %u1 %u1 %u1
        ;                                               ^^^ error[debug-info]: the line range 2 to 1 is empty
        ;                                                 = line 14:1: defined here
        %z25 = OpExtInst %void %d DebugLine %source %u1 %u1 %u2 %u1
        ;                                                       ^^^ error[debug-info]: the column range 2 to 1 is empty
        ;                                                         = line 14:1: defined here
        %z26 = OpExtInst %void %d DebugLine %source %u1 %u1 %u1 %u1
        %z27 = OpExtInst %void %d DebugLine %s %u1 %u1 %u1 %u1
        ;                                   ^^ error[debug-info]: Source must be DebugSource, `%s` is not
        ;                                    = line 7:1: defined here
        %z28 = OpExtInst %void %d DebugLine %source %i1 %u1 %u1 %u1
        ;                                           ^^^ error[debug-info]: Line Start must be a 32-bit unsigned OpConstant, `%i1` is not
        ;                                             = line 12:1: defined here
        %z29 = OpExtInst %void %d DebugLine %source %u1 %i1 %u1 %u1
        ;                                               ^^^ error[debug-info]: Line End must be a 32-bit unsigned OpConstant, `%i1` is not
        ;                                                 = line 12:1: defined here
        %z30 = OpExtInst %void %d DebugLine %source %u1 %u1 %i1 %u1
        ;                                                   ^^^ error[debug-info]: Column Start must be a 32-bit unsigned OpConstant, `%i1` is not
        ;                                                     = line 12:1: defined here
        %z31 = OpExtInst %void %d DebugLine %source %u1 %u1 %u1 %i1
        ;                                                       ^^^ error[debug-info]: Column End must be a 32-bit unsigned OpConstant, `%i1` is not
        ;                                                         = line 12:1: defined here
        %z32 = OpExtInst %void %d DebugNoLine
        %z33 = OpExtInst %void %d DebugFunctionDefinition %func %main
        %z34 = OpExtInst %void %d DebugFunctionDefinition %func %fn
        ;                                                       ^^^ error[debug-info]: Definition must be an OpFunction, `%fn` is not
        ;                                                         = line 21:1: defined here
        %z35 = OpExtInst %void %d DebugFunctionDefinition %main %main
        ;                                                 ^^^^^ error[debug-info]: Function must be DebugFunction, `%main` is not
        ;                                                     = line 52:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn operands_of_each_opencl_instruction() {
    marks(expect![[r#"
        ; target-env: opencl2.2
        OpCapability Kernel
        OpCapability Linkage
        OpCapability Addresses
        %d = OpExtInstImport "OpenCL.DebugInfo.100"
        OpMemoryModel Physical32 OpenCL
        %s = OpString "name"
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %u4 = OpConstant %uint 4
        %u1 = OpConstant %uint 1
        %fn = OpTypeFunction %void
        %p = OpTypePointer CrossWorkgroup %float
        %global = OpVariable %p CrossWorkgroup
        %source = OpExtInst %void %d DebugSource %s
        %unit = OpExtInst %void %d DebugCompilationUnit 1 4 %source OpenCL_C
        %none = OpExtInst %void %d DebugInfoNone
        %basic = OpExtInst %void %d DebugTypeBasic %s %u4 Float
        %ptr = OpExtInst %void %d DebugTypePointer %basic Function None
        %qual = OpExtInst %void %d DebugTypeQualifier %basic ConstType
        %vec = OpExtInst %void %d DebugTypeVector %basic 4
        %arr = OpExtInst %void %d DebugTypeArray %basic %u4
        %def = OpExtInst %void %d DebugTypedef %s %basic %source 1 1 %unit
        %func_t = OpExtInst %void %d DebugTypeFunction FlagIsPublic %void %basic
        %comp = OpExtInst %void %d DebugTypeComposite %s Structure %source 1 1 %unit %s %u4 FlagIsPublic
        %member = OpExtInst %void %d DebugTypeMember %s %basic %source 1 1 %comp %u1 %u4 FlagIsPublic
        %enum = OpExtInst %void %d DebugTypeEnum %s %basic %source 1 1 %unit %u4 FlagIsPublic %u1 %s
        %inherit = OpExtInst %void %d DebugTypeInheritance %comp %comp %u1 %u4 FlagIsPublic
        %func = OpExtInst %void %d DebugFunction %s %func_t %source 1 1 %unit %s FlagIsPublic 1 %main
        %decl = OpExtInst %void %d DebugFunctionDeclaration %s %func_t %source 1 1 %unit %s FlagIsPublic
        %block = OpExtInst %void %d DebugLexicalBlock %source 1 1 %func %s
        %inlined = OpExtInst %void %d DebugInlinedAt 1 %func
        %local = OpExtInst %void %d DebugLocalVariable %s %basic %source 1 1 %func FlagIsLocal 1
        %param = OpExtInst %void %d DebugTypeTemplateParameter %s %basic %u1 %source 1 1
        %template = OpExtInst %void %d DebugTypeTemplate %comp %param
        %globalv = OpExtInst %void %d DebugGlobalVariable %s %basic %source 1 1 %unit %s %global FlagIsPublic
        %oper = OpExtInst %void %d DebugOperation Constu 1
        %expr = OpExtInst %void %d DebugExpression %oper
        %x0 = OpExtInst %void %d DebugTypeVector %basic 0
        ;                                               ^ error[debug-info]: Component Count must be between 1 and 4
        %x1 = OpExtInst %void %d DebugTypeVector %basic 1
        %x2 = OpExtInst %void %d DebugTypeVector %basic 5
        ;                                               ^ error[debug-info]: Component Count must be between 1 and 4
        %x3 = OpExtInst %void %d DebugTypeInheritance %comp %basic %u1 %u4 FlagIsPublic
        ;                                                   ^^^^^^ error[debug-info]: Parent must be DebugTypeComposite, `%basic` is not
        ;                                                        = line 19:1: defined here
        %x4 = OpExtInst %void %d DebugFunction %s %func_t %source 1 1 %unit %s FlagIsPublic 1 %none
        %x5 = OpExtInst %void %d DebugFunction %s %func_t %source 1 1 %unit %s FlagIsPublic 1 %u1
        ;                                                                                     ^^^ error[debug-info]: Function must be an OpFunction, `%u1` is not
        ;                                                                                       = line 12:1: defined here
        %x6 = OpExtInst %void %d DebugFunction %s %func_t %source 1 1 %unit %s FlagIsPublic 1 %main %decl
        %x7 = OpExtInst %void %d DebugFunction %s %func_t %source 1 1 %unit %s FlagIsPublic 1 %main %func
        ;                                                                                           ^^^^^ error[debug-info]: Declaration must be DebugFunctionDeclaration, `%func` is not
        ;                                                                                               = line 30:1: defined here
        %x8 = OpExtInst %void %d DebugTypeArray %basic %u4 %global
        ;                                                  ^^^^^^^ error[debug-info]: Component Count must be an integer constant or a debug variable of an unsigned type
        ;                                                        = line 15:1: defined here
        %x9 = OpExtInst %void %d DebugInlinedAt 1 %func %inlined
        %x10 = OpExtInst %void %d DebugInlinedAt 1 %func %func
        ;                                                ^^^^^ error[debug-info]: Inlined must be DebugInlinedAt, `%func` is not
        ;                                                    = line 30:1: defined here
        %x11 = OpExtInst %void %d DebugSource %u1
        ;                                     ^^^ error[debug-info]: File must be an OpString, `%u1` is not
        ;                                       = line 12:1: defined here
        %x12 = OpExtInst %void %d DebugCompilationUnit 1 4 %s OpenCL_C
        ;                                                  ^^ error[debug-info]: Source must be DebugSource, `%s` is not
        ;                                                   = line 7:1: defined here
        %x13 = OpExtInst %void %d DebugTypeBasic %u1 %u4 Float
        ;                                        ^^^ error[debug-info]: Name must be an OpString, `%u1` is not
        ;                                          = line 12:1: defined here
        %x14 = OpExtInst %void %d DebugTypeBasic %s %s Float
        ;                                           ^^ error[debug-info]: Size must be an OpConstant, `%s` is not
        ;                                            = line 7:1: defined here
        %x15 = OpExtInst %void %d DebugTypePointer %s Function None
        ;                                          ^^ error[debug-info]: Base Type must be a debug type, `%s` is not
        ;                                           = line 7:1: defined here
        %x16 = OpExtInst %void %d DebugTypeQualifier %s ConstType
        ;                                            ^^ error[debug-info]: Base Type must be a debug type, `%s` is not
        ;                                             = line 7:1: defined here
        %x17 = OpExtInst %void %d DebugTypeVector %s 4
        ;                                         ^^ error[debug-info]: Base Type must be DebugTypeBasic, `%s` is not
        ;                                          = line 7:1: defined here
        %x18 = OpExtInst %void %d DebugTypeArray %s %u4
        ;                                        ^^ error[debug-info]: Base Type must be a debug type, `%s` is not
        ;                                         = line 7:1: defined here
        %x19 = OpExtInst %void %d DebugTypeArray %basic %s
        ;                                               ^^ error[debug-info]: Component Count must be an integer constant or a debug variable of an unsigned type
        ;                                                = line 7:1: defined here
        %x20 = OpExtInst %void %d DebugTypedef %u1 %basic %source 1 1 %unit
        ;                                      ^^^ error[debug-info]: Name must be an OpString, `%u1` is not
        ;                                        = line 12:1: defined here
        %x21 = OpExtInst %void %d DebugTypedef %s %s %source 1 1 %unit
        ;                                         ^^ error[debug-info]: Base Type must be DebugTypeBasic, `%s` is not
        ;                                          = line 7:1: defined here
        %x22 = OpExtInst %void %d DebugTypedef %s %basic %s 1 1 %unit
        ;                                                ^^ error[debug-info]: Source must be DebugSource, `%s` is not
        ;                                                 = line 7:1: defined here
        %x23 = OpExtInst %void %d DebugTypedef %s %basic %source 1 1 %s
        ;                                                            ^^ error[debug-info]: Parent must be a lexical scope, `%s` is not
        ;                                                             = line 7:1: defined here
        %x24 = OpExtInst %void %d DebugTypeFunction FlagIsPublic %s %basic
        ;                                                        ^^ error[debug-info]: Return Type must be void or a debug type, `%s` is neither
        ;                                                         = line 7:1: defined here
        %x25 = OpExtInst %void %d DebugTypeFunction FlagIsPublic %void %s
        ;                                                              ^^ error[debug-info]: Parameter Types must be a debug type, `%s` is not
        ;                                                               = line 7:1: defined here
        %x26 = OpExtInst %void %d DebugTypeComposite %u1 Structure %source 1 1 %unit %s %u4 FlagIsPublic
        ;                                            ^^^ error[debug-info]: Name must be an OpString, `%u1` is not
        ;                                              = line 12:1: defined here
        %x27 = OpExtInst %void %d DebugTypeComposite %s Structure %s 1 1 %unit %s %u4 FlagIsPublic
        ;                                                         ^^ error[debug-info]: Source must be DebugSource, `%s` is not
        ;                                                          = line 7:1: defined here
        %x28 = OpExtInst %void %d DebugTypeComposite %s Structure %source 1 1 %s %s %u4 FlagIsPublic
        ;                                                                     ^^ error[debug-info]: Parent must be a lexical scope, `%s` is not
        ;                                                                      = line 7:1: defined here
        %x29 = OpExtInst %void %d DebugTypeComposite %s Structure %source 1 1 %unit %u1 %u4 FlagIsPublic
        ;                                                                           ^^^ error[debug-info]: Linkage Name must be an OpString, `%u1` is not
        ;                                                                             = line 12:1: defined here
        %x30 = OpExtInst %void %d DebugTypeComposite %s Structure %source 1 1 %unit %s %s FlagIsPublic
        ;                                                                              ^^ error[debug-info]: Size must be an OpConstant or DebugInfoNone, `%s` is not
        ;                                                                               = line 7:1: defined here
        %x31 = OpExtInst %void %d DebugTypeMember %u1 %basic %source 1 1 %comp %u1 %u4 FlagIsPublic
        ;                                         ^^^ error[debug-info]: Name must be an OpString, `%u1` is not
        ;                                           = line 12:1: defined here
        %x32 = OpExtInst %void %d DebugTypeMember %s %s %source 1 1 %comp %u1 %u4 FlagIsPublic
        ;                                            ^^ error[debug-info]: Type must be a debug type, `%s` is not
        ;                                             = line 7:1: defined here
        %x33 = OpExtInst %void %d DebugTypeMember %s %basic %s 1 1 %comp %u1 %u4 FlagIsPublic
        ;                                                   ^^ error[debug-info]: Source must be DebugSource, `%s` is not
        ;                                                    = line 7:1: defined here
        %x34 = OpExtInst %void %d DebugTypeMember %s %basic %source 1 1 %s %u1 %u4 FlagIsPublic
        ;                                                               ^^ error[debug-info]: Parent must be DebugTypeComposite, `%s` is not
        ;                                                                = line 7:1: defined here
        %x35 = OpExtInst %void %d DebugTypeMember %s %basic %source 1 1 %comp %s %u4 FlagIsPublic
        ;                                                                     ^^ error[debug-info]: Offset must be an OpConstant, `%s` is not
        ;                                                                      = line 7:1: defined here
        %x36 = OpExtInst %void %d DebugTypeMember %s %basic %source 1 1 %comp %u1 %s FlagIsPublic
        ;                                                                         ^^ error[debug-info]: Size must be an OpConstant, `%s` is not
        ;                                                                          = line 7:1: defined here
        %x37 = OpExtInst %void %d DebugTypeEnum %u1 %basic %source 1 1 %unit %u4 FlagIsPublic %u1 %s
        ;                                       ^^^ error[debug-info]: Name must be an OpString, `%u1` is not
        ;                                         = line 12:1: defined here
        %x38 = OpExtInst %void %d DebugTypeEnum %s %s %source 1 1 %unit %u4 FlagIsPublic %u1 %s
        ;                                          ^^ error[debug-info]: Underlying Types must be a debug type, `%s` is not
        ;                                           = line 7:1: defined here
        %x39 = OpExtInst %void %d DebugTypeEnum %s %basic %s 1 1 %unit %u4 FlagIsPublic %u1 %s
        ;                                                 ^^ error[debug-info]: Source must be DebugSource, `%s` is not
        ;                                                  = line 7:1: defined here
        %x40 = OpExtInst %void %d DebugTypeEnum %s %basic %source 1 1 %s %u4 FlagIsPublic %u1 %s
        ;                                                             ^^ error[debug-info]: Parent must be a lexical scope, `%s` is not
        ;                                                              = line 7:1: defined here
        %x41 = OpExtInst %void %d DebugTypeEnum %s %basic %source 1 1 %unit %s FlagIsPublic %u1 %s
        ;                                                                   ^^ error[debug-info]: Size must be an OpConstant, `%s` is not
        ;                                                                    = line 7:1: defined here
        %x42 = OpExtInst %void %d DebugTypeEnum %s %basic %source 1 1 %unit %u4 FlagIsPublic %s %s
        ;                                                                                    ^^ error[debug-info]: Value must be an OpConstant, `%s` is not
        ;                                                                                     = line 7:1: defined here
        %x43 = OpExtInst %void %d DebugTypeEnum %s %basic %source 1 1 %unit %u4 FlagIsPublic %u1 %u1
        ;                                                                                        ^^^ error[debug-info]: Name must be an OpString, `%u1` is not
        ;                                                                                          = line 12:1: defined here
        %x44 = OpExtInst %void %d DebugTypeInheritance %s %comp %u1 %u4 FlagIsPublic
        ;                                              ^^ error[debug-info]: Child must be DebugTypeComposite, `%s` is not
        ;                                               = line 7:1: defined here
        %x45 = OpExtInst %void %d DebugTypeInheritance %comp %s %u1 %u4 FlagIsPublic
        ;                                                    ^^ error[debug-info]: Parent must be DebugTypeComposite, `%s` is not
        ;                                                     = line 7:1: defined here
        %x46 = OpExtInst %void %d DebugTypeInheritance %comp %comp %s %u4 FlagIsPublic
        ;                                                          ^^ error[debug-info]: Offset must be an OpConstant, `%s` is not
        ;                                                           = line 7:1: defined here
        %x47 = OpExtInst %void %d DebugTypeInheritance %comp %comp %u1 %s FlagIsPublic
        ;                                                              ^^ error[debug-info]: Size must be an OpConstant, `%s` is not
        ;                                                               = line 7:1: defined here
        %x48 = OpExtInst %void %d DebugFunction %u1 %func_t %source 1 1 %unit %s FlagIsPublic 1 %main
        ;                                       ^^^ error[debug-info]: Name must be an OpString, `%u1` is not
        ;                                         = line 12:1: defined here
        %x49 = OpExtInst %void %d DebugFunction %s %s %source 1 1 %unit %s FlagIsPublic 1 %main
        ;                                          ^^ error[debug-info]: Type must be DebugTypeFunction, `%s` is not
        ;                                           = line 7:1: defined here
        %x50 = OpExtInst %void %d DebugFunction %s %func_t %s 1 1 %unit %s FlagIsPublic 1 %main
        ;                                                  ^^ error[debug-info]: Source must be DebugSource, `%s` is not
        ;                                                   = line 7:1: defined here
        %x51 = OpExtInst %void %d DebugFunction %s %func_t %source 1 1 %s %s FlagIsPublic 1 %main
        ;                                                              ^^ error[debug-info]: Parent must be a lexical scope, `%s` is not
        ;                                                               = line 7:1: defined here
        %x52 = OpExtInst %void %d DebugFunction %s %func_t %source 1 1 %unit %u1 FlagIsPublic 1 %main
        ;                                                                    ^^^ error[debug-info]: Linkage Name must be an OpString, `%u1` is not
        ;                                                                      = line 12:1: defined here
        %x53 = OpExtInst %void %d DebugFunction %s %func_t %source 1 1 %unit %s FlagIsPublic 1 %s
        ;                                                                                      ^^ error[debug-info]: Function must be an OpFunction, `%s` is not
        ;                                                                                       = line 7:1: defined here
        %x54 = OpExtInst %void %d DebugFunctionDeclaration %u1 %func_t %source 1 1 %unit %s FlagIsPublic
        ;                                                  ^^^ error[debug-info]: Name must be an OpString, `%u1` is not
        ;                                                    = line 12:1: defined here
        %x55 = OpExtInst %void %d DebugFunctionDeclaration %s %s %source 1 1 %unit %s FlagIsPublic
        ;                                                     ^^ error[debug-info]: Type must be DebugTypeFunction, `%s` is not
        ;                                                      = line 7:1: defined here
        %x56 = OpExtInst %void %d DebugFunctionDeclaration %s %func_t %s 1 1 %unit %s FlagIsPublic
        ;                                                             ^^ error[debug-info]: Source must be DebugSource, `%s` is not
        ;                                                              = line 7:1: defined here
        %x57 = OpExtInst %void %d DebugFunctionDeclaration %s %func_t %source 1 1 %s %s FlagIsPublic
        ;                                                                         ^^ error[debug-info]: Parent must be a lexical scope, `%s` is not
        ;                                                                          = line 7:1: defined here
        %x58 = OpExtInst %void %d DebugFunctionDeclaration %s %func_t %source 1 1 %unit %u1 FlagIsPublic
        ;                                                                               ^^^ error[debug-info]: Linkage Name must be an OpString, `%u1` is not
        ;                                                                                 = line 12:1: defined here
        %x59 = OpExtInst %void %d DebugLexicalBlock %s 1 1 %func %s
        ;                                           ^^ error[debug-info]: Source must be DebugSource, `%s` is not
        ;                                            = line 7:1: defined here
        %x60 = OpExtInst %void %d DebugLexicalBlock %source 1 1 %s %s
        ;                                                       ^^ error[debug-info]: Parent must be a lexical scope, `%s` is not
        ;                                                        = line 7:1: defined here
        %x61 = OpExtInst %void %d DebugLexicalBlock %source 1 1 %func %u1
        ;                                                             ^^^ error[debug-info]: Name must be an OpString, `%u1` is not
        ;                                                               = line 12:1: defined here
        %x62 = OpExtInst %void %d DebugInlinedAt 1 %s
        ;                                          ^^ error[debug-info]: Scope must be a lexical scope, `%s` is not
        ;                                           = line 7:1: defined here
        %x63 = OpExtInst %void %d DebugLocalVariable %u1 %basic %source 1 1 %func FlagIsLocal 1
        ;                                            ^^^ error[debug-info]: Name must be an OpString, `%u1` is not
        ;                                              = line 12:1: defined here
        %x64 = OpExtInst %void %d DebugLocalVariable %s %s %source 1 1 %func FlagIsLocal 1
        ;                                               ^^ error[debug-info]: Type must be a debug type, `%s` is not
        ;                                                = line 7:1: defined here
        %x65 = OpExtInst %void %d DebugLocalVariable %s %basic %s 1 1 %func FlagIsLocal 1
        ;                                                      ^^ error[debug-info]: Source must be DebugSource, `%s` is not
        ;                                                       = line 7:1: defined here
        %x66 = OpExtInst %void %d DebugLocalVariable %s %basic %source 1 1 %s FlagIsLocal 1
        ;                                                                  ^^ error[debug-info]: Parent must be a lexical scope, `%s` is not
        ;                                                                   = line 7:1: defined here
        %x67 = OpExtInst %void %d DebugTypeTemplateParameter %u1 %basic %u1 %source 1 1
        ;                                                    ^^^ error[debug-info]: Name must be an OpString, `%u1` is not
        ;                                                      = line 12:1: defined here
        %x68 = OpExtInst %void %d DebugTypeTemplateParameter %s %s %u1 %source 1 1
        ;                                                       ^^ error[debug-info]: Actual Type must be a debug type, `%s` is not
        ;                                                        = line 7:1: defined here
        %x69 = OpExtInst %void %d DebugTypeTemplateParameter %s %basic %s %source 1 1
        ;                                                              ^^ error[debug-info]: Value must be an OpConstant or DebugInfoNone, `%s` is not
        ;                                                               = line 7:1: defined here
        %x70 = OpExtInst %void %d DebugTypeTemplateParameter %s %basic %u1 %s 1 1
        ;                                                                  ^^ error[debug-info]: Source must be DebugSource, `%s` is not
        ;                                                                   = line 7:1: defined here
        %x71 = OpExtInst %void %d DebugTypeTemplate %s %param
        ;                                           ^^ error[debug-info]: Target must be DebugTypeComposite or DebugFunction, `%s` is not
        ;                                            = line 7:1: defined here
        %x72 = OpExtInst %void %d DebugTypeTemplate %comp %s
        ;                                                 ^^ error[debug-info]: Parameters must be DebugTypeTemplateParameter or DebugTypeTemplateTemplateParameter, `%s` is not
        ;                                                  = line 7:1: defined here
        %x73 = OpExtInst %void %d DebugGlobalVariable %u1 %basic %source 1 1 %unit %s %global FlagIsPublic
        ;                                             ^^^ error[debug-info]: Name must be an OpString, `%u1` is not
        ;                                               = line 12:1: defined here
        %x74 = OpExtInst %void %d DebugGlobalVariable %s %s %source 1 1 %unit %s %global FlagIsPublic
        ;                                                ^^ error[debug-info]: Type must be a debug type, `%s` is not
        ;                                                 = line 7:1: defined here
        %x75 = OpExtInst %void %d DebugGlobalVariable %s %basic %s 1 1 %unit %s %global FlagIsPublic
        ;                                                       ^^ error[debug-info]: Source must be DebugSource, `%s` is not
        ;                                                        = line 7:1: defined here
        %x76 = OpExtInst %void %d DebugGlobalVariable %s %basic %source 1 1 %s %s %global FlagIsPublic
        ;                                                                   ^^ error[debug-info]: Scope must be a lexical scope, `%s` is not
        ;                                                                    = line 7:1: defined here
        %x77 = OpExtInst %void %d DebugGlobalVariable %s %basic %source 1 1 %unit %u1 %global FlagIsPublic
        ;                                                                         ^^^ error[debug-info]: Linkage Name must be an OpString, `%u1` is not
        ;                                                                           = line 12:1: defined here
        %x78 = OpExtInst %void %d DebugGlobalVariable %s %basic %source 1 1 %unit %s %s FlagIsPublic
        ;                                                                            ^^ error[debug-info]: Variable must be an OpVariable, OpConstant or DebugInfoNone, `%s` is none of them
        ;                                                                             = line 7:1: defined here
        %x79 = OpExtInst %void %d DebugExpression %s
        ;                                         ^^ error[debug-info]: Operation must be DebugOperation, `%s` is not
        ;                                          = line 7:1: defined here
        %main = OpFunction %void None %fn
        %entry = OpLabel
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn functions_and_members_of_opencl_debug_information_may_come_later() {
    marks(expect![[r#"
        ; target-env: spv1.6
        OpCapability Kernel
        OpCapability Addresses
        OpCapability Linkage
        %set = OpExtInstImport "OpenCL.DebugInfo.100"
        OpMemoryModel Physical64 OpenCL
        %name = OpString "f"
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %uint_8 = OpConstant %uint 8
        %fn = OpTypeFunction %void
        %none = OpExtInst %void %set DebugInfoNone
        %source = OpExtInst %void %set DebugSource %name
        %unit = OpExtInst %void %set DebugCompilationUnit 1 4 %source OpenCL_C
        %type = OpExtInst %void %set DebugTypeFunction FlagIsPublic %void
        %basic = OpExtInst %void %set DebugTypeBasic %name %uint_8 Unsigned
        %early = OpExtInst %void %set DebugTypeComposite %name Structure %source 1 1 %unit %name %uint_8 FlagIsPublic %member
        %function = OpExtInst %void %set DebugFunction %name %type %source 1 1 %unit %name FlagIsPublic 1 %f
        %wrong = OpExtInst %void %set DebugFunction %name %later %source 1 1 %unit %name FlagIsPublic 1 %f
        ;                                                 ^^^^^^ error[undefined-id]: use of `%later` before its definition
        ;                                                      = line 22:1: defined here
        %also = OpExtInst %void %set DebugTypeComposite %name Structure %source 1 1 %unit %name %after FlagIsPublic %member
        ;                                                                                       ^^^^^^ error[undefined-id]: use of `%after` before its definition
        ;                                                                                            = line 23:1: defined here
        %member = OpExtInst %void %set DebugTypeMember %name %basic %source 1 1 %early %uint_8 %uint_8 FlagIsPublic
        %later = OpExtInst %void %set DebugTypeFunction FlagIsPublic %void
        %after = OpConstant %uint 8
        %f = OpFunction %void None %fn
        %entry = OpLabel
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn functions_and_members_of_debug_information_may_come_later() {
    marks(expect![[r#"
        ; target-env: spv1.6
        OpCapability Kernel
        OpCapability Addresses
        OpCapability Linkage
        %set = OpExtInstImport "DebugInfo"
        OpMemoryModel Physical64 OpenCL
        %name = OpString "f"
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %uint_8 = OpConstant %uint 8
        %fn = OpTypeFunction %void
        %none = OpExtInst %void %set DebugInfoNone
        %unit = OpExtInst %void %set DebugInfoNone
        %type = OpExtInst %void %set DebugTypeFunction %void
        %basic = OpExtInst %void %set DebugTypeBasic %name %uint_8 Unsigned
        %early = OpExtInst %void %set DebugTypeComposite %name Structure %name 1 1 %unit %uint_8 FlagIsPublic %member
        %function = OpExtInst %void %set DebugFunction %name %type %name 1 1 %unit %name FlagIsPublic 1 %f
        %wrong = OpExtInst %void %set DebugFunction %name %later %name 1 1 %unit %name FlagIsPublic 1 %f
        ;                                                 ^^^^^^ error[undefined-id]: use of `%later` before its definition
        ;                                                      = line 21:1: defined here
        %also = OpExtInst %void %set DebugTypeComposite %name Structure %name 1 1 %unit %after FlagIsPublic %member
        ;                                                                               ^^^^^^ error[undefined-id]: use of `%after` before its definition
        ;                                                                                    = line 22:1: defined here
        %member = OpExtInst %void %set DebugTypeMember %name %basic %name 1 1 %early %uint_8 %uint_8 FlagIsPublic
        %later = OpExtInst %void %set DebugTypeFunction %void
        %after = OpConstant %uint 8
        %f = OpFunction %void None %fn
        %entry = OpLabel
        OpReturn
        OpFunctionEnd
    "#]]);
}
