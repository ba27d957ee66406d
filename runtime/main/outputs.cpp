// outputs.cpp: see outputs.h.
#include "outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace symc {

Outputs::~Outputs() {
  free(tensors);
  free(extents);
}

static const symc_tensor_info &info_of(const symc_model &model, int32_t index) {
  return index < model.n_outputs ? model.outputs[index]
                                 : model.states[index - model.n_outputs].tensor;
}

bool Outputs::allocate(symc_context *context, const symc_tensor *inputs, int32_t nInputs,
                       Problem &problem) {
  const symc_model &model = *symc_context_model(context);
  int32_t total = 0, all = model.n_outputs + model.n_states;
  for (int32_t i = 0; i < model.n_outputs; ++i)
    total += model.outputs[i].rank;
  tensors = static_cast<symc_tensor *>(calloc(size_t(all) + 1, sizeof *tensors));
  extents = static_cast<int64_t *>(calloc(size_t(total) + 1, sizeof *extents));
  if (!tensors || !extents)
    return problem.set(RunFailed, "cannot allocate %zu bytes", (size_t(all) + 1) * sizeof *tensors);
  count = model.n_outputs;
  states = model.n_states;
  symc_status status = symc_infer_outputs(context, inputs, nInputs, extents, total);
  if (status != SYMC_STATUS_OK)
    return problem.set("%s", symc_last_error(context));
  size_t bytes = 0;
  const int64_t *shape = extents;
  for (int32_t i = 0; i < all; ++i) {
    const symc_tensor_info &info = info_of(model, i);
    int64_t elementBytes = symc_dtype_bytes(info.dtype);
    tensors[i].data = reinterpret_cast<void *>(bytes);
    tensors[i].shape = i < count ? shape : info.shape;
    tensors[i].rank = info.rank;
    tensors[i].dtype = info.dtype;
    int64_t elements = count_elements(tensors[i].shape, info.rank, elementBytes);
    bytes += (size_t(elements * elementBytes) + 63) & ~size_t(63);
    shape += i < count ? info.rank : 0;
  }
  if (!memory.allocate(bytes, problem))
    return false;
  for (int32_t i = 0; i < all; ++i)
    tensors[i].data = memory.data + reinterpret_cast<size_t>(tensors[i].data);
  return true;
}

bool Outputs::settle(symc_context *context, Problem &problem) {
  const symc_model &model = *symc_context_model(context);
  int32_t total = 0;
  for (int32_t i = 0; i < count; ++i)
    total += tensors[i].rank;
  if (symc_run_extents(context, extents, total) != SYMC_STATUS_OK)
    return problem.set("%s", symc_last_error(context));
  for (int32_t i = count; i < count + states; ++i)
    if (symc_get_state(context, info_of(model, i).name, &tensors[i]) != SYMC_STATUS_OK)
      return problem.set("%s", symc_last_error(context));
  return true;
}

static bool write_tensor(const char *path, const symc_tensor &tensor, Problem &problem) {
  int64_t elementBytes = symc_dtype_bytes(tensor.dtype);
  int64_t elements = count_elements(tensor.shape, tensor.rank, elementBytes);
  if (has_extension(path, "bin") || has_extension(path, "raw"))
    return write_file(path, nullptr, 0, tensor.data, size_t(elements * elementBytes), problem);
  symc_tensor wide = tensor;
  Bytes floats;
  if (tensor.dtype == SYMC_BF16) { // NumPy has no bfloat16
    if (!floats.allocate(size_t(elements) * 4, problem))
      return false;
    symc_convert(tensor.data, SYMC_BF16, floats.data, SYMC_F32, elements);
    wide.data = floats.data;
    wide.dtype = SYMC_F32;
    elementBytes = 4;
  }
  char header[npyHeaderBytes];
  size_t headerBytes = write_npy_header(wide, header);
  return write_file(path, header, headerBytes, wide.data, size_t(elements * elementBytes), problem);
}

// A name may make folders below the output folder, and nothing above it.
static bool is_safe_path(const char *name) {
  for (const char *part = name;;) {
    size_t length = strcspn(part, "/");
    bool up = length == 2 && part[0] == '.' && part[1] == '.';
    bool here = length == 1 && part[0] == '.';
    if (length == 0 || up || here)
      return false;
    if (!part[length])
      return true;
    part += length + 1;
  }
}

bool check_outputs(const symc_model &model, const CommandLine &line, Problem &problem) {
  problem.exit = Usage;
  for (int i = 0; i < line.nOutputs; ++i) {
    const char *word = line.outputs[i], *equals = strchr(word, '=');
    if (!equals || !equals[1])
      return problem.set("--output: expected NAME=FILE, got '%s'", word);
    bool found = false;
    for (int32_t k = 0; k < model.n_outputs + model.n_states; ++k) {
      const char *name = info_of(model, k).name;
      found |=
          strlen(name) == size_t(equals - word) && strncmp(name, word, size_t(equals - word)) == 0;
    }
    if (!found) {
      problem.addNote("--describe lists the outputs");
      return problem.set("no output is called '%.*s'", int(equals - word), word);
    }
  }
  for (int32_t i = 0; line.outputDir && i < model.n_outputs + model.n_states; ++i) {
    const char *name = info_of(model, i).name;
    if (!is_safe_path(name)) {
      problem.addNote("write it with --output '%s=FILE'", name);
      return problem.set("output '%s': a name with an empty part, '.' or '..' makes no file in "
                         "--output-dir",
                         name);
    }
  }
  problem.exit = BadInput;
  return true;
}

bool Outputs::write(const symc_model &model, const CommandLine &line, Problem &problem) const {
  for (int32_t i = 0; line.outputDir && i < count + states; ++i) {
    const char *name = info_of(model, i).name;
    char path[4096];
    int length =
        snprintf(path, sizeof path, "%s/%s%s.npy", line.outputDir, i < count ? "" : "aux/", name);
    if (length >= int(sizeof path))
      return problem.set(BadOutput, "output '%s': expected a path shorter than %zu bytes", name,
                         sizeof path);
    if (!write_tensor(path, tensors[i], problem))
      return false;
  }
  for (int i = 0; i < line.nOutputs; ++i) {
    const char *word = line.outputs[i], *equals = strchr(word, '=');
    for (int32_t k = 0; k < count + states; ++k) {
      const char *name = info_of(model, k).name;
      if (strlen(name) == size_t(equals - word) &&
          strncmp(name, word, size_t(equals - word)) == 0 &&
          !write_tensor(equals + 1, tensors[k], problem))
        return false;
    }
  }
  return true;
}

} // namespace symc
