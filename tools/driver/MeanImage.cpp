// MeanImage.cpp: see MeanImage.h.
#include "tools/driver/MeanImage.h"

#include "frontend/params/ParamsReader.h"
#include "tools/driver/Preprocess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include <cmath>
#include <cstring>

using namespace symc;

// What ImageRecordIter calls the array.
static constexpr llvm::StringLiteral usualKey = "mean_img";

static bool hasEndingOfArrays(llvm::StringRef file) {
  return llvm::any_of(llvm::ArrayRef<llvm::StringRef>{".npy", ".npz", ".params", ".bin", ".nd"},
                      [&](llvm::StringRef ending) { return file.ends_with(ending); });
}

static bool isThere(llvm::StringRef file) {
  return llvm::sys::fs::exists(file) && !llvm::sys::fs::is_directory(file);
}

// A colon parts the name of an array from a file, unless the file's name has it.
MeanImageName::MeanImageName(llvm::StringRef text) : file(text) {
  auto [front, back] = text.rsplit(':');
  if (front.size() == text.size() || isThere(text))
    return;
  file = front.str();
  key = back.str();
}

bool symc::isMeanImage(llvm::StringRef text) {
  MeanImageName name(text);
  return hasEndingOfArrays(name.file) || isThere(name.file);
}

namespace {
/// One image as it is read, with what messages call it.
class MeanImageReader {
public:
  MeanImageReader(llvm::StringRef text, const codegen::TensorInfo &input)
      : name(text), input(input) {}

  llvm::Expected<std::vector<float>> read() {
    if (llvm::Error error = checkInput())
      return std::move(error);
    Diagnostics diagnostics;
    auto file = params::readArrays(name.file, diagnostics);
    if (!file)
      return problem(": " + diagnostics.all().front().message);
    auto array = choose(*file);
    if (!array)
      return array.takeError();
    if (llvm::Error error = checkShape(**array))
      return std::move(error);
    return valuesOf(**array);
  }

private:
  llvm::Error problem(const llvm::Twine &what) const {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "mean image " + inQuotes(name.file) + what);
  }

  llvm::ArrayRef<int64_t> wanted() const {
    return llvm::ArrayRef<int64_t>(input.shape).take_back(3);
  }

  llvm::Error checkInput() const {
    if (input.shape.size() != 3 && input.shape.size() != 4)
      return problem(" fits inputs of [N, C, H, W] and [C, H, W], which " + inputText(input) +
                     " is not");
    if (wanted()[1] < 0 || wanted()[2] < 0)
      return problem(" has a value for each pixel, but " + inputText(input) +
                     " has no fixed height and width; mean=A/B/C has one for each channel");
    return llvm::Error::success();
  }

  llvm::Expected<const params::Array *> choose(const params::ArrayFile &file) const {
    std::vector<std::string> keys;
    for (const params::Array &array : file.arrays)
      keys.push_back(array.key);
    Diagnostics lists;
    llvm::StringRef key = name.key.empty() ? llvm::StringRef(usualKey) : llvm::StringRef(name.key);
    if (auto found = llvm::find(keys, key); found != keys.end())
      return &file.arrays[found - keys.begin()];
    if (name.key.empty() && keys.size() == 1)
      return &file.arrays.front();
    bool named = llvm::none_of(keys, [](auto &each) { return each.empty(); });
    if (!named || keys.empty())
      return problem(" holds " + llvm::Twine(keys.size()) + " arrays without names, needs 1");
    return problem(" has no array " + inQuotes(key) + ", but " + lists.nameList(keys) +
                   (name.key.empty() ? "; name one as FILE:KEY" : ""));
  }

  llvm::Error checkShape(const params::Array &array) const {
    llvm::ArrayRef<int64_t> shape = array.shape, needed = wanted();
    if (shape == needed || (shape.size() == 4 && shape[0] == 1 && shape.drop_front() == needed))
      return llvm::Error::success();
    bool isLast = shape.size() == 3 && shape[0] == needed[1] && shape[1] == needed[2] &&
                  shape[2] == needed[0];
    return problem(" has shape " + params::shapeText(shape) + ", but " + inputText(input) +
                   " needs " + params::shapeText(needed) +
                   (isLast ? ", with the channels first" : ""));
  }

  llvm::Expected<std::vector<float>> valuesOf(const params::Array &array) const {
    std::vector<float> values(array.elementCount());
    auto convert = [&](auto element) {
      for (auto [i, value] : llvm::enumerate(values)) {
        std::memcpy(&element, array.data + i * sizeof element, sizeof element);
        value = float(element);
      }
    };
    switch (array.dtype) {
    case params::DType::F32:
      convert(float());
      break;
    case params::DType::F64:
      convert(double());
      break;
    case params::DType::U8:
      convert(uint8_t());
      break;
    default:
      return problem(" has elements of " + params::name(array.dtype) + ", needs f32, f64 or u8");
    }
    auto bad = llvm::find_if(values, [](float value) { return !std::isfinite(value); });
    if (bad == values.end())
      return values;
    return problem(" has a value at place " + llvm::Twine(bad - values.begin()) +
                   " that is no finite number of float32");
  }

  MeanImageName name;
  const codegen::TensorInfo &input;
};
} // namespace

llvm::Expected<std::vector<float>> symc::readMeanImage(llvm::StringRef text,
                                                       const codegen::TensorInfo &input) {
  return MeanImageReader(text, input).read();
}
