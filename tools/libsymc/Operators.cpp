// Operators.cpp: the op table for other languages, and the library's version and errors.
#include "Library.h"
#include "ir/GraphDialect.h"
#include "ir/OpTable.h"
#include "tools/driver/MxnetVariables.h"
#include "tools/operators/OperatorLibrary.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

using namespace symc;
using namespace symc::library;

static void write(llvm::json::OStream &json, llvm::StringRef key,
                  llvm::ArrayRef<sg::ValueInfo> values, const sg::OpName *taker) {
  json.attributeArray(key, [&] {
    for (const sg::ValueInfo &value : values)
      json.object([&] {
        json.attribute("name", taker ? taker->inputName(value.name) : value.name);
        json.attribute("kind", value.kind == sg::ValueKind::Single     ? "single"
                               : value.kind == sg::ValueKind::Optional ? "optional"
                                                                       : "variadic");
        json.attribute("auxiliary", value.auxiliary);
      });
  });
}

static const char *textOf(sg::ParamKind kind) {
  switch (kind) {
  case sg::ParamKind::Int:
    return "int";
  case sg::ParamKind::Uint:
    return "unsigned int";
  case sg::ParamKind::Float:
    return "float";
  case sg::ParamKind::Double:
    return "double";
  case sg::ParamKind::Bool:
    return "bool";
  case sg::ParamKind::Enum:
    return "enum";
  case sg::ParamKind::Tuple:
    return "tuple of int";
  case sg::ParamKind::Floats:
    return "tuple of float";
  case sg::ParamKind::String:
    return "string";
  }
  return "";
}

static void write(llvm::json::OStream &json, const sg::ParamInfo &param) {
  auto orNull = [&](llvm::StringRef key, const char *text) {
    json.attribute(key, text ? llvm::json::Value(text) : llvm::json::Value(nullptr));
  };
  json.object([&] {
    json.attribute("name", param.name);
    json.attribute("kind", textOf(param.kind));
    orNull("default", param.defaultText);
    json.attribute("optional", param.optional || param.acceptsNone);
    orNull("min", param.min);
    orNull("max", param.max);
    json.attributeArray("values", [&] {
      for (const char *value : param.enumNames)
        json.value(value);
    });
    json.attribute("doc", param.doc);
  });
}

static void write(llvm::json::OStream &json, const sg::OpName &name, mlir::MLIRContext &context) {
  const sg::OpInfo &info = *name.info;
  auto operation = mlir::RegisteredOperationName::lookup(info.mlirName, &context);
  json.attributeObject(name.name, [&] {
    json.attribute("name", name.canonical);
    json.attribute("summary", info.summary);
    json.attribute("description", info.description);
    write(json, "inputs", info.operands, &name);
    write(json, "outputs", info.results, nullptr);
    json.attribute("counter", info.variadicCount);
    json.attribute("draws", operation && operation->hasInterface<sg::DrawsNumbersInterface>());
    json.attributeArray("updates", [&] {
      for (const char *operand : info.updates)
        json.value(name.inputName(operand));
    });
    json.attributeArray("presets", [&] {
      for (const char *preset : name.presets)
        json.value(preset);
    });
    json.attributeArray("parameters", [&] {
      for (const sg::ParamInfo &param : info.params)
        if (!param.internal)
          write(json, param);
    });
  });
}

extern "C" const char *symc_compiler_environment(void) {
  returned().text = llvm::join(mxnetNotes(MxnetPlace::Python), "\n");
  return returned().text.c_str();
}

extern "C" const char *symc_compiler_error(void) { return returned().error.c_str(); }

extern "C" const char *symc_compiler_version(void) { return SYMC_VERSION; }

extern "C" int symc_list_operators(size_t *count, const char *const **names) {
  if (!count || !names)
    return failNull(count ? "names" : "count");
  Returned &back = returned();
  back.texts.clear();
  for (const sg::OpName &name : sg::allOpNames())
    back.texts.push_back(name.name.str());
  *count = back.texts.size();
  *names = back.list();
  return 0;
}

extern "C" int symc_load_operators(const char *path) {
  if (!path)
    return failNull("path");
  llvm::SmallString<128> absolute(path);
  llvm::sys::fs::make_absolute(absolute);
  llvm::file_magic kind;
  if (std::error_code failure = llvm::identify_magic(absolute, kind))
    return fail(("cannot read operators '" + llvm::Twine(path) + "': ").str() + reasonOf(failure));
  if (kind != llvm::file_magic::elf_shared_object)
    return fail(("'" + llvm::Twine(path) + "' is no shared library").str());
  std::string mistake = openOperators(absolute, {path, absolute.str().str(), {}});
  return mistake.empty() ? 0 : fail(mistake);
}

extern "C" int symc_add_operators(const symc_op_library *library) {
  if (!library)
    return failNull("library");
  std::string mistake = addOperators(library);
  return mistake.empty() ? 0 : fail(mistake);
}

extern "C" int symc_operator_table(const char **json) {
  if (!json)
    return failNull("json");
  Returned &back = returned();
  back.text.clear();
  llvm::raw_string_ostream os(back.text);
  llvm::json::OStream out(os);
  Library::Access library;
  out.object([&] {
    for (const sg::OpName &name : sg::allOpNames())
      write(out, name, library->context);
  });
  *json = back.text.c_str();
  return 0;
}
