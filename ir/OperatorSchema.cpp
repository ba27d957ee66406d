// OperatorSchema.cpp: see OperatorSchema.h.
#include "ir/OperatorSchema.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace symc::sg;

static constexpr std::pair<ParamKind, StringLiteral> kTypes[] = {
    {ParamKind::Int, "int"},       {ParamKind::Uint, "uint"},  {ParamKind::Float, "float"},
    {ParamKind::Double, "double"}, {ParamKind::Bool, "bool"},  {ParamKind::Tuple, "Shape"},
    {ParamKind::Floats, "Floats"}, {ParamKind::String, "str"},
};

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static std::string textOf(const OperatorSchema::Tensor &tensor) {
  return std::string("Tensor") + (tensor.kind == ValueKind::Variadic ? "[]" : "") +
         (tensor.auxiliary ? "!" : "") + (tensor.kind == ValueKind::Optional ? "?" : "") + " " +
         tensor.name;
}

static std::string textOf(const OperatorSchema::Parameter &parameter) {
  std::string type = "{" + join(parameter.values, "|") + "}";
  for (const auto &[kind, name] : kTypes)
    if (kind == parameter.kind)
      type = name.str();
  std::string text = type + (parameter.optional ? "? " : " ") + parameter.name;
  if (!parameter.defaultText)
    return text;
  bool quoted = parameter.kind == ParamKind::String && *parameter.defaultText != "None";
  return text + "=" + (quoted ? "'" + *parameter.defaultText + "'" : *parameter.defaultText);
}

std::string OperatorSchema::str() const {
  std::vector<std::string> parts, results;
  for (const Tensor &input : inputs)
    parts.push_back(textOf(input));
  if (!parameters.empty())
    parts.push_back("*");
  for (const Parameter &parameter : parameters)
    parts.push_back(textOf(parameter));
  for (const Tensor &output : outputs)
    results.push_back(textOf(output));
  std::string result = "(" + join(results, ", ") + ")";
  if (outputs.size() == 1)
    result = StringRef(results[0]).str();
  if (result == "Tensor output")
    result = "Tensor";
  return name + "(" + join(parts, ", ") + ") -> " + result;
}

OperatorSchema symc::sg::schemaOf(const OpName &name) {
  OperatorSchema schema;
  schema.name = name.name.str();
  for (const ValueInfo &value : name.info->operands)
    schema.inputs.push_back({name.inputName(value.name).str(), value.kind, value.auxiliary});
  for (const ValueInfo &value : name.info->results)
    schema.outputs.push_back({value.name.str(), value.kind, false});
  for (const ParamInfo &param : name.info->params) {
    bool fixed = any_of(name.presets,
                        [&](StringRef preset) { return preset.split('=').first == param.name; });
    if (param.internal || fixed)
      continue;
    OperatorSchema::Parameter &made = schema.parameters.emplace_back();
    made.name = param.name.str();
    made.kind = param.kind;
    made.optional = param.optional || param.acceptsNone;
    made.values.assign(param.enumNames.begin(), param.enumNames.end());
    if (param.defaultText)
      made.defaultText = param.defaultText;
    else if (param.optional)
      made.defaultText = "None";
  }
  return schema;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

// Takes a schema apart from left to right; the first mistake stays.
class Reader {
public:
  Reader(StringRef text, std::string &message) : rest(text), message(message) {}

  std::optional<OperatorSchema> read() {
    OperatorSchema schema;
    schema.name = word().str();
    expect("(");
    for (bool parameters = false; !failed && !accept(")");) {
      if (accept("*"))
        parameters = true;
      else if (parameters)
        schema.parameters.push_back(parameter());
      else
        schema.inputs.push_back(tensor(""));
      if (!rest.starts_with(")"))
        expect(",");
    }
    expect("->");
    if (accept("(")) {
      while (!failed && !accept(")")) {
        schema.outputs.push_back(tensor(""));
        if (!rest.starts_with(")"))
          expect(",");
      }
    } else {
      schema.outputs.push_back(tensor("output"));
    }
    if (!failed && !rest.empty())
      fail("the end");
    return failed ? std::nullopt : std::optional(std::move(schema));
  }

private:
  void fail(StringRef wanted) {
    if (!failed)
      message = ("the schema needs " + wanted + " before '" + rest.take_front(20) + "'").str();
    failed = true;
  }
  bool accept(StringRef token) {
    bool found = !failed && rest.consume_front(token);
    rest = rest.ltrim();
    return found;
  }
  void expect(StringRef token) {
    if (!accept(token))
      fail(("'" + token + "'").str());
  }
  StringRef word(StringRef otherwise = "") {
    StringRef found = rest.take_while([](char c) { return isAlnum(c) || c == '_'; });
    rest = rest.drop_front(found.size()).ltrim();
    if (found.empty() && otherwise.empty())
      fail("a name");
    return found.empty() ? otherwise : found;
  }

  OperatorSchema::Tensor tensor(StringRef otherwise) {
    expect("Tensor");
    OperatorSchema::Tensor made;
    made.kind = accept("[]") ? ValueKind::Variadic : ValueKind::Single;
    made.auxiliary = accept("!");
    if (accept("?"))
      made.kind = ValueKind::Optional;
    made.name = word(otherwise).str();
    return made;
  }

  OperatorSchema::Parameter parameter() {
    OperatorSchema::Parameter made;
    if (accept("{")) {
      made.kind = ParamKind::Enum;
      size_t end = rest.find('}');
      if (end == StringRef::npos)
        fail("'}'");
      SmallVector<StringRef> values;
      rest.take_front(failed ? 0 : end).split(values, '|');
      made.values.assign(values.begin(), values.end());
      rest = rest.drop_front(failed ? 0 : end + 1);
    } else {
      StringRef at = rest, type = word();
      auto found = find_if(kTypes, [&](const auto &row) { return row.second == type; });
      if (found == std::end(kTypes)) {
        rest = at;
        fail("a type");
        return made;
      }
      made.kind = found->first;
    }
    made.optional = accept("?");
    rest = rest.ltrim();
    made.name = word().str();
    if (accept("="))
      made.defaultText = value();
    return made;
  }

  // Up to the comma or the parenthesis that ends it; what stands in quotes without them.
  std::string value() {
    if (rest.starts_with("'")) {
      size_t end = rest.find('\'', 1);
      if (end == StringRef::npos)
        return fail("a closing quote"), "";
      std::string text = rest.substr(1, end - 1).str();
      rest = rest.drop_front(end + 1).ltrim();
      return text;
    }
    int depth = 0;
    size_t end = 0;
    for (; end < rest.size(); ++end) {
      char c = rest[end];
      if (depth == 0 && (c == ',' || c == ')'))
        break;
      depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    }
    StringRef text = rest.take_front(end).rtrim();
    rest = rest.drop_front(end);
    return text.str();
  }

  StringRef rest;
  std::string &message;
  bool failed = false;
};

} // namespace

std::optional<OperatorSchema> OperatorSchema::parse(StringRef text, std::string &message) {
  return Reader(text.trim(), message).read();
}
