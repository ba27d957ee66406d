//===- Operators.cpp - the table of ONNX's operators -----------------------===//
#include "frontend/onnx/Operators.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace symc::onnx {

static const OperatorRow kRows[] = {
#define ONNX_OPERATOR(domain, name, first, last, builder, attributes, least, most)                 \
  {domain, #name, first, last, ops::builder, attributes, least, most, false},
#define ONNX_BODIES(domain, name, first, last, attributes, least, most)                            \
  {domain, #name, first, last, nullptr, attributes, least, most, true},
#define ONNX_REFUSED(domain, name, first, last, reason)                                            \
  {domain, #name, first, last, nullptr, reason, 0, -1, false},
#include "frontend/onnx/Operators.def"
#undef ONNX_OPERATOR
#undef ONNX_BODIES
#undef ONNX_REFUSED
};

ArrayRef<OperatorRow> operatorRows() { return kRows; }

const OperatorRow *findOperator(StringRef domain, StringRef name, int64_t opset) {
  static const StringMap<SmallVector<const OperatorRow *, 2>> index = [] {
    StringMap<SmallVector<const OperatorRow *, 2>> made;
    for (const OperatorRow &row : kRows)
      made[operatorName(row.domain, row.name)].push_back(&row);
    return made;
  }();
  auto found = index.find(operatorName(domain, name));
  if (found != index.end())
    for (const OperatorRow *row : found->second)
      if (row->first <= opset && opset <= row->last)
        return row;
  return nullptr;
}

SmallVector<DeclaredAttribute> declaredAttributes(const OperatorRow &row) {
  SmallVector<DeclaredAttribute> result;
  SmallVector<StringRef> words;
  row.attributes.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    DeclaredAttribute attribute;
    std::tie(attribute.name, word) = word.split(':');
    attribute.isRequired = word.consume_back("!");
    std::tie(attribute.kind, attribute.value) = word.split('=');
    result.push_back(attribute);
  }
  return result;
}

std::string operatorName(StringRef domain, StringRef name) {
  return domain.empty() ? name.str() : (domain + "::" + name).str();
}

std::string listOperators() {
  std::string text;
  raw_string_ostream os(text);
  for (const OperatorRow &row : kRows) {
    os << operatorName(row.domain, row.name) << " " << row.first;
    if (row.last != row.first)
      os << ".." << row.last;
    if (row.isRefused())
      os << ": refused, " << row.attributes;
    else if (!row.attributes.empty())
      os << ": " << row.attributes;
    os << "\n";
  }
  return text;
}

} // namespace symc::onnx
