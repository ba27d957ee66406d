// make_operators_header.cpp: writes symc/operators.hpp, the C++ functions of all operators that
// have a name of their own in MXNet's modules, from the compiler's table.
//
//   struct ConvolutionOptions { Tuple kernel; ...; std::string name; ... };
//   inline Symbol Convolution(const Symbol &data, const ConvolutionOptions &options = {});
//   inline Symbol Convolution(const Symbol &data, const Symbol &weight, ...);
//
// Inputs go by position; those that are left out get variables, or go by name in `inputs`.
#include "ir/OpTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ToolOutputFile.h"
#include <map>

using namespace symc::sg;
using llvm::StringRef;

static std::string identifier(StringRef name) {
  static const llvm::StringSet<> keywords = {
      "and",      "auto",   "bool",   "break",  "case",       "char",     "class", "const",
      "default",  "delete", "do",     "double", "else",       "enum",     "float", "for",
      "if",       "int",    "long",   "name",   "new",        "not",      "or",    "register",
      "short",    "signed", "static", "struct", "switch",     "template", "this",  "union",
      "unsigned", "using",  "void",   "xor",    "attributes", "inputs"};
  return name.str() + (keywords.contains(name) ? "_" : "");
}

static StringRef typeOf(ParamKind kind) {
  switch (kind) {
  case ParamKind::Int:
  case ParamKind::Uint:
    return "std::optional<int64_t>";
  case ParamKind::Float:
  case ParamKind::Double:
    return "std::optional<double>";
  case ParamKind::Bool:
    return "std::optional<bool>";
  case ParamKind::Tuple:
    return "Tuple<int64_t>";
  case ParamKind::Floats:
    return "Tuple<double>";
  case ParamKind::Enum:
  case ParamKind::String:
    return "std::optional<std::string>";
  }
  return "";
}

namespace {

// The functions of one namespace; options are shared by names of the same meaning.
class Writer {
public:
  explicit Writer(llvm::raw_ostream &os) : os(os) {}

  void write(const OpName &name, StringRef function) {
    const OpInfo &info = *name.info;
    std::vector<const ParamInfo *> params;
    for (const ParamInfo &param : info.params)
      if (!param.internal && !llvm::any_of(name.presets, [&](StringRef preset) {
            return preset.split('=').first == param.name;
          }))
        params.push_back(&param);
    std::string &options = structs[{name.info, llvm::join(name.presets, ",")}];
    if (options.empty()) {
      options = identifier(function) + "Options";
      writeOptions(options, info, params);
    }
    bool variadic = llvm::any_of(
        info.operands, [](const ValueInfo &value) { return value.kind == ValueKind::Variadic; });
    os << "/// " << info.summary << ".\n";
    if (variadic)
      writeFunction(name, function, options, "const std::vector<Symbol> &data", "data",
                    info.variadicCount);
    for (size_t count = variadic                ? info.operands.size() + 1
                        : info.operands.empty() ? 0
                                                : 1;
         count <= info.operands.size(); ++count) {
      std::string declared, given;
      for (const ValueInfo &value : info.operands.take_front(count)) {
        declared += (declared.empty() ? "const Symbol &" : ", const Symbol &") +
                    identifier(name.inputName(value.name));
        given += (given.empty() ? "" : ", ") + identifier(name.inputName(value.name));
      }
      writeFunction(name, function, options, declared, "{" + given + "}", "");
    }
    os << '\n';
  }

private:
  void writeOptions(const std::string &name, const OpInfo &info,
                    llvm::ArrayRef<const ParamInfo *> params) {
    os << "struct " << name << " {\n";
    for (const ParamInfo *param : params) {
      os << "  " << typeOf(param->kind) << ' ' << identifier(param->name) << " = {}; // ";
      if (!param->enumNames.empty())
        os << llvm::join(param->enumNames, ", ") << "; ";
      if (param->defaultText)
        os << "default " << param->defaultText;
      else
        os << (param->optional ? "may be left out" : "must be given");
      os << '\n';
    }
    os << "  std::string name = {};\n  Attributes attributes = {}; // further ones\n"
          "  std::vector<std::pair<std::string, Symbol>> inputs = {}; // by name\n\n"
          "  Attributes all() const {\n    Attributes texts = attributes;\n";
    for (const ParamInfo *param : params)
      os << "    detail::put(texts, \"" << param->name << "\", " << identifier(param->name)
         << ");\n";
    os << "    return texts;\n  }\n};\n";
  }

  void writeFunction(const OpName &name, StringRef function, const std::string &options,
                     const std::string &declared, const std::string &given, StringRef counter) {
    os << "inline Symbol " << identifier(function) << '(' << declared
       << (declared.empty() ? "" : ", ") << "const " << options << " &options = {}) {\n";
    std::string attributes = "options.all()";
    if (!counter.empty()) {
      os << "  Attributes texts = options.all();\n  texts.emplace(\"" << counter
         << "\", std::to_string(data.size() + options.inputs.size()));\n";
      attributes = "texts";
    }
    os << "  return Symbol::apply(\"" << name.name << "\", " << attributes << ", options.name, "
       << given << ", options.inputs, \"" << function << "\");\n}\n";
  }

  llvm::raw_ostream &os;
  std::map<std::pair<const OpInfo *, std::string>, std::string> structs;
};

} // namespace

int main(int argc, char **argv) {
  std::error_code failure;
  llvm::ToolOutputFile file(argc == 2 ? argv[1] : "", failure, llvm::sys::fs::OpenFlags::OF_None);
  if (failure) {
    llvm::errs() << "make_operators_header: " << failure.message() << '\n';
    return 1;
  }
  llvm::raw_ostream &os = file.os();
  os << "// operators.hpp: functions of all operators, generated from the compiler's table.\n"
        "#ifndef SYMC_OPERATORS_HPP\n#define SYMC_OPERATORS_HPP\n\n#include "
        "\"symc/symbol.hpp\"\n\n";
  for (StringRef part : {"", "contrib", "linalg", "random", "image", "np", "npx"}) {
    std::string prefix = part.empty() ? "" : ("_" + part + "_").str();
    os << "namespace symc::op" << (part.empty() ? "" : "::") << part << " {\n\n";
    Writer writer(os);
    for (const OpName &name : allOpNames())
      if (part.empty() ? !name.name.starts_with("_") : name.name.starts_with(prefix))
        writer.write(name, name.name.drop_front(prefix.size()));
    os << "} // namespace symc::op" << (part.empty() ? "" : "::") << part << "\n\n";
  }
  os << "#endif // SYMC_OPERATORS_HPP\n";
  file.keep();
  return 0;
}
