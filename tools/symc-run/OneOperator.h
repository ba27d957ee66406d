// OneOperator.h: symc-run --op: a model of one operator, whose inputs are called as the operator
// calls them.
#ifndef SYMC_TOOLS_SYMC_RUN_ONEOPERATOR_H
#define SYMC_TOOLS_SYMC_RUN_ONEOPERATOR_H

#include "tools/symc-run/CommandLine.h"

namespace symc::run {

/// Makes `line.request` one for line.op, with the shapes and element types of the arrays that
/// line.inputs name. Inputs without an array and a shape become weights, which are drawn. A
/// status of this tool, with the sentence printed.
int composeOperator(CommandLine &line);

} // namespace symc::run

#endif // SYMC_TOOLS_SYMC_RUN_ONEOPERATOR_H
