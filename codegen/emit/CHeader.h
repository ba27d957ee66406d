// CHeader.h: the C header of a compiled model. It stands alone: what it declares
// of the runtime's types agrees with runtime/include/symc (a test compares them),
// and every text that a caller needs (shapes, units, statuses) is in it.
#ifndef SYMC_CODEGEN_EMIT_CHEADER_H
#define SYMC_CODEGEN_EMIT_CHEADER_H

#include "codegen/emit/ModelInfo.h"

namespace symc::codegen {

/// The header's text, for C99 and C++.
std::string writeHeader(const ModelInfo &model, const WeightsInfo &weights);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_CHEADER_H
