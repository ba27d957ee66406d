// Resources.cpp: see Resources.h. Bitcode is read lazily: bodies that nobody
// calls are never parsed.
#include "codegen/emit/Resources.h"

#include "symc/generated/runtime_stamp.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace symc::codegen;

Error symc::codegen::emitError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

void symc::codegen::hideSymbol(GlobalValue &value) {
  if (value.hasLocalLinkage() || value.getName().starts_with("llvm."))
    return;
  if (auto *object = dyn_cast<GlobalObject>(&value))
    object->setComdat(nullptr);
  value.setVisibility(GlobalValue::DefaultVisibility);
  value.setLinkage(GlobalValue::InternalLinkage);
}

SmallVector<StringRef> symc::codegen::runtimeParts(const Module &module) {
  SmallVector<StringRef> parts;
  auto isMissing = [&](StringRef name) {
    const GlobalValue *value = module.getNamedValue(name);
    return value && value->isDeclaration();
  };
  if (isMissing("symc_cuda_device"))
    parts.push_back("cuda");
  if (isMissing("symc_open_picture"))
    parts.push_back("pictures");
  if (isMissing("symc_decode_image"))
    parts.push_back("images");
  if (isMissing("symc_train_work"))
    parts.push_back("train");
  parts.push_back("core");
  return parts;
}

Resources::Resources(StringRef folder, StringRef triple) {
  SmallString<128> path(folder);
  sys::path::append(path, triple);
  this->folder = path.str().str();
}

Error Resources::checkStamp() const {
  Expected<std::string> path = pathOf("stamp");
  if (!path)
    return path.takeError();
  auto file = MemoryBuffer::getFile(*path);
  if (!file)
    return emitError("cannot read resource '" + *path + "': " + file.getError().message());
  if ((*file)->getBuffer().trim() == SYMC_RUNTIME_STAMP)
    return Error::success();
  return emitError("the resources in '" + folder +
                   "' are of another build of symc than this "
                   "program: build the target symc-resources or install symc again");
}

Expected<std::string> Resources::find(StringRef name) const {
  Expected<std::string> path = pathOf(name);
  if (path)
    if (Error error = checkStamp())
      return std::move(error);
  return path;
}

Expected<std::string> Resources::pathOf(StringRef name) const {
  SmallString<128> path(folder);
  sys::path::append(path, name);
  if (!sys::fs::exists(path))
    return emitError("resource '" + path +
                     "' does not exist; symc's folder share/symc must be complete: build the "
                     "target symc-resources or install symc again");
  return path.str().str();
}

Error Resources::linkNeeded(Module &module, ArrayRef<StringRef> parts) const {
  StringSet<> own;
  for (GlobalValue &value : module.global_values())
    if (!value.isDeclaration())
      own.insert(value.getName());
  bool linked = false;
  for (StringRef part : parts) {
    SmallString<128> path(folder);
    sys::path::append(path, part + ".bc");
    if (!sys::fs::exists(path))
      continue;
    if (Error error = checkStamp())
      return error;
    SMDiagnostic diagnostic;
    std::unique_ptr<Module> source = getLazyIRFileModule(path, diagnostic, module.getContext());
    if (!source)
      return emitError("resource '" + path + "' is no bitcode of LLVM " LLVM_VERSION_STRING ": " +
                       diagnostic.getMessage());
    source->setDataLayout(module.getDataLayout());
    source->setTargetTriple(module.getTargetTriple());
    if (Linker::linkModules(module, std::move(source), Linker::LinkOnlyNeeded))
      return emitError("internal error: resource '" + path + "' does not link with the model");
    linked = true;
  }
  if (linked)
    for (GlobalValue &value : module.global_values())
      if (!value.isDeclaration() && !own.contains(value.getName()))
        hideSymbol(value);
  return Error::success();
}
