// Preprocess.h: `--preprocess NAME=STEP,...` as the table that a program reads.
#ifndef SYMC_TOOLS_DRIVER_PREPROCESS_H
#define SYMC_TOOLS_DRIVER_PREPROCESS_H

#include "codegen/emit/ModelInfo.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>

namespace symc {

/// Parses the steps behind `NAME=`. In any order, separated by commas:
///   u8                 values are bytes 0..255 (always so for pictures)
///   nhwc, nchw         the order of extents in arrays and raw bytes
///   rgb, bgr, gray     the channels that the model requires
///   resize             stretch pictures to the input's size
///   resize=crop[:S]    shorter side to S pixels, then a centre crop
///   scale=S            factor, before mean and std
///   mean=A[/B/C]       subtracted, a value for all channels or one each
///   mean=FILE[:KEY]    a value for each channel and pixel, subtracted before the factor
///   std=A[/B/C]        divides
/// Each kind of step stands once, numbers are finite in float32, divisors are not 0.
struct PreprocessSteps {
  symc_preprocess spec = {};
  std::string meanImage; // what stands behind mean= where it names a file (MeanImage.h)
};
llvm::Expected<PreprocessSteps> parsePreprocess(llvm::StringRef steps);

/// The files that the steps of all inputs name, where these parse.
std::vector<std::string> filesOf(const std::map<std::string, std::string> &preprocess);

/// What is wrong with `spec` for an input, whatever picture it gets.
llvm::Error checkPreprocess(const symc_preprocess &spec, const codegen::TensorInfo &input);

/// "input 'data' of shape [1, 3, ?, ?]", for messages.
std::string inputText(const codegen::TensorInfo &input);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_PREPROCESS_H
