// lines.h: the lines of a text in memory, and the numbers in them.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_LINES_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_LINES_H

#include <stddef.h>
#include <stdint.h>

namespace symc::train {

// Walks over the lines of a text that are not blank.
class Lines {
public:
  Lines(const uint8_t *data, size_t bytes)
      : begin(reinterpret_cast<const char *>(data)), next(begin), textEnd(begin + bytes) {}
  // The next line is at..end, without blanks around it.
  bool step();
  const char *at = nullptr, *end = nullptr;
  int64_t number = 0; // of the line, from 1 on
  size_t place = 0;   // of its first byte in the text
private:
  const char *begin, *next, *textEnd;
};

// Takes a decimal number as C writes it, not "nan" or "inf"; false where none begins at `at`, or it
// is too large for a float.
bool take_number(const char *&at, const char *end, float &value);
bool take_number(const char *&at, const char *end, double &value);
// Takes digits, with a sign or not.
bool take_integer(const char *&at, const char *end, int64_t &value);

} // namespace symc::train
#endif
