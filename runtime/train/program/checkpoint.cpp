// checkpoint.cpp: see checkpoint.h. Files are made in memory, hashed there, and written by
// write_durably. Manifests count the sets that were written with a prefix: the newest is that of
// the highest number, whatever clocks show and whichever epochs an earlier training reached.
#include "checkpoint.h"

#include "arrays_file.h"
#include "durable.h"

#include "../../core/hash.h"
#include "../../core/reason.h"
#include "../../core/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace symc::train {

static symc_tensor tensor_over(const symc_tensor_info &info, void *data) {
  symc_tensor tensor = {};
  tensor.data = data;
  tensor.shape = info.shape;
  tensor.rank = info.rank;
  tensor.dtype = info.dtype;
  return tensor;
}

static constexpr size_t mostBytes = size_t(1) << 46;

// In the order of the array "training:numbers".
enum Number {
  Version,
  Epoch,
  BatchNumber,
  Updates,
  Step,
  Iteration,
  Seed,
  Rows,
  BatchRows,
  Shuffled,
  Ranks,
  numberCount
};

void Checkpoints::start(const char *prefixText, const char *symbolText, const char *programText) {
  prefix = prefixText;
  symbol = symbolText;
  program = programText;
}

bool Checkpoints::path(const char *ending, int64_t epoch, char *text, Problem &problem) const {
  int length = epoch < 0
                   ? snprintf(text, pathBytes, "%s-%s", prefix, ending)
                   : snprintf(text, pathBytes, "%s-%04lld.%s", prefix, (long long)epoch, ending);
  return length < int(pathBytes) ||
         problem.set(Usage, "--model-prefix: expected fewer than %zu bytes", pathBytes);
}

static const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// --- Saving ------------------------------------------------------------------

static bool failed(symc_context *context, symc_status status, Problem &problem) {
  if (status == SYMC_STATUS_OK)
    return false;
  problem.set(RunFailed, "%s", symc_last_error(context));
  return true;
}

// How MXNet's file names parameter `i`: auxiliary states that no step changes are listed among
// them.
static const char *prefix_of(const symc_model &model, int32_t i) {
  return model.training && model.training->parameters[i].is_state ? "aux:" : "arg:";
}

static bool add_parameters(symc_context *context, ArraysWriter &writer, Problem &problem) {
  const symc_model *model = symc_context_model(context);
  for (int32_t i = 0; i < symc_parameter_count(model); ++i) {
    const symc_tensor_info &info = *symc_parameter(model, i);
    if (symc_find_state(model, info.name) >= 0)
      continue;
    uint8_t *at =
        writer.add(prefix_of(*model, i), info.name, SYMC_F32, info.shape, info.rank, problem);
    if (!at)
      return false;
    if (failed(context, symc_get_parameter(context, info.name, at, size_t(info.max_bytes)),
               problem))
      return false;
  }
  for (int32_t i = 0; i < symc_state_count(model); ++i) {
    const symc_tensor_info &info = *symc_state(model, i);
    uint8_t *at = writer.add("aux:", info.name, info.dtype, info.shape, info.rank, problem);
    if (!at)
      return false;
    Bytes value; // the file's arrays are not aligned
    if (!value.allocate(size_t(info.max_bytes), problem))
      return false;
    symc_tensor tensor = tensor_over(info, value.data);
    if (failed(context, symc_get_state(context, info.name, &tensor), problem))
      return false;
    memcpy(at, value.data, value.size);
  }
  return writer.finish(problem);
}

static bool add_state(symc_context *context, const Progress &progress, ArraysWriter &writer,
                      Problem &problem) {
  const symc_model *model = symc_context_model(context);
  int64_t numbers[numberCount] = {};
  numbers[Version] = 1;
  numbers[Epoch] = progress.epoch;
  numbers[BatchNumber] = progress.batch;
  numbers[Updates] = progress.updates;
  numbers[Step] = symc_get_step(context);
  numbers[Iteration] = int64_t(symc_get_iteration(context));
  numbers[Seed] = int64_t(progress.seed);
  numbers[Rows] = progress.rows;
  numbers[Ranks] = progress.ranks;
  numbers[BatchRows] = progress.batchRows;
  numbers[Shuffled] = progress.shuffled;
  double schedule[SYMC_SCHEDULE_NUMBERS];
  if (failed(context, symc_get_schedule(context, schedule), problem))
    return false;
  const char *optimizer = symc_optimizer_name(model);
  const int64_t counts[] = {numberCount, SYMC_SCHEDULE_NUMBERS, int64_t(strlen(optimizer))};
  uint8_t *at = writer.add("training:", "numbers", SYMC_I64, &counts[0], 1, problem);
  if (!at)
    return false;
  memcpy(at, numbers, sizeof numbers);
  if (!(at = writer.add("training:", "schedule", SYMC_F64, &counts[1], 1, problem)))
    return false;
  memcpy(at, schedule, sizeof schedule);
  if (!(at = writer.add("training:", "optimizer", SYMC_U8, &counts[2], 1, problem)))
    return false;
  memcpy(at, optimizer, strlen(optimizer));
  for (int32_t i = 0; i < symc_parameter_count(model); ++i) {
    const symc_tensor_info &info = *symc_parameter(model, i);
    for (int32_t k = 0; symc_parameter_trains(model, i) && k < symc_optimizer_state_count(context);
         ++k) {
      char kind[24];
      snprintf(kind, sizeof kind, "state%d:", int(k));
      if (!(at = writer.add(kind, info.name, SYMC_F32, info.shape, info.rank, problem)))
        return false;
      if (failed(context,
                 symc_get_optimizer_state(context, info.name, k, at, size_t(info.max_bytes)),
                 problem))
        return false;
    }
  }
  return writer.finish(problem);
}

// The network's file is written where it is not there yet, with the same bytes.
static bool save_symbol(const char *path, const char *symbol, Problem &problem) {
  Bytes there;
  Problem none;
  size_t bytes = strlen(symbol);
  bool same = file_exists(path) && read_file(path, mostBytes, there, none) && there.size == bytes &&
              memcmp(there.data, symbol, bytes) == 0;
  return same || write_durably(path, symbol, bytes, problem);
}

bool Checkpoints::save(symc_context *context, const Progress &progress, Problem &problem) {
  if (lastNumber < 0) {
    auto visit = [](void *user, int64_t epoch) {
      Checkpoints &self = *static_cast<Checkpoints *>(user);
      int64_t number = 0;
      Problem damaged;
      self.checkSet(epoch, number, damaged);
      self.lastNumber = number > self.lastNumber ? number : self.lastNumber;
      return true;
    };
    lastNumber = 0;
    if (!listManifests(visit, this, problem))
      return false;
  }
  char symbolPath[pathBytes], paramsPath[pathBytes], statePath[pathBytes], manifestPath[pathBytes];
  if (!path("symbol.json", -1, symbolPath, problem) ||
      !path("params", progress.epoch, paramsPath, problem) ||
      !path("state", progress.epoch, statePath, problem) ||
      !path("manifest", progress.epoch, manifestPath, problem))
    return false;
  ArraysWriter params, state;
  if (!add_parameters(context, params, problem) || !add_state(context, progress, state, problem))
    return false;
  size_t symbolBytes = symbol ? strlen(symbol) : 0;
  if (symbol && !save_symbol(symbolPath, symbol, problem))
    return false;
  if (!write_durably(paramsPath, params.data(), params.size(), problem) ||
      !write_durably(statePath, state.data(), state.size(), problem))
    return false;
  char text[4 * pathBytes];
  int length = snprintf(text, sizeof text, "symc checkpoint 2\nnumber %lld\nepoch %lld\n",
                        (long long)lastNumber + 1, (long long)progress.epoch);
  struct {
    const char *path;
    const void *data;
    size_t bytes;
  } files[] = {{symbolPath, symbol, symbolBytes},
               {paramsPath, params.data(), params.size()},
               {statePath, state.data(), state.size()}};
  for (auto &file : files)
    if (file.data)
      length += snprintf(text + length, sizeof text - size_t(length), "file %016llx %zu %s\n",
                         (unsigned long long)xxh3_64(file.data, file.bytes), file.bytes,
                         base_of(file.path));
  length += snprintf(text + length, sizeof text - size_t(length), "lines %016llx\n",
                     (unsigned long long)xxh3_64(text, size_t(length)));
  if (!write_durably(manifestPath, text, size_t(length), problem))
    return false;
  ++lastNumber;
  return true;
}

// --- Finding -----------------------------------------------------------------

bool Checkpoints::listManifests(bool (*visit)(void *user, int64_t epoch), void *user,
                                Problem &problem) {
  char folder[pathBytes] = ".";
  const char *base = base_of(prefix);
  size_t length = size_t(base - prefix), baseBytes = strlen(base);
  if (length >= pathBytes)
    return problem.set(Usage, "--model-prefix: expected fewer than %zu bytes", pathBytes);
  if (length) {
    memcpy(folder, prefix, length);
    folder[length] = 0;
  }
  DIR *entries = opendir(folder);
  if (!entries && errno == ENOENT)
    return true;
  if (!entries)
    return problem.set("'%s': cannot open the folder: %s", folder, Reason(errno).c_str());
  bool done = true;
  while (struct dirent *entry = done ? readdir(entries) : nullptr) {
    const char *name = entry->d_name;
    if (strncmp(name, base, baseBytes) != 0 || name[baseBytes] != '-')
      continue;
    char *end;
    const char *digits = name + baseBytes + 1;
    if (*digits < '0' || *digits > '9')
      continue;
    long long epoch = strtoll(digits, &end, 10);
    if (strcmp(end, ".manifest") == 0)
      done = visit(user, epoch);
  }
  closedir(entries);
  return done;
}

namespace {
// A walk over the lines of a manifest.
struct Manifest {
  const char *at, *end;
  bool line(char *text, size_t bytes) {
    const void *found = memchr(at, '\n', size_t(end - at));
    if (!found || size_t(static_cast<const char *>(found) - at) >= bytes)
      return false;
    size_t length = size_t(static_cast<const char *>(found) - at);
    memcpy(text, at, length);
    text[length] = 0;
    at += length + 1;
    return true;
  }
};
} // namespace

// What stands behind the prefix in a file's name: "-0003.params".
static const char *ending_of(const char *path) {
  const char *dash = strrchr(base_of(path), '-');
  return dash ? dash : "";
}

// The set may have got another prefix since it was written, so that endings alone are compared.
bool Checkpoints::checkFile(const char *manifest, int64_t epoch, const char *line,
                            Problem &problem) {
  unsigned long long hash, bytes;
  int name = 0;
  char path[pathBytes];
  const struct {
    const char *kind;
    int64_t epoch;
  } files[] = {{"symbol.json", -1}, {"params", epoch}, {"state", epoch}};
  bool isFile = sscanf(line, "file %16llx %llu %n", &hash, &bytes, &name) == 2 && name != 0;
  bool known = false;
  for (const auto &file : files) {
    if (known || !isFile)
      break;
    if (!this->path(file.kind, file.epoch, path, problem))
      return false;
    known = strcmp(ending_of(line + name), ending_of(path)) == 0;
  }
  if (!known)
    return problem.set("'%s': damaged checkpoint: '%.60s' names no file", manifest, line);
  Bytes file;
  if (!read_file(path, mostBytes, file, problem))
    return false;
  if (file.size != bytes)
    return problem.set("'%s': damaged checkpoint: expected %llu bytes, got %zu", path, bytes,
                       file.size);
  uint64_t got = xxh3_64(file.data, file.size);
  return got == hash || problem.set("'%s': damaged checkpoint: expected the hash %016llx, got "
                                    "%016llx",
                                    path, hash, (unsigned long long)got);
}

bool Checkpoints::checkSet(int64_t epoch, int64_t &number, Problem &problem) {
  char manifestPath[pathBytes], text[pathBytes];
  Bytes bytes;
  if (!path("manifest", epoch, manifestPath, problem) ||
      !read_file(manifestPath, size_t(1) << 20, bytes, problem))
    return false;
  const char *begin = reinterpret_cast<const char *>(bytes.data);
  // The last line has the hash of those before, so that a byte that changed here blames no other
  // file.
  size_t last = bytes.size ? bytes.size - 1 : 0;
  if (!bytes.size || begin[last] != '\n')
    return problem.set("'%s': damaged checkpoint: its last line does not end", manifestPath);
  while (last > 0 && begin[last - 1] != '\n')
    --last;
  char wanted[40];
  int length =
      snprintf(wanted, sizeof wanted, "lines %016llx\n", (unsigned long long)xxh3_64(begin, last));
  if (bytes.size - last != size_t(length) || memcmp(begin + last, wanted, size_t(length)) != 0)
    return problem.set("'%s': damaged checkpoint: its lines do not have their hash", manifestPath);
  Manifest manifest = {begin, begin + last};
  long long count = 0, stated = -1;
  if (!manifest.line(text, sizeof text) || strcmp(text, "symc checkpoint 2") != 0 ||
      !manifest.line(text, sizeof text) || sscanf(text, "number %lld", &count) != 1 ||
      !manifest.line(text, sizeof text) || sscanf(text, "epoch %lld", &stated) != 1 ||
      stated != epoch)
    return problem.set("'%s': damaged checkpoint: expected a manifest of epoch %lld", manifestPath,
                       (long long)epoch);
  number = count;
  int files = 0;
  while (manifest.at < manifest.end) {
    if (!manifest.line(text, sizeof text) || !checkFile(manifestPath, epoch, text, problem))
      return problem.text[0]
                 ? false
                 : problem.set("'%s': damaged checkpoint: a line is too long", manifestPath);
    ++files;
  }
  return files >= 2 || problem.set("'%s': damaged checkpoint: names %d files", manifestPath, files);
}

bool Checkpoints::findNewest(int64_t &epoch, Problem &problem) {
  struct Search {
    Checkpoints *self;
    int64_t epoch = -1, number = -1;
  } search;
  search.self = this;
  auto visit = [](void *user, int64_t at) {
    Search &found = *static_cast<Search *>(user);
    int64_t number = -1;
    Problem damaged;
    if (!found.self->checkSet(at, number, damaged))
      fprintf(stderr, "%s: note: %s; this set is left out\n", found.self->program, damaged.text);
    else if (number > found.number) {
      found.number = number;
      found.epoch = at;
    }
    return true;
  };
  bool done = listManifests(visit, &search, problem);
  epoch = search.epoch;
  return done;
}

// --- Loading -----------------------------------------------------------------

// An array as float32 in memory that is aligned.
static bool as_floats(const char *path, const NamedArray &array, const symc_tensor_info &info,
                      Bytes &bytes, Problem &problem) {
  int64_t count = 1;
  bool fits = array.rank == info.rank;
  for (int32_t i = 0; i < info.rank; ++i) {
    fits = fits && array.shape[i] == info.shape[i];
    count *= info.shape[i];
  }
  if (!fits) {
    char needed[160] = "", got[160] = "";
    symc::Text(needed, sizeof needed).tensor(info.dtype, info.shape, info.rank);
    symc::Text(got, sizeof got).tensor(array.dtype, array.shape, array.rank);
    return problem.set("'%s': expected %s for '%s', got %s", path, needed, info.name, got);
  }
  Bytes raw;
  size_t rawBytes = size_t(count * symc_dtype_bytes(array.dtype));
  if (!raw.allocate(rawBytes, problem) ||
      !bytes.allocate(size_t(count * symc_dtype_bytes(info.dtype)), problem))
    return false;
  memcpy(raw.data, array.data, rawBytes);
  symc_convert(raw.data, array.dtype, bytes.data, info.dtype, count);
  return true;
}

static bool set_parameters(symc_context *context, const char *path, const ArraysReader &file,
                           bool allowMissing, int64_t &missing, Problem &problem) {
  const symc_model *model = symc_context_model(context);
  missing = 0;
  for (int32_t pass = 0; pass < 2; ++pass) {
    bool states = pass == 1;
    int32_t count = states ? symc_state_count(model) : symc_parameter_count(model);
    for (int32_t i = 0; i < count; ++i) {
      const symc_tensor_info &info = states ? *symc_state(model, i) : *symc_parameter(model, i);
      if (!states && symc_find_state(model, info.name) >= 0)
        continue;
      const char *prefix = states ? "aux:" : prefix_of(*model, i);
      const NamedArray *array = file.find(prefix, info.name);
      array = array ? array : file.find("", info.name); // of gluon's save_parameters
      if (!array && !allowMissing)
        return problem.set("'%s': has no %s '%s'", path, states ? "auxiliary state" : "parameter",
                           info.name);
      missing += !array;
      if (!array)
        continue;
      Bytes value;
      if (!as_floats(path, *array, info, value, problem))
        return false;
      symc_tensor tensor = tensor_over(info, value.data);
      symc_status status = states ? symc_set_state(context, info.name, &tensor)
                                  : symc_set_parameter(context, info.name, value.data, value.size);
      if (failed(context, status, problem))
        return false;
    }
  }
  return true;
}

bool load_parameters(symc_context *context, const char *path, bool allowMissing, int64_t &missing,
                     Problem &problem) {
  Bytes bytes;
  ArraysReader file;
  return read_file(path, mostBytes, bytes, problem) &&
         file.open(path, bytes.data, bytes.size, problem) &&
         set_parameters(context, path, file, allowMissing, missing, problem);
}

static bool set_state(symc_context *context, const char *path, const ArraysReader &file,
                      Progress &progress, Problem &problem) {
  const symc_model *model = symc_context_model(context);
  const NamedArray *numbersArray = file.find("training:", "numbers"),
                   *scheduleArray = file.find("training:", "schedule"),
                   *optimizerArray = file.find("training:", "optimizer");
  int64_t numbers[numberCount];
  double schedule[SYMC_SCHEDULE_NUMBERS];
  bool whole = numbersArray && numbersArray->dtype == SYMC_I64 &&
               numbersArray->count == numberCount && scheduleArray &&
               scheduleArray->dtype == SYMC_F64 && scheduleArray->count == SYMC_SCHEDULE_NUMBERS &&
               optimizerArray && optimizerArray->dtype == SYMC_U8;
  if (!whole)
    return problem.set("'%s': no state of a training", path);
  memcpy(numbers, numbersArray->data, sizeof numbers);
  memcpy(schedule, scheduleArray->data, sizeof schedule);
  if (numbers[Version] != 1)
    return problem.set("'%s': expected a state of version 1, got %lld", path,
                       (long long)numbers[Version]);
  const char *name = symc_optimizer_name(model);
  if (size_t(optimizerArray->count) != strlen(name) ||
      memcmp(optimizerArray->data, name, strlen(name)) != 0)
    return problem.set("'%s': the state of optimizer '%.*s', this trainer has '%s'", path,
                       int(optimizerArray->count), (const char *)optimizerArray->data, name);
  for (int32_t i = 0; i < symc_parameter_count(model); ++i) {
    const symc_tensor_info &info = *symc_parameter(model, i);
    for (int32_t k = 0; symc_parameter_trains(model, i) && k < symc_optimizer_state_count(context);
         ++k) {
      char kind[24];
      snprintf(kind, sizeof kind, "state%d:", int(k));
      const NamedArray *array = file.find(kind, info.name);
      Bytes value;
      if (!array)
        return problem.set("'%s': has no state %d of parameter '%s'", path, int(k), info.name);
      if (!as_floats(path, *array, info, value, problem))
        return false;
      if (failed(context, symc_set_optimizer_state(context, info.name, k, value.data, value.size),
                 problem))
        return false;
    }
  }
  progress.epoch = numbers[Epoch];
  progress.batch = numbers[BatchNumber];
  progress.updates = numbers[Updates];
  progress.seed = uint64_t(numbers[Seed]);
  progress.rows = numbers[Rows];
  progress.batchRows = numbers[BatchRows];
  progress.shuffled = numbers[Shuffled];
  progress.ranks = numbers[Ranks];
  if (failed(context, symc_set_schedule(context, schedule), problem) ||
      failed(context, symc_set_seed(context, progress.seed), problem) ||
      failed(context, symc_set_step(context, numbers[Step]), problem) ||
      failed(context, symc_set_iteration(context, uint64_t(numbers[Iteration])), problem))
    return false;
  return true;
}

bool Checkpoints::load(symc_context *context, int64_t epoch, Progress &progress, bool &exact,
                       Problem &problem) {
  char manifestPath[pathBytes], paramsPath[pathBytes], statePath[pathBytes];
  int64_t number, missing;
  exact = false;
  if (!path("manifest", epoch, manifestPath, problem) ||
      !path("params", epoch, paramsPath, problem) || !path("state", epoch, statePath, problem))
    return false;
  if (file_exists(manifestPath) && !checkSet(epoch, number, problem))
    return false;
  if (!load_parameters(context, paramsPath, false, missing, problem))
    return false;
  progress.epoch = epoch;
  progress.batch = 0;
  if (!file_exists(manifestPath) || !file_exists(statePath))
    return true;
  Bytes bytes;
  ArraysReader file;
  exact = true;
  return read_file(statePath, mostBytes, bytes, problem) &&
         file.open(statePath, bytes.data, bytes.size, problem) &&
         set_state(context, statePath, file, progress, problem);
}

} // namespace symc::train
