// Results.cpp: see Results.h.
#include "tools/conformance/Results.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace symc;
using namespace symc::conformance;

int64_t symc::conformance::bytesOf(const symc_tensor &tensor) {
  int64_t bytes = symc_dtype_bytes(tensor.dtype);
  for (int32_t d = 0; d < tensor.rank; ++d)
    bytes *= tensor.shape[d];
  return bytes;
}

std::string Results::fetch(symc_context *context, const std::vector<symc_tensor> &given) {
  const symc_model &model = *symc_context_model(context);
  outputs = given;
  extents.clear();
  for (const symc_tensor &output : outputs)
    extents.resize(extents.size() + output.rank);
  extents.push_back(0); // of a model whose results have rank 0
  if (symc_run_extents(context, extents.data(), extents.size()))
    return std::string("extents: ") + symc_last_error(context);
  const int64_t *next = extents.data();
  for (symc_tensor &output : outputs) {
    output.shape = next;
    next += output.rank;
  }
  states.clear();
  memory.clear();
  for (int32_t i = 0; i < model.n_states; ++i) {
    const symc_tensor_info &info = model.states[i].tensor;
    memory.emplace_back(info.max_bytes + 1);
    states.push_back({memory.back().data(), info.shape, info.rank, info.dtype, SYMC_DEVICE_CPU, 0});
    if (symc_get_state(context, info.name, &states.back()))
      return std::string("state: ") + symc_last_error(context);
  }
  return "";
}

static std::vector<double> toDoubles(const void *data, int32_t dtype, int64_t count) {
  std::vector<double> values(count);
  symc_convert(data, dtype, values.data(), SYMC_F64, count);
  return values;
}

// With as many digits as distinguish two f32.
static std::string text(double value) {
  char digits[32];
  snprintf(digits, sizeof digits, "%.9g", value);
  return digits;
}

std::string symc::conformance::inferExtents(symc_context *context, const symc_model &model,
                                            const std::vector<symc_tensor> &inputs,
                                            std::vector<int64_t> &extents, bool &refused) {
  size_t count = 1; // of a model whose results have rank 0
  for (int32_t i = 0; i < model.n_outputs; ++i)
    count += model.outputs[i].rank;
  extents.assign(count, 0);
  if (symc_infer_outputs(context, inputs.data(), inputs.size(), extents.data(), extents.size())) {
    refused = true;
    return std::string("shapes: ") + symc_last_error(context);
  }
  if (llvm::any_of(extents, [](int64_t extent) { return extent < 0; }))
    return "internal error: the model names a negative extent of an output";
  return "";
}

static std::string compareOne(const std::string &name, const symc_tensor &got,
                              const params::Array &want, const StoredCase::Tolerance &tolerance,
                              llvm::ArrayRef<double> rounding = {}) {
  auto [rtol, atol] = tolerance;
  llvm::ArrayRef<int64_t> shape(got.shape, got.rank);
  if (shape != llvm::ArrayRef<int64_t>(want.shape))
    return llvm::formatv("{0}: shape {1}, expected {2}", name, params::shapeText(shape),
                         params::shapeText(want.shape));
  if (got.dtype != static_cast<int32_t>(want.dtype))
    return llvm::formatv("{0}: dtype {1}, expected {2}", name, symc_dtype_name(got.dtype),
                         symc_dtype_name(static_cast<int32_t>(want.dtype)));
  int64_t count = want.elementCount();
  std::vector<char> aligned(want.data, want.data + want.byteCount);
  std::vector<double> x = toDoubles(got.data, got.dtype, count);
  std::vector<double> y = toDoubles(aligned.data(), got.dtype, count);
  int64_t wrong = 0, worst = -1;
  double worstExcess = -1;
  auto allowed = [&, rtol = rtol, atol = atol](int64_t i) {
    return atol + rtol * std::fabs(y[i]) + (rounding.empty() ? 0 : rounding[i]);
  };
  for (int64_t i = 0; i < count; ++i) {
    if (x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i])))
      continue;
    double excess = std::fabs(x[i] - y[i]) / (allowed(i) + 1e-300);
    if (std::isnan(excess) || std::isinf(x[i]) || std::isinf(y[i]))
      excess = INFINITY;
    if (excess <= 1)
      continue;
    ++wrong;
    if (excess > worstExcess) {
      worstExcess = excess;
      worst = i;
    }
  }
  if (!wrong)
    return "";
  return llvm::formatv("{0}: {1} of {2} elements differ; worst at {3}: expected {4}, got {5}, "
                       "allowed {6}",
                       name, wrong, count, worst, text(y[worst]), text(x[worst]),
                       text(allowed(worst)));
}

std::string symc::conformance::compare(const Results &results, const symc_model &model,
                                       const StoredCase &stored) {
  std::string problem;
  // Gradients stand behind the outputs; a case has those that MXNet writes.
  int64_t gradients = 0, compared = 0;
  for (int32_t i = 0; i < model.n_outputs; ++i)
    gradients += llvm::StringRef(model.outputs[i].name).starts_with("grad:");
  int64_t outputs = model.n_outputs - gradients;
  if (int64_t known = stored.count("out:"); outputs != known)
    return llvm::formatv("{0} outputs, expected {1}", outputs, known);
  for (int64_t i = outputs; problem.empty() && i < model.n_outputs; ++i)
    if (const params::Array *want = stored.find(model.outputs[i].name)) {
      problem = compareOne(model.outputs[i].name, results.outputs[i], *want,
                           stored.toleranceOf(llvm::Twine(model.outputs[i].name)));
      ++compared;
    }
  if (int64_t known = stored.count("grad:"); problem.empty() && gradients && compared != known)
    return llvm::formatv("{0} gradients of {1}", compared, known);
  for (size_t i = 0; problem.empty() && i < size_t(outputs); ++i) {
    const params::Array *want = stored.find("out:" + llvm::Twine(i));
    problem =
        want ? compareOne(model.outputs[i].name, results.outputs[i], *want, stored.toleranceOf(i),
                          i < results.rounding.size() ? llvm::ArrayRef(results.rounding[i])
                                                      : llvm::ArrayRef<double>())
             : "io.params has no out:" + std::to_string(i);
  }
  for (size_t i = 0; problem.empty() && i < results.states.size(); ++i) {
    const char *name = model.states[i].tensor.name;
    if (const params::Array *want = stored.find(llvm::Twine("aux_out:") + name))
      problem = compareOne(name, results.states[i], *want,
                           stored.toleranceOf(llvm::Twine("aux_out:") + name));
  }
  if (!problem.empty())
    return problem;
  // A state that no node changes is no state of the model.
  int64_t changed = 0;
  for (auto &entry : stored.arrays) {
    llvm::StringRef name = entry.getKey();
    if (!name.consume_front("aux_out:"))
      continue;
    const params::Array *before = stored.find("aux:" + name), *after = entry.getValue();
    bool same = before && gradients && before->byteCount == after->byteCount &&
                memcmp(before->data, after->data, after->byteCount) == 0;
    bool isState = llvm::any_of(llvm::ArrayRef(model.states, model.n_states),
                                [&](const symc_state_info &s) { return s.tensor.name == name; });
    changed += !same || isState;
  }
  if (model.n_states != changed)
    return llvm::formatv("{0} auxiliary states change, expected {1}", model.n_states, changed);
  for (size_t i = 0; i < stored.outputs.size() && i < results.outputs.size(); ++i)
    if (stored.outputs[i] != model.outputs[i].name)
      return llvm::formatv("output {0} is called '{1}', expected '{2}'", i, model.outputs[i].name,
                           stored.outputs[i]);
  return "";
}

double symc::conformance::roundingBetween(const params::Array &x, const params::Array &y) {
  int32_t dtype = static_cast<int32_t>(x.dtype);
  if (x.dtype != y.dtype || x.shape != y.shape || !llvm::is_contained({SYMC_F32, SYMC_F64}, dtype))
    return 0;
  int64_t count = x.elementCount();
  std::vector<double> left = toDoubles(x.data, dtype, count),
                      right = toDoubles(y.data, dtype, count);
  double apart = 0, largest = 0;
  for (auto [a, b] : llvm::zip_equal(left, right))
    if (std::isfinite(a) && std::isfinite(b)) {
      apart = std::max(apart, std::fabs(a - b));
      largest = std::max(largest, std::fabs(b));
    }
  return std::min(apart, 0.05 * largest);
}
