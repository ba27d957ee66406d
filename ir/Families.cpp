// Families.cpp: the operators of all families, registered through the generated list
// (ir/ops/Families.inc). The one file that a new family changes beside its own.
#include "ir/GraphDialect.h"

namespace symc::sg {

#define SYMC_OP_FAMILY(NAME) void register##NAME##Ops(SGDialect &dialect);
#include "ir/ops/Families.inc"
#undef SYMC_OP_FAMILY

void SGDialect::addFamilies() {
#define SYMC_OP_FAMILY(NAME) register##NAME##Ops(*this);
#include "ir/ops/Families.inc"
#undef SYMC_OP_FAMILY
}

} // namespace symc::sg
