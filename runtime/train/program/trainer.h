// trainer.h: the program of a compiled trainer, without its main.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_TRAINER_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_TRAINER_H

#include "symc/runtime.h"

namespace symc::train {

// Parses the options, trains, saves; returns the exit code. `program` may be NULL. Errors go to
// standard error as "NAME: error: SENTENCE", NAME being the model's.
int run_trainer(const symc_model &model, const symc_program *program, int argc, char **argv);

// Prints the table of a trainer.
void describe_trainer(const symc_model &model);

} // namespace symc::train
#endif
