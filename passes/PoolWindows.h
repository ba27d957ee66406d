// PoolWindows.h: what passes that move operators across a pooling, or compute it otherwise, have to
// prove of its windows. A window that lies wholly beside the image, as the last ones of `full` can,
// has a value of its own: the average 0 (NaN over volumes), the sum 0, the least number as maximum.
#ifndef SYMC_PASSES_POOLWINDOWS_H
#define SYMC_PASSES_POOLWINDOWS_H

#include "ir/Windows.h"
#include "ir/ops/Nn.h"

namespace symc {

/// Whether every window of the pooling holds a pixel, whatever sizes the graph runs with.
bool everyWindowHoldsAPixel(sg::PoolingOp pool);
/// The same where it had other data and other padding.
bool everyWindowHoldsAPixel(sg::PoolingOp pool, mlir::Value data, const sg::Padding &padding);

} // namespace symc

#endif // SYMC_PASSES_POOLWINDOWS_H
