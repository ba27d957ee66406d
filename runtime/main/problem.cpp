// problem.cpp: see problem.h.
#include "problem.h"

#include <stdarg.h>
#include <stdio.h>

namespace symc {

bool Problem::set(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return false;
}

bool Problem::set(Exit code, const char *format, ...) {
  exit = code;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return false;
}

void Problem::addNote(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(note, sizeof note, format, arguments);
  va_end(arguments);
}

} // namespace symc
