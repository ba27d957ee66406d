// InProcess.cpp: see InProcess.h.
#include "codegen/emit/InProcess.h"

#include "codegen/emit/ModelTable.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace symc::codegen;

InProcess::InProcess() = default;
InProcess::~InProcess() = default;

StringRef symc::codegen::hostTriple() {
#if defined(__x86_64__)
  return "x86_64-linux-gnu";
#else
  return "none"; // no code runs here: Code::optimise reports it
#endif
}

Expected<void *> InProcess::find(StringRef name) {
  Expected<orc::ExecutorAddr> address = jit->lookup(name);
  if (!address) {
    std::string reason = toString(address.takeError());
    return emitError("cannot load '" + name + "': " + (problems->empty() ? reason : *problems));
  }
  return address->toPtr<void *>();
}

Expected<std::unique_ptr<InProcess>>
symc::codegen::loadObjects(ArrayRef<FileBytes> objects,
                           ArrayRef<std::pair<std::string, const void *>> symbols,
                           StringRef builtins) {
  orc::JITTargetMachineBuilder machine{Triple(Triple::normalize(hostTriple()))};
  orc::LLJITBuilder builder;
  builder.setJITTargetMachineBuilder(machine);
  builder.setPlatformSetUp(orc::setUpInactivePlatform); // no constructors, no unwinding
  builder.setObjectLinkingLayerCreator(
      [](orc::ExecutionSession &session) -> Expected<std::unique_ptr<orc::ObjectLayer>> {
        return std::make_unique<orc::ObjectLinkingLayer>(session);
      });
  Expected<std::unique_ptr<orc::LLJIT>> jit = builder.create();
  if (!jit)
    return jit.takeError();
  auto problems = std::make_shared<std::string>();
  (*jit)->getExecutionSession().setErrorReporter([problems](Error error) {
    if (problems->empty())
      *problems = toString(std::move(error));
    else
      consumeError(std::move(error));
  });
  orc::JITDylib &main = (*jit)->getMainJITDylib();
  orc::SymbolMap absolute;
  for (const auto &[name, address] : symbols)
    absolute[(*jit)->mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(address),
                                               JITSymbolFlags::Exported};
  if (!absolute.empty())
    if (Error error = main.define(orc::absoluteSymbols(std::move(absolute))))
      return std::move(error);
  // Calls that only code generation makes: conversions of 16-bit floats.
  if (!builtins.empty() && sys::fs::exists(builtins)) {
    auto archive = orc::StaticLibraryDefinitionGenerator::Load((*jit)->getObjLinkingLayer(),
                                                               builtins.str().c_str());
    if (!archive)
      return archive.takeError();
    main.addGenerator(std::move(*archive));
  }
  for (auto [i, bytes] : llvm::enumerate(objects)) {
    auto object =
        MemoryBuffer::getMemBufferCopy(StringRef(bytes.data(), bytes.size()), "part" + Twine(i));
    if (Error error = (*jit)->addObjectFile(std::move(object)))
      return std::move(error);
  }
  std::unique_ptr<InProcess> result(new InProcess);
  result->problems = problems;
  result->jit = std::move(*jit);
  return std::move(result);
}

static std::string builtinsOf(const InProcessOptions &options) {
  return options.resourceDir.empty()
             ? ""
             : options.resourceDir + "/" + hostTriple().str() + "/builtins.a";
}

// Takes what `host` lacks from bitcode, generates objects and loads them.
static Expected<std::unique_ptr<InProcess>>
load(Code &code, ArrayRef<std::string> visible, const InProcessOptions &options,
     ArrayRef<std::pair<std::string, const void *>> more) {
  std::vector<std::pair<std::string, const void *>> symbols(options.host);
  symbols.insert(symbols.end(), more.begin(), more.end());
  std::string builtins;
  if (!options.resourceDir.empty()) {
    Resources resources(options.resourceDir, hostTriple());
    // A declaration of another name hides what the host provides from the linker.
    std::vector<std::pair<GlobalValue *, std::string>> hidden;
    auto hide = [&] {
      for (const auto &[name, address] : symbols) {
        GlobalValue *value = code.module().getNamedValue(name);
        if (value && value->isDeclaration() && !code.module().getNamedValue("host." + name)) {
          value->setName("host." + name);
          hidden.emplace_back(value, name);
        }
      }
    };
    hide();
    if (Error error = code.addKernels(resources))
      return std::move(error);
    hide(); // what kernels alone take of the host
    if (Error error = resources.linkNeeded(code.module(), runtimeParts(code.module())))
      return std::move(error);
    for (auto &[value, name] : hidden) {
      if (GlobalValue *linked = code.module().getNamedValue(name)) { // used by a kernel, too
        value->replaceAllUsesWith(linked);
        value->eraseFromParent();
      } else {
        value->setName(name);
      }
    }
    builtins = builtinsOf(options);
  }
  if (Error error = code.optimise(visible))
    return std::move(error);
  Expected<std::vector<FileBytes>> objects = code.objects();
  if (!objects)
    return objects.takeError();
  if (options.onObjects)
    options.onObjects(*objects);
  return loadObjects(*objects, symbols, builtins);
}

Expected<std::unique_ptr<InProcess>> symc::codegen::loadCode(Code &code,
                                                             ArrayRef<std::string> visible,
                                                             const InProcessOptions &options) {
  return load(code, visible, options, {});
}

namespace symc::codegen {
struct ModelLoader {
  static Error setTable(InProcess &loaded, StringRef prefix) {
    Expected<void *> table = loaded.find((prefix + "_model").str());
    if (!table)
      return table.takeError();
    loaded.table = static_cast<const symc_model *>(*table);
    return Error::success();
  }
};
} // namespace symc::codegen

Expected<std::unique_ptr<InProcess>> symc::codegen::loadModel(Code &code, const ModelInfo &model,
                                                              const uint8_t *weights,
                                                              uint64_t weightsBytes, uint64_t hash,
                                                              const InProcessOptions &options) {
  WeightsInfo info;
  std::pair<std::string, const void *> more(weightsSymbol(model), weights);
  if (weightsBytes > 0) {
    info.place = weights ? WeightsInfo::Embedded : WeightsInfo::Extern;
    info.bytes = weightsBytes;
    info.hash = hash;
  }
  std::vector<std::string> visible = addModelTable(code.module(), model, info, Interface::Table);
  auto extra = info.place == WeightsInfo::Embedded
                   ? ArrayRef(more)
                   : ArrayRef<std::pair<std::string, const void *>>();
  Expected<std::unique_ptr<InProcess>> loaded = load(code, visible, options, extra);
  if (!loaded)
    return loaded.takeError();
  if (Error error = ModelLoader::setTable(**loaded, model.prefix))
    return std::move(error);
  return std::move(*loaded);
}

Expected<std::unique_ptr<InProcess>> symc::codegen::loadKept(ArrayRef<FileBytes> objects,
                                                             StringRef prefix,
                                                             const uint8_t *weights,
                                                             const InProcessOptions &options) {
  ModelInfo model;
  model.prefix = prefix.str();
  std::vector<std::pair<std::string, const void *>> symbols(options.host);
  if (weights)
    symbols.emplace_back(weightsSymbol(model), weights);
  Expected<std::unique_ptr<InProcess>> loaded = loadObjects(objects, symbols, builtinsOf(options));
  if (!loaded)
    return loaded.takeError();
  if (Error error = ModelLoader::setTable(**loaded, prefix))
    return std::move(error);
  return std::move(*loaded);
}
