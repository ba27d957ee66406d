// CustomKernels.cpp: see CustomKernels.h.
#include "codegen/emit/CustomKernels.h"

#include "codegen/emit/OneObject.h"
#include "codegen/emit/Resources.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace symc::codegen;

static Error addObject(MemoryBufferRef buffer, const Twine &shown, StringRef triple,
                       std::vector<FileBytes> &objects) {
  auto object = object::ObjectFile::createELFObjectFile(buffer);
  if (!object) {
    consumeError(object.takeError());
    return emitError("'" + shown + "' is no object file of machine code");
  }
  if (!(*object)->isRelocatableObject() ||
      (*object)->getArch() != Triple(Triple::normalize(triple)).getArch())
    return emitError("'" + shown + "' is no object file for '" + triple + "'");
  objects.emplace_back(buffer.getBuffer().begin(), buffer.getBuffer().end());
  return Error::success();
}

static Error addArchive(MemoryBufferRef buffer, StringRef file, StringRef triple,
                        std::vector<FileBytes> &objects) {
  Expected<std::unique_ptr<object::Archive>> archive = object::Archive::create(buffer);
  if (!archive)
    return emitError("'" + file + "': " + toString(archive.takeError()));
  Error wrong = Error::success();
  for (const object::Archive::Child &child : (*archive)->children(wrong)) {
    Expected<MemoryBufferRef> member = child.getMemoryBufferRef();
    Error error = member ? addObject(*member, file + "(" + member->getBufferIdentifier() + ")",
                                     triple, objects)
                         : member.takeError();
    if (error) {
      consumeError(std::move(wrong));
      return error;
    }
  }
  return wrong;
}

Expected<std::vector<FileBytes>> symc::codegen::readKernelObjects(ArrayRef<std::string> files,
                                                                  StringRef triple) {
  std::vector<FileBytes> objects;
  for (const std::string &file : files) {
    auto buffer = MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!buffer)
      return emitError("cannot read '" + file + "': " + buffer.getError().message());
    StringRef bytes = (*buffer)->getBuffer();
    bool isArchive = bytes.starts_with("!<arch>\n") || bytes.starts_with("!<thin>\n");
    MemoryBufferRef whole = (*buffer)->getMemBufferRef();
    if (Error error = isArchive ? addArchive(whole, file, triple, objects)
                                : addObject(whole, file, triple, objects))
      return std::move(error);
  }
  return objects;
}

Expected<FileBytes> symc::codegen::joinKernelObjects(const KernelObjects &kernels,
                                                     LinkRequest request,
                                                     const Resources &resources) {
  auto objects = readKernelObjects(kernels.files, request.triple);
  if (!objects)
    return objects.takeError();
  request.form = LinkForm::Relocatable;
  request.withoutGroups = true; // whose members would be left out for another library's
  auto inputs = addInputs(request, *objects);
  if (!inputs)
    return inputs.takeError();
  if (Error error = link(request, resources))
    return std::move(error);
  auto joined = object::ObjectFile::createObjectFile(request.output);
  if (!joined)
    return joined.takeError();
  objcopy::ConfigManager config;
  objcopy::NameMatcher hidden;
  auto failing = [](Error error) { return error; };
  for (const std::string &symbol : kernels.symbols)
    for (objcopy::NameMatcher *matcher : {&config.Common.SymbolsToKeepGlobal, &hidden})
      if (Error error = matcher->addMatcher(
              objcopy::NameOrPattern::create(symbol, objcopy::MatchStyle::Literal, failing)))
        return std::move(error);
  config.ELF.SymbolsToSetVisibility.emplace_back(std::move(hidden), uint8_t(ELF::STV_HIDDEN));
  FileBytes bytes;
  raw_svector_ostream os(bytes);
  if (Error error = objcopy::executeObjcopyOnBinary(config, *joined->getBinary(), os))
    return std::move(error);
  return bytes;
}

void symc::codegen::defineOpenedKernels(Module &module, const ModelInfo &model) {
  Type *pointer = PointerType::getUnqual(module.getContext());
  for (const LibraryInfo &library : model.libraries) {
    if (!library.ofCustomOperators)
      continue;
    auto *type = ArrayType::get(pointer, library.symbols.size());
    auto *functions =
        new GlobalVariable(module, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
                           ConstantAggregateZero::get(type), library.functionsSymbol);
    for (auto [i, symbol] : enumerate(library.symbols)) {
      Function *kernel = module.getFunction(symbol);
      if (!kernel || !kernel->isDeclaration())
        continue;
      kernel->setLinkage(GlobalValue::InternalLinkage);
      IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", kernel));
      Value *address =
          builder.CreateLoad(pointer, builder.CreateConstInBoundsGEP2_64(type, functions, 0, i));
      builder.CreateRet(
          builder.CreateCall(kernel->getFunctionType(), address, {kernel->getArg(0)}));
    }
  }
}
