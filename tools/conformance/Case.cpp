// Case.cpp: loads, compiles, runs and compares one case (see Case.h).
#include "tools/conformance/Case.h"

#include "codegen/conv/ConvAlgorithm.h"
#include "frontend/import/TableCatalog.h"
#include "frontend/json/SymbolReader.h"
#include "ir/Inference.h"
#include "ir/OpTable.h"
#include "tools/conformance/DeviceRun.h"
#include "tools/conformance/Gpu.h"
#include "tools/conformance/GuardedRun.h"
#include "tools/conformance/NativeKernels.h"
#include "tools/conformance/PartsRun.h"
#include "tools/conformance/ProgramContents.h"
#include "tools/conformance/Results.h"
#include "tools/conformance/RuntimeRun.h"
#include "tools/cuda-shim/HostCompiler.h"

#include "llvm/ADT/ScopeExit.h"
#include <set>

using namespace symc;
using namespace symc::conformance;

// The sentences with which a program for a range refuses a size that a program for it computes,
// because its expressions cannot describe what happens there.
static bool isLimitOfRanges(llvm::StringRef message) {
  return message.contains("which needs an extent that is fixed") ||
         message.contains("which no size chosen at run time can be");
}

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

static CompileRequest requestFor(const StoredCase &stored, const RunOptions &options) {
  CompileRequest request;
  request.model.symbolFile = stored.symbol;
  request.model.paramsFiles = {stored.params};
  request.targetCpus = {options.targetCpu};
  request.math = options.math;
  request.forceKernel = options.forceKernel;
  request.forceTile = options.forceTile;
  request.forceParts = options.forceParts;
  request.forceVectors = options.vectors;
  request.referenceOnly = options.referenceOnly;
  if (options.train) {
    request.gradients.arguments = {"all"};
    request.gradients.added = stored.added;
    request.gradients.dropped = stored.dropped;
    request.recompute = stored.recompute;
  }
  request.resourceDir = options.resourceDir;
  request.onDevice = options.device;
  request.fallback = options.device && options.openAxis < 0 && !options.openEach;
  request.precision = options.precision;
  if (options.guard != Guard::None && !options.device) {
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

namespace {
struct PlainRun {
  symc_pool *pool = nullptr;
  StoredCase *keep = nullptr;   // where results go; the case itself: they are not compared
  const char *device = nullptr; // "cuda"
  std::vector<std::vector<double>> rounding; // see Results
};
} // namespace

// One run, or as many as the case requires, in plain memory.
static std::string runPlain(const symc_model &model, const StoredCase &stored,
                            const PlainRun &plain) {
  auto &[pool, keep, device, rounding] = plain;
  char error[512] = "";
  symc_options contextOptions = {};
  contextOptions.pool = pool;
  contextOptions.device_name = device;
  contextOptions.error = error;
  contextOptions.error_bytes = sizeof error;
  symc_context *context = nullptr;
  if (symc_create(&model, &contextOptions, &context))
    return std::string("create: ") + error;
  std::vector<symc_tensor> inputs, outputs;
  std::vector<std::vector<char>> memory;
  for (int32_t i = 0; i < model.n_inputs; ++i) {
    const symc_tensor_info &info = model.inputs[i];
    const params::Array *value = stored.findInput(info.name);
    symc_tensor tensor{nullptr, info.shape, info.rank, info.dtype, SYMC_DEVICE_CPU, 0};
    if (value) { // aligned, and exactly as long as the value
      memory.emplace_back(value->data, value->data + value->byteCount);
      if ((int64_t)value->shape.size() == info.rank)
        tensor.shape = value->shape.data();
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
  results.rounding = rounding;
  if (problem.empty())
    problem = results.fetch(context, outputs);
  if (problem.empty() && keep != &stored)
    problem = compare(results, model, stored);
  if (problem.empty() && stored.runs == 1 && !device)
    problem = runParts(context, inputs, outputs);
  for (size_t i = 0; problem.empty() && keep && i < results.outputs.size(); ++i) {
    const symc_tensor &output = results.outputs[i];
    const char *bytes = static_cast<const char *>(output.data);
    llvm::StringRef name = model.outputs[i].name;
    keep->keep(name.starts_with("grad:") ? name.str() : "out:" + std::to_string(i),
               static_cast<params::DType>(output.dtype), llvm::ArrayRef(output.shape, output.rank),
               {bytes, bytes + bytesOf(output)});
  }
  for (size_t i = 0; problem.empty() && keep && i < results.states.size(); ++i)
    keep->keep(std::string("aux_out:") + model.states[i].tensor.name,
               static_cast<params::DType>(results.states[i].dtype),
               llvm::ArrayRef(results.states[i].shape, results.states[i].rank), results.memory[i]);
  symc_destroy(context);
  return problem;
}

namespace {
/// A case in this process.
struct Compiled {
  Diagnostics diagnostics;
  std::unique_ptr<Compiler> compiler;
  PreparedWeights weights;
  std::unique_ptr<codegen::InProcess> loaded;
  MemoryMap map;
  bool withoutLayer = false;

  explicit Compiled(const CompileRequest &request, const RunOptions &options);
  const symc_model &model() { return *loaded->model(); }
};
} // namespace

// `loaded` stays null where the compiler refuses, or the forced algorithm has no layer.
Compiled::Compiled(const CompileRequest &request, const RunOptions &options) {
  compiler = std::make_unique<Compiler>(request, diagnostics);
  codegen::InProcessOptions inProcess;
  inProcess.resourceDir = options.resourceDir;
  inProcess.host = {{"symc_parallel", reinterpret_cast<const void *>(&symc_parallel)},
                    {"symc_probe", reinterpret_cast<const void *>(&guardedStep)}};
  if (options.nativeKernels)
    llvm::append_range(inProcess.host, nativeKernels());
  if (options.device) {
    llvm::append_range(inProcess.host, deviceFunctions());
    auto forShim = [](const codegen::CudaProgram &program) { return imageForShim(program); };
    if (options.shim)
      compiler->imageOf = forShim;
  }
  if (!compiler->read() || !compiler->optimise() || !compiler->schedule())
    return;
  withoutLayer = options.forceKernel && !uses(compiler->module(), options.forceKernel);
  if (withoutLayer)
    return;
  if (request.placement != codegen::ArenaPlacement::Packed)
    map = describeMemory(compiler->module());
  loaded = compiler->load(weights, inProcess);
}

// One size of a program with open extents: what the program for that size alone computes, or
// refuses with the sentence `refusal`, is what the other has to. What it does not, or "".
static std::string runAtSize(Compiled &open, const StoredCase &resized, const std::string &refusal,
                             const RunOptions &options, symc_pool *pool, Outcome &outcome) {
  GuardedOutcome run = options.device ? runByRuntime(open.model(), resized)
                                      : runGuarded(open.model(), open.map, open.weights.bytes.get(),
                                                   resized, options, pool);
  bool refused = run.refused;
  std::string problem = refused ? "" : run.problem, expected = refusal;
  outcome.slots += run.slots;
  outcome.bytes += run.bytes;
  if (options.misbehave == "refuse")
    refused = true;
  else if (options.misbehave == "compute")
    expected = "nothing";
  bool ended = llvm::StringRef(problem).starts_with("run: "); // by a status
  if (options.mutants && run.problem == noMemory)
    return "";
  if (refused && expected.empty())
    return isLimitOfRanges(run.problem)
               ? ""
               : "refused, the program for this size computes it: " + run.problem;
  if (!refused && !ended && problem.empty() && !expected.empty())
    return "computed, the program for this size refuses: " + expected;
  if (!problem.empty() && (!ended || expected.empty()))
    return problem + (expected.empty() ? "" : " (alone: " + expected + ")");
  return "";
}

// Results of the program for one size, which `resized` keeps; the sentence of a refusal, or "".
static std::string runSingle(StoredCase &resized, const RunOptions &options, symc_pool *pool) {
  RunOptions plain = options;
  plain.guard = Guard::None;
  plain.device = false;
  Compiled single(requestFor(resized, plain), plain);
  if (!single.loaded)
    return firstError(single.diagnostics);
  for (const symc_tensor_info &input :
       llvm::ArrayRef(single.model().inputs, single.model().n_inputs))
    if (input.flags & SYMC_TENSOR_BACKWARD) // whose extents are those of results and arguments
      resized.fitInput(input.name, llvm::ArrayRef(input.shape, input.rank));
  return runPlain(single.model(), resized, {pool, &resized, nullptr, {}});
}

// Rounding alone moves some results by more than a case allows: recurrent layers over more time
// steps than the case has. The reference kernels of the program for this size show how far.
static void allowRounding(StoredCase &resized, StoredCase again, const RunOptions &options,
                          symc_pool *pool) {
  RunOptions reference = options;
  reference.referenceOnly = true;
  if (!runSingle(again, reference, pool).empty())
    return;
  resized.ofOutputs.resize(resized.count("out:"), resized.tolerance);
  for (size_t i = 0; i < resized.ofOutputs.size(); ++i)
    resized.ofOutputs[i].atol += 2 * roundingBetween(*resized.find("out:" + std::to_string(i)),
                                                     *again.find("out:" + std::to_string(i)));
  for (const std::shared_ptr<params::Array> &array : again.kept)
    if (llvm::StringRef key = array->key; key.starts_with("grad:") && resized.find(key)) {
      StoredCase::Tolerance wider = resized.toleranceOf(llvm::Twine(key));
      wider.atol += 2 * roundingBetween(*resized.find(key), *array);
      resized.ofArrays[key] = wider;
    }
}

// The case with extents that are chosen at run time, at its own size and at 1, 2 and twice its
// own: what the program for one size computes, or refuses, is what the other has to.
static Outcome runOpening(const StoredCase &stored, const StoredCase::Opening &opening,
                          const RunOptions &options, symc_pool *pool) {
  int64_t own = opening.extent;
  CompileRequest request = requestFor(stored, options);
  for (auto &[input, axis] : opening.ranges)
    request.shapes[input][axis] = DimSpec::range(1, 2 * own, "open");
  for (auto &[input, axis] : opening.inferred)
    request.shapes[input][axis] = DimSpec::unknown();
  Compiled open(request, options);
  if (!open.loaded)
    return {Verdict::Refused, firstError(open.diagnostics)};
  // Another extent than the range may be what the graph needs there: slopes of rows would have to
  // be those of channels.
  for (const symc_tensor_info &input : llvm::ArrayRef(open.model().inputs, open.model().n_inputs))
    for (auto &[name, axis] : opening.inferred)
      if (name == input.name && input.shape[axis] >= 0)
        return {Verdict::WithoutAxis, ""};
  Outcome outcome{Verdict::Passed, ""};
  for (int64_t size : std::set<int64_t>{1, 2, own, 2 * own}) {
    StoredCase resized = stored.resized(opening, size);
    std::string refusal;
    if (size == own) {
      for (auto &entry : stored.arrays)
        resized.arrays.try_emplace(entry.getKey(), entry.second);
    } else {
      refusal = runSingle(resized, options, pool);
    }
    std::string problem = runAtSize(open, resized, refusal, options, pool, outcome);
    if (!problem.empty() && size != own && refusal.empty()) {
      allowRounding(resized, stored.resized(opening, size), options, pool);
      problem = runAtSize(open, resized, refusal, options, pool, outcome);
    }
    if (!problem.empty())
      return failed("open extent at " + std::to_string(size) + ": " + problem);
  }
  return outcome;
}

static Outcome runOpened(const StoredCase &stored, const RunOptions &options, symc_pool *pool) {
  if (!options.openEach) {
    StoredCase::Opening opening = stored.openingAlong(options.openAxis);
    return opening.ranges.empty() ? Outcome{Verdict::WithoutAxis, ""}
                                  : runOpening(stored, opening, options, pool);
  }
  Outcome all{Verdict::WithoutAxis, ""};
  for (const StoredCase::Opening &opening : stored.openings()) {
    // Where the graph ties other inputs to the extent, a range of it alone contradicts them.
    Outcome one = runOpening(stored, {opening.extent, opening.ranges, {}}, options, pool);
    if (one.verdict == Verdict::Refused && !opening.inferred.empty())
      one = runOpening(stored, opening, options, pool);
    all.slots += one.slots;
    all.bytes += one.bytes;
    if (one.verdict == Verdict::Failed)
      return failed(opening.ranges[0].first + ", axis " + std::to_string(opening.ranges[0].second) +
                    ": " + one.message);
    if (all.verdict != Verdict::Passed)
      all.verdict = one.verdict;
  }
  return all;
}

// What the reference kernels give in the order of the graph is what the program has to, or it
// refuses what they refuse: at the case's extents, or where some are open at each of their sizes.
static Outcome runBesideReference(Compiled &compiled, const StoredCase &stored,
                                  const RunOptions &options, symc_pool *pool) {
  RunOptions reference = options;
  reference.referenceOnly = true;
  Outcome outcome{Verdict::Refused, ""};
  std::vector<std::vector<int64_t>> sizes = stored.sizes;
  if (stored.open.empty())
    sizes = {{}};
  for (llvm::ArrayRef<int64_t> extents : sizes) {
    std::string where = extents.empty() ? "" : "at " + params::shapeText(extents) + ": ";
    StoredCase expected = stored.atSizes(extents);
    std::string refusal = runSingle(expected, reference, pool), problem;
    if (compiled.loaded)
      problem = runAtSize(compiled, expected, refusal, options, pool, outcome);
    else if (refusal.empty()) // of one size: ranges are refused where expressions end
      problem = "reference kernels compute it: " + firstError(compiled.diagnostics);
    if (!problem.empty())
      return failed(where + problem);
    if (refusal.empty())
      outcome.verdict = Verdict::Passed;
    else if (outcome.message.empty())
      outcome.message = refusal;
  }
  return outcome;
}

// A case without known results: a message, or results that hang on nothing but its inputs
// and are, with open extents, those of the programs for single sizes.
static Outcome runMutant(const StoredCase &stored, const RunOptions &options, symc_pool *pool) {
  CompileRequest request = requestFor(stored, options);
  for (const StoredCase::OpenExtent &dim : stored.open)
    if (auto found = request.shapes.find(dim.input);
        found != request.shapes.end() && dim.axis < (int64_t)found->second.size())
      found->second[dim.axis] = DimSpec::range(dim.least, dim.most, dim.symbol);
  Compiled compiled(request, options);
  bool declines = options.misbehave == "decline";
  if (declines)
    compiled.loaded.reset();
  if (!compiled.loaded && !declines) {
    std::string message = firstError(compiled.diagnostics);
    bool internal = message == "no message" || llvm::StringRef(message).contains("internal error");
    if (internal || !stored.besideReference || !stored.open.empty())
      return {internal ? Verdict::Failed : Verdict::Refused, message};
  }
  if (stored.besideReference)
    return runBesideReference(compiled, stored, options, pool);
  if (stored.open.empty()) {
    GuardedOutcome run = runGuarded(compiled.model(), compiled.map, compiled.weights.bytes.get(),
                                    stored, options, pool);
    bool refused =
        run.refused || llvm::StringRef(run.problem).starts_with("run: ") || run.problem == noMemory;
    return {run.problem.empty() ? Verdict::Passed
            : refused           ? Verdict::Refused
                                : Verdict::Failed,
            run.problem, run.slots, run.bytes};
  }
  Outcome outcome{Verdict::Passed, ""};
  for (llvm::ArrayRef<int64_t> extents : stored.sizes) {
    StoredCase resized = stored.atSizes(extents);
    std::string refusal = runSingle(resized, options, pool);
    std::string problem = runAtSize(compiled, resized, refusal, options, pool, outcome);
    if (!problem.empty())
      return failed("open extents at " + params::shapeText(extents) + ": " + problem);
  }
  return outcome;
}

static Outcome onShim(const StoredCase &stored, const RunOptions &options) {
  Diagnostics diagnostics;
  Compiler compiler(requestFor(stored, options), diagnostics);
  if (!compiler.read() || !compiler.optimise() || !compiler.schedule())
    return failed(firstError(diagnostics));
  if (!isMeant(compiler, stored, options))
    return {Verdict::WithoutLayer, ""};
  bool byFallback = false;
  std::vector<KernelBanks> banks;
  std::string problem =
      runOnDevice(compiler, diagnostics, stored, options.precision, options.resourceDir, byFallback,
                  options.countBanks ? &banks : nullptr);
  Outcome outcome = problem.empty() ? Outcome{Verdict::Passed, ""} : failed(problem);
  outcome.banks = std::move(banks);
  outcome.ran = byFallback ? Ran::Fallback : Ran::Device;
  outcome.halves = multipliesHalves(compiler);
  return outcome;
}

// The name of an array whose bits differ in what two runs of a case gave, or "".
static std::string firstDifference(const StoredCase &first, const StoredCase &second) {
  for (const std::shared_ptr<params::Array> &array : first.kept) {
    const params::Array *other = second.find(array->key);
    if (!other || other->byteCount != array->byteCount ||
        memcmp(other->data, array->data, array->byteCount) != 0)
      return array->key;
  }
  return "";
}

// What rounding may change of each output, by a run over the magnitudes of inputs and weights.
static std::string allowRounding(Compiled &compiled, const StoredCase &stored,
                                 codegen::CudaPrecision precision, const char *device,
                                 std::vector<std::vector<double>> &rounding) {
  StoredCase magnitudes = stored.resized({}, 0);
  for (auto &entry : stored.arrays) {
    const params::Array &array = *entry.getValue();
    if (entry.getKey().starts_with("out:") || entry.getKey().starts_with("aux_out:") ||
        array.dtype != params::DType::F32)
      continue;
    std::vector<char> bytes(array.data, array.data + array.byteCount);
    takeMagnitudes(bytes.data(), bytes.size());
    magnitudes.keep(entry.getKey().str(), array.dtype, array.shape, std::move(bytes));
  }
  PreparedWeights &weights = compiled.weights;
  std::vector<uint8_t> signs(weights.bytes.get(), weights.bytes.get() + weights.size);
  takeMagnitudes(weights, compiled.compiler->module());
  std::string problem = runPlain(compiled.model(), magnitudes, {nullptr, &magnitudes, device, {}});
  llvm::copy(signs, weights.bytes.get());
  for (int32_t i = 0; problem.empty() && i < compiled.model().n_outputs; ++i) {
    const params::Array &sums = *magnitudes.find("out:" + llvm::Twine(i));
    rounding.push_back(roundingOf(
        {reinterpret_cast<const float *>(sums.data), size_t(sums.byteCount / 4)}, precision));
  }
  return problem;
}

// On cuda:0, through the runtime as any program, twice: a context of its own has to give the same
// bits.
static Outcome onGpu(const StoredCase &stored, const RunOptions &options) {
  llvm::Expected<std::string> architecture = architectureOfGpu();
  if (!architecture)
    return failed(llvm::toString(architecture.takeError()));
  CompileRequest request = requestFor(stored, options);
  request.cudaArchs = {*architecture};
  Compiled compiled(request, options);
  if (!compiled.loaded)
    return failed(firstError(compiled.diagnostics));
  Compiler &compiler = *compiled.compiler;
  if (!isMeant(compiler, stored, options))
    return {Verdict::WithoutLayer, ""};
  std::optional<codegen::CudaProgram> program = compiler.deviceProgram();
  StoredCase first = stored.resized({}, 0), second = stored.resized({}, 0);
  PlainRun plain = {nullptr, &first, "cuda", {}};
  std::string problem;
  if (rounds(options.precision))
    problem = allowRounding(compiled, stored, options.precision, "cuda", plain.rounding);
  if (problem.empty())
    problem = runPlain(compiled.model(), stored, plain);
  if (problem.empty())
    problem = runPlain(compiled.model(), second, {nullptr, &second, "cuda", {}});
  if (problem.empty() && options.misbehave == "depend" && !second.kept.empty())
    second.kept.front()->shape.clear(), second.kept.front()->byteCount = 0;
  if (problem.empty())
    if (std::string name = firstDifference(first, second); !name.empty())
      problem = "two runs gave different bits: " + name;
  Outcome outcome = problem.empty() ? Outcome{Verdict::Passed, ""} : failed(problem);
  outcome.ran = program && !program->hostSteps.empty() ? Ran::Fallback : Ran::Device;
  outcome.halves = multipliesHalves(compiler);
  return outcome;
}

// On the CPU with factors of 16 bits, twice: a context of its own has to give the same bits.
static Outcome inHalves(const StoredCase &stored, const RunOptions &options, symc_pool *pool) {
  RunOptions open = options; // beside no guards
  open.guard = Guard::None;
  Compiled compiled(requestFor(stored, open), open);
  if (compiled.withoutLayer)
    return {Verdict::WithoutLayer, ""};
  if (!compiled.loaded)
    return failed(firstError(compiled.diagnostics));
  Compiler &compiler = *compiled.compiler;
  if (!isProduct(stored) || !readsHalfWeights(compiler))
    return {Verdict::WithoutLayer, ""};
  StoredCase first = stored.resized({}, 0), second = stored.resized({}, 0);
  PlainRun plain = {pool, &first, nullptr, {}};
  std::string problem = allowRounding(compiled, stored, options.precision, nullptr, plain.rounding);
  if (problem.empty())
    problem = runPlain(compiled.model(), stored, plain);
  if (problem.empty())
    problem = runPlain(compiled.model(), second, {nullptr, &second, nullptr, {}});
  if (problem.empty())
    if (std::string name = firstDifference(first, second); !name.empty())
      problem = "two runs gave different bits: " + name;
  Outcome outcome = problem.empty() ? Outcome{Verdict::Passed, ""} : failed(problem);
  if (problem.empty() && options.guard != Guard::None) {
    Compiled guarded(requestFor(stored, options), options);
    if (!guarded.loaded)
      return failed(firstError(guarded.diagnostics));
    GuardedOutcome run = runGuarded(guarded.model(), guarded.map, guarded.weights.bytes.get(),
                                    stored, options, pool, plain.rounding);
    outcome = run.problem.empty() ? Outcome{Verdict::Passed, "", run.slots, run.bytes}
                                  : failed(run.problem);
  }
  outcome.halves = multipliesHalves(compiler);
  outcome.matrices = multipliesMatrices(compiler, options.targetCpu);
  return outcome;
}

// By the threads of the pool; one thread has to give the same bits.
static Outcome inPlainMemory(const symc_model &model, const StoredCase &stored,
                             const RunOptions &options, symc_pool *pool) {
  StoredCase many = stored.resized({}, 0), one = stored.resized({}, 0);
  std::string problem = runPlain(model, stored, {pool, &many, nullptr, {}});
  if (problem.empty() && pool)
    problem = runPlain(model, stored, {nullptr, &one, nullptr, {}});
  if (pool && options.misbehave == "depend" && !one.kept.empty())
    one.kept.front()->byteCount = 0;
  if (problem.empty() && pool)
    if (std::string name = firstDifference(many, one); !name.empty())
      problem = std::to_string(options.threads) + " threads give other bits than one: " + name;
  return problem.empty() ? Outcome{Verdict::Passed, ""} : failed(problem);
}

static Outcome onDevice(const StoredCase &stored, const RunOptions &options) {
  return options.shim ? onShim(stored, options) : onGpu(stored, options);
}

// A case without known results, for a device: what the CPU's program computes or refuses. Open
// extents stay at the case's own.
static Outcome mutantOnDevice(const StoredCase &stored, const RunOptions &options,
                              symc_pool *pool) {
  RunOptions device = options, host = options;
  device.guard = Guard::None;
  host.device = false;
  StoredCase answered = stored.resized({}, 0);
  std::string refusal =
      options.misbehave == "compute" ? "nothing" : runSingle(answered, host, pool);
  if (llvm::StringRef(refusal).starts_with("run: argument '")) // by the runtime, for any device
    return {Verdict::Refused, refusal};
  if (options.misbehave == "leave")
    for (const std::shared_ptr<params::Array> &result : std::vector(answered.kept))
      answered.keep(result->key, result->dtype, result->shape,
                    std::vector<char>(result->byteCount, 0x55));
  Outcome outcome = onDevice(answered, device);
  if (llvm::StringRef(outcome.message).contains(" elements differ")) {
    allowRounding(answered, stored.resized({}, 0), host, pool);
    outcome = onDevice(answered, device);
  }
  llvm::StringRef message = outcome.message;
  if (outcome.verdict != Verdict::Failed || message.starts_with("shim: ") ||
      message.contains("internal error"))
    return outcome;
  if (!refusal.empty())
    return message.ends_with(" outputs, expected 0") // of a case without results
               ? failed("computed, the CPU's program refuses: " + refusal)
               : Outcome{Verdict::Refused, refusal};
  return outcome;
}

Outcome symc::conformance::runCase(llvm::StringRef folder, const RunOptions &options) {
  StoredCase stored;
  if (auto problem = stored.read(folder, options.modelsDir))
    return failed(*problem);
  if (stored.mode != (options.train ? "train" : "predict"))
    return {Verdict::OtherMode, ""};
  Diagnostics diagnostics;
  bool refused = stored.mxnet == "fails";
  if (!refused && !stored.readArrays(diagnostics))
    return options.mutants ? Outcome{Verdict::Refused, firstError(diagnostics)}
                           : failed("io.params: " + firstError(diagnostics));
  if (!options.mutants) {
    Diagnostics quiet;
    if (auto graph = json::readSymbolFile(stored.symbol, quiet, {nullptr, false}))
      if (std::string missing = missingOperators(*graph); !missing.empty() && !refused)
        return options.device ? failed("operators that are not in the table: " + missing)
                              : Outcome{Verdict::Unsupported, missing};
  }
  symc_pool *pool = nullptr;
  if (options.threads > 1)
    symc_pool_create(options.threads, &pool);
  llvm::scope_exit end([&] { symc_pool_destroy(pool); });
  if (options.mutants)
    return options.device ? mutantOnDevice(stored, options, pool)
                          : runMutant(stored, options, pool);
  if (options.openEach || options.openAxis >= 0)
    return runOpened(stored, options, pool);
  if (options.device && !refused)
    return onDevice(stored, options);
  if (rounds(options.precision) && !refused)
    return inHalves(stored, options, pool);
  Compiled compiled(requestFor(stored, options), options);
  if (compiled.withoutLayer)
    return {Verdict::WithoutLayer, ""};
  if (refused)
    return compiled.loaded ? failed("compiled, but MXNet refuses this model")
                           : Outcome{Verdict::Passed, ""};
  if (!compiled.loaded)
    return failed(firstError(compiled.diagnostics));
  if (options.guard == Guard::None)
    return inPlainMemory(compiled.model(), stored, options, pool);
  GuardedOutcome run = runGuarded(compiled.model(), compiled.map, compiled.weights.bytes.get(),
                                  stored, options, pool);
  return run.problem.empty() ? Outcome{Verdict::Passed, "", run.slots, run.bytes}
                             : failed(run.problem);
}
