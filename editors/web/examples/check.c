/* Checks a text from C: cc check.c -lwavelens_library */
#include <stdio.h>
#include <string.h>

#include "wavelens.h"

int main(void) {
  const char *question = "{\"text\": \"define i32 @f() {\\n  ret i32 %x\\n}\\n\", \"name\": \"a.ll\"}";
  char *answer = wavelens_call("check", question);
  puts(answer);
  int found = strstr(answer, "\"undefined-value\"") != NULL;
  wavelens_free(answer);
  printf("wavelens %s\n", wavelens_version());
  return found ? 0 : 1;
}
