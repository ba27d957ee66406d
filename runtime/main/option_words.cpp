// option_words.cpp: see option_words.h.
#include "option_words.h"

#include <stdio.h>
#include <string.h>

namespace symc {

bool option_value(int argc, char **argv, int &i, const char *spelling, const char *argument,
                  const char *&value, Problem &problem) {
  const char *equals = strchr(argv[i], '=');
  value = equals ? equals + 1 : nullptr;
  if (!argument[0] && value)
    return problem.set("%s: expected no value, got '%s'", spelling, value);
  if (argument[0] && !value) {
    if (i + 1 == argc)
      return problem.set("%s: expected %s after it, got nothing", spelling, argument);
    value = argv[++i];
  }
  return true;
}

void print_wrapped(const char *text, int column, int indent) {
  while (*text) {
    int length = int(strcspn(text, " "));
    if (column > indent && column + 1 + length > 80) {
      printf("\n%*s", indent, "");
      column = indent;
    } else if (column > indent) {
      putchar(' ');
      ++column;
    }
    printf("%.*s", length, text);
    column += length;
    text += length;
    while (*text == ' ')
      ++text;
  }
  putchar('\n');
}

void print_option(const char *spelling, const char *argument, const char *meaning) {
  constexpr int indent = 25;
  int column = printf("  %s%s%s ", spelling, argument[0] ? " " : "", argument);
  if (column > indent) {
    putchar('\n');
    column = 0;
  }
  printf("%*s", indent - column, "");
  print_wrapped(meaning, indent, indent);
}

void print_exit_codes() {
  printf("\nexit codes:\n");
#define SYMC_EXIT(name, value, meaning)                                                            \
  printf("  %d  ", value);                                                                         \
  print_wrapped(meaning, 5, 5);
#include "exit_codes.def"
#undef SYMC_EXIT
}

} // namespace symc
