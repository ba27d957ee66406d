// outputs.cpp: see outputs.h.
#include "outputs.h"

#include "inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
  size_t ofAll = size_t(total) + 1;
  for (int32_t i = 0; i < model.n_states; ++i)
    ofAll += size_t(model.states[i].tensor.rank);
  tensors = static_cast<symc_tensor *>(calloc(size_t(all) + 1, sizeof *tensors));
  extents = static_cast<int64_t *>(calloc(ofAll, sizeof *extents));
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
    tensors[i].shape = shape;
    tensors[i].rank = info.rank;
    tensors[i].dtype = info.dtype;
    // A state gets its extents behind the run.
    int64_t elements =
        i < count ? count_elements(shape, info.rank, elementBytes) : info.max_bytes / elementBytes;
    if (elements < 0 || uint64_t(elements * elementBytes) > uint64_t(PTRDIFF_MAX) - 64 - bytes)
      return problem.set(RunFailed, "output '%s': expected a shape whose bytes can be counted",
                         info.name);
    bytes += (size_t(elements * elementBytes) + 63) & ~size_t(63);
    shape += info.rank;
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
  int64_t *shape = extents + total;
  for (int32_t i = count; i < count + states; shape += tensors[i++].rank)
    if (symc_state_extents(context, info_of(model, i).name, shape, tensors[i].rank) !=
            SYMC_STATUS_OK ||
        symc_get_state(context, info_of(model, i).name, &tensors[i]) != SYMC_STATUS_OK)
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

Destinations::~Destinations() {
  for (size_t i = 0; i < count; ++i)
    free(items[i].path);
  free(items);
}

bool Destinations::add(int32_t tensor, const char *path, size_t length, Problem &problem) {
  One &one = items[count];
  one.tensor = tensor;
  one.path = static_cast<char *>(malloc(length + 1));
  if (!one.path)
    return problem.set(RunFailed, "cannot allocate %zu bytes", length + 1);
  ++count;
  memcpy(one.path, path, length);
  one.path[length] = 0;
  standardOutput |= strcmp(one.path, "-") == 0;
  return file_identity(one.path, one.identity, problem);
}

static bool names(const char *word, const char *equals, const char *name) {
  return strlen(name) == size_t(equals - word) && strncmp(name, word, size_t(equals - word)) == 0;
}

// Of outputs that share a name, each word takes the next one.
bool Destinations::addWord(const symc_model &model, const CommandLine &line, int index,
                           Problem &problem) {
  const char *word = line.outputs[index], *equals = strchr(word, '=');
  if (!equals || !equals[1])
    return problem.set(Usage, "--output: expected NAME=FILE, got '%s'", word);
  int before = 0;
  for (int i = 0; i < index; ++i) {
    const char *other = strchr(line.outputs[i], '=');
    before += other - line.outputs[i] == equals - word &&
              strncmp(line.outputs[i], word, size_t(equals - word)) == 0;
  }
  int32_t tensor = -1;
  for (int32_t k = 0; k < model.n_outputs + model.n_states; ++k)
    if (names(word, equals, info_of(model, k).name)) {
      tensor = k;
      if (before-- == 0)
        break;
    }
  if (tensor < 0) {
    problem.addNote("--describe lists the outputs");
    return problem.set(Usage, "no output is called '%.*s'", int(equals - word), word);
  }
  return add(tensor, equals + 1, strlen(equals + 1), problem);
}

static int compare_destinations(const void *a, const void *b) {
  const Destinations::One &x = *static_cast<const Destinations::One *>(a);
  const Destinations::One &y = *static_cast<const Destinations::One *>(b);
  return x.identity != y.identity ? (x.identity < y.identity ? -1 : 1) : x.tensor - y.tensor;
}

bool Destinations::checkDistinct(const symc_model &model, Problem &problem) {
  if (count < 2)
    return true;
  size_t bytes = count * sizeof(One);
  One *sorted = static_cast<One *>(malloc(bytes));
  if (!sorted)
    return problem.set(RunFailed, "cannot allocate %zu bytes", bytes);
  memcpy(sorted, items, bytes);
  qsort(sorted, count, sizeof(One), compare_destinations);
  bool distinct = true;
  for (size_t i = 1; i < count && distinct; ++i) {
    const One &a = sorted[i - 1], &b = sorted[i];
    distinct = a.identity != b.identity || a.identity == 0;
    if (distinct)
      continue;
    problem.addNote("give each a file of its own with --output NAME=FILE; of outputs that share a "
                    "name, the words take one after the other");
    problem.set(Usage, "outputs '%.200s' and '%.200s' would be one file, '%.400s'",
                info_of(model, a.tensor).name, info_of(model, b.tensor).name, b.path);
  }
  free(sorted);
  return distinct;
}

bool Destinations::checkSource(const symc_model &model, const char *path, const char *use,
                               Problem &problem) {
  uint64_t identity;
  if (!file_identity(path, identity, problem))
    return false;
  for (size_t i = 0; i < count && identity; ++i)
    if (items[i].identity == identity)
      return problem.set(Usage, "'%.400s' is %s, and output '%.200s' would replace it",
                         items[i].path, use, info_of(model, items[i].tensor).name);
  return true;
}

bool Destinations::checkSources(const symc_model &model, const CommandLine &line,
                                Problem &problem) {
  char program[4096];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  program[length > 0 ? length : 0] = 0;
  if (length > 0 && !checkSource(model, program, "this program", problem))
    return false;
  for (int i = 0; i < line.nInputs; ++i)
    if (!checkSource(model, Inputs::pathOf(line.inputs[i]), "an input", problem))
      return false;
  for (int i = 0; i < line.nHeadGradients; ++i)
    if (!checkSource(model, Inputs::pathOf(line.headGradients[i]), "an input", problem))
      return false;
  for (int i = 0; i < line.nGradients; ++i)
    if (!checkSource(model, Inputs::pathOf(line.gradients[i]), "an input", problem))
      return false;
  return !line.labels || checkSource(model, line.labels, "an input", problem);
}

bool Destinations::plan(const symc_model &model, const CommandLine &line, Problem &problem) {
  int32_t all = model.n_outputs + model.n_states;
  size_t bytes = (size_t(line.outputDir ? all : 0) + size_t(line.nOutputs) + 1) * sizeof(One);
  items = static_cast<One *>(calloc(1, bytes));
  if (!items)
    return problem.set(RunFailed, "cannot allocate %zu bytes", bytes);
  for (int32_t i = 0; line.outputDir && i < all; ++i) {
    const char *name = info_of(model, i).name;
    if (!is_safe_path(name)) {
      problem.addNote("write it with --output '%s=FILE'", name);
      return problem.set(Usage,
                         "output '%s': a name with an empty part, '.' or '..' makes no file in "
                         "--output-dir",
                         name);
    }
    char path[4096];
    bool isGradient = i < model.n_outputs && strncmp(name, "grad:", 5) == 0;
    int length = snprintf(path, sizeof path, "%s/%s%s.npy", line.outputDir,
                          isGradient            ? "grad/"
                          : i < model.n_outputs ? ""
                                                : "aux/",
                          isGradient ? name + 5 : name);
    if (length >= int(sizeof path))
      return problem.set(BadOutput, "output '%.60s...': expected a path shorter than %zu bytes",
                         name, sizeof path);
    if (!add(i, path, size_t(length), problem))
      return false;
  }
  for (int i = 0; i < line.nOutputs; ++i)
    if (!addWord(model, line, i, problem))
      return false;
  return checkDistinct(model, problem) && checkSources(model, line, problem);
}

bool Outputs::write(const Destinations &destinations, Problem &problem) const {
  for (size_t i = 0; i < destinations.count; ++i) {
    const Destinations::One &one = destinations.items[i];
    if (!write_tensor(one.path, tensors[one.tensor], problem))
      return false;
  }
  return true;
}

} // namespace symc
