// fake_model.h: a compiled model written by hand, for tests of the runtime. With
// data [n, 4], n in 1..8, and weights w[4] it computes
//   fc_output[i, j] = data[i, j] * w[j]     one task for each row
//   mean[j]         = mean[j] + sum over i of data[i, j]     a state, which begins with 10, 20, ...
// `label` [n] is optional and never read.
#ifndef SYMC_TEST_UNIT_RUNTIME_FAKE_MODEL_H
#define SYMC_TEST_UNIT_RUNTIME_FAKE_MODEL_H

#include "symc/runtime.h"

#include <map>
#include <string>
#include <vector>

// A model whose tables can be changed by a test before it is used.
struct FakeModel {
  FakeModel();
  FakeModel(const FakeModel &) = delete;

  int64_t dataShape[2] = {-1, 4}, labelShape[1] = {-1}, outputShape[2] = {8, 4}, meanShape[1] = {4};
  alignas(64) float weights[16] = {1, 2, 3, 4, 10, 20, 30, 40};
  symc_tensor_info inputs[2], outputs[2], parameters[1];
  symc_dim_info dims[1];
  symc_state_info states[1];
  symc_variant variants[2];
  symc_model model;
};

// What the model's run returns instead of 0, and the size that it decides, once.
extern int32_t fakeRunStatus, fakePrepareStatus, fakeDecides;
// What the last preparation of weights got.
extern symc_frame fakePrepareFrame;

// A tensor with its own shape and data.
struct Tensor {
  Tensor(std::vector<int64_t> shape, float value = 0, int32_t dtype = SYMC_F32);
  symc_tensor view();
  std::vector<int64_t> shape;
  std::vector<float> data;
  int32_t dtype;
};

// A context that ends with the scope. `error` is what create said.
struct ScopedContext {
  explicit ScopedContext(const symc_model &model, symc_options options = {});
  ~ScopedContext() { symc_destroy(handle); }
  symc_context *handle = nullptr;
  symc_status status;
  char error[512] = "";
};

// Memory hooks that count what they hand out, and fail from a call on. `wrong` is set where a size
// is no multiple of the alignment, the alignment no power of two, or what comes back is no memory
// of these hooks, or has another size.
struct Hooks {
  int calls = 0, failAt = 1000;
  size_t held = 0; // bytes
  std::map<void *, size_t> blocks;
  std::string wrong; // a failure of the test, at the latest when the hooks end
  symc_allocator table();
  ~Hooks();
};

// Sets an environment variable for the length of a scope.
struct ScopedVariable {
  ScopedVariable(const char *name, const char *value);
  ~ScopedVariable();
  const char *name;
};

// A folder that is removed with everything in it at the end of the scope.
struct ScopedFolder {
  ScopedFolder();
  ~ScopedFolder();
  std::string operator/(const std::string &name) const { return path + "/" + name; }
  std::string path;
};

std::string readFile(const std::string &path);
void writeFile(const std::string &path, const std::string &bytes);

#endif
