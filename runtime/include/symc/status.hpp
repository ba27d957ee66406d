// status.hpp: the element types of models, statuses with their sentences, and results, in C++17.
// symc/model.hpp includes it.
#ifndef SYMC_STATUS_HPP
#define SYMC_STATUS_HPP

#include "symc/runtime.h"
#include "symc/spans.h"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#ifdef SYMC_EXCEPTIONS
#include <stdexcept>
#endif

namespace symc {
inline namespace embedding {

// --- Element types -------------------------------------------------------------

// The bits of types that C++17 lacks.
struct Half {
  uint16_t bits;
};
struct BFloat16 {
  uint16_t bits;
};

namespace detail {
// What T is in a model, or -1. char is neither signed nor unsigned by itself and left out.
template <class T> constexpr int32_t findDtype() {
  using U = std::remove_cv_t<T>;
  constexpr bool isSigned = std::is_signed_v<U>;
  if constexpr (std::is_same_v<U, float>)
    return SYMC_F32;
  else if constexpr (std::is_same_v<U, double>)
    return SYMC_F64;
  else if constexpr (std::is_same_v<U, Half>)
    return SYMC_F16;
  else if constexpr (std::is_same_v<U, BFloat16>)
    return SYMC_BF16;
  else if constexpr (std::is_same_v<U, bool>)
    return SYMC_BOOL;
  else if constexpr (!std::is_integral_v<U> || std::is_same_v<U, char> ||
                     std::is_same_v<U, wchar_t> || std::is_same_v<U, char16_t> ||
                     std::is_same_v<U, char32_t>)
    return -1;
  else if constexpr (sizeof(U) == 1)
    return isSigned ? SYMC_I8 : SYMC_U8;
  else if constexpr (sizeof(U) == 2)
    return isSigned ? SYMC_I16 : SYMC_U16;
  else if constexpr (sizeof(U) == 4)
    return isSigned ? SYMC_I32 : SYMC_U32;
  else
    return isSigned ? SYMC_I64 : SYMC_U64;
}

// symc_dtype_name is the runtime's, and headers of models do not have it.
inline const char *dtypeName(int32_t dtype) {
  static const char *const names[] = {"f32",  "f64", "f16", "u8",  "i32", "i8",  "i64",
                                      "bool", "i16", "u16", "u32", "u64", "bf16"};
  return dtype >= 0 && dtype < int32_t(sizeof names / sizeof *names) ? names[dtype] : "unknown";
}
} // namespace detail

template <class T> constexpr int32_t dtypeOf = detail::findDtype<T>();

// --- Status and Result ---------------------------------------------------------

// A symc_status with its sentence, which names the tensor, the dimension and both values.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(int32_t code, std::string sentence) : number(code), text(std::move(sentence)) {}
  bool ok() const { return number == SYMC_STATUS_OK; }
  explicit operator bool() const { return ok(); }
  int32_t code() const { return number; }
  // Empty where all went well.
  const std::string &sentence() const { return text; }
  const char *name() const {
    switch (number) {
#define SYMC_STATUS_NAME(name, value, sentence)                                                    \
  case value:                                                                                      \
    return "SYMC_STATUS_" #name;
      SYMC_STATUS_LIST(SYMC_STATUS_NAME)
#undef SYMC_STATUS_NAME
    }
    return "SYMC_STATUS_UNKNOWN";
  }

private:
  int32_t number = SYMC_STATUS_OK;
  std::string text;
};

// A value, or why there is none. Who takes the value of a failure ends the process.
template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : held(std::move(value)) {}
  Result(Status failure) : why(std::move(failure)) {}
  bool ok() const { return held.has_value(); }
  explicit operator bool() const { return ok(); }
  const Status &status() const { return why; }
  T &operator*() & { return get(); }
  T &&operator*() && { return std::move(get()); }
  T *operator->() { return &get(); }

private:
  T &get() {
    if (!held)
      std::abort();
    return *held;
  }
  std::optional<T> held;
  Status why;
};

#ifdef SYMC_EXCEPTIONS
class Error : public std::runtime_error {
public:
  explicit Error(const Status &status)
      : std::runtime_error(status.sentence()), number(status.code()) {}
  int32_t code() const { return number; }

private:
  int32_t number;
};
inline void orThrow(const Status &status) {
  if (!status)
    throw Error(status);
}
template <class T> T orThrow(Result<T> result) {
  orThrow(result.status());
  return *std::move(result);
}
#endif

} // namespace embedding
} // namespace symc
#endif
