// mxnet_variables.h: variables of MXNet that a program finds set, named with what is read in their
// place.
#ifndef SYMC_RUNTIME_MAIN_MXNET_VARIABLES_H
#define SYMC_RUNTIME_MAIN_MXNET_VARIABLES_H

namespace symc {

// Writes a line to standard error for each of those whose equal is neither set nor among the
// arguments (symc/mxnet_variables.def).
void note_mxnet_variables(const char *program, int argc, char **argv);

} // namespace symc
#endif
