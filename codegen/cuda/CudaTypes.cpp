// CudaTypes.cpp: see CudaTypes.h.
#include "codegen/cuda/CudaTypes.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;

namespace symc::codegen::cuda {

StringRef valueType(Type type) {
  if (type.isF32() || isHalf(type))
    return "float";
  if (type.isF64())
    return "double";
  if (type.isIndex())
    return "long long";
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return "bool";
  case 8:
    return "signed char";
  case 16:
    return "short";
  case 32:
    return "int";
  case 64:
    return "long long";
  }
  llvm_unreachable("no element type of a step");
}

StringRef storageType(Type type) { return isHalf(type) ? "unsigned short" : valueType(type); }

static std::string called(Type type, StringRef function, const std::string &text) {
  return (function + (type.isF16() ? "_half(" : "_bfloat(") + text + ")").str();
}

std::string loaded(Type type, const std::string &text) {
  return isHalf(type) ? called(type, "from", text) : text;
}

std::string stored(Type type, const std::string &text) {
  return isHalf(type) ? called(type, "to", text) : text;
}

std::string converted(Type from, Type to, const std::string &text) {
  return from == to ? text : stored(to, loaded(from, text));
}

std::string rounded(Type type, const std::string &text) {
  return isHalf(type) ? called(type, "from", called(type, "to", text)) : text;
}

static std::string literalOf(FloatAttr value) {
  bool isDouble = value.getType().isF64();
  APFloat number = value.getValue();
  bool exact;
  number.convert(isDouble ? APFloat::IEEEdouble() : APFloat::IEEEsingle(),
                 APFloat::rmNearestTiesToEven, &exact);
  APInt bits = number.bitcastToAPInt();
  if (!number.isFinite())
    return isDouble ? "__longlong_as_double(0x" + llvm::utohexstr(bits.getZExtValue()) + "ll)"
                    : "__int_as_float(0x" + llvm::utohexstr(bits.getZExtValue()) + ")";
  llvm::SmallString<32> text;
  number.toString(text);
  if (text.find_first_of(".E") == StringRef::npos)
    text += ".0";
  return (text + (isDouble ? "" : "f")).str();
}

static std::string plainLiteral(Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return literalOf(number);
  auto integer = cast<IntegerAttr>(value);
  if (integer.getType().isInteger(1))
    return integer.getValue().isZero() ? "false" : "true";
  int64_t number = integer.getValue().getSExtValue();
  if (number == INT64_MIN)
    return "(-9223372036854775807ll - 1)";
  if (number == INT32_MIN)
    return "(-2147483647 - 1)";
  bool wide = !llvm::isInt<32>(number) || integer.getType().isInteger(64);
  return std::to_string(number) + (wide ? "ll" : "");
}

// A sign may stand before it.
std::string literal(Attribute value) {
  std::string text = plainLiteral(value);
  return text.front() == '-' ? "(" + text + ")" : text;
}

StringRef halfFunctions() {
  return R"(#ifdef __CUDACC__
static __device__ __forceinline__ float from_half(unsigned short bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}
static __device__ __forceinline__ unsigned short to_half(float value) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}
#else // for a host
static inline float from_half(unsigned short bits) {
  return (float)__builtin_bit_cast(_Float16, bits);
}
static inline unsigned short to_half(float value) {
  return __builtin_bit_cast(unsigned short, (_Float16)value);
}
#endif
static __device__ __forceinline__ float from_bfloat(unsigned short bits) {
  return __int_as_float((unsigned)bits << 16);
}
static __device__ __forceinline__ unsigned short to_bfloat(float value) {
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 800
  unsigned short result;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result) : "f"(value));
  return result;
#else
  unsigned bits = (unsigned)__float_as_int(value);
  if (value != value)
    return (unsigned short)(bits >> 16 | 64);
  return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
#endif
}
)";
}

} // namespace symc::codegen::cuda
