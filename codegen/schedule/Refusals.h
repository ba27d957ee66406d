// Refusals.h: reasons that several rules have not to take a group.
#ifndef SYMC_CODEGEN_SCHEDULE_REFUSALS_H
#define SYMC_CODEGEN_SCHEDULE_REFUSALS_H

#include "codegen/schedule/ScheduleRule.h"

namespace symc::codegen {

/// Of elements that the target has no layers of.
Refusal elementRefusal(mlir::Value value);
Refusal openChannelsRefusal();
/// Of a weight or bias that has to be one, and is computed.
Refusal computedRefusal(llvm::StringRef operand);
/// Of nodes around the root that have no body, or read what cannot be read in the step's form.
Refusal chainRefusal();
Refusal operandRefusal();

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_REFUSALS_H
