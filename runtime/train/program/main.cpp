// main.cpp: main of a compiled trainer. The compiler emits symc_main_model and symc_main_program.
#include "trainer.h"

extern "C" const symc_model *const symc_main_model;
extern "C" const symc_program symc_main_program __attribute__((weak));

int main(int argc, char **argv) {
  return symc::train::run_trainer(*symc_main_model, &symc_main_program, argc, argv);
}
