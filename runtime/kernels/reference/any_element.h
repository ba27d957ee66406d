// any_element.h: element types that casts alone have: other operators compute in wider ones
// (frontend/onnx/Widen.h).
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_ANY_ELEMENT_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_ANY_ELEMENT_H

#include "element.h"

namespace symc::ref {

struct I16 : Integer<int16_t> {};
struct U16 : Integer<uint16_t> {};
struct U32 {
  using Storage = uint32_t;
  using Number = int64_t;
  static Number load(Storage value) { return value; }
  static Storage store(int64_t value) { return uint32_t(uint64_t(value)); } // 32 bits: the type
  static Storage store(float value) { return store(integer_of(value)); }
  static Storage store(double value) { return store(integer_of(value)); }
};
// Numbers of 2^63 and above are negative ones of int64.
struct U64 {
  using Storage = uint64_t;
  using Number = int64_t;
  static Number load(Storage value) { return int64_t(value); }
  static Storage store(int64_t value) { return uint64_t(value); }
  static Storage store(float value) { return store(double(value)); }
  static Storage store(double value) {
    return value >= 9223372036854775808.0 && value < 18446744073709551616.0
               ? uint64_t(value)
               : uint64_t(integer_of(value));
  }
};

// with_element() of those types too.
template <class Body> int32_t with_any_element(int32_t dtype, Body body) {
  switch (dtype) {
  case SYMC_I16:
    body(I16());
    return SYMC_STATUS_OK;
  case SYMC_U16:
    body(U16());
    return SYMC_STATUS_OK;
  case SYMC_U32:
    body(U32());
    return SYMC_STATUS_OK;
  case SYMC_U64:
    body(U64());
    return SYMC_STATUS_OK;
  default:
    return with_element(dtype, body);
  }
}

} // namespace symc::ref
#endif
