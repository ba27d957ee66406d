//===- Known.cpp - values that are known while a graph is imported ---------===//
#include "frontend/onnx/Known.h"

#include "frontend/onnx/Model.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Endian.h"
#include <cmath>

using namespace llvm;
using namespace mlir;

namespace symc::onnx {

bool Known::isFixed() const {
  return llvm::all_of(whole, [](const sg::Dim &dim) { return dim.isStatic(); });
}

SmallVector<int64_t> Known::numbers() const {
  SmallVector<int64_t> result;
  for (const sg::Dim &dim : whole)
    result.push_back(dim.get());
  for (double value : real)
    result.push_back(static_cast<int64_t>(value));
  return result;
}

Known Known::of(ArrayRef<int64_t> numbers, ArrayRef<int64_t> dims, Type type) {
  Known known{type, SmallVector<int64_t>(dims), {}, {}};
  for (int64_t number : numbers)
    if (known.isWhole())
      known.whole.push_back(sg::Dim::constant(wrapTo(number, type), type.getContext()));
    else
      known.real.push_back(roundTo(double(number), type));
  return known;
}

Known Known::real64(ArrayRef<double> numbers, ArrayRef<int64_t> dims, Type type) {
  Known known{type, SmallVector<int64_t>(dims), {}, {}};
  for (double number : numbers)
    known.real.push_back(roundTo(number, type));
  return known;
}

double roundTo(double value, Type type) {
  APFloat number(value);
  bool loses;
  number.convert(cast<FloatType>(type).getFloatSemantics(), APFloat::rmNearestTiesToEven, &loses);
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

int64_t wrapTo(int64_t value, Type type) {
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits >= 64)
    return value;
  if (bits == 1)
    return value != 0;
  uint64_t low = static_cast<uint64_t>(value) & ((uint64_t(1) << bits) - 1);
  return type.isUnsignedInteger() ? static_cast<int64_t>(low) : SignExtend64(low, bits);
}

std::optional<Known> Known::castTo(Type to) const {
  if (to == type)
    return *this;
  Known result{to, dims, {}, {}};
  bool fromReal = !isWhole(), toReal = isa<FloatType>(to);
  if (!fromReal && (!toReal || !isFixed()) && to.getIntOrFloatBitWidth() >= 32) {
    for (const sg::Dim &dim : whole)
      result.whole.push_back(dim.isStatic() && !toReal
                                 ? sg::Dim::constant(wrapTo(dim.get(), to), to.getContext())
                                 : dim);
    return result;
  }
  if (!isFixed())
    return std::nullopt;
  for (size_t i = 0; i < count(); ++i) {
    if (toReal) {
      result.real.push_back(roundTo(at(i), to));
    } else if (!fromReal) {
      result.whole.push_back(sg::Dim::constant(wrapTo(whole[i].get(), to), to.getContext()));
    } else {
      bool isBool = to.getIntOrFloatBitWidth() == 1;
      double value = isBool ? double(real[i] != 0) : std::trunc(real[i]);
      if (!(std::abs(value) < 9.2e18))
        return std::nullopt;
      auto number = static_cast<int64_t>(value);
      if (wrapTo(number, to) != number)
        return std::nullopt;
      result.whole.push_back(sg::Dim::constant(number, to.getContext()));
    }
  }
  return result;
}

std::optional<Known> Known::asWhole() const {
  if (isWhole())
    return *this;
  Known result{type, dims, {}, {}};
  for (double value : real) {
    if (value != std::trunc(value) || std::abs(value) > 9007199254740992.0)
      return std::nullopt;
    result.whole.push_back(sg::Dim::constant(static_cast<int64_t>(value), type.getContext()));
  }
  return result;
}

void Known::settle() {
  if (!isa<FloatType>(type) || whole.empty() || !isFixed())
    return;
  for (const sg::Dim &dim : whole)
    real.push_back(roundTo(static_cast<double>(dim.get()), type));
  whole.clear();
}

std::vector<char> encode(const Known &known) {
  unsigned bits = known.type.getIntOrFloatBitWidth(), bytes = (bits + 7) / 8;
  std::vector<char> result;
  for (size_t i = 0; i < known.count(); ++i) {
    uint64_t word;
    if (known.isWhole()) {
      word = static_cast<uint64_t>(known.whole[i].get());
    } else {
      APFloat number(known.real[i]);
      bool loses;
      number.convert(cast<FloatType>(known.type).getFloatSemantics(), APFloat::rmNearestTiesToEven,
                     &loses);
      word = number.bitcastToAPInt().getZExtValue();
    }
    for (unsigned b = 0; b < bytes; ++b)
      result.push_back(static_cast<char>(word >> (8 * b)));
  }
  return result;
}

Known decode(ArrayRef<char> bytes, ArrayRef<int64_t> dims, Type type) {
  Known known{type, SmallVector<int64_t>(dims), {}, {}};
  unsigned bits = type.getIntOrFloatBitWidth(), each = (bits + 7) / 8;
  for (size_t at = 0; at + each <= bytes.size(); at += each) {
    uint64_t word = 0;
    for (unsigned b = 0; b < each; ++b)
      word |= uint64_t(static_cast<unsigned char>(bytes[at + b])) << (8 * b);
    if (known.isWhole()) {
      known.whole.push_back(
          sg::Dim::constant(wrapTo(static_cast<int64_t>(word), type), type.getContext()));
    } else {
      APFloat number(cast<FloatType>(type).getFloatSemantics(), APInt(bits, word));
      bool loses;
      number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
      known.real.push_back(number.convertToDouble());
    }
  }
  return known;
}

namespace {
struct TypeRow {
  const char *name;
  const char *symbolName; // sg's, or null
};
} // namespace

static const TypeRow kTypes[] = {{"undefined", nullptr},
                                 {"float", "float32"},
                                 {"uint8", "uint8"},
                                 {"int8", "int8"},
                                 {"uint16", "uint16"},
                                 {"int16", "int16"},
                                 {"int32", "int32"},
                                 {"int64", "int64"},
                                 {"string", nullptr},
                                 {"bool", "bool"},
                                 {"float16", "float16"},
                                 {"double", "float64"},
                                 {"uint32", "uint32"},
                                 {"uint64", "uint64"},
                                 {"complex64", nullptr},
                                 {"complex128", nullptr},
                                 {"bfloat16", "bfloat16"},
                                 {"float8e4m3fn", nullptr},
                                 {"float8e4m3fnuz", nullptr},
                                 {"float8e5m2", nullptr},
                                 {"float8e5m2fnuz", nullptr},
                                 {"uint4", nullptr},
                                 {"int4", nullptr},
                                 {"float4e2m1", nullptr},
                                 {"float8e8m0", nullptr},
                                 {"uint2", nullptr},
                                 {"int2", nullptr}};

static const TypeRow *rowOf(int64_t dataType) {
  if (dataType < 0 || dataType >= int64_t(std::size(kTypes)))
    return nullptr;
  return &kTypes[dataType];
}

Type typeOf(int64_t dataType, MLIRContext *context) {
  const TypeRow *row = rowOf(dataType);
  return row && row->symbolName ? sg::typeFromName(row->symbolName, context) : Type();
}

StringRef nameOf(int64_t dataType) {
  const TypeRow *row = rowOf(dataType);
  return row ? row->name : "unknown";
}

params::DType dtypeOf(Type type) {
  return *params::dtypeFromFlag(static_cast<int32_t>(*sg::flagFromType(type)));
}

} // namespace symc::onnx
