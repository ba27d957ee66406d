// PartsRun.cpp: see PartsRun.h.
#include "tools/conformance/PartsRun.h"

#include <cstring>

using namespace symc::conformance;

namespace {

size_t bytesOf(const symc_tensor &tensor) {
  int64_t bytes = symc_dtype_bytes(tensor.dtype);
  for (int32_t i = 0; i < tensor.rank; ++i)
    bytes *= tensor.shape[i];
  return size_t(bytes);
}

/// Tensors of one part, in memory of their own.
struct PartTensors {
  PartTensors(const symc_tensor_info *infos, const std::vector<symc_tensor> &all, bool backward) {
    for (size_t i = 0; i < all.size(); ++i)
      if (bool(infos[i].flags & SYMC_TENSOR_BACKWARD) == backward)
        given.push_back(all[i]);
    for (symc_tensor tensor : given) {
      const char *data = static_cast<const char *>(tensor.data);
      memory.emplace_back(data, data + (data ? bytesOf(tensor) : 0));
      if (data && memory.back().empty())
        memory.back().resize(1);
      tensor.data = data ? memory.back().data() : nullptr;
      own.push_back(tensor);
    }
  }
  void spoil() {
    for (std::vector<char> &bytes : memory)
      memset(bytes.data(), 0xa5, bytes.size());
  }
  /// Which tensor has other bits than the one that it was made of, or -1.
  int differs() const {
    for (size_t i = 0; i < given.size(); ++i)
      if (given[i].data && memcmp(memory[i].data(), given[i].data, bytesOf(given[i])) != 0)
        return int(i);
    return -1;
  }

  std::vector<symc_tensor> given, own;
  std::vector<std::vector<char>> memory;
};

using Part = symc_status (*)(symc_context *, const symc_tensor *, int32_t, const symc_tensor *,
                             int32_t);

std::string runPart(const char *name, Part part, symc_context *context, PartTensors &in,
                    PartTensors &out) {
  out.spoil();
  if (part(context, in.own.data(), int32_t(in.own.size()), out.own.data(),
           int32_t(out.own.size())) != SYMC_STATUS_OK)
    return std::string(name) + ": " + symc_last_error(context);
  int differs = out.differs();
  return differs < 0 ? ""
                     : std::string(name) + " by itself gives other bits of its output " +
                           std::to_string(differs) + " than a run of both parts";
}

std::string compareStates(symc_context *one, symc_context *other) {
  const symc_model *model = symc_context_model(one);
  for (int32_t i = 0; i < model->n_states; ++i) {
    const symc_tensor_info &info = model->states[i].tensor;
    std::vector<char> a(size_t(info.max_bytes) + 1), b(a);
    symc_tensor first = {a.data(), info.shape, info.rank, info.dtype, SYMC_DEVICE_CPU, 0};
    symc_tensor second = first;
    second.data = b.data();
    if (symc_get_state(one, info.name, &first) != SYMC_STATUS_OK)
      return symc_last_error(one);
    if (symc_get_state(other, info.name, &second) != SYMC_STATUS_OK)
      return symc_last_error(other);
    if (a != b)
      return std::string("state '") + info.name +
             "' has other bits after both parts than after a run of both";
  }
  return "";
}

} // namespace

std::string symc::conformance::runParts(symc_context *context,
                                        const std::vector<symc_tensor> &inputs,
                                        const std::vector<symc_tensor> &outputs) {
  const symc_model *model = symc_context_model(context);
  if (!model->variants[0].backward)
    return "";
  PartTensors in(model->inputs, inputs, false), out(model->outputs, outputs, false),
      heads(model->inputs, inputs, true), gradients(model->outputs, outputs, true);
  char why[512] = "";
  symc_options options = {};
  options.error = why;
  options.error_bytes = sizeof why;
  symc_context *own = nullptr;
  if (symc_create(model, &options, &own) != SYMC_STATUS_OK)
    return why;
  std::string problem = runPart("forward", symc_forward, own, in, out);
  in.spoil();
  out.spoil();
  if (problem.empty())
    problem = runPart("backward", symc_backward, own, heads, gradients);
  if (problem.empty())
    problem = compareStates(context, own);
  // A gradient may depend on the states as backward finds them.
  if (problem.empty() && model->n_states && symc_reset_state(own, nullptr))
    problem = symc_last_error(own);
  if (problem.empty())
    problem = runPart("a second backward", symc_backward, own, heads, gradients);
  symc_destroy(own);
  return problem;
}
