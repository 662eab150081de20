//! Each operand of each instruction of NonSemantic.Shader.DebugInfo.100 that is something else.

use expect_test::expect;

use crate::rules::testing::marks;

#[test]
fn operands_of_each_instruction() {
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
        %x0 = OpExtInst %void %d DebugTypeVector %basic %u0
        ;                                               ^^^ error[debug-info]: Component Count must be between 1 and 4
        ;                                                 = line 13:1: defined here
        %x1 = OpExtInst %void %d DebugTypeVector %basic %u1
        %x2 = OpExtInst %void %d DebugTypeVector %basic %u5
        ;                                               ^^^ error[debug-info]: Component Count must be between 1 and 4
        ;                                                 = line 18:1: defined here
        %x3 = OpExtInst %void %d DebugTypeMatrix %vec %u5 %true
        ;                                             ^^^ error[debug-info]: Component Count must be between 1 and 4
        ;                                               = line 18:1: defined here
        %x4 = OpExtInst %void %d DebugTypeArray %basic %u4 %i1
        %x5 = OpExtInst %void %d DebugTypeArray %basic %local
        ;                                              ^^^^^^ error[debug-info]: Component Count must be an integer constant or a debug variable of an unsigned type
        ;                                                   = line 42:1: defined here
        %x6 = OpExtInst %void %d DebugTypeArray %basic %unit
        ;                                              ^^^^^ error[debug-info]: Component Count must be an integer constant or a debug variable of an unsigned type
        ;                                                  = line 25:1: defined here
        %x7 = OpExtInst %void %d DebugTypeFunction %u3 %basic
        %x8 = OpExtInst %void %d DebugTypeFunction %u3 %unit
        ;                                              ^^^^^ error[debug-info]: Return Type must be void or a debug type, `%unit` is neither
        ;                                                  = line 25:1: defined here
        %x9 = OpExtInst %void %d DebugTypeFunction %u3 %void %unit
        ;                                                    ^^^^^ error[debug-info]: Parameter Types must be a debug type, `%unit` is not
        ;                                                        = line 25:1: defined here
        %x10 = OpExtInst %void %d DebugInlinedAt %u1 %func %inlined
        %x11 = OpExtInst %void %d DebugInlinedAt %u1 %func %func
        ;                                                  ^^^^^ error[debug-info]: Inlined must be DebugInlinedAt, `%func` is not
        ;                                                      = line 38:1: defined here
        %x12 = OpExtInst %void %d DebugSource %s %s
        %x13 = OpExtInst %void %d DebugSource %s %u1
        ;                                        ^^^ error[debug-info]: Text must be an OpString, `%u1` is not
        ;                                          = line 14:1: defined here
        %x14 = OpExtInst %void %d DebugFunction %s %func_t %source %u1 %u1 %unit %s %u3 %u1 %decl
        %x15 = OpExtInst %void %d DebugFunction %s %func_t %source %u1 %u1 %unit %s %u3 %u1 %func
        ;                                                                                   ^^^^^ error[debug-info]: Declaration must be DebugFunctionDeclaration, `%func` is not
        ;                                                                                       = line 38:1: defined here
        %x16 = OpExtInst %void %d DebugGlobalVariable %s %basic %source %u1 %u1 %unit %s %none %u3
        %x17 = OpExtInst %void %d DebugGlobalVariable %s %basic %source %u1 %u1 %unit %s %u1 %u3
        %x18 = OpExtInst %void %d DebugGlobalVariable %s %basic %source %u1 %u1 %unit %s %unit %u3
        ;                                                                                ^^^^^ error[debug-info]: Variable must be an OpVariable, OpConstant or DebugInfoNone, `%unit` is none of them
        ;                                                                                    = line 25:1: defined here
        %x19 = OpExtInst %void %d DebugGlobalVariable %s %basic %source %u1 %u1 %unit %s %global %u3 %member
        %x20 = OpExtInst %void %d DebugGlobalVariable %s %basic %source %u1 %u1 %unit %s %global %u3 %func
        ;                                                                                            ^^^^^ error[debug-info]: Static Member Declaration must be DebugTypeMember, `%func` is not
        ;                                                                                                = line 38:1: defined here
        %x21 = OpExtInst %void %d DebugTypeMember %s %basic %source %u1 %u1 %u0 %u4 %u3 %u1
        %x22 = OpExtInst %void %d DebugTypeMember %s %basic %source %u1 %u1 %u0 %u4 %u3 %basic
        ;                                                                               ^^^^^^ error[debug-info]: Value must be an OpConstant, `%basic` is not
        ;                                                                                    = line 27:1: defined here
        %x23 = OpExtInst %void %d DebugTypeMember %s %param %source %u1 %u1 %u0 %u4 %u3
        %x24 = OpExtInst %void %d DebugTypeComposite %s %u1 %source %u1 %u1 %unit %s %none %u3
        %x25 = OpExtInst %void %d DebugTypeComposite %s %u1 %source %u1 %u1 %func %s %u4 %u3 %func
        %x26 = OpExtInst %void %d DebugTypeComposite %s %u1 %source %u1 %u1 %block %s %u4 %u3
        %x27 = OpExtInst %void %d DebugTypeComposite %s %u1 %source %u1 %u1 %comp %s %u4 %u3 %basic
        ;                                                                                    ^^^^^^ error[debug-info]: Members must be DebugTypeMember or DebugFunction or DebugTypeInheritance, `%basic` is not
        ;                                                                                         = line 27:1: defined here
        %x28 = OpExtInst %void %d DebugTypePointer %matrix %u0 %u0
        %x29 = OpExtInst %void %d DebugTypePointer %param %u0 %u0
        ;                                          ^^^^^^ error[debug-info]: Base Type must be a debug type, `%param` is not
        ;                                               = line 43:1: defined here
        %x30 = OpExtInst %void %d DebugTypeTemplateParameter %s %basic %none %source %u1 %u1
        %x31 = OpExtInst %void %d DebugTypeTemplate %func %param
        %x32 = OpExtInst %void %d DebugTypeEnum %s %none %source %u1 %u1 %unit %u4 %u3 %u1 %s
        %x33 = OpExtInst %void %d DebugTypeEnum %s %basic %source %u1 %u1 %unit %u4 %u3 %i1 %s
        %x34 = OpExtInst %void %d DebugTypeEnum %s %basic %source %u1 %u1 %unit %u4 %u3 %u1 %u1
        ;                                                                                   ^^^ error[debug-info]: Name must be an OpString, `%u1` is not
        ;                                                                                     = line 14:1: defined here
        %x35 = OpExtInst %void %d DebugTypeEnum %s %basic %source %u1 %u1 %unit %u4 %u3
        %x36 = OpExtInst %void %d DebugExpression
        %x37 = OpExtInst %void %d DebugOperation %u0
        %x38 = OpExtInst %void %d DebugLocalVariable %s %basic %source %u1 %u1 %func %u0
        %x39 = OpExtInst %void %d DebugLocalVariable %s %basic %source %u1 %u1 %func %u0 %i1
        ;                                                                                ^^^ error[debug-info]: ArgNumber must be a 32-bit unsigned OpConstant, `%i1` is not
        ;                                                                                  = line 12:1: defined here
        %x40 = OpExtInst %void %d DebugSource %i1
        ;                                     ^^^ error[debug-info]: File must be an OpString, `%i1` is not
        ;                                       = line 12:1: defined here
        %x41 = OpExtInst %void %d DebugCompilationUnit %s %u4 %source %u2
        ;                                              ^^ error[debug-info]: Version must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                               = line 7:1: defined here
        %x42 = OpExtInst %void %d DebugCompilationUnit %u1 %s %source %u2
        ;                                                  ^^ error[debug-info]: DWARF Version must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                   = line 7:1: defined here
        %x43 = OpExtInst %void %d DebugCompilationUnit %u1 %u4 %i1 %u2
        ;                                                      ^^^ error[debug-info]: Source must be DebugSource, `%i1` is not
        ;                                                        = line 12:1: defined here
        %x44 = OpExtInst %void %d DebugCompilationUnit %u1 %u4 %source %s
        ;                                                              ^^ error[debug-info]: Language must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                               = line 7:1: defined here
        %x45 = OpExtInst %void %d DebugTypeBasic %i1 %u4 %u3 %u0
        ;                                        ^^^ error[debug-info]: Name must be an OpString, `%i1` is not
        ;                                          = line 12:1: defined here
        %x46 = OpExtInst %void %d DebugTypeBasic %s %s %u3 %u0
        ;                                           ^^ error[debug-info]: Size must be an OpConstant, `%s` is not
        ;                                            = line 7:1: defined here
        %x47 = OpExtInst %void %d DebugTypeBasic %s %u4 %s %u0
        ;                                               ^^ error[debug-info]: Encoding must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                = line 7:1: defined here
        %x48 = OpExtInst %void %d DebugTypeBasic %s %u4 %u3 %s
        ;                                                   ^^ error[debug-info]: Flags must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                    = line 7:1: defined here
        %x49 = OpExtInst %void %d DebugTypePointer %i1 %u0 %u0
        ;                                          ^^^ error[debug-info]: Base Type must be a debug type, `%i1` is not
        ;                                            = line 12:1: defined here
        %x50 = OpExtInst %void %d DebugTypePointer %basic %s %u0
        ;                                                 ^^ error[debug-info]: Storage Class must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                  = line 7:1: defined here
        %x51 = OpExtInst %void %d DebugTypePointer %basic %u0 %s
        ;                                                     ^^ error[debug-info]: Flags must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                      = line 7:1: defined here
        %x52 = OpExtInst %void %d DebugTypeQualifier %i1 %u0
        ;                                            ^^^ error[debug-info]: Base Type must be a debug type, `%i1` is not
        ;                                              = line 12:1: defined here
        %x53 = OpExtInst %void %d DebugTypeQualifier %basic %s
        ;                                                   ^^ error[debug-info]: Type Qualifier must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                    = line 7:1: defined here
        %x54 = OpExtInst %void %d DebugTypeVector %i1 %u4
        ;                                         ^^^ error[debug-info]: Base Type must be DebugTypeBasic, `%i1` is not
        ;                                           = line 12:1: defined here
        %x55 = OpExtInst %void %d DebugTypeVector %basic %s
        ;                                                ^^ error[debug-info]: Component Count must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                 = line 7:1: defined here
        %x56 = OpExtInst %void %d DebugTypeMatrix %i1 %u4 %true
        ;                                         ^^^ error[debug-info]: Vector Type must be DebugTypeVector, `%i1` is not
        ;                                           = line 12:1: defined here
        %x57 = OpExtInst %void %d DebugTypeMatrix %vec %s %true
        ;                                              ^^ error[debug-info]: Vector Count must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                               = line 7:1: defined here
        %x58 = OpExtInst %void %d DebugTypeMatrix %vec %u4 %i1
        %x59 = OpExtInst %void %d DebugTypeArray %i1 %u4
        ;                                        ^^^ error[debug-info]: Base Type must be a debug type, `%i1` is not
        ;                                          = line 12:1: defined here
        %x60 = OpExtInst %void %d DebugTypeArray %basic %s
        ;                                               ^^ error[debug-info]: Component Count must be an integer constant or a debug variable of an unsigned type
        ;                                                = line 7:1: defined here
        %x61 = OpExtInst %void %d DebugTypedef %i1 %basic %source %u1 %u1 %unit
        ;                                      ^^^ error[debug-info]: Name must be an OpString, `%i1` is not
        ;                                        = line 12:1: defined here
        %x62 = OpExtInst %void %d DebugTypedef %s %i1 %source %u1 %u1 %unit
        ;                                         ^^^ error[debug-info]: Base Type must be DebugTypeBasic, `%i1` is not
        ;                                           = line 12:1: defined here
        %x63 = OpExtInst %void %d DebugTypedef %s %basic %i1 %u1 %u1 %unit
        ;                                                ^^^ error[debug-info]: Source must be DebugSource, `%i1` is not
        ;                                                  = line 12:1: defined here
        %x64 = OpExtInst %void %d DebugTypedef %s %basic %source %s %u1 %unit
        ;                                                        ^^ error[debug-info]: Line must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                         = line 7:1: defined here
        %x65 = OpExtInst %void %d DebugTypedef %s %basic %source %u1 %s %unit
        ;                                                            ^^ error[debug-info]: Column must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                             = line 7:1: defined here
        %x66 = OpExtInst %void %d DebugTypedef %s %basic %source %u1 %u1 %i1
        ;                                                                ^^^ error[debug-info]: Parent must be a lexical scope, `%i1` is not
        ;                                                                  = line 12:1: defined here
        %x67 = OpExtInst %void %d DebugTypeFunction %s %void %basic
        ;                                           ^^ error[debug-info]: Flags must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                            = line 7:1: defined here
        %x68 = OpExtInst %void %d DebugTypeFunction %u3 %i1 %basic
        ;                                               ^^^ error[debug-info]: Return Type must be void or a debug type, `%i1` is neither
        ;                                                 = line 12:1: defined here
        %x69 = OpExtInst %void %d DebugTypeFunction %u3 %void %i1
        ;                                                     ^^^ error[debug-info]: Parameter Types must be a debug type, `%i1` is not
        ;                                                       = line 12:1: defined here
        %x70 = OpExtInst %void %d DebugTypeMember %i1 %basic %source %u1 %u1 %u0 %u4 %u3
        ;                                         ^^^ error[debug-info]: Name must be an OpString, `%i1` is not
        ;                                           = line 12:1: defined here
        %x71 = OpExtInst %void %d DebugTypeMember %s %i1 %source %u1 %u1 %u0 %u4 %u3
        ;                                            ^^^ error[debug-info]: Type must be a debug type, `%i1` is not
        ;                                              = line 12:1: defined here
        %x72 = OpExtInst %void %d DebugTypeMember %s %basic %i1 %u1 %u1 %u0 %u4 %u3
        ;                                                   ^^^ error[debug-info]: Source must be DebugSource, `%i1` is not
        ;                                                     = line 12:1: defined here
        %x73 = OpExtInst %void %d DebugTypeMember %s %basic %source %s %u1 %u0 %u4 %u3
        ;                                                           ^^ error[debug-info]: Line must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                            = line 7:1: defined here
        %x74 = OpExtInst %void %d DebugTypeMember %s %basic %source %u1 %s %u0 %u4 %u3
        ;                                                               ^^ error[debug-info]: Column must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                                = line 7:1: defined here
        %x75 = OpExtInst %void %d DebugTypeMember %s %basic %source %u1 %u1 %s %u4 %u3
        ;                                                                   ^^ error[debug-info]: Offset must be an OpConstant, `%s` is not
        ;                                                                    = line 7:1: defined here
        %x76 = OpExtInst %void %d DebugTypeMember %s %basic %source %u1 %u1 %u0 %s %u3
        ;                                                                       ^^ error[debug-info]: Size must be an OpConstant, `%s` is not
        ;                                                                        = line 7:1: defined here
        %x77 = OpExtInst %void %d DebugTypeMember %s %basic %source %u1 %u1 %u0 %u4 %s
        ;                                                                           ^^ error[debug-info]: Flags must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                                            = line 7:1: defined here
        %x78 = OpExtInst %void %d DebugTypeComposite %i1 %u1 %source %u1 %u1 %unit %s %u4 %u3 %member
        ;                                            ^^^ error[debug-info]: Name must be an OpString, `%i1` is not
        ;                                              = line 12:1: defined here
        %x79 = OpExtInst %void %d DebugTypeComposite %s %s %source %u1 %u1 %unit %s %u4 %u3 %member
        %x80 = OpExtInst %void %d DebugTypeComposite %s %u1 %i1 %u1 %u1 %unit %s %u4 %u3 %member
        ;                                                   ^^^ error[debug-info]: Source must be DebugSource, `%i1` is not
        ;                                                     = line 12:1: defined here
        %x81 = OpExtInst %void %d DebugTypeComposite %s %u1 %source %s %u1 %unit %s %u4 %u3 %member
        ;                                                           ^^ error[debug-info]: Line must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                            = line 7:1: defined here
        %x82 = OpExtInst %void %d DebugTypeComposite %s %u1 %source %u1 %s %unit %s %u4 %u3 %member
        ;                                                               ^^ error[debug-info]: Column must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                                = line 7:1: defined here
        %x83 = OpExtInst %void %d DebugTypeComposite %s %u1 %source %u1 %u1 %i1 %s %u4 %u3 %member
        ;                                                                   ^^^ error[debug-info]: Parent must be a lexical scope, `%i1` is not
        ;                                                                     = line 12:1: defined here
        %x84 = OpExtInst %void %d DebugTypeComposite %s %u1 %source %u1 %u1 %unit %i1 %u4 %u3 %member
        ;                                                                         ^^^ error[debug-info]: Linkage Name must be an OpString, `%i1` is not
        ;                                                                           = line 12:1: defined here
        %x85 = OpExtInst %void %d DebugTypeComposite %s %u1 %source %u1 %u1 %unit %s %s %u3 %member
        ;                                                                            ^^ error[debug-info]: Size must be an OpConstant or DebugInfoNone, `%s` is not
        ;                                                                             = line 7:1: defined here
        %x86 = OpExtInst %void %d DebugTypeComposite %s %u1 %source %u1 %u1 %unit %s %u4 %s %member
        ;                                                                                ^^ error[debug-info]: Flags must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                                                 = line 7:1: defined here
        %x87 = OpExtInst %void %d DebugTypeComposite %s %u1 %source %u1 %u1 %unit %s %u4 %u3 %i1
        ;                                                                                    ^^^ error[debug-info]: Members must be DebugTypeMember or DebugFunction or DebugTypeInheritance, `%i1` is not
        ;                                                                                      = line 12:1: defined here
        %x88 = OpExtInst %void %d DebugTypeEnum %i1 %basic %source %u1 %u1 %unit %u4 %u3 %u1 %s
        ;                                       ^^^ error[debug-info]: Name must be an OpString, `%i1` is not
        ;                                         = line 12:1: defined here
        %x89 = OpExtInst %void %d DebugTypeEnum %s %i1 %source %u1 %u1 %unit %u4 %u3 %u1 %s
        ;                                          ^^^ error[debug-info]: Underlying Types must be a debug type, `%i1` is not
        ;                                            = line 12:1: defined here
        %x90 = OpExtInst %void %d DebugTypeEnum %s %basic %i1 %u1 %u1 %unit %u4 %u3 %u1 %s
        ;                                                 ^^^ error[debug-info]: Source must be DebugSource, `%i1` is not
        ;                                                   = line 12:1: defined here
        %x91 = OpExtInst %void %d DebugTypeEnum %s %basic %source %s %u1 %unit %u4 %u3 %u1 %s
        ;                                                         ^^ error[debug-info]: Line must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                          = line 7:1: defined here
        %x92 = OpExtInst %void %d DebugTypeEnum %s %basic %source %u1 %s %unit %u4 %u3 %u1 %s
        ;                                                             ^^ error[debug-info]: Column must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                              = line 7:1: defined here
        %x93 = OpExtInst %void %d DebugTypeEnum %s %basic %source %u1 %u1 %i1 %u4 %u3 %u1 %s
        ;                                                                 ^^^ error[debug-info]: Parent must be a lexical scope, `%i1` is not
        ;                                                                   = line 12:1: defined here
        %x94 = OpExtInst %void %d DebugTypeEnum %s %basic %source %u1 %u1 %unit %s %u3 %u1 %s
        ;                                                                       ^^ error[debug-info]: Size must be an OpConstant, `%s` is not
        ;                                                                        = line 7:1: defined here
        %x95 = OpExtInst %void %d DebugTypeEnum %s %basic %source %u1 %u1 %unit %u4 %s %u1 %s
        ;                                                                           ^^ error[debug-info]: Flags must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                                            = line 7:1: defined here
        %x96 = OpExtInst %void %d DebugTypeEnum %s %basic %source %u1 %u1 %unit %u4 %u3 %s %s
        ;                                                                               ^^ error[debug-info]: Value must be an OpConstant, `%s` is not
        ;                                                                                = line 7:1: defined here
        %x97 = OpExtInst %void %d DebugTypeEnum %s %basic %source %u1 %u1 %unit %u4 %u3 %u1 %i1
        ;                                                                                   ^^^ error[debug-info]: Name must be an OpString, `%i1` is not
        ;                                                                                     = line 12:1: defined here
        %x98 = OpExtInst %void %d DebugFunction %i1 %func_t %source %u1 %u1 %unit %s %u3 %u1
        ;                                       ^^^ error[debug-info]: Name must be an OpString, `%i1` is not
        ;                                         = line 12:1: defined here
        %x99 = OpExtInst %void %d DebugFunction %s %i1 %source %u1 %u1 %unit %s %u3 %u1
        ;                                          ^^^ error[debug-info]: Type must be DebugTypeFunction, `%i1` is not
        ;                                            = line 12:1: defined here
        %x100 = OpExtInst %void %d DebugFunction %s %func_t %i1 %u1 %u1 %unit %s %u3 %u1
        ;                                                   ^^^ error[debug-info]: Source must be DebugSource, `%i1` is not
        ;                                                     = line 12:1: defined here
        %x101 = OpExtInst %void %d DebugFunction %s %func_t %source %s %u1 %unit %s %u3 %u1
        ;                                                           ^^ error[debug-info]: Line must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                            = line 7:1: defined here
        %x102 = OpExtInst %void %d DebugFunction %s %func_t %source %u1 %s %unit %s %u3 %u1
        ;                                                               ^^ error[debug-info]: Column must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                                = line 7:1: defined here
        %x103 = OpExtInst %void %d DebugFunction %s %func_t %source %u1 %u1 %i1 %s %u3 %u1
        ;                                                                   ^^^ error[debug-info]: Parent must be a lexical scope, `%i1` is not
        ;                                                                     = line 12:1: defined here
        %x104 = OpExtInst %void %d DebugFunction %s %func_t %source %u1 %u1 %unit %i1 %u3 %u1
        ;                                                                         ^^^ error[debug-info]: Linkage Name must be an OpString, `%i1` is not
        ;                                                                           = line 12:1: defined here
        %x105 = OpExtInst %void %d DebugFunction %s %func_t %source %u1 %u1 %unit %s %s %u1
        ;                                                                            ^^ error[debug-info]: Flags must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                                             = line 7:1: defined here
        %x106 = OpExtInst %void %d DebugFunction %s %func_t %source %u1 %u1 %unit %s %u3 %s
        ;                                                                                ^^ error[debug-info]: Scope Line must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                                                 = line 7:1: defined here
        %x107 = OpExtInst %void %d DebugFunctionDeclaration %i1 %func_t %source %u1 %u1 %unit %s %u3
        ;                                                   ^^^ error[debug-info]: Name must be an OpString, `%i1` is not
        ;                                                     = line 12:1: defined here
        %x108 = OpExtInst %void %d DebugFunctionDeclaration %s %i1 %source %u1 %u1 %unit %s %u3
        ;                                                      ^^^ error[debug-info]: Type must be DebugTypeFunction, `%i1` is not
        ;                                                        = line 12:1: defined here
        %x109 = OpExtInst %void %d DebugFunctionDeclaration %s %func_t %i1 %u1 %u1 %unit %s %u3
        ;                                                              ^^^ error[debug-info]: Source must be DebugSource, `%i1` is not
        ;                                                                = line 12:1: defined here
        %x110 = OpExtInst %void %d DebugFunctionDeclaration %s %func_t %source %s %u1 %unit %s %u3
        ;                                                                      ^^ error[debug-info]: Line must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                                       = line 7:1: defined here
        %x111 = OpExtInst %void %d DebugFunctionDeclaration %s %func_t %source %u1 %s %unit %s %u3
        ;                                                                          ^^ error[debug-info]: Column must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                                           = line 7:1: defined here
        %x112 = OpExtInst %void %d DebugFunctionDeclaration %s %func_t %source %u1 %u1 %i1 %s %u3
        ;                                                                              ^^^ error[debug-info]: Parent must be a lexical scope, `%i1` is not
        ;                                                                                = line 12:1: defined here
        %x113 = OpExtInst %void %d DebugFunctionDeclaration %s %func_t %source %u1 %u1 %unit %i1 %u3
        ;                                                                                    ^^^ error[debug-info]: Linkage Name must be an OpString, `%i1` is not
        ;                                                                                      = line 12:1: defined here
        %x114 = OpExtInst %void %d DebugFunctionDeclaration %s %func_t %source %u1 %u1 %unit %s %s
        ;                                                                                       ^^ error[debug-info]: Flags must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                                                        = line 7:1: defined here
        %x115 = OpExtInst %void %d DebugLexicalBlock %i1 %u1 %u1 %func %s
        ;                                            ^^^ error[debug-info]: Source must be DebugSource, `%i1` is not
        ;                                              = line 12:1: defined here
        %x116 = OpExtInst %void %d DebugLexicalBlock %source %s %u1 %func %s
        ;                                                    ^^ error[debug-info]: Line must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                     = line 7:1: defined here
        %x117 = OpExtInst %void %d DebugLexicalBlock %source %u1 %s %func %s
        ;                                                        ^^ error[debug-info]: Column must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                         = line 7:1: defined here
        %x118 = OpExtInst %void %d DebugLexicalBlock %source %u1 %u1 %i1 %s
        ;                                                            ^^^ error[debug-info]: Parent must be a lexical scope, `%i1` is not
        ;                                                              = line 12:1: defined here
        %x119 = OpExtInst %void %d DebugLexicalBlock %source %u1 %u1 %func %i1
        ;                                                                  ^^^ error[debug-info]: Name must be an OpString, `%i1` is not
        ;                                                                    = line 12:1: defined here
        %x120 = OpExtInst %void %d DebugInlinedAt %s %func
        ;                                         ^^ error[debug-info]: Line must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                          = line 7:1: defined here
        %x121 = OpExtInst %void %d DebugInlinedAt %u1 %i1
        ;                                             ^^^ error[debug-info]: Scope must be a lexical scope, `%i1` is not
        ;                                               = line 12:1: defined here
        %x122 = OpExtInst %void %d DebugLocalVariable %i1 %basic %source %u1 %u1 %func %u0 %u1
        ;                                             ^^^ error[debug-info]: Name must be an OpString, `%i1` is not
        ;                                               = line 12:1: defined here
        %x123 = OpExtInst %void %d DebugLocalVariable %s %i1 %source %u1 %u1 %func %u0 %u1
        ;                                                ^^^ error[debug-info]: Type must be a debug type, `%i1` is not
        ;                                                  = line 12:1: defined here
        %x124 = OpExtInst %void %d DebugLocalVariable %s %basic %i1 %u1 %u1 %func %u0 %u1
        ;                                                       ^^^ error[debug-info]: Source must be DebugSource, `%i1` is not
        ;                                                         = line 12:1: defined here
        %x125 = OpExtInst %void %d DebugLocalVariable %s %basic %source %s %u1 %func %u0 %u1
        ;                                                               ^^ error[debug-info]: Line must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                                = line 7:1: defined here
        %x126 = OpExtInst %void %d DebugLocalVariable %s %basic %source %u1 %s %func %u0 %u1
        ;                                                                   ^^ error[debug-info]: Column must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                                    = line 7:1: defined here
        %x127 = OpExtInst %void %d DebugLocalVariable %s %basic %source %u1 %u1 %i1 %u0 %u1
        ;                                                                       ^^^ error[debug-info]: Parent must be a lexical scope, `%i1` is not
        ;                                                                         = line 12:1: defined here
        %x128 = OpExtInst %void %d DebugLocalVariable %s %basic %source %u1 %u1 %func %s %u1
        ;                                                                             ^^ error[debug-info]: Flags must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                                              = line 7:1: defined here
        %x129 = OpExtInst %void %d DebugLocalVariable %s %basic %source %u1 %u1 %func %u0 %s
        ;                                                                                 ^^ error[debug-info]: ArgNumber must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                                                  = line 7:1: defined here
        %x130 = OpExtInst %void %d DebugTypeTemplateParameter %i1 %basic %u1 %source %u1 %u1
        ;                                                     ^^^ error[debug-info]: Name must be an OpString, `%i1` is not
        ;                                                       = line 12:1: defined here
        %x131 = OpExtInst %void %d DebugTypeTemplateParameter %s %i1 %u1 %source %u1 %u1
        ;                                                        ^^^ error[debug-info]: Actual Type must be a debug type, `%i1` is not
        ;                                                          = line 12:1: defined here
        %x132 = OpExtInst %void %d DebugTypeTemplateParameter %s %basic %s %source %u1 %u1
        ;                                                               ^^ error[debug-info]: Value must be an OpConstant or DebugInfoNone, `%s` is not
        ;                                                                = line 7:1: defined here
        %x133 = OpExtInst %void %d DebugTypeTemplateParameter %s %basic %u1 %i1 %u1 %u1
        ;                                                                   ^^^ error[debug-info]: Source must be DebugSource, `%i1` is not
        ;                                                                     = line 12:1: defined here
        %x134 = OpExtInst %void %d DebugTypeTemplateParameter %s %basic %u1 %source %s %u1
        ;                                                                           ^^ error[debug-info]: Line must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                                            = line 7:1: defined here
        %x135 = OpExtInst %void %d DebugTypeTemplateParameter %s %basic %u1 %source %u1 %s
        ;                                                                               ^^ error[debug-info]: Column must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                                                = line 7:1: defined here
        %x136 = OpExtInst %void %d DebugTypeTemplate %i1 %param
        ;                                            ^^^ error[debug-info]: Target must be DebugTypeComposite or DebugFunction, `%i1` is not
        ;                                              = line 12:1: defined here
        %x137 = OpExtInst %void %d DebugTypeTemplate %comp %i1
        ;                                                  ^^^ error[debug-info]: Parameters must be DebugTypeTemplateParameter or DebugTypeTemplateTemplateParameter, `%i1` is not
        ;                                                    = line 12:1: defined here
        %x138 = OpExtInst %void %d DebugGlobalVariable %i1 %basic %source %u1 %u1 %unit %s %global %u3
        ;                                              ^^^ error[debug-info]: Name must be an OpString, `%i1` is not
        ;                                                = line 12:1: defined here
        %x139 = OpExtInst %void %d DebugGlobalVariable %s %i1 %source %u1 %u1 %unit %s %global %u3
        ;                                                 ^^^ error[debug-info]: Type must be a debug type, `%i1` is not
        ;                                                   = line 12:1: defined here
        %x140 = OpExtInst %void %d DebugGlobalVariable %s %basic %i1 %u1 %u1 %unit %s %global %u3
        ;                                                        ^^^ error[debug-info]: Source must be DebugSource, `%i1` is not
        ;                                                          = line 12:1: defined here
        %x141 = OpExtInst %void %d DebugGlobalVariable %s %basic %source %s %u1 %unit %s %global %u3
        ;                                                                ^^ error[debug-info]: Line must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                                 = line 7:1: defined here
        %x142 = OpExtInst %void %d DebugGlobalVariable %s %basic %source %u1 %s %unit %s %global %u3
        ;                                                                    ^^ error[debug-info]: Column must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                                     = line 7:1: defined here
        %x143 = OpExtInst %void %d DebugGlobalVariable %s %basic %source %u1 %u1 %i1 %s %global %u3
        ;                                                                        ^^^ error[debug-info]: Scope must be a lexical scope, `%i1` is not
        ;                                                                          = line 12:1: defined here
        %x144 = OpExtInst %void %d DebugGlobalVariable %s %basic %source %u1 %u1 %unit %i1 %global %u3
        ;                                                                              ^^^ error[debug-info]: Linkage Name must be an OpString, `%i1` is not
        ;                                                                                = line 12:1: defined here
        %x145 = OpExtInst %void %d DebugGlobalVariable %s %basic %source %u1 %u1 %unit %s %i1 %u3
        %x146 = OpExtInst %void %d DebugGlobalVariable %s %basic %source %u1 %u1 %unit %s %global %s
        %x147 = OpExtInst %void %d DebugOperation %s %u1
        ;                                         ^^ error[debug-info]: Operation must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                          = line 7:1: defined here
        %x148 = OpExtInst %void %d DebugOperation %u0 %s
        ;                                             ^^ error[debug-info]: Operand must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                              = line 7:1: defined here
        %x149 = OpExtInst %void %d DebugExpression %i1
        ;                                          ^^^ error[debug-info]: Operation must be DebugOperation, `%i1` is not
        ;                                            = line 12:1: defined here
        %x150 = OpExtInst %void %d DebugEntryPoint %i1 %unit %s %s
        ;                                          ^^^ error[debug-info]: Entry Point must be DebugFunction, `%i1` is not
        ;                                            = line 12:1: defined here
        %x151 = OpExtInst %void %d DebugEntryPoint %func %i1 %s %s
        ;                                                ^^^ error[debug-info]: Compilation Unit must be DebugCompilationUnit, `%i1` is not
        ;                                                  = line 12:1: defined here
        %x152 = OpExtInst %void %d DebugEntryPoint %func %unit %i1 %s
        ;                                                      ^^^ error[debug-info]: Compiler Signature must be an OpString, `%i1` is not
        ;                                                        = line 12:1: defined here
        %x153 = OpExtInst %void %d DebugEntryPoint %func %unit %s %i1
        ;                                                         ^^^ error[debug-info]: Command-line Arguments must be an OpString, `%i1` is not
        ;                                                           = line 12:1: defined here
        %x154 = OpExtInst %void %d DebugBuildIdentifier %i1 %u0
        ;                                               ^^^ error[debug-info]: Identifier must be an OpString, `%i1` is not
        ;                                                 = line 12:1: defined here
        %x155 = OpExtInst %void %d DebugBuildIdentifier %s %s
        ;                                                  ^^ error[debug-info]: Flags must be a 32-bit unsigned OpConstant, `%s` is not
        ;                                                   = line 7:1: defined here
        %x156 = OpExtInst %void %d DebugStoragePath %i1
        ;                                           ^^^ error[debug-info]: Path must be an OpString, `%i1` is not
        ;                                             = line 12:1: defined here
        %y0 = OpExtInst %int %d DebugInfoNone
        ;               ^^^^ error[debug-info]: expected void as Result Type of debug information, found int
        ;                  = line 9:1: defined here

    "#]]);
}

#[test]
fn arrays_may_have_specialized_lengths() {
    marks(expect![[r#"
        ; target-env: spv1.6
        OpCapability Shader
        OpCapability Linkage
        OpExtension "SPV_KHR_non_semantic_info"
        %d = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
        OpMemoryModel Logical GLSL450
        %s = OpString "name"
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %u0 = OpConstant %uint 0
        %u3 = OpConstant %uint 3
        %u32 = OpConstant %uint 32
        %length = OpSpecConstant %uint 256
        %twice = OpSpecConstantOp %uint IMul %length %u3
        %half = OpSpecConstant %float 0.5
        %basic = OpExtInst %void %d DebugTypeBasic %s %u32 %u3 %u0
        %a = OpExtInst %void %d DebugTypeArray %basic %length %twice
        %b = OpExtInst %void %d DebugTypeArray %basic %half
        ;                                             ^^^^^ error[debug-info]: Component Count must be an integer constant or a debug variable of an unsigned type
        ;                                                 = line 16:1: defined here
    "#]]);
}
