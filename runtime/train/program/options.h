// options.h: the options of a compiled trainer (options.def), parsed. Strings point into argv.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_OPTIONS_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_OPTIONS_H

#include "../../main/problem.h"

#include <stdint.h>

namespace symc::train {

enum class Option {
#define SYMC_TRAIN_OPTION(kind, id, spelling, argument, value, low, high, meaning) id,
#include "options.def"
  Count
};
constexpr int optionCount = int(Option::Count);

class Options {
public:
  // Defaults, then the words of the command line.
  bool parse(int argc, char **argv, Problem &problem);

  bool given(Option id) const { return values[int(id)].given; }
  const char *text(Option id) const { return values[int(id)].text; } // NULL: none
  double number(Option id) const { return values[int(id)].number; }
  int64_t count(Option id) const { return values[int(id)].count; }
  bool on(Option id) const { return values[int(id)].given; } // of a switch
  static const char *spelling(Option id);

private:
  struct Value {
    const char *text = nullptr;
    double number = 0;
    int64_t count = 0;
    bool given = false;
  };
  Value values[optionCount];
  bool take(int index, const char *word, bool given, Problem &problem);
};

// The text of --help, on standard output.
void print_help(const char *program);

// A finite number that is the whole of `text`.
bool number_of(const char *text, double &number);

} // namespace symc::train
#endif
