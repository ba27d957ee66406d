//===- DType.cpp - element types of arrays in files -----------------------===//
//
// One table, indexed by MXNet's flag.
//
//===----------------------------------------------------------------------===//
#include "frontend/params/DType.h"

#include <iterator>

using namespace llvm;

namespace symc::params {

namespace {
struct Row {
  const char *name;
  unsigned bytes;
  const char *numpy;
};
constexpr Row Rows[] = {
    {"f32", 4, "<f4"}, {"f64", 8, "<f8"}, {"f16", 2, "<f2"},  {"u8", 1, "|u1"},  {"i32", 4, "<i4"},
    {"i8", 1, "|i1"},  {"i64", 8, "<i8"}, {"bool", 1, "|b1"}, {"i16", 2, "<i2"}, {"u16", 2, "<u2"},
    {"u32", 4, "<u4"}, {"u64", 8, "<u8"}, {"bf16", 2, ""},
};
const Row &row(DType dtype) { return Rows[static_cast<int32_t>(dtype)]; }
} // namespace

std::optional<DType> dtypeFromFlag(int32_t flag) {
  if (flag < 0 || flag >= static_cast<int32_t>(std::size(Rows)))
    return std::nullopt;
  return static_cast<DType>(flag);
}

unsigned elementBytes(DType dtype) { return row(dtype).bytes; }
StringRef name(DType dtype) { return row(dtype).name; }
StringRef numpyCode(DType dtype) { return row(dtype).numpy; }

std::optional<DType> dtypeFromNumpyCode(StringRef code) {
  for (size_t flag = 0; flag < std::size(Rows); ++flag) {
    StringRef known = Rows[flag].numpy;
    if (known.empty())
      continue;
    // The byte order of one-byte elements has no meaning and is written as any
    // of '|', '<', '='; '=' is the order of the machine, little-endian here.
    bool oneByte = Rows[flag].bytes == 1;
    if (code.drop_front(code.empty() ? 0 : 1) == known.drop_front() && !code.empty() &&
        StringRef(oneByte ? "|<>=" : "<=").contains(code.front()))
      return static_cast<DType>(flag);
  }
  return std::nullopt;
}

} // namespace symc::params
