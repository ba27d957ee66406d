// element.h: how reference kernels read, compute and write each element type, and
// how their entry points are named. A kernel is a template over one of the types
// below: Storage is what lies in memory, Number what arithmetic is done in, Wide what
// long sums are kept in. Integers compute in 64 bits and wrap when they are stored;
// floats become integers of 8 to 32 bits by way of 32 bits.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_ELEMENT_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_ELEMENT_H

#include "../../core/half.h"
#include "refusal.h"
#include "symc/generated/op_params.h"
#include "symc/runtime.h"

namespace symc::ref {

// A float as an integer of 32 or 64 bits, cut off. What does not fit, NaN too, gives the
// most negative one, as the instruction of x86 does on which MXNet's results rest.
inline int64_t integer_of(double value) {
  return value >= -9223372036854775808.0 && value < 9223372036854775808.0 ? int64_t(value)
                                                                          : INT64_MIN;
}
inline int64_t integer_of(float value) { return integer_of(double(value)); }
inline int64_t integer_of(int64_t value) { return value; }
inline int32_t short_integer_of(double value) {
  return value > -2147483649.0 && value < 2147483648.0 ? int32_t(value) : INT32_MIN;
}

template <class A, class B> inline constexpr bool is_same = false;
template <class A> inline constexpr bool is_same<A, A> = true;

struct F32 {
  using Storage = float;
  using Number = float;
  using Wide = double;
  static Number load(Storage value) { return value; }
  template <class T> static Storage store(T value) { return float(value); }
};
struct F64 {
  using Storage = double;
  using Number = double;
  using Wide = double;
  static Number load(Storage value) { return value; }
  template <class T> static Storage store(T value) { return double(value); }
};
struct F16 {
  using Storage = uint16_t;
  using Number = float;
  using Wide = double;
  static Number load(Storage value) { return float_of_f16(value); }
  static Storage store(float value) { return f16_of_float(value); }
  static Storage store(double value) { return f16_of_float(float_round_to_odd(value)); }
  static Storage store(int64_t value) { return store(double(value)); }
};
struct BF16 {
  using Storage = uint16_t;
  using Number = float;
  using Wide = double;
  static Number load(Storage value) { return float_of_bf16(value); }
  static Storage store(float value) { return bf16_of_float(value); }
  static Storage store(double value) { return bf16_of_float(float_round_to_odd(value)); }
  static Storage store(int64_t value) { return store(double(value)); }
};
template <class T> struct Integer {
  using Storage = T;
  using Number = int64_t;
  using Wide = int64_t;
  static Number load(Storage value) { return value; }
  static Storage store(int64_t value) { return T(uint64_t(value)); }
  static Storage store(float value) { return store(double(value)); }
  static Storage store(double value) {
    return sizeof(T) == 8 ? T(integer_of(value)) : T(short_integer_of(value));
  }
};
struct I8 : Integer<int8_t> {};
struct U8 : Integer<uint8_t> {};
struct I32 : Integer<int32_t> {};
struct I64 : Integer<int64_t> {};
struct BOOL {
  using Storage = uint8_t;
  using Number = int64_t;
  using Wide = int64_t;
  static Number load(Storage value) { return value != 0; }
  template <class T> static Storage store(T value) { return value != 0; }
};

// Calls body(E()) with the type of a dtype; BAD_DTYPE for one without kernels.
template <class Body> int32_t with_element(int32_t dtype, Body body) {
  switch (dtype) {
  case SYMC_F32:
    body(F32());
    return SYMC_STATUS_OK;
  case SYMC_F64:
    body(F64());
    return SYMC_STATUS_OK;
  case SYMC_F16:
    body(F16());
    return SYMC_STATUS_OK;
  case SYMC_BF16:
    body(BF16());
    return SYMC_STATUS_OK;
  case SYMC_I8:
    body(I8());
    return SYMC_STATUS_OK;
  case SYMC_U8:
    body(U8());
    return SYMC_STATUS_OK;
  case SYMC_I32:
    body(I32());
    return SYMC_STATUS_OK;
  case SYMC_I64:
    body(I64());
    return SYMC_STATUS_OK;
  case SYMC_BOOL:
    body(BOOL());
    return SYMC_STATUS_OK;
  default:
    return SYMC_STATUS_BAD_DTYPE;
  }
}

inline int64_t count_of(const symc_tensor &tensor) {
  int64_t count = 1;
  for (int32_t axis = 0; axis < tensor.rank; ++axis)
    count *= tensor.shape[axis];
  return count;
}

template <class E> const typename E::Storage *data_of(const symc_tensor &tensor) {
  return static_cast<const typename E::Storage *>(tensor.data);
}
template <class E> typename E::Storage *target_of(const symc_tensor &tensor) {
  return static_cast<typename E::Storage *>(tensor.data);
}
template <class Params> const Params &params_of(const symc_kernel_args *args) {
  return *static_cast<const Params *>(args->params);
}

// Element `i` of an index tensor of any type, cut off to an integer.
inline int64_t index_at(const symc_tensor &tensor, int64_t i) {
  int64_t index = 0;
  with_element(tensor.dtype, [&](auto element) {
    using E = decltype(element);
    index = integer_of(E::load(data_of<E>(tensor)[i]));
  });
  return index;
}
// An index that lies outside of [0, extent) as the nearest one, or counted around.
inline int64_t clipped(int64_t index, int64_t extent) {
  return index < 0 ? 0 : index >= extent ? extent - 1 : index;
}
inline int64_t wrapped(int64_t index, int64_t extent) {
  int64_t rest = index % extent;
  return rest < 0 ? rest + extent : rest;
}
// Writes a number to element `i` of a tensor of any type.
template <class T> void store_at(const symc_tensor &tensor, int64_t i, T value) {
  with_element(tensor.dtype, [&](auto element) {
    using E = decltype(element);
    target_of<E>(tensor)[i] = E::store(value);
  });
}

} // namespace symc::ref

// symc_ref_NAME_SUFFIX calls FUNCTION, a template over the element type.
#define SYMC_REFERENCE(name, suffix, function)                                                     \
  extern "C" int32_t symc_ref_##name##_##suffix(const symc_kernel_args *args) {                    \
    return symc::ref::settle(args, function(args));                                                \
  }
#define SYMC_REFERENCE_FLOATS(name, function)                                                      \
  SYMC_REFERENCE(name, f32, function<F32>)                                                         \
  SYMC_REFERENCE(name, f64, function<F64>)                                                         \
  SYMC_REFERENCE(name, f16, function<F16>)                                                         \
  SYMC_REFERENCE(name, bf16, function<BF16>)
#define SYMC_REFERENCE_NUMBERS(name, function)                                                     \
  SYMC_REFERENCE_FLOATS(name, function)                                                            \
  SYMC_REFERENCE(name, i8, function<I8>)                                                           \
  SYMC_REFERENCE(name, u8, function<U8>)                                                           \
  SYMC_REFERENCE(name, i32, function<I32>)                                                         \
  SYMC_REFERENCE(name, i64, function<I64>)                                                         \
  SYMC_REFERENCE(name, bool, function<BOOL>)
// The same for a function that requires no type but the tensors' own.
#define SYMC_REFERENCE_ANY(name, function)                                                         \
  SYMC_REFERENCE(name, f32, function)                                                              \
  SYMC_REFERENCE(name, f64, function)                                                              \
  SYMC_REFERENCE(name, f16, function)                                                              \
  SYMC_REFERENCE(name, bf16, function)                                                             \
  SYMC_REFERENCE(name, i8, function)                                                               \
  SYMC_REFERENCE(name, u8, function)                                                               \
  SYMC_REFERENCE(name, i32, function)                                                              \
  SYMC_REFERENCE(name, i64, function)                                                              \
  SYMC_REFERENCE(name, bool, function)

#endif
