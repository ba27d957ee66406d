// states.cpp: see states.h. Files are .npy or, by their names, raw bytes; bfloat16 comes as
// float32, as --output writes it.
#include "states.h"

#include "npy.h"

#include <string.h>

namespace symc {

static bool read_state(const char *path, const symc_tensor_info &info, Array &array,
                       Problem &problem) {
  Bytes file;
  if (!read_file(path, limit_for(path, info.max_bytes), file, problem))
    return false;
  if (has_extension(path, "bin") || has_extension(path, "raw")) {
    if (file.size != size_t(info.max_bytes))
      return problem.set("'%s': expected %lld bytes for state '%s', got %zu", path,
                         (long long)info.max_bytes, info.name, file.size);
    array.rank = info.rank;
    array.dtype = info.dtype;
    memcpy(array.shape, info.shape, size_t(info.rank) * sizeof(int64_t));
    array.bytes.swap(file);
    return true;
  }
  if (!read_npy(path, file.data, file.size, array, problem))
    return false;
  if (info.dtype == SYMC_BF16 && array.dtype == SYMC_F32) {
    int64_t count = count_elements(array.shape, array.rank, 4);
    symc_convert(array.bytes.data, SYMC_F32, array.bytes.data, SYMC_BF16, count);
    array.dtype = SYMC_BF16;
  }
  return true;
}

bool set_states(symc_context *context, const CommandLine &line, Problem &problem) {
  const symc_model &model = *symc_context_model(context);
  for (int i = 0; i < line.nStates; ++i) {
    const char *word = line.states[i], *equals = strchr(word, '=');
    if (!equals || !equals[1])
      return problem.set(Usage, "--state: expected NAME=FILE, got '%s'", word);
    int32_t index = 0;
    while (index < model.n_states &&
           (strlen(model.states[index].tensor.name) != size_t(equals - word) ||
            strncmp(model.states[index].tensor.name, word, size_t(equals - word)) != 0))
      ++index;
    if (index == model.n_states) {
      problem.addNote("--describe lists the states");
      return problem.set(Usage, "no state is called '%.*s'", int(equals - word), word);
    }
    const symc_tensor_info &info = model.states[index].tensor;
    Array array;
    if (!read_state(equals + 1, info, array, problem))
      return false;
    symc_tensor value = {};
    value.data = array.bytes.data;
    value.shape = array.shape;
    value.rank = array.rank;
    value.dtype = array.dtype;
    if (symc_set_state(context, info.name, &value) != SYMC_STATUS_OK)
      return problem.set("%s", symc_last_error(context));
  }
  return true;
}

} // namespace symc
