// npy.cpp: reads and writes NumPy's array files, versions 1 to 3. The header is one
// dictionary in Python's notation with the keys descr, fortran_order and shape. All
// sizes are compared with the file's length before memory is taken.
#include "npy.h"

#include <stdio.h>
#include <string.h>

namespace symc {

static const char magic[] = "\x93NUMPY";

bool is_npy(const uint8_t *data, size_t bytes) { return bytes >= 6 && memcmp(data, magic, 6) == 0; }

int64_t count_elements(const int64_t *shape, int32_t rank, int64_t elementBytes) {
  for (int32_t i = 0; i < rank; ++i)
    if (shape[i] == 0)
      return 0;
  int64_t count = 1, most = (int64_t(1) << 62) / elementBytes;
  for (int32_t i = 0; i < rank; ++i) {
    if (shape[i] < 0 || count > most / shape[i])
      return -1;
    count *= shape[i];
  }
  return count;
}

namespace {
// Element types by the two letters of descr.
struct Code {
  char code[3];
  int32_t dtype;
};
const Code codes[] = {{"f4", SYMC_F32}, {"f8", SYMC_F64}, {"f2", SYMC_F16}, {"u1", SYMC_U8},
                      {"i4", SYMC_I32}, {"i1", SYMC_I8},  {"i8", SYMC_I64}, {"b1", SYMC_BOOL},
                      {"i2", SYMC_I16}, {"u2", SYMC_U16}, {"u4", SYMC_U32}, {"u8", SYMC_U64}};

// A walk over the header's text; every take skips blanks first.
struct Header {
  const char *at, *end;

  void blanks() {
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r'))
      ++at;
  }
  bool take(char c) {
    blanks();
    bool found = at < end && *at == c;
    at += found;
    return found;
  }
  bool word(const char *text) {
    blanks();
    size_t length = strlen(text);
    bool found = size_t(end - at) >= length && memcmp(at, text, length) == 0;
    at += found ? length : 0;
    return found;
  }
  // A quoted string without escapes, shorter than `room`.
  bool string(char *text, size_t room) {
    blanks();
    if (at == end || (*at != '\'' && *at != '"'))
      return false;
    char quote = *at++;
    size_t length = 0;
    while (at < end && *at != quote && *at != '\\' && length + 1 < room)
      text[length++] = *at++;
    text[length] = 0;
    return take(quote);
  }
  bool number(int64_t &value) {
    blanks();
    const char *start = at;
    for (value = 0; at < end && *at >= '0' && *at <= '9'; ++at) {
      if (value > (INT64_MAX - 9) / 10)
        return false;
      value = value * 10 + (*at - '0');
    }
    bool any = at > start;
    if (any)
      take('L'); // as Python 2 wrote long integers
    return any;
  }
};

struct Fields {
  char descr[16] = "";
  bool fortran = false;
  bool hasDescr = false, hasOrder = false, hasShape = false;
};

bool take_shape(Header &header, Array &array, const char *name, Problem &problem) {
  if (!header.take('('))
    return problem.set("'%s': expected a tuple as shape in the npy header", name);
  array.rank = 0;
  while (!header.take(')')) {
    int64_t extent;
    if (!header.number(extent))
      return problem.set("'%s': expected extents in the shape of the npy header", name);
    if (array.rank == SYMC_MAX_RANK)
      return problem.set("'%s': expected at most %d dimensions, got more", name, SYMC_MAX_RANK);
    array.shape[array.rank++] = extent;
    if (!header.take(',')) {
      if (!header.take(')'))
        return problem.set("'%s': expected ')' after the shape in the npy header", name);
      break;
    }
  }
  return true;
}

bool take_fields(Header header, Fields &fields, Array &array, const char *name, Problem &problem) {
  if (!header.take('{'))
    return problem.set("'%s': expected a dictionary as npy header", name);
  while (!header.take('}')) {
    char key[16];
    if (!header.string(key, sizeof key) || !header.take(':'))
      return problem.set("'%s': expected a key and ':' in the npy header", name);
    if (strcmp(key, "descr") == 0) {
      if (!header.string(fields.descr, sizeof fields.descr))
        return problem.set("'%s': expected an element type in quotes, got a structure", name);
      fields.hasDescr = true;
    } else if (strcmp(key, "fortran_order") == 0) {
      fields.fortran = header.word("True");
      if (!fields.fortran && !header.word("False"))
        return problem.set("'%s': expected True or False as fortran_order", name);
      fields.hasOrder = true;
    } else if (strcmp(key, "shape") == 0) {
      if (!take_shape(header, array, name, problem))
        return false;
      fields.hasShape = true;
    } else {
      return problem.set("'%s': unknown key '%s' in the npy header", name, key);
    }
    if (!header.take(',')) {
      if (!header.take('}'))
        return problem.set("'%s': expected '}' at the end of the npy header", name);
      break;
    }
  }
  if (!fields.hasDescr || !fields.hasOrder || !fields.hasShape)
    return problem.set("'%s': expected descr, fortran_order and shape in the npy header", name);
  return true;
}

// Sets the element type; `swapped` where its bytes are in the other order.
bool take_dtype(const char *descr, Array &array, bool &swapped, const char *name,
                Problem &problem) {
  for (const Code &code : codes) {
    bool order = descr[0] && strchr("<>|=", descr[0]);
    if (!order || strcmp(descr + 1, code.code) != 0)
      continue;
    array.dtype = code.dtype;
    swapped = descr[0] == '>' && symc_dtype_bytes(code.dtype) > 1;
    return true;
  }
  return problem.set("'%s': expected an element type of f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1, got "
                     "'%s'",
                     name, descr);
}

void swap_bytes(uint8_t *data, int64_t count, int64_t bytes) {
  for (int64_t i = 0; i < count; ++i, data += bytes)
    for (int64_t low = 0, high = bytes - 1; low < high; ++low, --high) {
      uint8_t byte = data[low];
      data[low] = data[high];
      data[high] = byte;
    }
}

// Copies elements whose first dimension varies fastest into row-major order.
void copy_fortran(const uint8_t *from, Array &array, int64_t count, int64_t bytes) {
  int64_t index[SYMC_MAX_RANK] = {}, strides[SYMC_MAX_RANK], stride = 1;
  for (int32_t i = 0; i < array.rank; ++i) {
    strides[i] = stride;
    stride *= array.shape[i];
  }
  for (int64_t i = 0; i < count; ++i) {
    int64_t source = 0;
    for (int32_t d = 0; d < array.rank; ++d)
      source += index[d] * strides[d];
    memcpy(array.bytes.data + i * bytes, from + source * bytes, size_t(bytes));
    for (int32_t d = array.rank - 1; d >= 0 && ++index[d] == array.shape[d]; --d)
      index[d] = 0;
  }
}
} // namespace

bool read_npy(const char *name, const uint8_t *data, size_t bytes, Array &array, Problem &problem) {
  if (bytes < 10 || !is_npy(data, bytes))
    return problem.set("'%s': expected an npy file of at least 10 bytes, got %zu", name, bytes);
  int version = data[6];
  if (version < 1 || version > 3)
    return problem.set("'%s': expected npy version 1, 2 or 3, got %d", name, version);
  size_t start = version == 1 ? 10 : 12;
  if (bytes < start)
    return problem.set("'%s': expected %zu bytes of npy header, got %zu", name, start, bytes);
  size_t length = data[8] | size_t(data[9]) << 8;
  if (version > 1)
    length |= size_t(data[10]) << 16 | size_t(data[11]) << 24;
  if (length > bytes - start)
    return problem.set("'%s': expected %zu bytes of npy header, got %zu", name, length,
                       bytes - start);
  const char *text = reinterpret_cast<const char *>(data) + start;
  Fields fields;
  bool swapped = false;
  if (!take_fields({text, text + length}, fields, array, name, problem) ||
      !take_dtype(fields.descr, array, swapped, name, problem))
    return false;
  int64_t elementBytes = symc_dtype_bytes(array.dtype);
  int64_t count = count_elements(array.shape, array.rank, elementBytes);
  size_t got = bytes - start - length;
  if (count < 0)
    return problem.set("'%s': expected a shape whose bytes can be counted, got %zu bytes of data",
                       name, got);
  if (uint64_t(count) * uint64_t(elementBytes) != got)
    return problem.set("'%s': expected %lld bytes of data for its shape, got %zu", name,
                       (long long)(count * elementBytes), got);
  if (!array.bytes.allocate(got, problem))
    return false;
  const uint8_t *elements = data + start + length;
  if (fields.fortran && array.rank > 1)
    copy_fortran(elements, array, count, elementBytes);
  else
    memcpy(array.bytes.data, elements, got);
  if (swapped)
    swap_bytes(array.bytes.data, count, elementBytes);
  return true;
}

size_t write_npy_header(const symc_tensor &tensor, char *header) {
  const char *code = "f4";
  for (const Code &candidate : codes)
    if (candidate.dtype == tensor.dtype)
      code = candidate.code;
  char order = symc_dtype_bytes(tensor.dtype) == 1 ? '|' : '<';
  memcpy(header, "\x93NUMPY\x01\x00", 8);
  char *text = header + 10;
  size_t room = npyHeaderBytes - 10;
  size_t length = size_t(
      snprintf(text, room, "{'descr': '%c%s', 'fortran_order': False, 'shape': (", order, code));
  for (int32_t i = 0; i < tensor.rank; ++i)
    length += size_t(snprintf(text + length, room - length, "%lld%s", (long long)tensor.shape[i],
                              i + 1 == tensor.rank && i > 0 ? "" : ", "));
  if (tensor.rank == 1) // (3,)
    --length;
  length += size_t(snprintf(text + length, room - length, "), }"));
  size_t total = (10 + length + 1 + 63) & ~size_t(63);
  memset(text + length, ' ', total - 10 - length - 1);
  header[total - 1] = '\n';
  header[8] = char((total - 10) & 0xff);
  header[9] = char((total - 10) >> 8);
  return total;
}

} // namespace symc
