// Tensor.cpp: see Tensor.h.
#include "tools/symc-run/Tensor.h"

#include "codegen/emit/OutputFile.h"
#include "frontend/params/Npz.h"
#include "tools/symc-run/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace symc;
using namespace symc::run;

int64_t Tensor::elementCount() const { return bytes.size() / symc_dtype_bytes(dtype); }

symc_tensor Tensor::view() {
  return {bytes.data(), shape.data(),    static_cast<int32_t>(shape.size()),
          dtype,        SYMC_DEVICE_CPU, 0};
}

std::string Tensor::typeText() const {
  return std::string(symc_dtype_name(dtype)) + " " + params::shapeText(shape);
}

std::vector<double> Tensor::values() const {
  std::vector<double> result(elementCount());
  symc_convert(bytes.data(), dtype, result.data(), SYMC_F64, result.size());
  return result;
}

Tensor symc::run::fromArray(llvm::StringRef name, const params::Array &array) {
  return {name.str(), static_cast<int32_t>(array.dtype), array.shape,
          std::vector<char>(array.data, array.data + array.byteCount)};
}

bool symc::run::writeTensor(llvm::StringRef folder, llvm::StringRef name, const Tensor &tensor) {
  llvm::SmallVector<llvm::StringRef> parts;
  name.split(parts, '/');
  for (llvm::StringRef part : parts)
    if (part.empty() || part == "." || part == "..") {
      sayError("'" + name + "' has an empty part, '.' or '..' and makes no file in '" + folder +
               "'");
      return false;
    }
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name + ".npy");
  std::error_code error = llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path));
  if (error) {
    sayError("cannot write '" + path + "': " + reasonOf(error));
    return false;
  }
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  params::writeNpy(
      os, {name, static_cast<params::DType>(tensor.dtype), tensor.shape, tensor.bytes.data()});
  if (llvm::Error failure = codegen::writeWhole(path, bytes)) {
    sayError(llvm::toString(std::move(failure)));
    return false;
  }
  return true;
}

static std::vector<int64_t> indexOf(int64_t flat, const std::vector<int64_t> &shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t i = shape.size(); i-- > 0; flat /= shape[i])
    index[i] = flat % shape[i];
  return index;
}

Comparison symc::run::compare(const Tensor &got, const Tensor &want, double tolerance) {
  Comparison result;
  if (got.shape != want.shape) {
    result.misfit =
        "shape " + params::shapeText(got.shape) + ", expected " + params::shapeText(want.shape);
    return result;
  }
  std::vector<double> x = got.values(), y = want.values();
  double largest = 0, error = 0;
  for (double value : y)
    if (std::isfinite(value))
      largest = std::max(largest, std::fabs(value));
  result.count = x.size();
  result.allowed = tolerance * largest;
  double worst = -1;
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i])))
      continue;
    double distance = std::fabs(x[i] - y[i]);
    if (std::isnan(distance))
      distance = INFINITY;
    error = std::max(error, distance);
    if (distance <= result.allowed)
      continue;
    ++result.wrong;
    if (distance > worst) {
      worst = distance;
      result.worst = indexOf(i, got.shape);
      result.expected = y[i];
      result.got = x[i];
    }
  }
  result.relativeError = error == 0 ? 0 : error / largest;
  return result;
}
