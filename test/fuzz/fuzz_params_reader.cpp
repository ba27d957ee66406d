//===- fuzz_params_reader.cpp - any bytes as parameters -------------------===//
//
// Reading must end with arrays or with errors, never both or neither. Every
// byte of every array is touched; arrays are written in both formats and read
// again, and must come back the same.
//
//===----------------------------------------------------------------------===//
#include "frontend/params/ParamsWriter.h"

#include <cstring>

using namespace symc;
using namespace symc::params;

namespace {

std::optional<ArrayFile> read(llvm::StringRef bytes, Diagnostics &diagnostics) {
  ReadOptions options;
  options.maxDenseBytes = 1 << 20;
  return readArrays(llvm::MemoryBuffer::getMemBufferCopy(bytes), "fuzz.params", diagnostics,
                    options);
}

void require(bool condition, const Diagnostics &diagnostics) {
  if (condition)
    return;
  diagnostics.render(llvm::errs());
  __builtin_trap();
}

/// Writes the arrays by `write`, reads them again, and compares.
template <typename Write> void roundTrip(llvm::ArrayRef<ArrayView> views, Write write) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  write(os);
  os.flush();
  Diagnostics diagnostics;
  auto file = read(bytes, diagnostics);
  require(file && file->arrays.size() == views.size(), diagnostics);
  for (size_t i = 0; i < views.size(); ++i) {
    const Array &array = file->arrays[i];
    require(array.key == views[i].key && llvm::ArrayRef(array.shape) == views[i].shape &&
                array.dtype == views[i].dtype && array.byteCount == byteCount(views[i]) &&
                std::memcmp(array.data, views[i].data, array.byteCount) == 0,
            diagnostics);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Diagnostics diagnostics;
  auto file = read(llvm::StringRef(reinterpret_cast<const char *>(data), size), diagnostics);
  require(file.has_value() != diagnostics.hasErrors(), diagnostics);
  diagnostics.str();
  if (!file)
    return 0;
  std::vector<ArrayView> views, numpyViews;
  for (const Array &array : file->arrays) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < array.byteCount; ++i)
      sum += static_cast<unsigned char>(array.data[i]);
    volatile uint64_t sink = sum;
    (void)sink;
    if (array.isNone || array.key.empty())
      continue;
    views.push_back({array.key, array.dtype, array.shape, array.data});
    // bfloat16 changes its type in NumPy's formats; some keys mean something.
    llvm::StringRef key = array.key;
    if (array.dtype != DType::BF16 && !key.ends_with("/format") && key.size() < 65000)
      numpyViews.push_back(views.back());
  }
  roundTrip(views, [&](llvm::raw_ostream &os) { writeNdarrayList(os, views); });
  roundTrip(numpyViews, [&](llvm::raw_ostream &os) { writeNpz(os, numpyViews); });
  return 0;
}
