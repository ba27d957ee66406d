// Forms.cpp: see Forms.h. An entry of the cache is a shared library that holds its weights: dlopen
// maps them in a tenth of a millisecond and processes share their pages, where an object file takes
// JITLink two milliseconds and its weights a copy. Without a cache nothing is written, and the
// model is linked into the process by JITLink.
#include "tools/predict/Forms.h"

#include "codegen/emit/Emit.h"
#include "frontend/params/DType.h"
#include "ir/Inference.h"
#include "tools/cache/ModelCache.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include <cstdlib>
#include <dlfcn.h>

using namespace symc;
using namespace symc::predict;

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

static std::string shapeText(llvm::ArrayRef<DimSpec> shape) {
  std::string text;
  for (const DimSpec &dim : shape) {
    text += text.empty() ? "" : ",";
    text += dim.max
                ? std::to_string(dim.min) + ".." + std::to_string(dim.max) + "(" + dim.symbol + ")"
                : std::to_string(dim.value);
  }
  return text;
}

std::string FormSpec::text() const {
  std::string text;
  auto add = [&](const std::string &word) { text += (text.empty() ? "" : " ") + word; };
  for (const auto &[name, shape] : shapes)
    add(name + "=" + shapeText(shape));
  for (const auto &[name, type] : types)
    add(name + ":" + symc_dtype_name(type));
  if (!outputs.empty())
    add("outputs=" + llvm::join(outputs, ","));
  if (internals)
    add("internals");
  return text;
}

Form::~Form() {
  for (symc_context *context : idle)
    symc_destroy(context);
}

Form::Lease::Lease(Form &form, std::string &error, std::shared_ptr<symc_context> *own)
    : form(form), owned(own) {
  if (own && *own) {
    context = own->get();
    return;
  }
  if (!own) {
    std::lock_guard<std::mutex> lock(form.mutex);
    if (!form.idle.empty()) {
      context = form.idle.back();
      form.idle.pop_back();
      return;
    }
  }
  char sentence[512] = "";
  symc_options options = {};
  options.error = sentence;
  options.error_bytes = sizeof sentence;
  if (symc_status status = symc_create(form.model, &options, &context))
    error = *sentence ? sentence : symc_status_message(status);
  else if (own)
    *own = {context, symc_destroy};
}

Form::Lease::~Lease() {
  if (!context || owned)
    return;
  std::lock_guard<std::mutex> lock(form.mutex);
  form.idle.push_back(context);
}

//===----------------------------------------------------------------------===//
// Surroundings
//===----------------------------------------------------------------------===//

// The file that this code is in.
static std::string ownFile() {
  Dl_info info = {};
  return dladdr(reinterpret_cast<const void *>(&findForm), &info) && info.dli_fname ? info.dli_fname
                                                                                    : "";
}

// share/symc of the same build or installation: beside the library's folder, or above it.
static std::string findResources() {
  llvm::SmallString<128> folder(ownFile());
  llvm::sys::fs::make_absolute(folder);
  while (llvm::sys::path::has_parent_path(folder)) {
    llvm::sys::path::remove_filename(folder);
    llvm::SmallString<128> candidate(folder);
    llvm::sys::path::append(candidate, "share", "symc");
    if (llvm::sys::fs::is_directory(candidate))
      return candidate.str().str();
  }
  return "";
}

// Distinguishes this build of the compiler from others of the same version.
static std::string compilerStamp() {
  llvm::sys::fs::file_status status;
  (void)llvm::sys::fs::status(ownFile(), status);
  return "symc " SYMC_VERSION " " + std::to_string(SYMC_ABI_VERSION) + " " +
         std::to_string(status.getSize()) + " " +
         std::to_string(status.getLastModificationTime().time_since_epoch().count());
}

// The cache, or none, after a sentence about the reason; called once for each folder.
static std::optional<ModelCache> openCache() {
  static std::mutex mutex;
  static auto *printed = new std::map<std::string, bool>();
  auto report = [&](llvm::Error error) {
    std::string sentence = llvm::toString(std::move(error));
    std::lock_guard<std::mutex> lock(mutex);
    if (printed->try_emplace(sentence).second)
      llvm::errs() << "symc: warning: " << sentence << "; models are compiled anew each time\n";
    return std::nullopt;
  };
  llvm::Expected<uint64_t> limit = ModelCache::limitFromEnvironment();
  if (!limit)
    return report(limit.takeError());
  if (*limit == 0)
    return std::nullopt;
  llvm::Expected<ModelCache> cache = ModelCache::open(ModelCache::defaultFolder(), *limit);
  if (!cache)
    return report(cache.takeError());
  return std::move(*cache);
}

bool predict::keepsForms() { return openCache().has_value(); }

//===----------------------------------------------------------------------===//
// Making forms
//===----------------------------------------------------------------------===//

namespace symc::predict {
class FormMaker {
public:
  FormMaker(Source &source, const FormSpec &spec) : source(source), spec(spec) {
    CacheKey hashes;
    hashes.add(source.fingerprint());
    hashes.add(spec.text());
    static const std::string *stamp =
        new std::string(compilerStamp() + " level " +
                        std::to_string(codegen::TargetDescription::get("native")->cpuLevel));
    hashes.add(*stamp);
    key = hashes.finish();
  }

  llvm::Expected<std::shared_ptr<Form>> find(Effort effort);

private:
  /// Forms of this process by their keys.
  struct Living {
    std::mutex mutex;
    std::map<std::string, std::weak_ptr<Form>> forms;
  };
  static Living &living() {
    static auto *only = new Living(); // a program's last threads may call while it ends
    return *only;
  }
  std::shared_ptr<Form> findLiving() const {
    std::lock_guard<std::mutex> lock(living().mutex);
    auto found = living().forms.find(key);
    return found == living().forms.end() ? nullptr : found->second.lock();
  }
  std::shared_ptr<Form> keep(std::shared_ptr<Form> form) const {
    std::lock_guard<std::mutex> lock(living().mutex);
    auto &forms = living().forms;
    for (auto at = forms.begin(); at != forms.end();)
      at = at->second.expired() ? forms.erase(at) : std::next(at);
    forms[key] = form;
    return form;
  }

  std::shared_ptr<Form> openLibrary(const std::string &path) const;
  llvm::Expected<CompileRequest> makeRequest() const;
  llvm::Expected<std::shared_ptr<Form>> compile(const ModelCache *cache);
  llvm::Error reported(const Diagnostics &diagnostics) const;
  llvm::Error writeLibrary(Compiler &compiler, const Diagnostics &diagnostics,
                           llvm::StringRef resources, llvm::StringRef path) const;

  Source &source;
  const FormSpec &spec;
  std::string key;
  bool cacheFailed = false; // and not the compiler
};
} // namespace symc::predict

std::shared_ptr<Form> FormMaker::openLibrary(const std::string &path) const {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return nullptr;
  auto *table = static_cast<const symc_model *const *>(dlsym(library, "symc_main_model"));
  if (!table || (*table)->magic != SYMC_MODEL_MAGIC || (*table)->abi_version != SYMC_ABI_VERSION)
    return nullptr;
  std::shared_ptr<Form> form(new Form);
  form->model = *table;
  return form;
}

// Types are those of inputs: what the parameters hold has a type already.
static llvm::Error checkTypes(Source &source, const FormSpec &spec) {
  for (const auto &[name, type] : spec.types) {
    size_t number;
    auto weight = source.findWeight(name, number);
    if (!weight)
      return weight.takeError();
    if (*weight && !spec.shapes.count(name) && int((*weight)->dtype) != type)
      return mistake("'" + llvm::Twine(name) + "' was requested as " + symc_dtype_name(type) +
                     ", but the parameters hold it as " + params::name((*weight)->dtype));
  }
  return llvm::Error::success();
}

llvm::Expected<CompileRequest> FormMaker::makeRequest() const {
  if (llvm::Error error = checkTypes(source, spec))
    return std::move(error);
  auto graph = source.graphWith(spec.outputs, spec.internals);
  if (!graph)
    return graph.takeError();
  auto weights = source.weights();
  if (!weights)
    return weights.takeError();
  CompileRequest request;
  request.model.graph = *graph;
  request.model.weights = {*weights};
  request.extraWeights = true;
  request.hostOnly = true;
  auto host = codegen::TargetDescription::get("native");
  if (!codegen::TargetDescription::get(codegen::TargetDescription::common())->runsOn(*host))
    request.targetCpus = {codegen::TargetDescription::least()};
  request.triple = "x86_64-linux-gnu";
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  // Names that no variable has are passed over, as MXNet does.
  for (const symbol::Node &node : (*graph)->nodes) {
    if (!node.isVariable())
      continue;
    if (auto shape = spec.shapes.find(node.name); shape != spec.shapes.end())
      request.shapes.insert(*shape);
    if (auto type = spec.types.find(node.name); type != spec.types.end())
      request.dtypes[node.name] = sg::typeName(sg::typeFromFlag(type->second, &context));
  }
  request.resourceDir = findResources();
  if (request.resourceDir.empty())
    return mistake("no folder share/symc beside '" + ownFile() + "' or above it");
  return request;
}

llvm::Error FormMaker::writeLibrary(Compiler &compiler, const Diagnostics &diagnostics,
                                    llvm::StringRef resources, llvm::StringRef path) const {
  auto failed = [&] { return mistake(llvm::StringRef(diagnostics.str()).rtrim()); };
  codegen::ModelInfo info = compiler.modelInfo();
  std::unique_ptr<codegen::WeightsFile> weights;
  if (uint64_t bytes = compiler.preparedBytes()) {
    auto file = codegen::WeightsFile::embedded(info, bytes, path);
    if (!file)
      return file.takeError();
    weights = std::move(*file);
    if (!compiler.prepareInto(weights->data(), bytes, [&] { weights->release(); }))
      return failed();
    if (llvm::Error error = weights->seal())
      return error;
  }
  std::unique_ptr<codegen::Code> code = compiler.code();
  if (!code)
    return failed();
  codegen::EmitOptions options;
  options.kind = codegen::EmitKind::Shared;
  options.output = path.str();
  options.resourceDir = resources.str();
  return codegen::emit(options, info, *code, weights.get());
}

// What the compiler reported, with the way out that this API has. Keys that no variable has may be
// the cause of what lacks a shape.
llvm::Error FormMaker::reported(const Diagnostics &diagnostics) const {
  constexpr llvm::StringLiteral option = "; pass --shape ";
  std::string text = llvm::StringRef(diagnostics.str()).rtrim().str();
  for (size_t at = text.find(option); at != std::string::npos; at = text.find(option, at + 1)) {
    size_t end = std::min(text.find('\n', at), text.size());
    text.replace(at, end - at, "; give it among input_keys");
  }
  // A shape that fits: "data=1,1,28,28 fits".
  constexpr llvm::StringLiteral advice = ": --shape ";
  for (size_t at = text.find(advice); at != std::string::npos; at = text.find(advice, at + 1))
    text.erase(at + 2, advice.size() - 2);
  auto graph = source.graphWith(spec.outputs, spec.internals);
  if (!graph)
    return graph.takeError();
  for (const auto &[name, shape] : spec.shapes)
    if (llvm::none_of((*graph)->nodes, [&, &key = name](const symbol::Node &node) {
          return node.isVariable() && node.name == key;
        }))
      text += "\nsymbol: note: input key " + inQuotes(name) + " is that of no variable";
  return mistake(text);
}

llvm::Expected<std::shared_ptr<Form>> FormMaker::compile(const ModelCache *cache) {
  auto request = makeRequest();
  if (!request)
    return request.takeError();
  std::string model = request->model.name(), resources = request->resourceDir;
  Diagnostics diagnostics;
  Compiler compiler(std::move(*request), diagnostics);
  auto failed = [&] { return reported(diagnostics); };
  if (!compiler.read() || !compiler.infer() || !compiler.optimise() || !compiler.schedule())
    return failed();
  // LLVM's handlers remove unfinished files; the program's own come back afterwards.
  llvm::scope_exit restore([] { llvm::sys::unregisterHandlers(); });
  if (cache && compiler.preparedBytes() <= codegen::largestEmbeddedWeights) {
    auto path = cache->add(
        key, {model, spec.text(), compiler.modelInfo().compiler},
        [&](llvm::StringRef file) { return writeLibrary(compiler, diagnostics, resources, file); });
    std::shared_ptr<Form> form = path ? openLibrary(*path) : nullptr;
    if (form)
      return form;
    cacheFailed = !diagnostics.hasErrors();
    return path ? mistake("cannot load '" + *path + "': " + dlerror()) : path.takeError();
  }
  std::shared_ptr<Form> form(new Form);
  codegen::InProcessOptions options;
  options.resourceDir = resources;
  options.host = {{"symc_parallel", reinterpret_cast<const void *>(&symc_parallel)}};
  form->loaded = compiler.load(form->weights, options);
  if (!form->loaded)
    return failed();
  form->model = form->loaded->model();
  return form;
}

llvm::Expected<std::shared_ptr<Form>> FormMaker::find(Effort effort) {
  static std::mutex *compiling = new std::mutex();
  if (std::shared_ptr<Form> form = findLiving())
    return form;
  std::optional<ModelCache> cache = openCache();
  auto findStored = [&]() -> std::shared_ptr<Form> {
    auto path = cache ? cache->find(key) : std::nullopt;
    std::shared_ptr<Form> form = path ? openLibrary(*path) : nullptr;
    return form ? keep(std::move(form)) : nullptr;
  };
  if (std::shared_ptr<Form> form = findStored())
    return form;
  if (effort == Effort::Find)
    return std::shared_ptr<Form>();
  std::lock_guard<std::mutex> lock(*compiling);
  if (std::shared_ptr<Form> form = findLiving()) // another thread made it
    return form;
  auto form = compile(cache ? &*cache : nullptr);
  if (!form && cacheFailed) { // a full disk, or a folder that takes no files
    llvm::errs() << "symc: warning: the cache keeps no copy of a model: "
                 << llvm::toString(form.takeError()) << "\n";
    form = compile(nullptr);
  }
  if (!form)
    return form.takeError();
  return keep(std::move(*form));
}

llvm::Expected<std::shared_ptr<Form>> predict::findForm(Source &source, const FormSpec &spec,
                                                        Effort effort) {
  return FormMaker(source, spec).find(effort);
}
