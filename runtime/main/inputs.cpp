// inputs.cpp: see inputs.h. The first bytes of a file decide what it is; only .bin and .raw
// are raw whatever they begin with. Types and shapes are left to symc_run to check,
// but where a file has none of its own.
#include "inputs.h"

#include "pictures.h"
#include "zip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Placement new is the one thing of the C++ library that is needed here, and is a line.
inline void *operator new(size_t, void *at) noexcept { return at; }

namespace symc {

Inputs::~Inputs() {
  for (int32_t i = 0; i < count; ++i)
    arrays[i].~Array();
  free(arrays);
  free(given);
  free(made);
}

static symc_preprocess spec_of(const symc_model &model, int32_t index) {
  if (model.pictures && model.pictures->inputs[index].enabled)
    return model.pictures->inputs[index];
  return default_preprocess(model.inputs[index]);
}

static bool begins(const char *name, const char *with) {
  return strncmp(name, with, strlen(with)) == 0;
}

// The gradient of an output, which is all ones where it is not given.
static bool is_head_gradient(const symc_tensor_info &info) {
  return begins(info.name, "head_grad:");
}

static bool is_live(const symc_tensor_info &info) {
  return !(info.flags & SYMC_TENSOR_OPTIONAL) && !is_head_gradient(info);
}

// The only live input; -1 where there are none or several.
static int32_t only_live(const symc_model &model) {
  int32_t found = -1;
  for (int32_t i = 0; i < model.n_inputs; ++i) {
    if (!is_live(model.inputs[i]))
      continue;
    if (found >= 0)
      return -1;
    found = i;
  }
  return found;
}

// Writes "'a', 'b' and 92 more" to `text`: ten names, or as many as there is room for.
static void list_inputs(const symc_model &model, char *text, size_t room) {
  constexpr int32_t most = 10;
  constexpr size_t roomForMore = sizeof " and 2147483647 more";
  size_t used = 0;
  int32_t listed = 0;
  for (; listed < model.n_inputs && listed < most; ++listed) {
    const symc_tensor_info &input = model.inputs[listed];
    int length = snprintf(text + used, room - used, "%s'%s'%s", listed ? ", " : "", input.name,
                          is_live(input) ? "" : " (optional)");
    if (size_t(length) + roomForMore > room - used)
      break;
    used += size_t(length);
  }
  text[used] = 0;
  if (listed < model.n_inputs)
    snprintf(text + used, room - used, "%s%d more", listed ? " and " : "", model.n_inputs - listed);
}

bool Inputs::load(const symc_model &model, const CommandLine &line, Problem &problem) {
  size_t n = size_t(model.n_inputs) + 1;
  arrays = static_cast<Array *>(aligned_alloc(64, (n * sizeof(Array) + 63) & ~size_t(63)));
  given = static_cast<bool *>(calloc(n, sizeof(bool)));
  made = static_cast<bool *>(calloc(n, sizeof(bool)));
  if (!arrays || !given || !made)
    return problem.set(RunFailed, "cannot allocate %zu bytes", n * sizeof(Array));
  for (count = 0; count < model.n_inputs; ++count)
    new (&arrays[count]) Array();
  for (int i = 0; i < line.nInputs; ++i)
    if (!loadOne(model, "", "--input", line.inputs[i], problem))
      return false;
  for (int i = 0; i < line.nHeadGradients; ++i)
    if (!loadOne(model, "head_grad:", "--head-grad", line.headGradients[i], problem))
      return false;
  for (int i = 0; i < line.nGradients; ++i)
    if (!loadOne(model, "grad:", "--grad", line.gradients[i], problem))
      return false;
  if (!sizes.start(model, problem))
    return false;
  for (int i = 0; i < line.nShapes; ++i)
    if (!sizes.take(line.shapes[i], problem))
      return false;
  for (int32_t i = 0; i < model.n_inputs; ++i)
    if (given[i])
      sizes.take(i, arrays[i].shape, arrays[i].rank);
  for (int32_t i = 0; i < model.n_inputs; ++i)
    if (is_head_gradient(model.inputs[i]) && !given[i] && !makeOnes(model, i, problem))
      return false;
  if ((line.bench && line.nInputs == 0) || line.nShapes || line.randomInputs)
    return makeOthers(model, line, problem);
  return allGiven(model, problem);
}

bool Inputs::allGiven(const symc_model &model, Problem &problem) const {
  for (int32_t i = 0; i < model.n_inputs; ++i)
    if (is_live(model.inputs[i]) && !given[i]) {
      problem.addNote("pass --input %s=FILE, or --bench N to time it on zeros",
                      model.inputs[i].name);
      return problem.set(Usage, "input '%s' has no value", model.inputs[i].name);
    }
  return true;
}

const char *Inputs::pathOf(const char *word) {
  const char *equals = strchr(word, '=');
  return equals && !file_exists(word) ? equals + 1 : word;
}

bool Inputs::loadOne(const symc_model &model, const char *kind, const char *flag, const char *word,
                     Problem &problem) {
  int32_t index = -1;
  const char *path = pathOf(word);
  if (path != word) {
    const char *equals = path - 1;
    if (!*path)
      return problem.set(Usage, "%s: expected NAME=FILE, got '%s'", flag, word);
    for (int32_t i = 0; i < model.n_inputs; ++i) {
      const char *name = model.inputs[i].name;
      if (begins(name, kind) && strlen(name + strlen(kind)) == size_t(equals - word) &&
          strncmp(name + strlen(kind), word, size_t(equals - word)) == 0)
        index = i;
    }
    if (index < 0) {
      char names[400] = "";
      list_inputs(model, names, sizeof names);
      problem.addNote("inputs are %s", names);
      if (*kind)
        return problem.set(Usage, "%s: the model takes no gradient of '%.*s'", flag,
                           int(equals - word), word);
      return problem.set(Usage, "no input is called '%.*s'", int(equals - word), word);
    }
  } else if (*kind) {
    return problem.set(Usage, "%s: expected NAME=FILE, got '%s'", flag, word);
  }
  int64_t bytes = 0;
  for (int32_t i = 0; i < model.n_inputs; ++i)
    bytes += model.inputs[i].max_bytes;
  Bytes file;
  if (!read_file(path, limit_for(path, bytes), file, problem))
    return false;
  bool raw = has_extension(path, "bin") || has_extension(path, "raw");
  if (!raw && is_zip(file.data, file.size))
    return loadArchive(model, index, path, file, problem);
  if (index < 0)
    index = only_live(model);
  if (index < 0) {
    char names[400] = "";
    list_inputs(model, names, sizeof names);
    problem.addNote("inputs are %s; pass --input NAME=%s", names, path);
    return problem.set(Usage, "'%s': the flag names no input for it", path);
  }
  return store(model, index, path, file, problem);
}

bool Inputs::loadArchive(const symc_model &model, int32_t index, const char *path,
                         const Bytes &file, Problem &problem) {
  Zip zip;
  if (!zip.open(path, file.data, file.size, problem))
    return false;
  Zip::Member member;
  int members = 0, used = 0;
  Zip::Member only;
  while (zip.next(member, problem)) {
    only = member;
    ++members;
  }
  if (problem.text[0])
    return false;
  if (members == 0)
    return problem.set("'%s': expected arrays in the archive, got none", path);
  // One array for one input needs no name; otherwise members are found by the inputs' names.
  int32_t single = index >= 0 ? index : only_live(model);
  if (members == 1 && single >= 0) {
    Bytes array;
    return zip.extract(only, array, problem) && store(model, single, path, array, problem);
  }
  zip.rewind();
  while (zip.next(member, problem)) {
    int32_t found = symc_find_input(&model, member.name);
    if (index >= 0 && found != index)
      continue;
    if (found < 0) {
      char names[400] = "";
      list_inputs(model, names, sizeof names);
      problem.addNote("inputs are %s", names);
      return problem.set("'%s': member '%s' has the name of no input", path, member.name);
    }
    Bytes array;
    if (!zip.extract(member, array, problem) || !store(model, found, path, array, problem))
      return false;
    ++used;
  }
  if (problem.text[0])
    return false;
  if (used == 0)
    return problem.set("'%s': expected a member '%s' in the archive, got %d others", path,
                       model.inputs[index].name, members);
  return true;
}

static void swap_arrays(Array &a, Array &b) {
  a.bytes.swap(b.bytes);
  memcpy(a.shape, b.shape, sizeof a.shape);
  a.rank = b.rank;
  a.dtype = b.dtype;
}

static bool read_picture(const char *path, const Bytes &file, const symc_tensor_info &input,
                         const symc_preprocess &spec, Array &array, Problem &problem) {
  if (!symc_decode_image) {
    problem.addNote("it was compiled without the reader; compile it with --images, or pass .npy");
    return problem.set("'%s': this program reads no pictures", path);
  }
  int32_t width, height;
  uint8_t *data;
  const char *reason;
  if (!symc_decode_image(file.data, file.size, 0, &width, &height, &data, &reason))
    return problem.set("'%s': cannot read the picture: %s", path, reason);
  int64_t channels = wanted_channels(input, spec, height, width);
  int32_t decoded = channels == 4 ? 4 : channels == 1 ? 1 : 3;
  if (!symc_decode_image(file.data, file.size, decoded, &width, &height, &data, &reason))
    return problem.set("'%s': cannot read the picture: %s", path, reason);
  Pixels pixels = {data, 1, height, width, decoded, 0};
  bool done = preprocess(path, pixels, input, spec, array, problem);
  symc_release_pixels(data);
  return done;
}

// Raw bytes have the input's own shape: elements, or one byte for each where pixels are to be
// preprocessed.
static bool read_raw(const char *path, const Bytes &file, const symc_tensor_info &input,
                     const symc_preprocess &spec, Array &array, Problem &problem) {
  for (int32_t i = 0; i < input.rank; ++i)
    if (input.shape[i] < 0) {
      problem.addNote("pass .npy, which contains its shape");
      return problem.set("'%s': raw bytes have no shape, and dimension %d of input '%s' is not "
                         "fixed",
                         path, i, input.name);
    }
  int64_t bytes = symc_dtype_bytes(input.dtype);
  int64_t count = count_elements(input.shape, input.rank, bytes);
  bool pixels = spec.enabled && bytes > 1 && file.size == size_t(count);
  if (!pixels && file.size != size_t(count * bytes)) {
    if (spec.enabled && bytes > 1)
      return problem.set("'%s': expected %lld bytes of %s or %lld bytes of u8 for input '%s', got "
                         "%zu",
                         path, (long long)(count * bytes), symc_dtype_name(input.dtype),
                         (long long)count, input.name, file.size);
    return problem.set("'%s': expected %lld bytes of %s for input '%s', got %zu", path,
                       (long long)(count * bytes), symc_dtype_name(input.dtype), input.name,
                       file.size);
  }
  array.rank = input.rank;
  memcpy(array.shape, input.shape, size_t(input.rank) * sizeof(int64_t));
  array.dtype = pixels ? int32_t(SYMC_U8) : input.dtype;
  // Pixels come in the source's layout, which may put the channels elsewhere.
  if (pixels && input.rank >= 3 && spec.source_layout != spec.model_layout) {
    int64_t *chw = array.shape + input.rank - 3;
    int64_t first = chw[0], second = chw[1], third = chw[2];
    bool toLast = spec.source_layout == SYMC_NHWC;
    chw[0] = toLast ? second : third;
    chw[1] = toLast ? third : first;
    chw[2] = toLast ? first : second;
  }
  if (!array.bytes.allocate(file.size, problem))
    return false;
  memcpy(array.bytes.data, file.data, file.size);
  return true;
}

bool Inputs::store(const symc_model &model, int32_t index, const char *path, const Bytes &file,
                   Problem &problem) {
  const symc_tensor_info &input = model.inputs[index];
  symc_preprocess spec = spec_of(model, index);
  if (given[index])
    return problem.set(Usage, "input '%s' is given twice", input.name);
  given[index] = true;
  Array array;
  bool raw = has_extension(path, "bin") || has_extension(path, "raw");
  if (!raw && is_npy(file.data, file.size))
    return read_npy(path, file.data, file.size, array, problem) &&
           adopt(model, spec, index, path, array, problem);
  if (!raw && (is_png(file.data, file.size) || is_jpeg(file.data, file.size))) {
    scaled = scaled || (!spec.enabled && spec.scale != 1.0);
    return read_picture(path, file, input, spec, arrays[index], problem);
  }
  if (!raw && strcmp(path, "-") != 0) {
    problem.addNote("raw bytes are read from files that end in .bin or .raw");
    return problem.set("'%s': expected npy, npz, PNG or JPEG, got none of them", path);
  }
  return read_raw(path, file, input, spec, array, problem) &&
         adopt(model, spec, index, path, array, problem);
}

// Takes an array as it is, or as pixels where preprocessing was compiled in and it holds bytes.
bool Inputs::adopt(const symc_model &model, const symc_preprocess &spec, int32_t index,
                   const char *path, Array &array, Problem &problem) {
  const symc_tensor_info &input = model.inputs[index];
  if (input.dtype == SYMC_BF16 && array.dtype == SYMC_F32) {
    int64_t count = count_elements(array.shape, array.rank, 4);
    symc_convert(array.bytes.data, SYMC_F32, array.bytes.data, SYMC_BF16, count);
    array.dtype = SYMC_BF16;
  }
  if (!spec.enabled || array.dtype != SYMC_U8 || input.dtype == SYMC_U8) {
    swap_arrays(arrays[index], array);
    return true;
  }
  char sentence[256] = "";
  Text error(sentence, sizeof sentence);
  symc_tensor bytes = {array.bytes.data, array.shape, array.rank, array.dtype, SYMC_DEVICE_CPU, 0};
  Pixels pixels;
  if (!pixels_of(bytes, input, spec, pixels, error))
    return problem.set("'%s': %s", path, sentence);
  return preprocess(path, pixels, input, spec, arrays[index], problem);
}

bool Inputs::makeOthers(const symc_model &model, const CommandLine &line, Problem &problem) {
  drawn = line.randomInputs;
  for (int32_t i = 0; i < model.n_inputs; ++i) {
    const symc_tensor_info &input = model.inputs[i];
    if (given[i] || !is_live(input))
      continue;
    Array &array = arrays[i];
    array.rank = input.rank;
    array.dtype = input.dtype;
    for (int32_t d = 0; d < input.rank; ++d)
      array.shape[d] = sizes.extent(i, d);
    int64_t bytes = symc_dtype_bytes(input.dtype);
    int64_t elements = count_elements(array.shape, array.rank, bytes);
    if (elements < 0)
      return problem.set(Usage, "input '%s' of the largest sizes does not fit in memory",
                         input.name);
    if (!array.bytes.allocate(size_t(elements * bytes), problem))
      return false;
    if (drawn)
      draw_values(array.bytes.data, array.dtype, elements, uint64_t(line.seed) + uint64_t(i));
    else
      memset(array.bytes.data, 0, size_t(elements * bytes));
    given[i] = made[i] = true;
  }
  return true;
}

bool Inputs::makeOnes(const symc_model &model, int32_t index, Problem &problem) {
  const symc_tensor_info &input = model.inputs[index];
  Array &array = arrays[index];
  array.rank = input.rank;
  array.dtype = input.dtype;
  for (int32_t d = 0; d < input.rank; ++d)
    array.shape[d] = sizes.extent(index, d);
  int64_t bytes = symc_dtype_bytes(input.dtype);
  int64_t count = count_elements(array.shape, array.rank, bytes);
  if (!array.bytes.allocate(size_t(count * bytes), problem))
    return false;
  const double one = 1;
  for (int64_t i = 0; i < count; ++i)
    symc_convert(&one, SYMC_F64, array.bytes.data + i * bytes, input.dtype, 1);
  given[index] = true;
  return true;
}

void Inputs::tensors(symc_tensor *tensors) const {
  for (int32_t i = 0; i < count; ++i)
    tensors[i] = {given[i] ? arrays[i].bytes.data : nullptr,
                  arrays[i].shape,
                  arrays[i].rank,
                  arrays[i].dtype,
                  SYMC_DEVICE_CPU,
                  0};
}

} // namespace symc
