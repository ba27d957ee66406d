// DoubledImages.h: deconvolutions that are computed in rows as they are, not taken apart into
// convolutions over blocks of channels: those that double images which a graph gives.
#ifndef SYMC_IR_DOUBLEDIMAGES_H
#define SYMC_IR_DOUBLEDIMAGES_H

#include "ir/ops/Nn.h"

namespace symc::sg {

/// Whether each channel is alone, strides are 2, the window has 2, 4 or 6 rows and columns, output
/// an even number of both, and all readers of it are heads: blocks of channels would be written to
/// be read again. Float32; extents but the first are constants.
bool doublesImages(DeconvolutionOp op);

} // namespace symc::sg

#endif // SYMC_IR_DOUBLEDIMAGES_H
