// array.hpp: arrays that programs share with Executors, in C++17, and the values that they begin
// with. symc/symbol.hpp includes it.
#ifndef SYMC_ARRAY_HPP
#define SYMC_ARRAY_HPP

#include "symc/runtime.h"
#include "symc/symc.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace symc {

class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

using Shape = std::vector<int64_t>; // 0: an unknown extent; empty: all unknown

/// Dense, row-major elements. Copies share their memory; clone() has its own.
class Array {
public:
  /// None at all.
  Array() = default;
  /// Zeros.
  explicit Array(Shape shape, const std::string &dtype = "float32")
      : Array(std::move(shape), Type{numberOf(dtype)}) {}
  /// Elements of float32.
  Array(Shape shape, const std::vector<float> &values) : Array(std::move(shape)) {
    if (values.size() != elements)
      throw Error(std::to_string(values.size()) + " values for an array of " +
                  std::to_string(elements) + " elements");
    std::copy(values.begin(), values.end(), data<float>());
  }
  Array(Shape shape, std::initializer_list<float> values)
      : Array(std::move(shape), std::vector<float>(values)) {}
  /// Zeros of an element type by its number, a symc_dtype.
  static Array ofType(Shape shape, int32_t dtype) { return Array(std::move(shape), Type{dtype}); }

  bool isNone() const { return !memory; }
  const Shape &shape() const { return extents; }
  /// MXNet's name of the element type, and its number.
  std::string dtype() const { return names()[type]; }
  int32_t dtypeNumber() const { return type; }
  size_t size() const { return elements; }
  size_t bytes() const { return elements * size_t(symc_dtype_bytes(type)); }
  /// T has to be the element type; void takes any.
  template <class T> T *data() const {
    if (!std::is_void_v<T> && type != numberOfType<std::remove_const_t<T>>())
      throw Error("the elements of the array are " + dtype());
    return memory ? reinterpret_cast<T *>(memory->data()) : nullptr;
  }
  /// Of float32.
  float *begin() const { return data<float>(); }
  float *end() const { return data<float>() + elements; }
  float &operator[](size_t index) const { return data<float>()[index]; }

  Array clone() const {
    Array made = ofType(extents, type);
    made.copyFrom(*this);
    return made;
  }
  /// From an array of the same shape and element type.
  void copyFrom(const Array &other) const {
    if (other.extents != extents || other.type != type)
      throw Error("an array can be copied to one of its shape and element type only");
    std::memcpy(memory->data(), other.memory->data(), bytes());
  }
  symc_tensor tensor() const {
    return {data<void>(), extents.data(), int32_t(extents.size()), type, 0, 0};
  }

private:
  struct Type {
    int32_t number;
  };
  struct alignas(64) Line {
    uint8_t bytes[64];
  };
  Array(Shape shape, Type dtype) : extents(std::move(shape)), type(dtype.number) {
    elements = 1;
    for (int64_t extent : extents) {
      if (extent < 0)
        throw Error("an array cannot have an extent of " + std::to_string(extent));
      elements *= size_t(extent);
    }
    memory = std::make_shared<std::vector<Line>>(bytes() / sizeof(Line) + 1);
  }
  static const std::vector<std::string> &names() {
    static const std::vector<std::string> all = {"float32", "float64", "float16", "uint8", "int32",
                                                 "int8",    "int64",   "bool",    "int16", "uint16",
                                                 "uint32",  "uint64",  "bfloat16"};
    return all;
  }
  static int32_t numberOf(const std::string &dtype) {
    auto found = std::find(names().begin(), names().end(), dtype);
    if (found == names().end())
      throw Error("no element type is called '" + dtype + "'");
    return int32_t(found - names().begin());
  }
  template <class T> static constexpr int32_t numberOfType() {
    return std::is_same_v<T, float>      ? SYMC_F32
           : std::is_same_v<T, double>   ? SYMC_F64
           : std::is_same_v<T, uint8_t>  ? SYMC_U8
           : std::is_same_v<T, int32_t>  ? SYMC_I32
           : std::is_same_v<T, int8_t>   ? SYMC_I8
           : std::is_same_v<T, int64_t>  ? SYMC_I64
           : std::is_same_v<T, bool>     ? SYMC_BOOL
           : std::is_same_v<T, int16_t>  ? SYMC_I16
           : std::is_same_v<T, uint32_t> ? SYMC_U32
           : std::is_same_v<T, uint64_t> ? SYMC_U64
                                         : -1;
  }

  Shape extents;
  int32_t type = SYMC_F32;
  size_t elements = 0;
  std::shared_ptr<std::vector<Line>> memory;
};

using ArrayMap = std::map<std::string, Array>;

/// Gives an array that a program does not its first values.
using Initializer = std::function<void(const std::string &name, const Array &array)>;

/// Normally distributed numbers, the same for one seed everywhere. Arrays of other types than
/// float32 keep their zeros.
class Gaussian {
public:
  explicit Gaussian(double mean = 0, double deviation = 1, uint64_t seed = 0)
      : mean(mean), deviation(deviation), engine(seed) {}
  void operator()(const std::string &, const Array &array) {
    if (array.dtypeNumber() == SYMC_F32)
      for (float &element : array)
        element = float(mean + deviation * draw());
  }

private:
  // Box and Muller's: the library's distributions are not the same everywhere.
  double draw() {
    double radius = std::sqrt(-2 * std::log(uniform())), angle = 6.283185307179586 * uniform();
    return radius * std::cos(angle);
  }
  double uniform() { return (double(engine() >> 11) + 0.5) / 9007199254740992.0; } // in (0, 1)

  double mean, deviation;
  std::mt19937_64 engine;
};

/// What backward does with the gradient of an argument (OpReqType: kNullOp, kWriteTo, kAddTo).
enum class GradReq { Null, Write, Add };

/// What an Executor works on: an array for each argument and auxiliary state of the symbol, in the
/// order of its lists, and for each argument that of its gradient, and what is done with it.
struct ExecutorArrays {
  std::vector<Array> arguments, gradients;
  std::vector<GradReq> requests;
  std::vector<Array> states;
};

} // namespace symc

#endif // SYMC_ARRAY_HPP
