// Compile.cpp: compilations that requests of symc.h start: the request becomes a command line of
// the driver with a given model, whose stages run as symc runs them, and their messages are kept.
#include "HostSignals.h"
#include "Kept.h"
#include "KeptMessages.h"
#include "Library.h"
#include "Loaded.h"
#include "frontend/json/SymbolReader.h"
#include "frontend/json/SymbolWriter.h"
#include "ir/OpTable.h"
#include "symc/abi.h"
#include "tools/driver/Emission.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>

using namespace symc;
using namespace symc::library;

namespace {

/// Of a thread's last compilation.
struct Outcome {
  KeptMessages messages;
  std::unique_ptr<llvm::MemoryBuffer> bytes;
  std::string header;
};
Outcome &outcome() {
  static thread_local Outcome storage;
  return storage;
}

/// A folder of this user's alone, which goes with all that is in it.
struct TemporaryFolder {
  TemporaryFolder() {
    llvm::SmallString<128> model;
    llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, model);
    llvm::sys::path::append(model, "symc-XXXXXX");
    path = model.str().str();
    failure = ::mkdtemp(path.data()) ? 0 : errno;
    if (failure)
      path = model.str().str();
  }
  ~TemporaryFolder() {
    if (!failure)
      llvm::sys::fs::remove_directories(path);
  }
  std::string path;
  int failure;
};

/// share/symc of the folder above this library, or above that where libraries of several machines
/// lie side by side.
std::string resourcesOfLibrary() {
  Dl_info place = {};
  ::dladdr(reinterpret_cast<const void *>(&symc_compile_file), &place);
  llvm::SmallString<128> folder(place.dli_fname ? place.dli_fname : "");
  llvm::sys::path::remove_filename(folder);
  llvm::SmallString<128> near(folder), far(folder);
  llvm::sys::path::append(near, "..", "share", "symc");
  llvm::sys::path::append(far, "..", "..", "share", "symc");
  bool other = !llvm::sys::fs::exists(near) && llvm::sys::fs::exists(far);
  return (other ? far : near).str().str();
}

class Compilation {
public:
  Compilation(const symc_request *request, Destination destination)
      : given{{}, destination}, request(request) {}

  /// To the file that an option names, or to that of `folder`.
  int toFile(const TemporaryFolder *folder = nullptr);
  int toProcess(symc_loaded &made, bool keep = false);

private:
  std::optional<Kept> cacheEntry() const;
  bool begin();
  bool read();
  bool readGraph();
  bool readArrays();
  bool readOptions();
  bool runStagesOf(Compiler &compiler);
  int finish(bool fine);

  Outcome &kept = outcome(); // the caller's, whichever thread reports
  GivenModel given;
  const symc_request *request;
  Diagnostics diagnostics;
  std::optional<CommandLine> line;
  std::string stage, errors;
  std::function<void(MessageKind, const llvm::Twine &, const llvm::Twine &)> notifyOne =
      [this](MessageKind kind, const llvm::Twine &message, const llvm::Twine &note) {
        std::string text = message.str(), more = note.str();
        if (kind == MessageKind::Error)
          errors +=
              "symc: error: " + text + "\n" + (more.empty() ? "" : "symc: note: " + more + "\n");
        kept.messages.add(kind == MessageKind::Error     ? SYMC_SEVERITY_ERROR
                          : kind == MessageKind::Warning ? SYMC_SEVERITY_WARNING
                                                         : SYMC_SEVERITY_REMARK,
                          text, more);
      };
};

/// More than any program means would be read from memory that is not there.
constexpr size_t kMostGiven = 1 << 20;
constexpr int32_t kMostExtents = 64;

/// False, with a message, where a list is missing or too long.
bool checkList(size_t count, const void *list, llvm::StringRef name) {
  if (count && !list)
    return failNull(name), false;
  if (count > kMostGiven)
    return fail(inQuotes(name) + " has " + llvm::Twine(count) + " entries, at most " +
                llvm::Twine(kMostGiven) + " are possible"),
           false;
  return true;
}

bool checkTexts(size_t count, const char *const *texts, llvm::StringRef list, llvm::StringRef one) {
  if (!checkList(count, texts, list))
    return false;
  for (size_t i = 0; i < count; ++i)
    if (!texts[i])
      return failNull(one), false;
  return true;
}

} // namespace

bool Compilation::readGraph() {
  int named = (request->symbol != 0) + (request->json != nullptr) +
              (request->symbol_file != nullptr) + (request->onnx != nullptr);
  if (named != 1)
    return fail("a request names one of symbol, json, symbol_file and onnx, found " +
                llvm::Twine(named)),
           false;
  if (request->onnx) {
    given.source.onnx = llvm::MemoryBuffer::getMemBuffer(
        llvm::StringRef(static_cast<const char *>(request->onnx), request->onnx_bytes),
        request->name ? request->name : "model", /*RequiresNullTerminator=*/false);
    return true;
  }
  if (request->symbol_file) {
    given.source.symbolFile = request->symbol_file;
    return true;
  }
  Library::Access library;
  std::optional<symbol::Graph> graph;
  if (request->json) {
    std::string name = request->name ? request->name : "symbol";
    auto text = llvm::MemoryBuffer::getMemBufferCopy(
        llvm::StringRef(request->json, request->json_bytes), name);
    graph = json::readSymbol(std::move(text), name, diagnostics,
                             {&library->catalog, /*upgrade=*/true, /*outputs=*/{},
                              /*counts=*/false}); // the compiler checks what the outputs need
    if (!graph)
      return finish(false), false;
  } else {
    symbol::Symbol *symbol = library->find(request->symbol);
    graph = symbol ? library->graphOf(*symbol) : std::nullopt;
    if (!graph)
      return false;
    if (request->name)
      graph->name = request->name;
  }
  given.source.graph = std::make_shared<const symbol::Graph>(std::move(*graph));
  return true;
}

bool Compilation::readArrays() {
  if (!checkTexts(request->params_count, request->params_files, "params_files", "a file"))
    return false;
  given.source.paramsFiles.assign(request->params_files,
                                  request->params_files + request->params_count);
  if (!checkList(request->array_count, request->arrays, "arrays"))
    return false;
  auto weights = std::make_shared<params::MemoryWeights>();
  for (const symc_array &array : llvm::ArrayRef(request->arrays, request->array_count)) {
    if (!array.name)
      return failNull("an array's name"), false;
    auto refuse = [&](const llvm::Twine &why) {
      return fail("array " + inQuotes(array.name) + ": " + why), false;
    };
    auto dtype = params::dtypeFromFlag(array.dtype);
    if (!dtype)
      return refuse(llvm::Twine(array.dtype) + " is no element type");
    if (array.rank < 0 || array.rank > SYMC_MAX_RANK)
      return refuse("rank is " + llvm::Twine(array.rank) + ", needs 0 to " +
                    llvm::Twine(SYMC_MAX_RANK));
    if (array.rank && !array.shape)
      return refuse("shape is NULL");
    int64_t bytes = params::elementBytes(*dtype);
    bool fits = true, empty = false;
    for (int64_t extent : llvm::ArrayRef(array.shape, array.rank)) {
      if (extent < 0)
        return refuse("an extent is " + llvm::Twine(extent) + ", needs 0 or more");
      empty |= extent == 0;
      fits &= !__builtin_mul_overflow(bytes, extent, &bytes);
    }
    if (!fits && !empty)
      return refuse("its extents are those of more bytes than there are");
    if (!array.data && !empty)
      return refuse("data is NULL");
    weights->add(array.name, *dtype, {array.shape, size_t(array.rank)}, array.data);
  }
  if (request->array_count)
    given.source.weights = {weights};
  return true;
}

bool Compilation::readOptions() {
  if (!checkTexts(request->option_count, request->options, "options", "an option") ||
      !checkTexts(request->shape_count, request->shape_names, "shape_names", "a shape's name"))
    return false;
  if (!checkList(request->shape_count, request->ranks, "ranks"))
    return false;
  std::vector<std::string> words;
  const int64_t *extent = request->extents;
  for (size_t i = 0; i < request->shape_count; ++i) {
    words.push_back(std::string("--shape=") + request->shape_names[i] + "=");
    if (request->ranks[i] < 0 || request->ranks[i] > kMostExtents)
      return fail("shape of " + inQuotes(request->shape_names[i]) + ": rank is " +
                  llvm::Twine(request->ranks[i]) + ", needs 0 to " + llvm::Twine(kMostExtents)),
             false;
    if (request->ranks[i] && !extent)
      return failNull("extents"), false;
    for (int32_t axis = 0; axis < request->ranks[i]; ++axis)
      words.back() += (axis ? "," : "") + std::to_string(*extent++);
  }
  words.insert(words.end(), request->options, request->options + request->option_count);
  std::vector<const char *> pointers;
  for (const std::string &word : words)
    pointers.push_back(word.c_str());
  line = parseCommandLine(
      pointers, resourcesOfLibrary(),
      [&](const llvm::Twine &message, const llvm::Twine &note) {
        notifyOne(MessageKind::Error, message, note);
      },
      &given);
  return line ? true : (finish(false), false);
}

// A request, checked; after a mistake the thread's error describes it.
bool Compilation::read() {
  if (!request)
    return failNull("request"), false;
  if (request->struct_bytes != sizeof(symc_request))
    return fail("struct_bytes is " + llvm::Twine(request->struct_bytes) +
                ", a symc_request of this library has " + llvm::Twine(sizeof(symc_request))),
           false;
  return readGraph() && readArrays() && readOptions();
}

bool Compilation::begin() {
  kept = {};
  if (read())
    return true;
  if (kept.messages.list().empty())
    kept.messages.add(SYMC_SEVERITY_ERROR, returned().error, "");
  return false;
}

// Keeps what the compilation reported; 0, or -1 with the text that symc prints.
int Compilation::finish(bool fine) {
  kept.messages.add(diagnostics);
  return fine ? 0 : fail(llvm::StringRef(errors + diagnostics.str()).rtrim());
}

// The stages before files or loading.
bool Compilation::runStagesOf(Compiler &compiler) {
  compiler.onStage = [this](llvm::StringRef name) { stage = name.str(); };
  if (request->progress)
    compiler.mayGoOn = [this] { return request->progress(request->user, stage.c_str()) == 0; };
  if (line->remarks.passed || line->remarks.missed)
    compiler.reportRemarks(line->remarks,
                           [this](const RemarkText &text) { kept.messages.add(text); });
  return runStages(*line, compiler, notifyOne, [] { return int(ExitOk); }) == ExitOk;
}

int Compilation::toFile(const TemporaryFolder *folder) {
  if (!begin())
    return -1;
  HoldWriteSignals hold;
  if (folder) {
    bool code = line->stage == Stage::Emit;
    const char *extension = !code                                            ? ".mlir"
                            : line->emit.kind == codegen::EmitKind::Shared   ? ".so"
                            : line->emit.kind == codegen::EmitKind::Archive  ? ".a"
                            : line->emit.kind == codegen::EmitKind::Object   ? ".o"
                            : line->emit.kind == codegen::EmitKind::Assembly ? ".s"
                            : line->emit.kind == codegen::EmitKind::LLVM     ? ".ll"
                                                                             : "";
    line->emit.output = folder->path + "/" + line->request.prefix + extension;
    if (code && line->emit.kind != codegen::EmitKind::Executable)
      line->emit.header = folder->path + "/" + line->request.prefix + ".h";
  }
  Compiler compiler(line->request, diagnostics);
  bool fine = runStagesOf(compiler);
  Emitted emitted;
  if (fine && line->stage == Stage::Emit)
    fine = emitModel(*line, compiler, diagnostics, notifyOne, emitted) == ExitOk;
  if (fine && folder) {
    auto take = [&](const std::string &path) {
      auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                                /*RequiresNullTerminator=*/false);
      if (!buffer)
        notifyOne(MessageKind::Error,
                  "cannot read " + inQuotes(path) + ": " + reasonOf(buffer.getError()), "");
      return buffer ? std::move(*buffer) : nullptr;
    };
    kept.bytes = take(line->emit.output);
    fine = kept.bytes != nullptr;
    if (fine && !line->emit.header.empty()) {
      auto header = take(line->emit.header);
      fine = header != nullptr;
      kept.header = header ? header->getBuffer().str() : "";
    }
  }
  return finish(fine);
}

// Where the cache keeps the model: of requests whose graph and options are all that it depends on.
std::optional<Kept> Compilation::cacheEntry() const {
  static constexpr llvm::StringLiteral known[] = {"--shape",      "--dtype",   "--random-weights",
                                                  "--target-cpu", "--math",    "--weights",
                                                  "--gradients",  "--grad-req"};
  if (!given.source.graph || request->params_count || request->array_count)
    return std::nullopt;
  std::string model, words;
  for (const char *option : llvm::ArrayRef(request->options, request->option_count)) {
    llvm::StringRef word = option;
    if (word.starts_with("-") && !llvm::is_contained(known, word.split('=').first))
      return std::nullopt;
    words += (words.empty() ? "" : " ") + word.str();
  }
  const int64_t *extent = request->extents;
  for (size_t i = 0; i < request->shape_count; ++i) {
    words += std::string(words.empty() ? "" : " ") + request->shape_names[i] + "=";
    for (int32_t axis = 0; axis < request->ranks[i]; ++axis)
      words += (axis ? "," : "") + std::to_string(*extent++);
  }
  for (const symbol::Node &node : given.source.graph->nodes) {
    const sg::OpName *op = node.isVariable() ? nullptr : sg::lookupOp(node.op);
    if (!node.isVariable() && (!op || op->info->mnemonic == "custom")) // a library may change
      return std::nullopt;
  }
  llvm::raw_string_ostream os(model);
  Library::Access library;
  json::writeSymbol(*given.source.graph, os, &library->catalog);
  return Kept(line->request.prefix, std::move(model), std::move(words));
}

int Compilation::toProcess(symc_loaded &made, bool keep) {
  if (!begin())
    return -1;
  HoldWriteSignals hold;
  PreparedWeights weights;
  codegen::InProcessOptions options;
  options.resourceDir = line->request.resourceDir;
  options.host = hostFunctions();
  std::unique_ptr<codegen::InProcess> loaded;
  std::optional<Kept> entry = keep ? cacheEntry() : std::nullopt;
  if (entry && (loaded = entry->load(weights, options))) {
    made = addLoaded(std::move(loaded), std::move(weights));
    return 0;
  }
  std::vector<codegen::FileBytes> objects;
  if (entry)
    options.onObjects = [&](llvm::ArrayRef<codegen::FileBytes> all) { objects = all.vec(); };
  // Hundreds of steps, most of them in a few forms.
  line->request.stepTable = !line->request.gradients.arguments.empty();
  Compiler compiler(line->request, diagnostics);
  if (runStagesOf(compiler)) {
    reportModel(*line, compiler, compiler.modelInfo(), notifyOne);
    loaded = compiler.load(weights, options);
  }
  if (loaded && entry)
    entry->add(objects, weights);
  if (int status = finish(loaded != nullptr))
    return status;
  made = addLoaded(std::move(loaded), std::move(weights));
  return 0;
}

extern "C" int symc_compile_file(const symc_request *request) {
  return Compilation(request, Destination::File).toFile();
}

extern "C" int symc_compile_bytes(const symc_request *request, symc_compiled *compiled) {
  if (!compiled)
    return failNull("compiled");
  TemporaryFolder folder;
  if (folder.failure) {
    outcome() = {};
    fail("cannot make a folder '" + folder.path +
         "': " + reasonOf({folder.failure, std::generic_category()}));
    outcome().messages.add(SYMC_SEVERITY_ERROR, returned().error, "");
    return -1;
  }
  if (Compilation(request, Destination::Bytes).toFile(&folder))
    return -1;
  Outcome &found = outcome();
  *compiled = {found.bytes->getBufferStart(), found.bytes->getBufferSize(), found.header.c_str()};
  return 0;
}

extern "C" int symc_compile_model(const symc_request *request, symc_loaded *made) {
  if (!made)
    return failNull("made");
  return Compilation(request, Destination::Process).toProcess(*made);
}

extern "C" int symc_compile_kept(const symc_request *request, symc_loaded *made) {
  if (!made)
    return failNull("made");
  return Compilation(request, Destination::Process).toProcess(*made, /*keep=*/true);
}

extern "C" int symc_compile_diagnostics(size_t *count, const symc_diagnostic **diagnostics) {
  if (!count || !diagnostics)
    return failNull(count ? "diagnostics" : "count");
  *count = outcome().messages.list().size();
  *diagnostics = outcome().messages.list().data();
  return 0;
}
