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
  Reader(StringRef text, std::string &message) : all(text), rest(text.trim()), message(message) {}

  std::optional<OperatorSchema> read() {
    OperatorSchema schema;
    schema.name = name().str();
    expect("(");
    if (!accept(")"))
      readInputs(schema);
    expect("->");
    if (!accept("("))
      schema.outputs.push_back(tensor("output"));
    else if (!accept(")"))
      readList([&] { schema.outputs.push_back(tensor("")); });
    if (!failed && !rest.empty())
      fail("the end");
    return failed ? std::nullopt : std::optional(std::move(schema));
  }

private:
  size_t column() const { return rest.data() - all.data() + 1; }

  void fail(StringRef wanted) {
    if (!failed)
      message = ("column " + Twine(column()) + ": needs " + wanted +
                 (rest.empty() ? Twine(" at the end") : " before '" + rest.take_front(20) + "'"))
                    .str();
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
  StringRef word() {
    StringRef found = rest.take_while([](char c) { return isAlnum(c) || c == '_'; });
    rest = rest.drop_front(found.size()).ltrim();
    return found;
  }
  StringRef name() {
    StringRef at = rest, found = word();
    if (!found.empty() && !isDigit(found.front()))
      return found;
    rest = at;
    fail("a name");
    return "";
  }

  // Items between commas, up to the parenthesis that ends them.
  void readList(function_ref<void()> item) {
    do {
      item();
      if (failed || accept(")"))
        return;
      expect(",");
    } while (!failed);
  }

  void readInputs(OperatorSchema &schema) {
    bool parameters = false;
    readList([&] {
      if (!parameters && accept("*")) {
        parameters = true;
        expect(",");
      }
      if (parameters)
        schema.parameters.push_back(parameter());
      else
        schema.inputs.push_back(tensor(""));
    });
  }

  OperatorSchema::Tensor tensor(StringRef otherwise) {
    OperatorSchema::Tensor made;
    made.column = column();
    StringRef at = rest;
    if (word() != "Tensor") {
      rest = at;
      fail("'Tensor'");
    }
    made.kind = accept("[]") ? ValueKind::Variadic : ValueKind::Single;
    made.auxiliary = accept("!");
    if (accept("?"))
      made.kind = ValueKind::Optional;
    bool isNamed = !rest.empty() && (isAlnum(rest.front()) || rest.front() == '_');
    made.name = isNamed || otherwise.empty() ? name().str() : otherwise.str();
    return made;
  }

  void readValues(std::vector<std::string> &values) {
    do {
      StringRef at = rest, text = rest.take_until([](char c) { return c == '|' || c == '}'; });
      rest = rest.drop_front(text.size());
      if (text.trim().empty()) {
        rest = at;
        return fail("a value");
      }
      values.push_back(text.trim().str());
    } while (accept("|"));
    expect("}");
  }

  OperatorSchema::Parameter parameter() {
    OperatorSchema::Parameter made;
    made.column = column();
    if (accept("{")) {
      made.kind = ParamKind::Enum;
      readValues(made.values);
    } else {
      StringRef at = rest, type = word();
      auto found = find_if(kTypes, [&](const auto &row) { return row.second == type; });
      if (found == std::end(kTypes)) {
        rest = at;
        fail("a type (int, uint, float, double, bool, str, Shape, Floats or {a|b})");
        return made;
      }
      made.kind = found->first;
    }
    made.optional = accept("?");
    made.name = name().str();
    if (accept("=")) {
      made.defaultColumn = column();
      made.defaultText = value();
    }
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
    if (text.empty())
      fail("a value");
    rest = rest.drop_front(end);
    return text.str();
  }

  StringRef all, rest;
  std::string &message;
  bool failed = false;
};

} // namespace

std::optional<OperatorSchema> OperatorSchema::parse(StringRef text, std::string &message) {
  return Reader(text, message).read();
}
