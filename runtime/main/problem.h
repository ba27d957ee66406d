// problem.h: how the program's readers report what is wrong. A reader that fails fills
// a Problem and returns false; only program.cpp prints.
#ifndef SYMC_RUNTIME_MAIN_PROBLEM_H
#define SYMC_RUNTIME_MAIN_PROBLEM_H

namespace symc {

enum Exit {
#define SYMC_EXIT(name, value, meaning) name = value,
#include "exit_codes.def"
#undef SYMC_EXIT
};

struct Problem {
  char text[1024] = "";
  char note[512] = "";  // the way out, or empty
  Exit exit = BadInput; // what the program ends with

  // Both write a sentence as printf does; set returns false, so that a reader can return it.
  bool set(const char *format, ...) __attribute__((format(printf, 2, 3)));
  bool set(Exit code, const char *format, ...) __attribute__((format(printf, 3, 4)));
  void addNote(const char *format, ...) __attribute__((format(printf, 2, 3)));
};

} // namespace symc
#endif
