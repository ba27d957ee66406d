// Preprocess.cpp: see Preprocess.h.
#include "tools/driver/Preprocess.h"
#include "tools/driver/MeanImage.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace symc;

static llvm::Error problem(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

// A program computes in float32.
static llvm::Error parseNumber(llvm::StringRef step, llvm::StringRef text, double &value) {
  if (text.getAsDouble(value))
    return problem("preprocessing step '" + step + "' needs numbers" +
                   (step.starts_with("mean=") ? " or the file of a mean image" : "") + ", found '" +
                   text + "'");
  if (!std::isfinite(float(value)))
    return problem("preprocessing step '" + step + "' needs numbers that float32 holds, found '" +
                   text + "'");
  return llvm::Error::success();
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
    if (llvm::Error error = parseNumber(step, parts[i], values[i]))
      return error;
  channels = std::max<int32_t>(channels, parts.size());
  if (parts.size() == 1)
    for (int i = 1; i < 4; ++i)
      values[i] = values[0];
  return llvm::Error::success();
}

// What a step decides, which no other step of the list may.
static llvm::StringRef kindOf(llvm::StringRef step) {
  llvm::StringRef name = step.split('=').first;
  return name == "nhwc" || name == "nchw"                   ? "layout"
         : name == "rgb" || name == "bgr" || name == "gray" ? "order"
                                                            : name;
}

// Numbers are no file, even where there is one of that name.
static bool areNumbers(llvm::StringRef text) {
  double ignored;
  return llvm::all_of(llvm::split(text, '/'),
                      [&](llvm::StringRef part) { return !part.getAsDouble(ignored); });
}

llvm::Expected<PreprocessSteps> symc::parsePreprocess(llvm::StringRef steps) {
  PreprocessSteps made;
  symc_preprocess &result = made.spec;
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
  llvm::StringMap<llvm::StringRef> seen; // step by what it decides
  for (llvm::StringRef step : list) {
    auto [name, value] = step.split('=');
    if (auto [other, fresh] = seen.try_emplace(kindOf(step), step); !fresh)
      return problem("preprocessing steps '" + other->second + "' and '" + step +
                     "' exclude each other");
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
      if (llvm::Error error = parseNumber(step, value, result.scale))
        return std::move(error);
    } else if (name == "mean" && !areNumbers(value) && isMeanImage(value)) {
      made.meanImage = value.str();
    } else if (name == "mean") {
      if (llvm::Error error = parseValues(step, value, result.mean, result.channels))
        return std::move(error);
    } else if (name == "std") {
      if (llvm::Error error = parseValues(step, value, result.std, result.channels))
        return std::move(error);
      if (llvm::any_of(result.std, [](double divisor) { return float(divisor) == 0; }))
        return problem("preprocessing step '" + step + "' divides by 0");
    } else {
      return problem("unknown preprocessing step '" + step +
                     "'; steps are u8, nhwc, nchw, rgb, bgr, gray, resize, resize=crop[:PIXELS], "
                     "scale=, mean=, std=");
    }
  }
  return made;
}

std::vector<std::string> symc::filesOf(const std::map<std::string, std::string> &preprocess) {
  std::vector<std::string> files;
  for (const auto &[input, steps] : preprocess) {
    llvm::Expected<PreprocessSteps> parsed = parsePreprocess(steps);
    if (!parsed)
      llvm::consumeError(parsed.takeError()); // reported when the model is emitted
    else if (!parsed->meanImage.empty())
      files.push_back(MeanImageName(parsed->meanImage).file);
  }
  return files;
}

std::string symc::inputText(const codegen::TensorInfo &input) {
  std::string text = "input '" + input.name + "' of shape [";
  for (auto [i, extent] : llvm::enumerate(input.shape))
    text += (i ? ", " : "") + (extent < 0 ? "?" : std::to_string(extent));
  return text + "]";
}

llvm::Error symc::checkPreprocess(const symc_preprocess &spec, const codegen::TensorInfo &input) {
  llvm::ArrayRef<int64_t> shape = input.shape;
  std::string where = inputText(input);
  bool planes = shape.size() == 3 || shape.size() == 4;
  int64_t channels = planes ? shape[shape.size() - 3] : 3;
  bool isPicture = planes || shape.size() == 2;
  if (!isPicture || (channels != 1 && channels != 3 && channels != 4))
    return problem("--preprocess makes pictures of [N, C, H, W], [C, H, W], [H, W] or [N, C*H*W] "
                   "with 1, 3 or 4 channels, which " +
                   where + " is not");
  bool gray = spec.order == SYMC_GRAY;
  if (gray && planes && channels != 1)
    return problem("preprocessing step 'gray' makes 1 channel, but " + where + " has " +
                   llvm::Twine(channels));
  channels = gray ? 1 : channels;
  if (spec.channels > channels)
    return problem("preprocessing step 'mean' or 'std' has " + llvm::Twine(spec.channels) +
                   " values, but " + where + " takes pictures of " +
                   (planes || gray ? "" : "1 or ") + llvm::Twine(channels) +
                   (channels == 1 ? " channel" : " channels"));
  if (spec.resize == SYMC_RESIZE_NONE)
    return llvm::Error::success();
  if (!planes || shape[shape.size() - 2] < 0 || shape[shape.size() - 1] < 0)
    return problem("preprocessing step 'resize' needs a fixed height and width, which " + where +
                   " has not");
  int64_t shorter = std::min(shape[shape.size() - 2], shape[shape.size() - 1]);
  if (spec.resize_short > 0 && spec.resize_short < shorter)
    return problem("preprocessing step 'resize=crop:" + llvm::Twine(spec.resize_short) +
                   "' leaves pictures whose shorter side has " + llvm::Twine(spec.resize_short) +
                   " pixels, but " + where + " needs " + llvm::Twine(shorter));
  return llvm::Error::success();
}
