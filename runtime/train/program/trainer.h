// trainer.h: the program of a compiled trainer, without its main.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_TRAINER_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_TRAINER_H

#include "symc/runtime.h"

namespace symc::train {

// Parses the flags, trains or tells; returns the exit code. Errors go to standard error as
// "NAME: error: SENTENCE", NAME being the model's.
int run_trainer(const symc_model &model, int argc, char **argv);

// Prints the table of a trainer.
void describe_trainer(const symc_model &model);

} // namespace symc::train
#endif
