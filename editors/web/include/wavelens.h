/* Wavelens: a checker for LLVM IR, LLVM Machine IR, SPIR-V assembly and AMDGPU assembly.
 *
 * All texts are UTF-8 and end with a zero byte. All functions may be called from any thread. */
#ifndef WAVELENS_H
#define WAVELENS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Calls a function with a JSON object. The answer is a JSON object with either `value` or `error`, a sentence; give it back with
 * wavelens_free. Functions and their objects:
 *
 *   check        text, name, dialect, target, targetEnv, llvmLevel, pedantic, disabled
 *                -> file, dialect, diagnostics, as a line of `wavelens check --format json`
 *   format       text, name, dialect, spirvLayout -> text
 *   hover        as check, and line, column (from 1, in bytes) -> markdown and its range, or null
 *   encode       as check, for SPIR-V and AMDGPU -> lines of line, offset, bytes, text; refused
 *   disassemble  hex, rawId -> text, dialect
 *   controlFlow  as check, and function -> functions, svg
 *   explain      code -> the rules with this code
 */
char *wavelens_call(const char *function, const char *question);

/* Gives back an answer; null is allowed. */
void wavelens_free(char *answer);

/* The version, such as `1.2.3`. It is not given back. */
const char *wavelens_version(void);

#ifdef __cplusplus
}
#endif

#endif
