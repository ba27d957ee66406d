// program.h: the program of a compiled executable, without its main.
#ifndef SYMC_RUNTIME_MAIN_PROGRAM_H
#define SYMC_RUNTIME_MAIN_PROGRAM_H

#include "symc/runtime.h"

namespace symc {

// Parses the flags, runs the model, writes or prints; returns the exit code. `program` may be
// NULL. Errors go to standard error as "NAME: error: SENTENCE", NAME being the model's.
int run_program(const symc_model &model, const symc_program *program, int argc, char **argv);

// Prints the model's table.
void describe(const symc_model &model, const symc_program *program);

} // namespace symc
#endif
