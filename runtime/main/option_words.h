// option_words.h: how the options of programs are read and printed: those of compiled models and
// those of trainers, which have tables of their own.
#ifndef SYMC_RUNTIME_MAIN_OPTION_WORDS_H
#define SYMC_RUNTIME_MAIN_OPTION_WORDS_H

#include "problem.h"

namespace symc {

// The value of the option in argv[i]: what stands behind '=', or, of an option with an argument,
// the next word, to which `i` moves. NULL for a switch, whose `argument` is "".
bool option_value(int argc, char **argv, int &i, const char *spelling, const char *argument,
                  const char *&value, Problem &problem);

// Prints `text` in lines of at most 80 columns, all but the first indented.
void print_wrapped(const char *text, int column, int indent);

// A line of help for an option, and those for the exit codes.
void print_option(const char *spelling, const char *argument, const char *meaning);
void print_exit_codes();

} // namespace symc
#endif
