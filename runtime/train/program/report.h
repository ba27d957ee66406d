// report.h: what a training reports: MXNet's lines on standard error, a line that lives on a
// terminal, and lines of JSON in a file.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_REPORT_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_REPORT_H

#include "../../main/problem.h"

#include <stddef.h>
#include <stdint.h>

namespace symc::train {

// An object of JSON in one line. Numbers that are not finite are null.
class Json {
public:
  Json() { begin(); }
  void begin();
  Json &text(const char *key, const char *value);
  Json &number(const char *key, double value);
  Json &integer(const char *key, int64_t value);
  // Ends the line; its text.
  const char *end();
  size_t size() const { return used; }

private:
  void put(const char *string);
  void putQuoted(const char *string);
  void key(const char *name);
  char line[8192];
  size_t used = 0;
};

class Report {
public:
  ~Report();
  Report();
  Report(const Report &) = delete;
  Report &operator=(const Report &) = delete;

  // Opens the file of JSON lines, at its end; a last line that an end of the program has cut off
  // is taken away. NULL: none.
  bool open(const char *path, Problem &problem);
  bool write(Json &json, Problem &problem);

  // A line on standard error, in the place of the live one.
  void print(const char *format, ...) __attribute__((format(printf, 2, 3)));
  // Whether a live line is due: standard error is a terminal, and the last is old enough.
  bool liveIsDue();
  void live(const char *text);
  // Prints nothing from here on: another process does.
  void silence() { silent = true; }
  bool onTerminal() const { return terminal && !silent; }
  int columns() const; // of the terminal

private:
  const char *path = nullptr;
  int file = -1;
  bool terminal = false, shown = false, silent = false;
  double last = 0;
};

} // namespace symc::train
#endif
