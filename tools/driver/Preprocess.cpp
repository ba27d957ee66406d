// Preprocess.cpp: see Preprocess.h.
#include "tools/driver/Preprocess.h"

#include "llvm/ADT/SmallVector.h"

using namespace symc;

static llvm::Error problem(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

// "A" or "A/B/C" into values; the count in `channels`.
static llvm::Error parseValues(llvm::StringRef step, llvm::StringRef text, double *values,
                               int32_t &channels) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, '/');
  if (parts.size() != 1 && parts.size() != 3 && parts.size() != 4)
    return problem("preprocessing step '" + step + "' has " + llvm::Twine(parts.size()) +
                   " values, needs 1, 3 or 4");
  for (size_t i = 0; i < parts.size(); ++i)
    if (parts[i].getAsDouble(values[i]))
      return problem("preprocessing step '" + step + "' needs numbers, found '" + parts[i] + "'");
  channels = std::max<int32_t>(channels, parts.size());
  if (parts.size() == 1)
    for (int i = 1; i < 4; ++i)
      values[i] = values[0];
  return llvm::Error::success();
}

llvm::Expected<symc_preprocess> symc::parsePreprocess(llvm::StringRef steps) {
  symc_preprocess result = {};
  result.enabled = 1;
  result.source_layout = SYMC_NHWC;
  result.model_layout = SYMC_NCHW;
  result.order = SYMC_RGB;
  result.channels = 1;
  result.scale = 1;
  for (int i = 0; i < 4; ++i)
    result.std[i] = 1;
  llvm::SmallVector<llvm::StringRef> list;
  steps.split(list, ',');
  for (llvm::StringRef step : list) {
    auto [name, value] = step.split('=');
    if (name == "u8" && value.empty())
      continue;
    if (step == "nhwc")
      result.source_layout = SYMC_NHWC;
    else if (step == "nchw")
      result.source_layout = SYMC_NCHW;
    else if (step == "rgb")
      result.order = SYMC_RGB;
    else if (step == "bgr")
      result.order = SYMC_BGR;
    else if (step == "gray")
      result.order = SYMC_GRAY;
    else if (step == "resize")
      result.resize = SYMC_RESIZE_STRETCH;
    else if (name == "resize") {
      llvm::StringRef size = value;
      if (!size.consume_front("crop") ||
          (!size.empty() &&
           (!size.consume_front(":") || size.getAsInteger(10, result.resize_short) ||
            result.resize_short < 1)))
        return problem("preprocessing step '" + step +
                       "' needs 'resize' or 'resize=crop[:PIXELS]'");
      result.resize = SYMC_RESIZE_CROP;
    } else if (name == "scale") {
      if (value.getAsDouble(result.scale))
        return problem("preprocessing step '" + step + "' needs a number");
    } else if (name == "mean") {
      if (llvm::Error error = parseValues(step, value, result.mean, result.channels))
        return std::move(error);
    } else if (name == "std") {
      if (llvm::Error error = parseValues(step, value, result.std, result.channels))
        return std::move(error);
    } else {
      return problem("unknown preprocessing step '" + step +
                     "'; steps are u8, nhwc, nchw, rgb, bgr, gray, resize, resize=crop[:PIXELS], "
                     "scale=, mean=, std=");
    }
  }
  return result;
}
