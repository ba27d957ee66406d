// Case.cpp: loads, compiles, runs and compares one case (see Case.h).
#include "tools/conformance/Case.h"

#include "codegen/conv/ConvAlgorithm.h"
#include "frontend/import/TableCatalog.h"
#include "frontend/json/SymbolReader.h"
#include "ir/Inference.h"
#include "ir/OpTable.h"
#include "tools/conformance/GuardedRun.h"
#include "tools/conformance/Results.h"

#include <set>

using namespace symc;
using namespace symc::conformance;

static Outcome failed(const llvm::Twine &message) { return {Verdict::Failed, message.str()}; }

// The first error of the compiler, on one line.
static std::string firstError(const Diagnostics &diagnostics) {
  for (const Diagnostic &message : diagnostics.all())
    if (message.severity == Diagnostic::Severity::Error)
      return message.message + (message.notes.empty() ? "" : " (" + message.notes[0].message + ")");
  return "no message";
}

// The operators of the graph that the table lacks, joined by ", ".
static std::string missingOperators(const symbol::Graph &graph) {
  std::set<std::string> missing;
  for (const symbol::Node &node : graph.nodes)
    if (node.kind == symbol::NodeKind::Operator && !sg::lookupOp(node.op))
      missing.insert(node.op);
  std::string text;
  for (const std::string &name : missing)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

// Whether a step of the module is of that algorithm.
static bool uses(mlir::ModuleOp module, const codegen::ConvAlgorithm *algorithm) {
  mlir::WalkResult walk = module.walk([&](kernel::StepInterface step) {
    return codegen::algorithmOf(step) == algorithm ? mlir::WalkResult::interrupt()
                                                   : mlir::WalkResult::advance();
  });
  return walk.wasInterrupted();
}

static CompileRequest requestFor(const StoredCase &stored, const RunOptions &options) {
  CompileRequest request;
  request.model.symbolFile = stored.symbol;
  request.model.paramsFiles = {stored.params};
  request.targetCpus = {options.targetCpu};
  request.math = options.math;
  request.forceKernel = options.forceKernel;
  request.referenceOnly = options.referenceOnly;
  request.resourceDir = options.resourceDir;
  if (options.guard != Guard::None) {
    request.placement = options.guard == Guard::End ? codegen::ArenaPlacement::ApartAtEnd
                                                    : codegen::ArenaPlacement::ApartAtStart;
    request.probes = true;
    request.emitPrepare = true;
  }
  for (auto &entry : stored.arrays) {
    llvm::StringRef name = entry.getKey();
    if (!name.consume_front("data:"))
      continue;
    std::vector<DimSpec> shape;
    for (int64_t extent : entry.second->shape)
      shape.push_back(DimSpec::fixed(extent));
    request.shapes[name.str()] = shape;
    mlir::MLIRContext context;
    request.dtypes[name.str()] =
        sg::typeName(sg::typeFromFlag(static_cast<int64_t>(entry.second->dtype), &context));
  }
  return request;
}

// One run, or as many as the case asks for, in plain memory.
static std::string runPlain(const symc_model &model, const StoredCase &stored, symc_pool *pool) {
  char error[512] = "";
  symc_options contextOptions = {};
  contextOptions.pool = pool;
  contextOptions.error = error;
  contextOptions.error_bytes = sizeof error;
  symc_context *context = nullptr;
  if (symc_create(&model, &contextOptions, &context))
    return std::string("create: ") + error;
  std::vector<symc_tensor> inputs, outputs;
  std::vector<std::vector<char>> memory;
  for (int32_t i = 0; i < model.n_inputs; ++i) {
    const symc_tensor_info &info = model.inputs[i];
    const params::Array *value = stored.find(llvm::Twine("data:") + info.name);
    if (!value)
      value = stored.find(llvm::Twine("arg:") + info.name);
    symc_tensor tensor{nullptr, info.shape, info.rank, info.dtype, SYMC_DEVICE_CPU, 0};
    if (value) { // aligned, and exactly as long as the value
      memory.emplace_back(value->data, value->data + value->byteCount);
      tensor.data = memory.back().data();
    } else if (!(info.flags & SYMC_TENSOR_OPTIONAL)) {
      memory.emplace_back(info.max_bytes); // labels that the case left at zero
      tensor.data = memory.back().data();
    }
    inputs.push_back(tensor);
  }
  for (int32_t i = 0; i < model.n_outputs; ++i) {
    const symc_tensor_info &info = model.outputs[i];
    memory.emplace_back(info.max_bytes + 1);
    outputs.push_back(
        {memory.back().data(), info.shape, info.rank, info.dtype, SYMC_DEVICE_CPU, 0});
  }
  std::string problem;
  for (int64_t run = 0; run < stored.runs && problem.empty(); ++run)
    if (symc_run(context, inputs.data(), inputs.size(), outputs.data(), outputs.size()))
      problem = std::string("run: ") + symc_last_error(context);
  Results results;
  if (problem.empty())
    problem = results.ask(context, outputs);
  if (problem.empty())
    problem = compare(results, model, stored);
  symc_destroy(context);
  return problem;
}

Outcome symc::conformance::runCase(llvm::StringRef folder, const RunOptions &options) {
  StoredCase stored;
  if (auto problem = stored.read(folder, options.modelsDir))
    return failed(*problem);
  if (stored.mode != "predict")
    return {Verdict::Training, ""};
  Diagnostics diagnostics;
  bool refused = stored.mxnet == "fails";
  if (!refused && !stored.readArrays(diagnostics))
    return failed("io.params: " + firstError(diagnostics));
  {
    Diagnostics quiet;
    if (auto graph = json::readSymbolFile(stored.symbol, quiet, {nullptr, false}))
      if (std::string missing = missingOperators(*graph); !missing.empty() && !refused)
        return {Verdict::Unsupported, missing};
  }
  Compiler compiler(requestFor(stored, options), diagnostics);
  PreparedWeights weights;
  std::unique_ptr<codegen::InProcess> loaded;
  codegen::InProcessOptions inProcess;
  inProcess.resourceDir = options.resourceDir;
  inProcess.host = {{"symc_parallel", reinterpret_cast<const void *>(&symc_parallel)},
                    {"symc_probe", reinterpret_cast<const void *>(&guardedStep)}};
  MemoryMap map;
  bool compiled = compiler.read() && compiler.optimise() && compiler.schedule();
  if (compiled) {
    if (options.forceKernel && !uses(compiler.module(), options.forceKernel))
      return {Verdict::WithoutLayer, ""};
    if (options.guard != Guard::None)
      map = describeMemory(compiler.module());
    loaded = compiler.load(weights, inProcess);
  }
  if (refused)
    return loaded ? failed("compiled, but MXNet refuses this model") : Outcome{Verdict::Passed, ""};
  if (!loaded)
    return failed(firstError(diagnostics));
  symc_pool *pool = nullptr;
  if (options.threads > 1)
    symc_pool_create(options.threads, &pool);
  std::string problem =
      options.guard == Guard::None
          ? runPlain(*loaded->model(), stored, pool)
          : runGuarded(*loaded->model(), map, weights.bytes.get(), stored, options, pool);
  symc_pool_destroy(pool);
  return problem.empty() ? Outcome{Verdict::Passed, ""} : failed(problem);
}
