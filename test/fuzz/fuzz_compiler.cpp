//===- fuzz_compiler.cpp - anything through the whole compiler ------------===//
//
// `--what=KIND` says what an input is; code is made as far as LLVM IR, nothing runs.
//   symbol      {"symbol": {...}, "shapes": {"data": [1, [1, 8]]}, "dtypes": {"data": "float32"}}:
//               import by the real op table, inference, passes, schedule, plan, lowering;
//               changed as JSON (JsonMutator.h), so that most inputs get behind the reader
//   onnx-models ONNX models, the same way; changed as a tree of messages (WireMutator.h)
//   text        IR, as symc-opt reads it: parser, verifier, then the same passes
//   tuning      a tuning file: read, written, read again, and used for a small net
//   preprocess  the steps of --preprocess
// Every stage ends with a result or with an error, never both or neither, and no error is an
// internal one. Libraries are those of the build: configure one with
// SYMC_SANITIZE=address,undefined,fuzzer-no-link for a fuzzer that sees what it reaches.
//
//===----------------------------------------------------------------------===//
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "passes/Passes.h"
#include "test/fuzz/JsonMutator.h"
#include "test/fuzz/QuotedError.h"
#include "test/fuzz/WireMutator.h"
#include "tools/driver/Compiler.h"
#include "tools/driver/Dialects.h"
#include "tools/driver/Preprocess.h"

#include "codegen/emit/Code.h"
#include "frontend/json/SymbolReader.h"

#include <sys/mman.h>
#include <unistd.h>

using namespace symc;

static std::string what = "symbol";
static bool quotesError = false; // the input holds the words of an internal error

static void require(bool condition, const Diagnostics &diagnostics) {
  if (condition)
    return;
  diagnostics.render(llvm::errs());
  __builtin_trap();
}

static void check(bool succeeded, const Diagnostics &diagnostics) {
  require(succeeded != diagnostics.hasErrors(), diagnostics);
  for (const Diagnostic &message : diagnostics.all())
    require(quotesError || message.message.find("internal error") == std::string::npos,
            diagnostics);
}

// A file in memory, under a path.
namespace {
struct MemoryFile {
  int descriptor;
  std::string path;

  explicit MemoryFile(llvm::StringRef text) : descriptor(memfd_create("fuzz", 0)) {
    path = "/proc/self/fd/" + std::to_string(descriptor);
    if (write(descriptor, text.data(), text.size()) != (ssize_t)text.size())
      abort();
  }
  ~MemoryFile() { close(descriptor); }
};
} // namespace

static void compile(CompileRequest request, Diagnostics &diagnostics) {
  request.randomWeights = true;
  Compiler compiler(std::move(request), diagnostics);
  bool succeeded = compiler.read() && compiler.optimise() && compiler.schedule();
  check(succeeded, diagnostics);
  if (succeeded)
    check(compiler.code() != nullptr, diagnostics);
}

//===----------------------------------------------------------------------===//
// What inputs are
//===----------------------------------------------------------------------===//

static int64_t integer(const llvm::json::Value &value) {
  return std::max<int64_t>(value.getAsInteger().value_or(0), 0);
}

static DimSpec dimFrom(const llvm::json::Value &value) {
  const llvm::json::Array *range = value.getAsArray();
  if (!range)
    return DimSpec::fixed(integer(value));
  // As the command line lets them through.
  int64_t low = range->empty() ? 1 : std::max<int64_t>(integer(range->front()), 1);
  int64_t high = range->empty() ? 1 : std::max<int64_t>(integer(range->back()), low);
  return low == high ? DimSpec::fixed(low) : DimSpec::range(low, high);
}

static void compileSymbol(llvm::StringRef text) {
  auto json = llvm::json::parse(text);
  const llvm::json::Object *input = json ? json->getAsObject() : nullptr;
  if (!input) {
    llvm::consumeError(json.takeError());
    return;
  }
  CompileRequest request;
  static const char *const targets[] = {"x86-64-v3", "x86-64-v4", "x86-64-v2", "x86-64-v4+vnni"};
  request.targetCpus = {targets[input->getInteger("target").value_or(0) & 3]};
  request.referenceOnly = input->getBoolean("reference").value_or(false);
  request.emitPrepare = input->getBoolean("prepare").value_or(false);
  if (auto *shapes = input->getObject("shapes"))
    for (auto &[name, extents] : *shapes)
      if (auto *list = extents.getAsArray())
        for (const llvm::json::Value &extent : *list)
          request.shapes[name.str()].push_back(dimFrom(extent));
  if (auto *dtypes = input->getObject("dtypes"))
    for (auto &[name, dtype] : *dtypes)
      request.dtypes[name.str()] = dtype.getAsString().value_or("").str();
  const llvm::json::Value *symbol = input->get("symbol");
  MemoryFile file(symbol ? llvm::formatv("{0}", *symbol).str() : "");
  request.model.symbolFile = file.path;
  Diagnostics diagnostics;
  compile(std::move(request), diagnostics);
}

// Extents with names are chosen at run time, but those that begin with 's' are 2.
static void compileOnnx(llvm::StringRef bytes) {
  MemoryFile file(bytes);
  CompileRequest request;
  request.model.symbolFile = file.path;
  request.targetCpus = {"x86-64-v3"};
  for (const std::string &name : namedExtents(bytes))
    request.sizes.push_back(name + (llvm::StringRef(name).starts_with("s") ? "=2" : "=2..3"));
  Diagnostics diagnostics;
  compile(std::move(request), diagnostics);
}

static void compileText(const std::string &text) { // files that MLIR reads end with a NUL
  mlir::DialectRegistry registry;
  registerToolDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  bool failed = false;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    failed |= diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return;
  mlir::PassManager manager(&context, mlir::ModuleOp::getOperationName());
  manager.addPass(createDropLabels());
  manager.addPass(createInferShapes());
  manager.addPass(createInferTypes());
  buildPredictPipeline(manager, 16);
  codegen::CodegenOptions options;
  options.targets = {"x86-64-v3"};
  codegen::buildSchedulePipeline(manager, options);
  if (mlir::failed(manager.run(*module)) != failed)
    __builtin_trap();
}

static const char *const smallNet = R"json({"nodes": [
  {"op": "null", "name": "data", "inputs": []}, {"op": "null", "name": "w", "inputs": []},
  {"op": "Convolution", "name": "conv", "inputs": [[0, 0, 0], [1, 0, 0]],
   "attrs": {"kernel": "(3, 3)", "num_filter": "32", "no_bias": "True"}}],
  "arg_nodes": [0, 1], "heads": [[2, 0, 0]]})json";

static void readTuning(llvm::StringRef text) {
  codegen::Tuning tuning, again;
  if (tuning.parse(text))
    return;
  codegen::CudaTuning device, deviceAgain;
  if (device.parse(text))
    return;
  std::string ofDevices = device.print(), printed = tuning.print() + ofDevices;
  if (again.parse(printed) || again.print() + ofDevices != printed || deviceAgain.parse(printed) ||
      deviceAgain.print() != ofDevices)
    __builtin_trap();
  MemoryFile file(printed), symbol(smallNet);
  CompileRequest request;
  request.model.symbolFile = symbol.path;
  request.tuningFile = file.path;
  request.targetCpus = {"x86-64-v3"};
  for (int64_t extent : {1, 32, 12, 12})
    request.shapes["data"].push_back(DimSpec::fixed(extent));
  Diagnostics diagnostics;
  compile(std::move(request), diagnostics);
}

static void readPreprocess(llvm::StringRef text) {
  llvm::Expected<PreprocessSteps> steps = parsePreprocess(text);
  if (!steps)
    return llvm::consumeError(steps.takeError());
  bool known =
      steps->spec.channels >= 1 && steps->spec.channels <= 4 && steps->spec.resize_short >= 0;
  if (!known)
    __builtin_trap();
}

//===----------------------------------------------------------------------===//
// libFuzzer
//===----------------------------------------------------------------------===//

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

extern "C" int LLVMFuzzerInitialize(int *count, char ***arguments) {
  for (int i = 1; i < *count; ++i)
    if (llvm::StringRef argument = (*arguments)[i]; argument.consume_front("--what="))
      what = argument.str();
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  std::string changed = what == "symbol" && seed % 16        ? mutateJson(text, seed)
                        : what == "onnx-models" && seed % 16 ? mutateWire(text, seed)
                                                             : "";
  if (changed.empty() || changed.size() > most)
    return LLVMFuzzerMutate(data, size, most);
  memcpy(data, changed.data(), changed.size());
  return changed.size();
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t firstSize,
                                            const uint8_t *second, size_t secondSize, uint8_t *out,
                                            size_t most, unsigned seed) {
  llvm::StringRef one(reinterpret_cast<const char *>(first), firstSize);
  llvm::StringRef other(reinterpret_cast<const char *>(second), secondSize);
  std::string crossed =
      what == "symbol" ? crossJson(one, other, seed)
      : what == "onnx-models"
          ? crossWire(one, other, seed)
          : (one.take_front(seed % (firstSize + 1)) + other.drop_front(seed % (secondSize + 1)))
                .str();
  if (crossed.size() > most)
    return 0;
  memcpy(out, crossed.data(), crossed.size());
  return crossed.size();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  quotesError = quotesInternalError(text.str());
  if (what == "symbol")
    compileSymbol(text);
  else if (what == "onnx-models")
    compileOnnx(text);
  else if (what == "text")
    compileText(text.str());
  else if (what == "tuning")
    readTuning(text);
  else if (what == "preprocess")
    readPreprocess(text);
  else
    abort();
  return 0;
}
