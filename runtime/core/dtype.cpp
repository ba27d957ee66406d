// dtype.cpp: the table of element types: name, bytes, and conversion of any to any.
// Conversion goes through double or int64, which hold every value of the types that
// use them; only int64 and uint64 to float round once, as the C cast does.
#include "half.h"
#include "symc/runtime.h"

#include <string.h>

namespace {
struct Row {
  const char *name;
  int32_t bytes;
  char kind; // f: float, i: signed, u: unsigned, b: bool
};
// Indexed by symc_dtype.
const Row rows[] = {{"f32", 4, 'f'}, {"f64", 8, 'f'}, {"f16", 2, 'f'}, {"u8", 1, 'u'},
                    {"i32", 4, 'i'}, {"i8", 1, 'i'},  {"i64", 8, 'i'}, {"bool", 1, 'b'},
                    {"i16", 2, 'i'}, {"u16", 2, 'u'}, {"u32", 4, 'u'}, {"u64", 8, 'u'},
                    {"bf16", 2, 'f'}};
const Row *row(int32_t dtype) { return dtype >= 0 && dtype <= SYMC_BF16 ? &rows[dtype] : nullptr; }

template <typename T> T load(const void *from) {
  T value;
  memcpy(&value, from, sizeof value);
  return value;
}
template <typename T> void store(void *to, T value) { memcpy(to, &value, sizeof value); }

double load_float(const char *from, int32_t dtype) {
  switch (dtype) {
  case SYMC_F64:
    return load<double>(from);
  case SYMC_F16:
    return symc::float_of_f16(load<uint16_t>(from));
  case SYMC_BF16:
    return symc::float_of_bf16(load<uint16_t>(from));
  default:
    return load<float>(from);
  }
}

uint64_t load_integer(const char *from, const Row &type) {
  bool isSigned = type.kind == 'i';
  switch (type.bytes) {
  case 1:
    return isSigned ? uint64_t(int64_t(load<int8_t>(from))) : load<uint8_t>(from);
  case 2:
    return isSigned ? uint64_t(int64_t(load<int16_t>(from))) : load<uint16_t>(from);
  case 4:
    return isSigned ? uint64_t(int64_t(load<int32_t>(from))) : load<uint32_t>(from);
  default:
    return load<uint64_t>(from);
  }
}

void store_float(char *to, int32_t dtype, double value) {
  switch (dtype) {
  case SYMC_F64:
    return store(to, value);
  case SYMC_F16:
    return store(to, symc::f16_of_float(symc::float_round_to_odd(value)));
  case SYMC_BF16:
    return store(to, symc::bf16_of_float(symc::float_round_to_odd(value)));
  default:
    return store(to, float(value));
  }
}

void store_integer(char *to, int32_t bytes, uint64_t value) { memcpy(to, &value, size_t(bytes)); }

uint64_t truncated(double value, const Row &type) {
  if (value != value)
    return 0;
  int bits = type.bytes * 8;
  if (type.kind == 'u') {
    if (value <= -1.0)
      return 0;
    double end = type.bytes == 8 ? 18446744073709551616.0 : double(uint64_t(1) << bits);
    return value >= end ? ~uint64_t(0) >> (64 - bits) : uint64_t(value);
  }
  double end = double(uint64_t(1) << (bits - 1));
  if (value >= end)
    return (uint64_t(1) << (bits - 1)) - 1;
  return value < -end ? uint64_t(0) - (uint64_t(1) << (bits - 1)) : uint64_t(int64_t(value));
}
} // namespace

const char *symc_dtype_name(int32_t dtype) { return row(dtype) ? row(dtype)->name : "unknown"; }

int64_t symc_dtype_bytes(int32_t dtype) { return row(dtype) ? row(dtype)->bytes : 0; }

symc_status symc_convert(const void *source, int32_t source_dtype, void *target,
                         int32_t target_dtype, int64_t count) {
  const Row *from = row(source_dtype), *into = row(target_dtype);
  if (!from || !into)
    return SYMC_STATUS_BAD_DTYPE;
  if (count < 0 || (count > 0 && (!source || !target)))
    return SYMC_STATUS_BAD_ARGUMENT;
  if (source_dtype == target_dtype) {
    if (source != target && count > 0)
      memcpy(target, source, size_t(count) * size_t(from->bytes));
    return SYMC_STATUS_OK;
  }
  // In place and widening, the walk goes backwards so that no element is overwritten unread.
  bool backwards = source == target && into->bytes > from->bytes;
  for (int64_t step = 0; step < count; ++step) {
    int64_t i = backwards ? count - 1 - step : step;
    const char *read = static_cast<const char *>(source) + i * from->bytes;
    char *write = static_cast<char *>(target) + i * into->bytes;
    if (from->kind == 'f') {
      double value = load_float(read, source_dtype);
      if (into->kind == 'f')
        store_float(write, target_dtype, value);
      else
        store_integer(write, into->bytes, into->kind == 'b' ? value != 0 : truncated(value, *into));
      continue;
    }
    uint64_t value = load_integer(read, *from);
    bool negative = from->kind == 'i' && int64_t(value) < 0;
    if (into->kind == 'b')
      store_integer(write, 1, value != 0);
    else if (into->kind == 'i' || into->kind == 'u')
      store_integer(write, into->bytes, value);
    else if (target_dtype == SYMC_F32) // one rounding, not two
      store(write, negative ? float(int64_t(value)) : float(value));
    else
      store_float(write, target_dtype, negative ? double(int64_t(value)) : double(value));
  }
  return SYMC_STATUS_OK;
}
