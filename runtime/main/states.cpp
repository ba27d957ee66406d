// states.cpp: see states.h. Files are .npy or, by their names, raw bytes; bfloat16 comes as
// float32, as --output writes it.
#include "states.h"

#include "npy.h"

#include <string.h>

namespace symc {

// Raw bytes of a state that grows are whole rows.
static bool read_state(const char *path, const symc_state_info &state, Array &array,
                       Problem &problem) {
  const symc_tensor_info &info = state.tensor;
  Bytes file;
  if (!read_file(path, limit_for(path, info.max_bytes), file, problem))
    return false;
  if (has_extension(path, "bin") || has_extension(path, "raw")) {
    size_t row = size_t(state.capacity ? info.max_bytes / state.capacity : 0);
    bool isWhole = row && file.size % row == 0 && file.size <= size_t(info.max_bytes);
    if (row && !isWhole)
      return problem.set("'%s': expected 0..%lld rows of %zu bytes for state '%s', got %zu bytes",
                         path, (long long)state.capacity, row, info.name, file.size);
    if (!row && file.size != size_t(info.max_bytes))
      return problem.set("'%s': expected %lld bytes for state '%s', got %zu", path,
                         (long long)info.max_bytes, info.name, file.size);
    array.rank = info.rank;
    array.dtype = info.dtype;
    memcpy(array.shape, info.shape, size_t(info.rank) * sizeof(int64_t));
    if (row)
      array.shape[state.axis] = int64_t(file.size / row);
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
    if (!read_state(equals + 1, model.states[index], array, problem))
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

bool Lengths::note(symc_context *context, Problem &problem) {
  const symc_model &model = *symc_context_model(context);
  if (!memory.allocate((size_t(model.n_states) + 1) * sizeof(int64_t), problem))
    return false;
  for (int32_t i = 0; i < model.n_states; ++i) {
    int64_t extents[SYMC_MAX_RANK];
    const symc_state_info &state = model.states[i];
    if (symc_state_extents(context, state.tensor.name, extents, SYMC_MAX_RANK) != SYMC_STATUS_OK)
      return problem.set("%s", symc_last_error(context));
    of(i) = state.capacity ? extents[state.axis] : -1;
  }
  return true;
}

bool Lengths::restore(symc_context *context, Problem &problem) {
  const symc_model &model = *symc_context_model(context);
  for (int32_t i = 0; i < model.n_states; ++i)
    if (of(i) >= 0 &&
        symc_truncate_state(context, model.states[i].tensor.name, of(i)) != SYMC_STATUS_OK)
      return problem.set("%s", symc_last_error(context));
  return true;
}

} // namespace symc
