// Tensor.h: arrays that symc-run holds: inputs from files, zeros or a seed, and
// outputs; written as .npy; compared by a tolerance relative to the largest value.
#ifndef SYMC_TOOLS_SYMC_RUN_TENSOR_H
#define SYMC_TOOLS_SYMC_RUN_TENSOR_H

#include "frontend/params/ParamsReader.h"
#include "symc/runtime.h"
#include <string>
#include <vector>

namespace symc::run {

struct Tensor {
  std::string name;
  int32_t dtype = SYMC_F32;
  std::vector<int64_t> shape;
  std::vector<char> bytes;
  bool absent = false; // an optional input that nobody gave: zeros

  int64_t elementCount() const;
  symc_tensor view();
  std::string typeText() const; // "f32 [1, 10]"
  std::vector<double> values() const;
};

Tensor fromArray(llvm::StringRef name, const params::Array &array);

/// Writes DIR/NAME.npy, folders of a name with '/' included. False after printing why not.
bool writeTensor(llvm::StringRef folder, llvm::StringRef name, const Tensor &tensor);

/// What two tensors have to do with each other. NaN equals NaN.
struct Comparison {
  std::string misfit; // other shape: nothing else is known then
  int64_t wrong = 0, count = 0;
  std::vector<int64_t> worst; // index of the worst element, where one is wrong
  double expected = 0, got = 0;
  double allowed = 0;       // of |x-y|
  double relativeError = 0; // max|x-y| / max|y|
  bool agrees() const { return misfit.empty() && wrong == 0; }
};
Comparison compare(const Tensor &got, const Tensor &want, double tolerance);

} // namespace symc::run

#endif // SYMC_TOOLS_SYMC_RUN_TENSOR_H
