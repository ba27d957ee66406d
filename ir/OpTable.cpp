// OpTable.cpp: lookup in the generated table and exact parsing of MXNet's
// attribute strings (dmlc::Parameter's grammar: booleans in any case, `8L`,
// tuples in either bracket, None).
#include "ir/OpTable.h"
#include "ir/CustomTable.h"
#include "ir/Inference.h"
#include "ir/NumberText.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>

using namespace mlir;
using namespace symc::sg;

namespace {
#include "ir/OpTable.inc" // kOps, kNames (sorted by name)
} // namespace

ArrayRef<OpInfo> symc::sg::allOps() { return kOps; }
ArrayRef<OpName> symc::sg::allOpNames() {
  return namesWithCustomOperators().value_or(ArrayRef<OpName>(kNames));
}

const OpName *symc::sg::lookupOp(StringRef name) {
  ArrayRef<OpName> names = allOpNames();
  const OpName *found =
      std::lower_bound(names.begin(), names.end(), name,
                       [](const OpName &entry, StringRef wanted) { return entry.name < wanted; });
  return found != names.end() && found->name == name ? found : nullptr;
}

const OpInfo *symc::sg::lookupMnemonic(StringRef mnemonic) {
  for (const OpInfo &info : kOps)
    if (info.mnemonic == mnemonic)
      return &info;
  return nullptr;
}

StringRef symc::sg::suggestOp(StringRef unknown) {
  StringRef best;
  unsigned bestDistance = std::max<size_t>(2, unknown.size() / 3) + 1;
  for (const OpName &entry : allOpNames()) {
    unsigned distance = unknown.edit_distance_insensitive(entry.name, true, bestDistance);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = entry.name;
    }
  }
  return best;
}

const ParamInfo *OpInfo::findParam(StringRef wanted) const {
  for (const ParamInfo &param : params)
    if (param.name == wanted)
      return &param;
  return nullptr;
}

std::string OpInfo::resultName(int64_t i, int64_t count) const {
  if (i < int64_t(resultNames.size())) // SliceChannel names the first of any number
    return resultNames[i];
  if (results.size() == 1 && results[0].kind == ValueKind::Variadic)
    return count == 1 ? "output" : "output" + std::to_string(i);
  return results[i].name.str();
}

StringRef OpName::inputName(StringRef operand) const {
  struct Row {
    StringLiteral op, operand, name;
  };
  static constexpr Row rows[] = {
      {"uniform", "first", "low"},
      {"uniform", "second", "high"},
      {"normal", "first", "mu"},
      {"normal", "second", "sigma"},
      {"gamma", "first", "alpha"},
      {"gamma", "second", "beta"},
      {"exponential", "first", "lam"},
      {"poisson", "first", "lam"},
      {"negative_binomial", "first", "k"},
      {"negative_binomial", "second", "p"},
      {"generalized_negative_binomial", "first", "mu"},
      {"generalized_negative_binomial", "second", "alpha"},
      {"Crop", "data", "arg0"},
      {"Crop", "crop_like", "arg1"},
      {"_contrib_interleaved_matmul_selfatt_qk", "queries", "queries_keys_values"},
      {"_contrib_interleaved_matmul_selfatt_valatt", "keys_values", "queries_keys_values"},
      {"_npx_nonzero", "data", "x"},
  };
  StringRef plain = canonical;
  if (!plain.consume_front("_sample_"))
    plain.consume_front("_random_pdf_");
  for (const Row &row : rows)
    if (row.op == plain && row.operand == operand)
      return row.name;
  return operand;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static StringRef kindText(ParamKind kind) {
  switch (kind) {
  case ParamKind::Int:
    return "an int";
  case ParamKind::Uint:
    return "a non-negative int";
  case ParamKind::Float:
  case ParamKind::Double:
    return "a number";
  case ParamKind::Bool:
    return "a boolean";
  case ParamKind::Enum:
    return "one of its names";
  case ParamKind::Tuple:
    return "a tuple of ints";
  case ParamKind::Floats:
    return "a tuple of numbers";
  case ParamKind::String:
    return "a string";
  }
  return "";
}

// An integer as istream reads it, an optional `L` behind; consumes it.
static bool takeInt(StringRef &text, int64_t &value) {
  text = text.ltrim();
  bool plus = text.consume_front("+");
  if (plus && text.starts_with("-"))
    return false;
  if (text.consumeInteger(10, value))
    return false;
  text.consume_front("L");
  return true;
}

static bool takeFloat(StringRef &text, double &value) {
  text = text.ltrim();
  std::string copy = text.str();
  char *end = nullptr;
  errno = 0;
  value = std::strtod(copy.c_str(), &end);
  if (end == copy.c_str() || (errno == ERANGE && std::isinf(value)))
    return false;
  text = text.drop_front(end - copy.c_str());
  text.consume_front("f");
  return true;
}

// "(1, 2)", "[1,2]", "3", "(3,)", "()"; elements through `take`.
template <typename T>
static bool takeTuple(StringRef text, SmallVectorImpl<T> &values,
                      llvm::function_ref<bool(StringRef &, T &)> take) {
  text = text.trim();
  T value;
  if (!text.starts_with("(") && !text.starts_with("[")) {
    if (!take(text, value) || !text.trim().empty())
      return false;
    values.push_back(value);
    return true;
  }
  text = text.drop_front();
  for (;;) {
    text = text.ltrim();
    if (text.consume_front(")") || text.consume_front("]"))
      break;
    if (!take(text, value))
      return false;
    values.push_back(value);
    text = text.ltrim();
    if (!text.consume_front(",") && !text.starts_with(")") && !text.starts_with("]"))
      return false;
  }
  return text.trim().empty();
}

static Attribute parseValue(const ParamInfo &param, StringRef text, Builder &builder) {
  StringRef rest = text;
  switch (param.kind) {
  case ParamKind::Int:
  case ParamKind::Uint: {
    int64_t value;
    if (!takeInt(rest, value) || !rest.trim().empty() ||
        (param.kind == ParamKind::Uint && value < 0) || text.trim().ends_with("L"))
      return {};
    if (value < INT32_MIN || value > (param.kind == ParamKind::Uint ? UINT32_MAX : INT32_MAX))
      return {};
    return builder.getI64IntegerAttr(value);
  }
  case ParamKind::Float:
  case ParamKind::Double: {
    double value;
    if (!takeFloat(rest, value) || !rest.trim().empty())
      return {};
    if (param.kind == ParamKind::Float)
      value = static_cast<float>(value);
    return builder.getF64FloatAttr(value);
  }
  case ParamKind::Bool: {
    std::string lower = text.trim().lower();
    if (lower == "true" || lower == "1")
      return builder.getBoolAttr(true);
    if (lower == "false" || lower == "0")
      return builder.getBoolAttr(false);
    return {};
  }
  case ParamKind::Enum:
    return llvm::is_contained(param.enumNames, text) ? builder.getStringAttr(text) : Attribute();
  case ParamKind::Tuple: {
    SmallVector<int64_t> values;
    if (text.trim() == "None") // beside a default that is not None: nothing is given
      return builder.getDenseI64ArrayAttr({});
    auto take = [&](StringRef &part, int64_t &value) {
      part = part.ltrim();
      if (param.acceptsNone && part.consume_front("None")) {
        value = kNoneElement;
        return true;
      }
      if (!takeInt(part, value))
        return false;
      if (param.acceptsNone)
        value = std::clamp(value, -kMostElements, kMostElements);
      return true;
    };
    if (!takeTuple<int64_t>(text, values, take))
      return {};
    return builder.getDenseI64ArrayAttr(values);
  }
  case ParamKind::Floats: {
    SmallVector<double> values;
    if (!takeTuple<double>(text, values, takeFloat))
      return {};
    for (double &value : values)
      value = static_cast<float>(value);
    return builder.getDenseF64ArrayAttr(values);
  }
  case ParamKind::String:
    return builder.getStringAttr(text);
  }
  return {};
}

static std::string rangeText(const ParamInfo &param) {
  if (param.min && param.max)
    return std::string("between ") + param.min + " and " + param.max;
  return param.min ? std::string("at least ") + param.min : std::string("at most ") + param.max;
}

static std::string expects(const ParamInfo &param, StringRef found) {
  std::string message = "parameter '" + param.name.str() + "' expects ";
  if (param.kind == ParamKind::Enum)
    message += "one of " + llvm::join(param.enumNames, ", ");
  else
    message += kindText(param.kind);
  return message + ", found '" + found.str() + "'";
}

std::string symc::sg::checkValue(const ParamInfo &param, Attribute attr) {
  if (param.kind == ParamKind::Enum)
    return llvm::is_contained(param.enumNames, cast<StringAttr>(attr).getValue())
               ? ""
               : expects(param, cast<StringAttr>(attr).getValue());
  if (auto tuple = dyn_cast<DenseI64ArrayAttr>(attr)) {
    for (int64_t element : tuple.asArrayRef())
      if ((element < -kMostElements || element > kMostElements) &&
          !(element == kNoneElement && param.acceptsNone))
        return "parameter '" + param.name.str() + "' has the element " + std::to_string(element) +
               ", needs numbers between -2^48 and 2^48";
    return {};
  }
  double value;
  std::string text;
  if (auto integer = dyn_cast<IntegerAttr>(attr); integer && param.kind != ParamKind::Bool) {
    if (integer.getInt() == kNoneElement && param.acceptsNone)
      return {};
    value = static_cast<double>(integer.getInt());
    text = std::to_string(integer.getInt());
    if (integer.getInt() < INT32_MIN || integer.getInt() > UINT32_MAX)
      return "parameter '" + param.name.str() + "' must be a number of 32 bits, found " + text;
  } else if (auto number = dyn_cast<FloatAttr>(attr)) {
    value = number.getValueAsDouble();
    text = numberText(value);
  } else {
    return {};
  }
  bool isInside = (!param.min || value >= std::atof(param.min)) &&
                  (!param.max || value <= std::atof(param.max)); // NaN is in no range
  if (isInside)
    return {};
  return "parameter '" + param.name.str() + "' must be " + rangeText(param) + ", found " + text;
}

Attribute symc::sg::parseParam(const ParamInfo &param, StringRef text, MLIRContext *context,
                               std::string &message) {
  Builder builder(context);
  message.clear();
  if (param.optional && text.trim().equals_insensitive("none"))
    return {};
  if (param.acceptsNone && param.kind != ParamKind::Tuple && text.trim().equals_insensitive("none"))
    return builder.getI64IntegerAttr(kNoneElement);
  Attribute attr = parseValue(param, text, builder);
  if (!attr) {
    message = expects(param, text);
    return {};
  }
  message = checkValue(param, attr);
  return message.empty() ? attr : Attribute();
}

//===----------------------------------------------------------------------===//
// ParamView
//===----------------------------------------------------------------------===//

Attribute ParamView::get(StringRef name) const {
  if (Attribute attr = attrs.get(name))
    return attr;
  const ParamInfo *param = info.findParam(name);
  if (!param || !param->defaultText)
    return {};
  std::string message;
  return parseParam(*param, param->defaultText, attrs.getContext(), message);
}

int64_t ParamView::getInt(StringRef name) const { return cast<IntegerAttr>(get(name)).getInt(); }
double ParamView::getFloat(StringRef name) const {
  return cast<FloatAttr>(get(name)).getValueAsDouble();
}
bool ParamView::getBool(StringRef name) const { return cast<BoolAttr>(get(name)).getValue(); }
StringRef ParamView::getStr(StringRef name) const { return cast<StringAttr>(get(name)).getValue(); }
ArrayRef<int64_t> ParamView::getTuple(StringRef name) const {
  return cast<DenseI64ArrayAttr>(get(name)).asArrayRef();
}
ArrayRef<double> ParamView::getFloats(StringRef name) const {
  return cast<DenseF64ArrayAttr>(get(name)).asArrayRef();
}
