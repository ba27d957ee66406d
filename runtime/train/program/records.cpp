// records.cpp: see records.h. A file is read by place, so that threads share it; it is not mapped,
// since a file that gets shorter would end the program by a signal.
#include "records.h"

#include "../../core/reason.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

namespace symc::train {

static constexpr uint32_t magic = 0xced7230a;
static constexpr uint8_t magicBytes[4] = {0x0a, 0x23, 0xd7, 0xce};
enum RecordKind { Whole, First, Middle, Last };

static uint32_t word(const uint8_t *at) {
  return at[0] | uint32_t(at[1]) << 8 | uint32_t(at[2]) << 16 | uint32_t(at[3]) << 24;
}

bool is_record(const uint8_t *head, size_t bytes) {
  return bytes >= 4 && memcmp(head, magicBytes, 4) == 0;
}

// Reads exactly so many bytes; fewer where the file ends: `got`.
static bool read_at(const Records &records, int64_t place, uint8_t *to, size_t bytes, size_t &got,
                    Problem &problem) {
  for (got = 0; got < bytes;) {
    ssize_t some = pread(records.file, to + got, bytes - got, place + int64_t(got));
    if (some < 0 && errno == EINTR)
      continue;
    if (some < 0)
      return problem.set("'%s': cannot read: %s", records.path, Reason(errno).c_str());
    if (some == 0)
      break;
    got += size_t(some);
  }
  return true;
}

static bool ends_inside(const Records &records, int64_t end, int64_t record, Problem &problem) {
  return problem.set("'%s': the file ends at byte %lld inside of the record at byte %lld",
                     records.path, (long long)end, (long long)record);
}

// The head of the part at `place` of the record at `record`.
static bool read_head(const Records &records, int64_t place, int64_t record, int &kind,
                      size_t &length, Problem &problem) {
  uint8_t head[8];
  size_t got;
  if (!read_at(records, place, head, sizeof head, got, problem))
    return false;
  if (got < sizeof head)
    return ends_inside(records, place + int64_t(got), record, problem);
  if (word(head) != magic)
    return problem.set("'%s': no record begins at byte %lld: expected 0x%08x, got 0x%08x",
                       records.path, (long long)place, magic, word(head));
  kind = int(word(head + 4) >> 29);
  length = word(head + 4) & ((1u << 29) - 1);
  if (kind > Last)
    return problem.set("'%s': the record at byte %lld has a part of kind %d, expected 0..3",
                       records.path, (long long)record, kind);
  if (int64_t(length) > records.bytes - place - 8)
    return ends_inside(records, records.bytes, record, problem);
  return true;
}

static int64_t part_bytes(size_t length) { return 8 + int64_t((length + 3) & ~size_t(3)); }

static bool out_of_order(const Records &records, int64_t record, int kind, int64_t number,
                         Problem &problem) {
  return problem.set("'%s': the record at byte %lld has parts out of order: kind %d as number %lld",
                     records.path, (long long)record, kind, (long long)number);
}

static bool find_records(Records &records, Problem &problem) {
  int64_t room = 0, record = 0, number = 0;
  for (int64_t place = 0; place < records.bytes;) {
    int kind;
    size_t length;
    bool inside = number > 0;
    record = inside ? record : place;
    if (!read_head(records, place, record, kind, length, problem))
      return false;
    if ((kind == Whole || kind == First) == inside)
      return out_of_order(records, record, kind, number, problem);
    if (!inside) {
      if (records.count == room) {
        room = room ? 2 * room : 1024;
        void *larger = realloc(records.places, size_t(room) * sizeof(int64_t));
        if (!larger)
          return problem.set(RunFailed, "cannot allocate %zu bytes",
                             size_t(room) * sizeof(int64_t));
        records.places = static_cast<int64_t *>(larger);
      }
      records.places[records.count++] = place;
    }
    number = kind == Whole || kind == Last ? 0 : number + 1;
    place += part_bytes(length);
  }
  if (number > 0)
    return ends_inside(records, records.bytes, record, problem);
  return records.count > 0 || problem.set("'%s': expected records, got none", records.path);
}

bool open_records(const char *path, Records &records, Problem &problem) {
  records.path = path;
  records.file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (records.file < 0 || fstat(records.file, &status) != 0)
    return problem.set("'%s': cannot open: %s", path, Reason(errno).c_str());
  if (!S_ISREG(status.st_mode))
    return problem.set("'%s': expected a file that can be read at any place", path);
  records.bytes = status.st_size;
  return find_records(records, problem);
}

void close_records(Records &records) {
  if (records.file >= 0)
    close(records.file);
  free(records.places);
  records.file = -1;
  records.places = nullptr;
}

bool read_record(const Records &records, int64_t place, Bytes &bytes, Problem &problem) {
  int64_t total = 0;
  for (int pass = 0; pass < 2; ++pass) { // sizes, then bytes
    int64_t at = place, used = 0;
    if (pass == 1 && !bytes.allocate(size_t(total), problem))
      return false;
    for (int64_t number = 0;; ++number) {
      int kind;
      size_t length, got;
      if (!read_head(records, at, place, kind, length, problem))
        return false;
      if ((kind == Whole || kind == First) == (number > 0))
        return out_of_order(records, place, kind, number, problem);
      int64_t between = number > 0 ? 4 : 0;
      if (pass == 1) {
        if (used + between + int64_t(length) > total)
          return ends_inside(records, at + 8, place, problem); // it changes while it is read
        memcpy(bytes.data + used, magicBytes, size_t(between));
        if (!read_at(records, at + 8, bytes.data + used + between, length, got, problem))
          return false;
        if (got < length)
          return ends_inside(records, at + 8 + int64_t(got), place, problem);
      }
      used += between + int64_t(length);
      at += part_bytes(length);
      if (kind == Whole || kind == Last)
        break;
    }
    total = used;
  }
  return true;
}

bool take_picture(const char *path, int64_t place, const Bytes &record, PictureRecord &taken,
                  Problem &problem) {
  constexpr size_t head = 24; // flag, label, id, id2
  if (record.size < head)
    return problem.set("'%s': the record at byte %lld has %zu bytes, its head needs %zu", path,
                       (long long)place, record.size, head);
  uint32_t flag = word(record.data);
  if (flag > (record.size - head) / 4)
    return problem.set("'%s': the record at byte %lld has %zu bytes behind its head, its %u labels "
                       "need more",
                       path, (long long)place, record.size - head, flag);
  taken.labels = flag ? record.data + head : record.data + 4;
  taken.nLabels = flag ? int64_t(flag) : 1;
  taken.picture = record.data + head + 4 * size_t(flag);
  taken.pictureBytes = record.size - head - 4 * size_t(flag);
  return true;
}

PictureInput picture_input(const Input &input) {
  auto isCount = [](int64_t extent) { return extent == 1 || extent == 3; };
  const int64_t *shape = input.shape;
  if (input.rank == 3 && isCount(shape[0]))
    return {input.name, shape[0], shape[1], shape[2], false};
  if (input.rank == 3 && isCount(shape[2]))
    return {input.name, shape[2], shape[0], shape[1], true};
  return {input.name, 0, 0, 0, false};
}

// --- As a source -------------------------------------------------------------

namespace {
struct State {
  Records records;
  int32_t data = -1, label = -1;
};
} // namespace

static void close_source(Source &source) {
  State *state = static_cast<State *>(source.state);
  close_records(state->records);
  free(state);
  source.state = nullptr;
}

static bool open_source(const Request &request, Source &source, Problem &problem) {
  State *state = static_cast<State *>(malloc(sizeof(State)));
  if (!state)
    return problem.set(RunFailed, "cannot allocate %zu bytes", sizeof(State));
  *state = State();
  source.state = state;
  source.decodes = true;
  if (!find_inputs(request, state->data, state->label, problem))
    return false;
  const Input &input = request.inputs[state->data];
  if (!picture_input(input).channels) {
    char shape[160];
    print_shape(input.shape, input.rank, shape, sizeof shape);
    return problem.set("'%s': input '%s' of %s takes no pictures of 1 or 3 channels", request.path,
                       input.name, shape);
  }
  if (!request.pictures.decode)
    return problem.set(Usage, "'%s': the trainer was compiled without the decoder of pictures",
                       request.path);
  Records &records = state->records;
  if (!open_records(request.path, records, problem))
    return false;
  // A part has the records that begin in its bytes.
  int64_t step = (records.bytes + request.parts - 1) / request.parts;
  step = (step + 3) / 4 * 4;
  int64_t begin = 0, end = records.count;
  while (begin < end && records.places[begin] < step * request.part)
    ++begin;
  while (end > begin && records.places[end - 1] >= step * (request.part + 1))
    --end;
  source.first = begin;
  source.rows = end - begin < request.most ? end - begin : request.most;
  return source.rows > 0 || problem.set("'%s': part %lld of %lld has no record", request.path,
                                        (long long)request.part, (long long)request.parts);
}

static bool fill_label(const Request &request, const Input &input, int64_t place,
                       const PictureRecord &taken, float *target, Problem &problem) {
  if (taken.nLabels != input.count)
    return problem.set("'%s': the record at byte %lld has %lld labels, input '%s' takes %lld",
                       request.path, (long long)place, (long long)taken.nLabels, input.name,
                       (long long)input.count);
  memcpy(target, taken.labels, size_t(input.count) * sizeof(float));
  for (int64_t i = 0; i < input.count; ++i)
    if (!is_class(input, target[i]))
      return problem.set("'%s': the record at byte %lld: %g is no value for input '%s', which "
                         "takes 0..%lld",
                         request.path, (long long)place, double(target[i]), input.name,
                         (long long)input.classes - 1);
  return true;
}

static bool fill_source(const Source &source, int64_t row, uint64_t pass, float *const *targets,
                        Problem &problem) {
  const State &state = *static_cast<const State *>(source.state);
  const Request &request = source.request;
  const Pictures &steps = request.pictures;
  int64_t number = source.first + row, place = state.records.places[number];
  Bytes record;
  PictureRecord taken;
  if (!read_record(state.records, place, record, problem) ||
      !take_picture(request.path, place, record, taken, problem))
    return false;
  if (state.label >= 0 && targets[state.label] &&
      !fill_label(request, request.inputs[state.label], place, taken, targets[state.label],
                  problem))
    return false;
  if (!targets[state.data])
    return true;
  PictureInput input = picture_input(request.inputs[state.data]);
  int32_t width, height;
  uint8_t *pixels;
  const char *reason;
  if (!steps.decode(taken.picture, taken.pictureBytes, int32_t(input.channels), &width, &height,
                    &pixels, &reason))
    return problem.set("'%s': the record at byte %lld: cannot read the picture: %s", request.path,
                       (long long)place, reason);
  char why[160];
  bool made = augment(pixels, height, width, input, steps, pass, uint64_t(number),
                      targets[state.data], why, sizeof why);
  steps.release(pixels);
  return made ||
         problem.set("'%s': the record at byte %lld: %s", request.path, (long long)place, why);
}

const Format recordsFormat = {"rec", open_source, fill_source, close_source};

} // namespace symc::train
