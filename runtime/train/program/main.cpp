// main.cpp: main of a compiled trainer. The compiler emits symc_main_model.
#include "trainer.h"

extern "C" const symc_model *const symc_main_model;

int main(int argc, char **argv) { return symc::train::run_trainer(*symc_main_model, argc, argv); }
