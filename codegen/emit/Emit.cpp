// Emit.cpp: see Emit.h.
//
//   code + runtime bitcode that it calls -> table -> optimise -> objects
//   -> (link) -> file aside -> all names are given at the very end
#include "codegen/emit/Emit.h"

#include "codegen/emit/CHeader.h"
#include "codegen/emit/CustomKernels.h"
#include "codegen/emit/Libraries.h"
#include "codegen/emit/ModelTable.h"
#include "codegen/emit/OneObject.h"
#include "codegen/emit/Probes.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace symc::codegen;

namespace {

class Emitter {
public:
  Emitter(const EmitOptions &options, const ModelInfo &model, Code &code, WeightsFile *weights)
      : options(options), model(model), code(code), weights(weights),
        resources(options.resourceDir, model.triple) {}

  Error run(const WeightsInfo &info);

private:
  Interface interface() const {
    return options.kind == EmitKind::Executable ? Interface::Program
           : options.kind == EmitKind::Shared   ? Interface::Shared
                                                : Interface::Library;
  }
  Error finishModule(const WeightsInfo &info);
  std::vector<std::string> linkedParts() const;
  Error checkCalls();
  Error measureCode(ArrayRef<FileBytes> objects);
  Error measureSection(object::SectionRef section);
  Error writeText();
  Error writeBinary(ArrayRef<FileBytes> objects, OutputFile &file);
  Error writeArchiveFile(StringRef object, OutputFile &file);
  Error explain(Error error) const;

  const EmitOptions &options;
  const ModelInfo &model;
  Code &code;
  WeightsFile *weights;
  Resources resources;
  std::vector<std::string> visible;      // names that the model shows
  SmallVector<StringRef> partsOfRuntime; // that the model needs, once its table is there
};

} // namespace

// Files get the core as an object beside the model, of which the link keeps what the model needs,
// hidden in libraries, so that two models never meet in one program; texts hold it inside.
Error Emitter::finishModule(const WeightsInfo &info) {
  bool text = options.kind == EmitKind::Assembly || options.kind == EmitKind::LLVM;
  defineOpenedKernels(code.module(), model);
  visible = addModelTable(code.module(), model, info, interface());
  defineProbes(code.module(), model.probeSteps, visible);
  partsOfRuntime = runtimeParts(code.module());
  if (!options.opTable)
    if (Error error = code.addKernels(resources))
      return error;
  if (text)
    if (Error error = resources.linkNeeded(code.module(), partsOfRuntime))
      return error;
  if (Error error = checkCalls())
    return error;
  return code.optimise(visible);
}

Error Emitter::checkCalls() {
  // For another architecture there is text only, and no runtime.
  if (options.opTable || !StringRef(model.triple).starts_with("x86_64"))
    return Error::success();
  for (const Function &function : code.module())
    if (function.isDeclaration() && function.getName().starts_with("symc_ref_"))
      return emitError("internal error: the runtime's resources have no kernel '" +
                       function.getName() + "'");
  return Error::success();
}

Error Emitter::writeText() {
  if (Error error = code.join())
    return error;
  if (options.kind == EmitKind::LLVM) {
    std::string text;
    raw_string_ostream os(text);
    code.module().print(os, nullptr);
    return writeWhole(options.output, text);
  }
  Expected<FileBytes> text = code.assembly();
  if (!text)
    return text.takeError();
  return writeWhole(options.output, StringRef(text->data(), text->size()));
}

Error Emitter::writeArchiveFile(StringRef object, OutputFile &file) {
  std::vector<NewArchiveMember> members;
  members.emplace_back(MemoryBufferRef(object, model.prefix + ".o"));
  std::string weightsName = model.prefix + "_weights.o", modelName = model.prefix + ".o";
  members[0].MemberName = modelName;
  std::unique_ptr<MemoryBuffer> bytes;
  if (weights && weights->info().place == WeightsInfo::Embedded) {
    auto buffer = MemoryBuffer::getFile(weights->objectPath(), /*IsText=*/false,
                                        /*RequiresNullTerminator=*/false);
    if (!buffer)
      return cannotWrite(options.output, buffer.getError().value());
    bytes = std::move(*buffer);
    members.emplace_back(bytes->getMemBufferRef());
    members.back().MemberName = weightsName;
  }
  std::error_code failure;
  raw_fd_ostream os(file.aside(), failure);
  if (failure)
    return cannotWrite(options.output, failure.value());
  Error error =
      writeArchiveToStream(os, members, SymtabWritingMode::NormalSymtab, object::Archive::K_GNU,
                           /*Deterministic=*/true, /*Thin=*/false);
  os.close();
  if (os.has_error() && !error)
    error = cannotWrite(options.output, os.error().value());
  os.clear_error(); // else the stream would end the process
  return error;
}

// The objects of the runtime beside the model's.
std::vector<std::string> Emitter::linkedParts() const {
  std::vector<std::string> parts;
  bool program = options.kind == EmitKind::Executable;
  if (program)
    parts = {model.training ? "trainer.o" : "main.o", "pictures.o"};
  for (StringRef part : partsOfRuntime)
    if (!program || (part != "pictures" && part != "images"))
      parts.push_back((part + ".o").str());
  if (program && options.images)
    parts.push_back("images.o");
  if (options.opTable)
    parts.insert(parts.end(), {"optable.o", "kernels.o"});
  return parts;
}

// An archive and an object hold the code as one object, a link takes it as it comes.
Error Emitter::writeBinary(ArrayRef<FileBytes> objects, OutputFile &file) {
  bool embedded = weights && weights->info().place == WeightsInfo::Embedded;
  constexpr uint64_t libcAndHeaders = 256 << 10; // at most, of what a link adds
  uint64_t bytes = (embedded ? weights->info().bytes : 0) + libcAndHeaders;
  for (const FileBytes &object : objects)
    bytes += object.size();
  LinkRequest request;
  request.triple = model.triple;
  request.output = file.aside();
  request.name = options.output;
  request.besideIt =
      any_of(model.libraries, [](const LibraryInfo &one) { return one.ofCustomOperators; });
  FileBytes whole;
  if (options.kind == EmitKind::Archive || options.kind == EmitKind::Object) {
    if (Error error = file.checkSpace(bytes))
      return error;
    Expected<FileBytes> joined = oneObject(objects, linkedParts(), visible, request, resources);
    if (!joined)
      return joined.takeError();
    whole = std::move(*joined);
    objects = whole;
    if (options.kind == EmitKind::Archive)
      return writeArchiveFile(StringRef(whole.data(), whole.size()), file);
    if (!embedded)
      return file.write(StringRef(whole.data(), whole.size()));
  }
  Expected<std::vector<UnnamedFile>> inputs = addInputs(request, objects);
  if (!inputs)
    return inputs.takeError();
  std::vector<std::string> parts;
  if (options.kind == EmitKind::Executable) {
    bool musl = StringRef(model.triple).contains("musl");
    request.form = musl ? LinkForm::StaticProgram : LinkForm::DynamicProgram;
    parts = linkedParts();
  } else if (options.kind == EmitKind::Shared) {
    request.form = LinkForm::SharedLibrary;
    parts = linkedParts();
  } else { // which one object made of all
    request.form = LinkForm::Relocatable;
  }
  // What ends or keeps a library, first, so that it ends after everything else.
  if (request.form == LinkForm::SharedLibrary) {
    Expected<std::string> path = resources.find("library.o");
    if (!path)
      return path.takeError();
    request.inputs.insert(request.inputs.begin(), *path);
  }
  for (const std::string &part : parts) {
    Expected<std::string> path = resources.find(part);
    if (!path)
      return path.takeError();
    request.inputs.push_back(*path);
    uint64_t partBytes = 0;
    if (!sys::fs::file_size(*path, partBytes))
      bytes += partBytes;
  }
  if (Error error = file.checkSpace(bytes))
    return error;
  if (!embedded)
    return link(request, resources);
  if (request.form == LinkForm::Relocatable) {
    request.inputs.push_back(weights->objectPath());
    return link(request, resources);
  }
  Expected<UnnamedFile> place = weights->placeholder();
  if (!place)
    return place.takeError();
  request.inputs.push_back(place->path());
  if (Error error = link(request, resources))
    return error;
  return weights->fill(file.aside(), options.output);
}

static bool belongsTo(StringRef section, StringRef symbol) {
  return section.consume_front(".text.") && section.consume_front(symbol) &&
         (section.empty() || section.front() == '_');
}

// Kernels of strangers may need what only glibc has.
Error Emitter::explain(Error error) const {
  if (!error || model.kernelObjects.empty() || !StringRef(model.triple).contains("musl"))
    return error;
  std::string said = toString(std::move(error));
  if (!StringRef(said).contains("undefined symbol"))
    return emitError(said);
  return emitError(said + "; the program is linked statically with musl, which lacks what only "
                          "glibc has: pass -dynamic where kernels of custom operators need it");
}

// Each function has a section of its own, ".text.PREFIX_run_0_k3_conv".
Error Emitter::measureCode(ArrayRef<FileBytes> objects) {
  CodeBytes &sizes = *options.codeBytes;
  sizes = {};
  sizes.variants.resize(model.variants.size());
  for (const VariantInfo &variant : model.variants)
    sizes.batches.emplace_back(variant.batchSymbols.size());
  for (const FileBytes &bytes : objects) {
    auto file = object::ObjectFile::createObjectFile(
        MemoryBufferRef(StringRef(bytes.data(), bytes.size()), model.prefix));
    if (!file)
      return file.takeError();
    for (const object::SectionRef &section : (*file)->sections())
      if (Error error = measureSection(section))
        return error;
  }
  return Error::success();
}

Error Emitter::measureSection(object::SectionRef section) {
  CodeBytes &sizes = *options.codeBytes;
  Expected<StringRef> name = section.getName();
  if (!name)
    return name.takeError();
  int64_t size = section.getSize();
  if (!section.isText()) {
    sizes.constants += section.isData() && name->starts_with(".rodata") ? size : 0;
    return Error::success();
  }
  int64_t *target = &sizes.others;
  for (auto [i, variant] : enumerate(model.variants)) {
    if (belongsTo(*name, variant.runSymbol))
      target = &sizes.variants[i];
    for (auto [j, symbol] : enumerate(variant.batchSymbols))
      sizes.batches[i][j] += belongsTo(*name, symbol) ? size : 0;
  }
  *target += size;
  return Error::success();
}

Error Emitter::run(const WeightsInfo &info) {
  bool text = options.kind == EmitKind::Assembly || options.kind == EmitKind::LLVM;
  if (options.kind == EmitKind::Shared && StringRef(model.triple).contains("musl"))
    return emitError("a shared library needs the dynamic C library of its program, but '" +
                     model.triple + "' is linked statically; pass --triple x86_64-linux-gnu");
  std::string opened = openedLibrary(model);
  if (options.kind == EmitKind::Executable && !opened.empty() &&
      StringRef(model.triple).contains("musl"))
    return emitError("the model calls " + opened + ", a shared library, but programs for '" +
                     model.triple + "' are linked statically; pass -dynamic");
  // The first complaint should be about the output, not after minutes of work.
  std::optional<OutputFile> output;
  if (!text) {
    Expected<OutputFile> file = OutputFile::create(
        options.output, options.kind == EmitKind::Executable || options.kind == EmitKind::Shared);
    if (!file)
      return file.takeError();
    output.emplace(std::move(*file));
  }
  std::optional<OutputFile> header;
  if (!options.header.empty() && options.header != "-") {
    Expected<OutputFile> file = OutputFile::create(options.header, /*executable=*/false);
    if (!file)
      return file.takeError();
    header.emplace(std::move(*file));
    if (Error error = header->write(writeHeader(model, info)))
      return error;
  }
  if (Error error = finishModule(info))
    return error;
  if (text) {
    if (Error error = writeText())
      return error;
  } else {
    Expected<std::vector<FileBytes>> objects = code.objects();
    if (!objects)
      return objects.takeError();
    if (options.codeBytes)
      if (Error error = measureCode(*objects))
        return error;
    for (const KernelObjects &kernels : model.kernelObjects) {
      LinkRequest request{LinkForm::Relocatable, model.triple, output->aside(), options.output, {}};
      Expected<FileBytes> joined = joinKernelObjects(kernels, request, resources);
      if (!joined)
        return joined.takeError();
      objects->push_back(std::move(*joined));
    }
    if (Error error = explain(writeBinary(*objects, *output)))
      return error;
  }
  if (weights)
    if (Error error = weights->commit())
      return error;
  if (header)
    if (Error error = header->commit())
      return error;
  if (output)
    if (Error error = output->commit())
      return error;
  if (options.header == "-")
    return writeWhole("-", writeHeader(model, info));
  return Error::success();
}

Error symc::codegen::emit(const EmitOptions &options, const ModelInfo &model, Code &code,
                          WeightsFile *weights, WeightsInfo::Place place, uint64_t externBytes) {
  WeightsInfo info;
  if (weights) {
    info = weights->info();
  } else {
    info.place = place;
    info.bytes = externBytes;
  }
  return Emitter(options, model, code, weights).run(info);
}
