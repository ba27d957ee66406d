// Checks.h: comparisons of a model with what it should compute: with the reference
// kernels, or with arrays from elsewhere; and all node outputs on disk.
#ifndef SYMC_TOOLS_SYMC_RUN_CHECKS_H
#define SYMC_TOOLS_SYMC_RUN_CHECKS_H

#include "tools/symc-run/Model.h"

namespace symc::run {

// Each returns a status of this tool. `inputs` and `outputs` are of one run of the
// model as it was requested.

int verify(const CommandLine &line, const Model &model, std::vector<Tensor> &inputs,
           const std::vector<Tensor> &outputs);
int compareWithFile(const CommandLine &line, const Model &model, std::vector<Tensor> &inputs,
                    const std::vector<Tensor> &outputs);
int dumpAll(const CommandLine &line, std::vector<Tensor> &inputs);

} // namespace symc::run

#endif // SYMC_TOOLS_SYMC_RUN_CHECKS_H
