// initializers.cpp: see initializers.h.
#include "initializers.h"

#include "../core/hash.h"
#include "../core/memory.h"
#include "../core/portable_normal.h"
#include "options/initializer_options.h"

#include <string.h>

using namespace symc;
using choices::Sentence;

namespace {

// One array and what fills it. `parts` of fusedrnn are matrices and vectors with names of their
// own.
struct Target {
  const char *name;
  const int64_t *shape;
  int32_t rank;
  float *data; // NULL: only looked at
  uint64_t key;

  int64_t product(int32_t first) const {
    int64_t count = 1;
    for (int32_t i = first; i < rank; ++i)
      count *= shape[i];
    return count;
  }
};

uint64_t key_of(uint64_t seed, const char *name, uint64_t part) {
  return mix(seed + 0x9e3779b97f4a7c15u) ^
         mix(xxh3_64(name, strlen(name)) + part * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u);
}

symc_status fill(const Target &target, const InitializerChoice &choice, const char *initializer,
                 Sentence &error);

// --- Constants ------------------------------------------------------------------

symc_status put(const Target &target, double value) {
  for (int64_t i = 0, n = target.data ? target.product(0) : 0; i < n; ++i)
    target.data[i] = float(value);
  return SYMC_STATUS_OK;
}

// The numbers of a list in lists: as many as the array has elements.
symc_status put_list(const Target &target, choices::Piece list, Sentence &error) {
  int64_t found = 0, needed = target.product(0);
  const char *at = list.begin, *end = at + list.length;
  while (at < end) {
    const char *begin = at;
    while (at < end && !strchr("[], \n\t", *at))
      ++at;
    if (at == begin) {
      ++at;
      continue;
    }
    double value;
    if (!choices::read_number({begin, size_t(at - begin)}, value)) {
      error << "parameter '" << target.name << "': its attribute __init__ has '"
            << choices::Piece{begin, size_t(at - begin)} << "' among numbers";
      return SYMC_STATUS_BAD_ARGUMENT;
    }
    if (found < needed && target.data)
      target.data[found] = float(value);
    ++found;
  }
  if (found == needed)
    return SYMC_STATUS_OK;
  error << "parameter '" << target.name << "' has " << needed
        << " elements, its attribute __init__ has " << found;
  return SYMC_STATUS_BAD_ARGUMENT;
}

symc_status put_bilinear(const Target &target, Sentence &error) {
  if (target.rank != 4) {
    error << "parameter '" << target.name << "' has " << target.rank
          << " dimensions, bilinear needs 4";
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  int64_t height = target.shape[2], width = target.shape[3];
  double factor = double((width + 1) / 2),
         center = double(2 * int64_t(factor) - 1 - int64_t(factor) % 2) / (2 * factor);
  auto line = [&](int64_t i) { return 1 - __builtin_fabs(double(i) / factor - center); };
  for (int64_t i = 0, n = target.data ? target.product(0) : 0; i < n; ++i)
    target.data[i] = float(line(i / width % height) * line(i % width));
  return SYMC_STATUS_OK;
}

symc_status put_lstm_bias(const Target &target, double forget) {
  int64_t units = target.rank ? target.shape[0] / 4 : 0, row = target.product(1);
  for (int64_t i = 0, n = target.data ? target.product(0) : 0; i < n; ++i)
    target.data[i] = i / row / (units ? units : 1) == 1 && units ? float(forget) : 0.0f;
  return SYMC_STATUS_OK;
}

// --- Drawn numbers --------------------------------------------------------------

symc_status draw_uniform(const Target &target, double scale) {
  for (int64_t i = 0, n = target.data ? target.product(0) : 0; i < n; ++i)
    target.data[i] = float(-scale + (scale - -scale) * Draw(target.key, uint64_t(i)).unit());
  return SYMC_STATUS_OK;
}
symc_status draw_normal(const Target &target, double sigma) {
  for (int64_t i = 0, n = target.data ? target.product(0) : 0; i < n; ++i) {
    Draw draw(target.key, uint64_t(i));
    target.data[i] = float(sigma * portable_normal(draw));
  }
  return SYMC_STATUS_OK;
}

symc_status draw_xavier(const Target &target, bool gaussian, int32_t factor_type, double magnitude,
                        Sentence &error) {
  if (target.rank < 2) {
    error << "parameter '" << target.name << "' has " << target.rank
          << (target.rank == 1 ? " dimension" : " dimensions") << ", xavier needs at least 2";
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  double area = double(target.product(2));
  double inputs = double(target.shape[1]) * area, outputs = double(target.shape[0]) * area;
  double factor = factor_type == 0 ? (inputs + outputs) / 2 : factor_type == 1 ? inputs : outputs;
  double scale = __builtin_sqrt(magnitude / factor);
  return gaussian ? draw_normal(target, scale) : draw_uniform(target, scale);
}

// Of two vectors, in lanes that a tree joins.
double dot(const double *a, const double *b, int64_t count) {
  constexpr int64_t lanes = 8;
  double sums[lanes] = {};
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (int64_t lane = 0; lane < lanes; ++lane)
      sums[lane] += a[i + lane] * b[i + lane];
  for (int64_t lane = 0; i + lane < count; ++lane)
    sums[lane] += a[i + lane] * b[i + lane];
  for (int64_t half = lanes / 2; half > 0; half /= 2)
    for (int64_t lane = 0; lane < half; ++lane)
      sums[lane] += sums[lane + half];
  return sums[0];
}

// The shorter side of a drawn matrix becomes orthonormal vectors by Gram and Schmidt's method,
// twice over, which leaves an error near that of the numbers. MXNet takes singular vectors: as
// orthogonal, and drawn numbers likewise.
symc_status draw_orthogonal(const Target &target, double scale, bool by_normal, Sentence &error) {
  int64_t rows = target.rank ? target.shape[0] : 1, columns = target.product(1);
  bool by_rows = rows <= columns;
  int64_t count = by_rows ? rows : columns, length = by_rows ? columns : rows;
  if (!target.data || !count)
    return SYMC_STATUS_OK;
  size_t bytes = size_t(count) * size_t(length) * sizeof(double);
  double *vectors = static_cast<double *>(allocate(nullptr, bytes, SYMC_ALIGN));
  if (!vectors) {
    error << "cannot allocate " << int64_t(bytes) << " bytes to draw parameter '" << target.name
          << "'";
    return SYMC_STATUS_OUT_OF_MEMORY;
  }
  auto place = [&](int64_t i, int64_t k) { return by_rows ? i * columns + k : k * columns + i; };
  for (int64_t i = 0; i < count; ++i)
    for (int64_t k = 0; k < length; ++k) {
      Draw draw(target.key, uint64_t(place(i, k)));
      vectors[i * length + k] = by_normal ? portable_normal(draw) : 2 * draw.unit() - 1;
    }
  for (int64_t i = 0; i < count; ++i) {
    double *own = vectors + i * length;
    for (int32_t again = 0; again < 2; ++again) {
      for (int64_t j = 0; j < i; ++j) {
        const double *other = vectors + j * length;
        double part = dot(own, other, length);
        for (int64_t k = 0; k < length; ++k)
          own[k] -= part * other[k];
      }
      double size = 1 / __builtin_sqrt(dot(own, own, length));
      for (int64_t k = 0; k < length; ++k)
        own[k] *= size;
    }
    for (int64_t k = 0; k < length; ++k)
      target.data[place(i, k)] = float(scale * own[k]);
  }
  release(nullptr, vectors, bytes);
  return SYMC_STATUS_OK;
}

// --- RNN's vector: all weights, then all biases, of each layer, direction, product and gate
// -------

symc_status fill_rnn(const Target &target, const InitializerChoice &choice, const char *initializer,
                     Sentence &error) {
  // In the order of the words of `mode`.
  static const char *const gate_names[][4] = {
      {""}, {""}, {"_i", "_f", "_c", "_o"}, {"_r", "_z", "_o"}};
  static const int32_t gate_counts[] = {1, 1, 4, 3};
  int64_t hidden = int64_t(choice.values[0]), layers = int64_t(choice.values[1]);
  int32_t mode = int32_t(choice.values[2]), gates = gate_counts[mode],
          directions = choice.values[3] != 0 ? 2 : 1;
  double forget_bias = choice.values[4];
  InitializerChoice inner = {};
  const char *text = *choice.inner ? choice.inner : initializer;
  char reason[256];
  if (!parse_initializer(text, inner, reason, sizeof reason)) {
    error << reason;
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  if (inner.kind == Initial::fusedrnn) {
    error << "parameter '" << target.name
          << "': no initialiser is given for the layers of fusedrnn";
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  int64_t total = target.product(0), rows = hidden * gates * directions;
  int64_t deeper = hidden * (directions + 1) + 2;
  int64_t inputs = total / rows - (layers - 1) * deeper - hidden - 2;
  if (inputs < 1 || rows * (inputs + hidden + 2 + (layers - 1) * deeper) != total) {
    error << "parameter '" << target.name << "' has " << total
          << " elements, which are not those of an RNN of " << layers << " layers with " << hidden
          << " units";
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  int64_t at = 0;
  uint64_t part = 0;
  for (int32_t bias = 0; bias < 2; ++bias)
    for (int64_t layer = 0; layer < layers; ++layer)
      for (int32_t direction = 0; direction < directions; ++direction)
        for (int32_t product = 0; product < 2; ++product)
          for (int32_t gate = 0; gate < gates; ++gate) {
            int64_t width = product ? hidden : layer ? directions * hidden : inputs;
            int64_t shape[2] = {hidden, width};
            Target own = {target.name, shape, bias ? 1 : 2,
                          target.data ? target.data + at : nullptr, target.key};
            own.key = mix(target.key + ++part * 0x9e3779b97f4a7c15u);
            at += own.product(0);
            bool forgets = mode == 2 && !strcmp(gate_names[mode][gate], "_f");
            symc_status status =
                bias ? put(own, forgets ? forget_bias : 0) : fill(own, inner, initializer, error);
            if (status != SYMC_STATUS_OK)
              return status;
          }
  return SYMC_STATUS_OK;
}

symc_status fill(const Target &target, const InitializerChoice &choice, const char *initializer,
                 Sentence &error) {
  const double *values = choice.values;
  switch (choice.kind) {
  case Initial::zero:
    return put(target, 0);
  case Initial::one:
    return put(target, 1);
  case Initial::constant:
    return choice.list.length ? put_list(target, choice.list, error) : put(target, values[0]);
  case Initial::uniform:
    return draw_uniform(target, values[0]);
  case Initial::normal:
    return draw_normal(target, values[0]);
  case Initial::xavier:
    return draw_xavier(target, values[0] != 0, int32_t(values[1]), values[2], error);
  case Initial::msraprelu:
    return draw_xavier(target, true, int32_t(values[0]), 2.0 / (1 + values[1] * values[1]), error);
  case Initial::orthogonal:
    return draw_orthogonal(target, values[0], values[1] != 0, error);
  case Initial::bilinear:
    return put_bilinear(target, error);
  case Initial::lstmbias:
    return put_lstm_bias(target, values[0]);
  case Initial::fusedrnn:
    return fill_rnn(target, choice, initializer, error);
  case Initial::count:
    break;
  }
  return SYMC_STATUS_BAD_ARGUMENT;
}

// --- Names ----------------------------------------------------------------------

struct Ending {
  const char *ending;
  double value;
};
const Ending endings[] = {
    {"bias", 0},         {"gamma", 1},      {"beta", 0},        {"moving_mean", 0},
    {"running_mean", 0}, {"moving_var", 1}, {"running_var", 1}, {"moving_inv_var", 0},
    {"moving_avg", 0},   {"min", 0},        {"max", 1}};

bool ends_in(const char *name, const char *end) {
  size_t length = strlen(name), n = strlen(end);
  return length >= n && !strcmp(name + length - n, end);
}

symc_status begin(const InitialArray &array, const char *initializer, uint64_t seed,
                  Sentence &error) {
  Target target = {array.name, array.shape, array.rank, array.data, key_of(seed, array.name, 0)};
  const char *given = initializer && *initializer ? initializer : "uniform,scale=0.01";
  bool own = array.attribute && *array.attribute;
  if (own || ends_in(array.name, "weight")) {
    InitializerChoice choice;
    char reason[256];
    if (!parse_initializer(own ? array.attribute : given, choice, reason, sizeof reason)) {
      error << "parameter '" << array.name << "': " << reason;
      return SYMC_STATUS_BAD_ARGUMENT;
    }
    return fill(target, choice, given, error);
  }
  for (const Ending &each : endings)
    if (ends_in(array.name, each.ending))
      return put(target, each.value);
  error << "parameter '" << array.name
        << "': nothing decides how it begins: its name ends in none of weight";
  for (const Ending &each : endings)
    error << ", " << each.ending;
  error << "; give the variable an init";
  return SYMC_STATUS_BAD_ARGUMENT;
}

} // namespace

symc_status symc::initialize_array(const InitialArray &array, const char *initializer,
                                   uint64_t seed, char *error, size_t error_bytes) {
  Sentence sentence(error, error_bytes);
  return begin(array, initializer, seed, sentence);
}

symc_status symc::check_initial(const InitialArray &array, const char *initializer, char *error,
                                size_t error_bytes) {
  InitialArray looked = array;
  looked.data = nullptr;
  Sentence sentence(error, error_bytes);
  return begin(looked, initializer, 0, sentence);
}
