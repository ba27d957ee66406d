/* spans.h: the names of C++ types that headers of models use for inputs and outputs; symc/model.hpp
 * defines the types. The header of every model holds this text, so that it may be included before
 * or after symc/model.hpp, or without it. */
#ifndef SYMC_SPANS_H
#define SYMC_SPANS_H
#if defined(__cplusplus) && __cplusplus >= 201703L

#include <cstdint>

struct symc_context;
struct symc_tensor;

namespace symc {
// The runtime's own classes in this namespace are others: the linker must not take one for the
// other.
inline namespace embedding {

// An extent that is chosen at run time.
inline constexpr int64_t Any = -1;
// One that is chosen at run time between two numbers below 2^31, both included.
constexpr int64_t between(int64_t least, int64_t most) {
  return -2 - (least * (int64_t(1) << 31) + most);
}

struct Half;
struct BFloat16;
template <class T, int64_t... Extents> class Span;
template <class... S> struct Inputs;
template <class... S> struct Outputs;

// Of a model with gradients; null pointers of another one.
struct GradientFunctions {
  int32_t (*forward)(symc_context *, const symc_tensor *, int32_t, const symc_tensor *, int32_t);
  int32_t (*backward)(symc_context *, const symc_tensor *, int32_t, const symc_tensor *, int32_t);
};

} // namespace embedding
} // namespace symc
#endif
#endif
