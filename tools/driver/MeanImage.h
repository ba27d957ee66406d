// MeanImage.h: the file of `--preprocess NAME=mean=FILE`: a value for each channel and pixel of an
// input, as MXNet's ImageRecordIter writes one.
#ifndef SYMC_TOOLS_DRIVER_MEANIMAGE_H
#define SYMC_TOOLS_DRIVER_MEANIMAGE_H

#include "codegen/emit/ModelInfo.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace symc {

/// The file and, perhaps, the name of an array in it, of a text behind `mean=`: FILE or FILE:KEY.
struct MeanImageName {
  std::string file, key;
  explicit MeanImageName(llvm::StringRef text);
};

/// Whether a text behind `mean=` names a file rather than numbers: its file has an ending of
/// arrays, or is there.
bool isMeanImage(llvm::StringRef text);

/// Reads the image for `input`, [N, C, H, W] or [C, H, W] with fixed H and W: C * H * W floats in
/// the order of the input, whose order of channels the image has. The file is a .npy with [C, H, W]
/// or [1, C, H, W], or holds several arrays, of which it is the only one, `mean_img` or KEY.
llvm::Expected<std::vector<float>> readMeanImage(llvm::StringRef text,
                                                 const codegen::TensorInfo &input);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_MEANIMAGE_H
