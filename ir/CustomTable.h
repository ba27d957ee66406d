// CustomTable.h: what the op table needs of the custom operators.
#ifndef SYMC_IR_CUSTOMTABLE_H
#define SYMC_IR_CUSTOMTABLE_H

#include "ir/OpTable.h"
#include <optional>

namespace symc::sg {

/// The table's names and those of custom operators, sorted; nothing where there are none.
std::optional<llvm::ArrayRef<OpName>> namesWithCustomOperators();

} // namespace symc::sg

#endif // SYMC_IR_CUSTOMTABLE_H
