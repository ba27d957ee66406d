// OneObject.cpp: see OneObject.h.
#include "codegen/emit/OneObject.h"

#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace symc::codegen;

Expected<std::vector<UnnamedFile>> symc::codegen::addInputs(LinkRequest &request,
                                                            ArrayRef<FileBytes> objects) {
  std::vector<UnnamedFile> files;
  for (const FileBytes &bytes : objects) {
    Expected<UnnamedFile> file = UnnamedFile::inMemory(StringRef(bytes.data(), bytes.size()));
    if (!file)
      return file.takeError();
    request.inputs.push_back(file->path());
    files.push_back(std::move(*file));
  }
  return std::move(files);
}

Expected<FileBytes> symc::codegen::oneObject(ArrayRef<FileBytes> objects,
                                             ArrayRef<std::string> parts,
                                             ArrayRef<std::string> visible, LinkRequest request,
                                             const Resources &resources) {
  request.form = LinkForm::Relocatable;
  request.withoutGroups = true; // else one stays that lost its sections
  request.roots = visible;
  Expected<std::vector<UnnamedFile>> inputs = addInputs(request, objects);
  if (!inputs)
    return inputs.takeError();
  for (const std::string &part : parts) {
    Expected<std::string> path = resources.find(part);
    if (!path)
      return path.takeError();
    request.inputs.push_back(*path);
  }
  if (Error error = link(request, resources))
    return std::move(error);
  auto joined = object::ObjectFile::createObjectFile(request.output);
  if (!joined)
    return joined.takeError();
  objcopy::ConfigManager config;
  config.ELF.LocalizeHidden = true;
  FileBytes bytes;
  raw_svector_ostream os(bytes);
  if (Error error = objcopy::executeObjcopyOnBinary(config, *joined->getBinary(), os))
    return std::move(error);
  return bytes;
}
