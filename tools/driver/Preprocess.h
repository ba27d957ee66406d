// Preprocess.h: `--preprocess NAME=STEP,...` as the table that a program reads.
#ifndef SYMC_TOOLS_DRIVER_PREPROCESS_H
#define SYMC_TOOLS_DRIVER_PREPROCESS_H

#include "codegen/emit/ModelInfo.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace symc {

/// Parses the steps behind `NAME=`. In any order, separated by commas:
///   u8                 values are bytes 0..255 (always so for pictures)
///   nhwc, nchw         the order of extents in arrays and raw bytes
///   rgb, bgr, gray     the channels that the model wants
///   resize             stretch pictures to the input's size
///   resize=crop[:S]    shorter side to S pixels, then a centre crop
///   scale=S            factor, before mean and std
///   mean=A[/B/C]       subtracted, a value for all channels or one each
///   std=A[/B/C]        divides
/// Each kind of step stands once, numbers are finite in float32, divisors are not 0.
llvm::Expected<symc_preprocess> parsePreprocess(llvm::StringRef steps);

/// What is wrong with `spec` for an input, whatever picture it gets.
llvm::Error checkPreprocess(const symc_preprocess &spec, const codegen::TensorInfo &input);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_PREPROCESS_H
