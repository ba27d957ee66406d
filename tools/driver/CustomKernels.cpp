// CustomKernels.cpp: see CustomKernels.h.
#include "tools/driver/CustomKernels.h"

#include "codegen/emit/CustomKernels.h"
#include "codegen/emit/Link.h"
#include "codegen/emit/OneObject.h"
#include "codegen/kernel/KernelDialect.h"
#include "frontend/Diagnostics.h"
#include "ir/CustomOperators.h"
#include "tools/operators/OperatorLibrary.h"

#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

using namespace mlir;
using namespace symc;

// Objects as a shared library of a passing file, for what they describe.
static std::string openObjects(OperatorLibrary library, const std::string &resourceDir) {
  auto objects = codegen::readKernelObjects(library.objects, codegen::hostTriple());
  if (!objects)
    return llvm::toString(objects.takeError());
  llvm::SmallString<128> path;
  if (std::error_code failure = llvm::sys::fs::createTemporaryFile("symc-operators", "so", path))
    return "cannot write a temporary file: " + reasonOf(failure);
  llvm::FileRemover remover(path);
  codegen::LinkRequest request;
  request.form = codegen::LinkForm::SharedLibrary;
  request.triple = codegen::hostTriple().str();
  request.output = path.str().str();
  request.name = library.file;
  auto files = codegen::addInputs(request, *objects);
  if (!files)
    return llvm::toString(files.takeError());
  codegen::Resources resources(resourceDir, codegen::hostTriple());
  if (llvm::Error error = codegen::link(request, resources))
    return llvm::toString(std::move(error));
  return openOperators(path, std::move(library));
}

std::string symc::loadCustomOperators(llvm::StringRef text, const std::string &resourceDir) {
  llvm::SmallVector<llvm::StringRef> files;
  text.split(files, ',', -1, /*KeepEmpty=*/false);
  if (files.empty())
    return "--custom-op names no file";
  OperatorLibrary library;
  library.file = files.front().str();
  for (llvm::StringRef file : files) {
    llvm::file_magic kind;
    if (std::error_code failure = llvm::identify_magic(file, kind))
      return ("cannot read operators '" + file + "': ").str() + reasonOf(failure);
    if (kind == llvm::file_magic::elf_shared_object) {
      if (!library.path.empty())
        return ("'" + library.file + "' and '" + file +
                "' are both shared libraries; give each a --custom-op of its own")
            .str();
      llvm::SmallString<128> path(file);
      llvm::sys::fs::make_absolute(path);
      library.file = file.str();
      library.path = path.str().str();
    } else if (kind == llvm::file_magic::elf_relocatable || kind == llvm::file_magic::archive) {
      library.objects.push_back(file.str());
    } else {
      return ("'" + file + "' is no shared library, object file or archive of them").str();
    }
  }
  return library.path.empty() ? openObjects(std::move(library), resourceDir)
                              : openOperators(library.path, library);
}

//===----------------------------------------------------------------------===//
// Kernels that a module calls
//===----------------------------------------------------------------------===//

// By library, then by symbol.
using Kernels = std::map<size_t, std::map<std::string, const void *>>;

static Kernels kernelsOf(ModuleOp module) {
  Kernels kernels;
  std::set<StringRef> called;
  module.walk([&](kernel::CallOp call) {
    if (call.getCustom())
      called.insert(call.getSymbol());
  });
  auto add = [&](const sg::CustomOperator &op) {
    for (const auto *list : {&op.kernels, &op.trainingKernels})
      for (const sg::CustomOperator::Kernel &kernel : *list)
        if (called.count(kernel.symbol))
          kernels[op.library][kernel.symbol] = kernel.function;
  };
  for (const sg::OpName &name : sg::allOpNames())
    if (const sg::CustomOperator *op = called.empty() ? nullptr : sg::customOperator(*name.info)) {
      add(*op);
      if (const sg::CustomOperator *gradient = sg::customOperator(op->gradientName()))
        add(*gradient);
    }
  return kernels;
}

void symc::addCustomKernels(ModuleOp module, codegen::ModelInfo &info) {
  for (const auto &[number, symbols] : kernelsOf(module)) {
    const OperatorLibrary &library = operatorLibrary(number);
    std::vector<std::string> names;
    for (const auto &[symbol, function] : symbols)
      names.push_back(symbol);
    if (library.ofProcess()) {
      llvm::append_range(info.processKernels, names);
      continue;
    }
    if (!library.objects.empty()) {
      info.kernelObjects.push_back({library.objects, std::move(names)});
      continue;
    }
    codegen::LibraryInfo &opened = info.libraries.emplace_back();
    opened.ofCustomOperators = true;
    opened.name = llvm::sys::path::filename(library.path).str();
    opened.files = {opened.name, library.path};
    opened.functionsSymbol = info.prefix + "_operators_" + std::to_string(number);
    opened.symbols = std::move(names);
  }
}

void symc::useLoadedKernels(ModuleOp module, codegen::ModelInfo &info,
                            codegen::InProcessOptions &options) {
  for (const auto &[number, symbols] : kernelsOf(module))
    for (const auto &[symbol, function] : symbols)
      options.host.emplace_back(symbol, function);
  info.kernelObjects.clear();
  info.processKernels.clear();
  llvm::erase_if(info.libraries,
                 [](const codegen::LibraryInfo &one) { return one.ofCustomOperators; });
}
