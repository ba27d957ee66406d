// Case.cpp: loads, compiles, runs and compares one case (see Case.h).
#include "tools/conformance/Case.h"

#include "frontend/import/TableCatalog.h"
#include "frontend/json/SymbolReader.h"
#include "ir/Inference.h"
#include "ir/OpTable.h"
#include "runtime/include/symc/runtime.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cmath>
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

namespace {

struct CaseFiles {
  std::string symbol, params, io;
  double rtol = 0, atol = 0;
  int64_t runs = 1; // on the same inputs, before results are compared
  std::string mode, mxnet;
  std::vector<std::string> outputs;
};

} // namespace

static std::optional<std::string> loadCase(llvm::StringRef folder, const RunOptions &options,
                                           CaseFiles &files) {
  auto path = [&](llvm::StringRef name) {
    llvm::SmallString<128> joined(folder);
    llvm::sys::path::append(joined, name);
    return joined.str().str();
  };
  auto buffer = llvm::MemoryBuffer::getFile(path("case.json"));
  if (!buffer)
    return "no case.json";
  auto json = llvm::json::parse((*buffer)->getBuffer());
  llvm::json::Object *object = json ? json->getAsObject() : nullptr;
  if (!object)
    return "case.json is no JSON object";
  files.mode = object->getString("mode").value_or("predict").str();
  files.mxnet = object->getString("mxnet").value_or("runs").str();
  files.runs = object->getInteger("runs").value_or(1);
  files.rtol = object->getNumber("rtol").value_or(0);
  files.atol = object->getNumber("atol").value_or(0);
  if (auto *names = object->getArray("outputs"))
    for (llvm::json::Value &name : *names)
      files.outputs.push_back(name.getAsString().value_or("").str());
  files.io = path("io.params");
  files.symbol = path("symbol.json");
  files.params = files.io;
  if (auto model = object->getString("model")) {
    llvm::SmallString<128> base(options.modelsDir);
    llvm::sys::path::append(base, *model + "-symbol.json");
    files.symbol = base.str().str();
    base = options.modelsDir;
    llvm::sys::path::append(base, object->getString("params").value_or(""));
    files.params = base.str().str();
  }
  return std::nullopt;
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

static std::vector<double> toDoubles(const void *data, int32_t dtype, int64_t count) {
  std::vector<double> values(count);
  symc_convert(data, dtype, values.data(), SYMC_F64, count);
  return values;
}

static std::string compare(const std::string &name, const symc_tensor &got,
                           const params::Array &want, double rtol, double atol) {
  llvm::ArrayRef<int64_t> shape(got.shape, got.rank);
  if (shape != llvm::ArrayRef<int64_t>(want.shape))
    return llvm::formatv("{0}: shape {1}, expected {2}", name, params::shapeText(shape),
                         params::shapeText(want.shape));
  if (got.dtype != static_cast<int32_t>(want.dtype))
    return llvm::formatv("{0}: dtype {1}, expected {2}", name, symc_dtype_name(got.dtype),
                         symc_dtype_name(static_cast<int32_t>(want.dtype)));
  int64_t count = want.elementCount();
  std::vector<char> aligned(want.data, want.data + want.byteCount);
  std::vector<double> x = toDoubles(got.data, got.dtype, count);
  std::vector<double> y = toDoubles(aligned.data(), got.dtype, count);
  int64_t wrong = 0, worst = -1;
  double worstExcess = -1;
  for (int64_t i = 0; i < count; ++i) {
    if (x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i])))
      continue;
    double excess = std::fabs(x[i] - y[i]) / (atol + rtol * std::fabs(y[i]) + 1e-300);
    if (std::isnan(excess) || std::isinf(x[i]) || std::isinf(y[i]))
      excess = INFINITY;
    if (excess <= 1)
      continue;
    ++wrong;
    if (excess > worstExcess) {
      worstExcess = excess;
      worst = i;
    }
  }
  if (!wrong)
    return "";
  return llvm::formatv("{0}: {1} of {2} elements differ; worst at {3}: expected {4}, got {5}, "
                       "allowed {6}",
                       name, wrong, count, worst, y[worst], x[worst],
                       atol + rtol * std::fabs(y[worst]));
}

Outcome symc::conformance::runCase(llvm::StringRef folder, const RunOptions &options) {
  CaseFiles files;
  if (auto problem = loadCase(folder, options, files))
    return failed(*problem);
  if (files.mode != "predict")
    return {Verdict::Skipped, "train mode"};
  Diagnostics diagnostics;
  std::optional<params::ArrayFile> io =
      files.mxnet == "fails" ? std::nullopt : params::readArrays(files.io, diagnostics);
  CompileRequest request;
  request.model.symbolFile = files.symbol;
  request.model.paramsFiles = {files.params};
  request.targetCpus = {options.targetCpu};
  request.math = options.math;
  request.forceKernel = options.forceKernel;
  request.referenceOnly = options.referenceOnly;
  request.resourceDir = options.resourceDir;
  llvm::StringMap<const params::Array *> stored;
  if (io)
    for (const params::Array &array : io->arrays)
      stored[array.key] = &array;
  for (auto &entry : stored) {
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
  {
    Diagnostics quiet;
    if (auto graph = json::readSymbolFile(files.symbol, quiet, {nullptr, false}))
      if (std::string missing = missingOperators(*graph); !missing.empty() && io)
        return {Verdict::Unsupported, missing};
  }
  Compiler compiler(request, diagnostics);
  PreparedWeights weights;
  std::unique_ptr<codegen::InProcess> loaded;
  codegen::InProcessOptions inProcess;
  inProcess.resourceDir = options.resourceDir;
  inProcess.host = {{"symc_parallel", reinterpret_cast<const void *>(&symc_parallel)}};
  bool compiled = compiler.read() && compiler.optimise() && compiler.schedule() &&
                  (loaded = compiler.load(weights, inProcess));
  if (files.mxnet == "fails")
    return compiled ? failed("compiled, but MXNet refuses this model")
                    : Outcome{Verdict::Passed, ""};
  if (!io)
    return failed("io.params: " + firstError(diagnostics));
  if (!compiled)
    return failed(firstError(diagnostics));

  const symc_model *model = loaded->model();
  symc_pool *pool = nullptr;
  if (options.threads > 1)
    symc_pool_create(options.threads, &pool);
  char error[512] = "";
  symc_options contextOptions = {};
  contextOptions.pool = pool;
  contextOptions.error = error;
  contextOptions.error_bytes = sizeof error;
  symc_context *context = nullptr;
  if (symc_create(model, &contextOptions, &context))
    return failed(std::string("create: ") + error);
  std::vector<symc_tensor> inputs, outputs;
  std::vector<std::vector<char>> memory;
  for (int32_t i = 0; i < model->n_inputs; ++i) {
    const symc_tensor_info &info = model->inputs[i];
    const params::Array *value = stored.lookup(std::string("data:") + info.name);
    if (!value)
      value = stored.lookup(std::string("arg:") + info.name);
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
  for (int32_t i = 0; i < model->n_outputs; ++i) {
    const symc_tensor_info &info = model->outputs[i];
    memory.emplace_back(info.max_bytes + 1);
    outputs.push_back(
        {memory.back().data(), info.shape, info.rank, info.dtype, SYMC_DEVICE_CPU, 0});
  }
  std::string problem;
  for (int run = 0; run < files.runs && problem.empty(); ++run)
    if (symc_run(context, inputs.data(), inputs.size(), outputs.data(), outputs.size()))
      problem = std::string("run: ") + symc_last_error(context);
  std::vector<int64_t> extents; // those that values decide among them
  for (const symc_tensor &output : outputs)
    extents.resize(extents.size() + output.rank);
  extents.push_back(0); // of a model whose results have rank 0
  if (problem.empty())
    symc_run_extents(context, extents.data(), extents.size());
  const int64_t *next = extents.data();
  for (symc_tensor &output : outputs) {
    output.shape = next;
    next += output.rank;
  }
  for (size_t i = 0; problem.empty() && i < outputs.size(); ++i)
    if (const params::Array *want = stored.lookup("out:" + std::to_string(i)))
      problem = compare(model->outputs[i].name, outputs[i], *want, files.rtol, files.atol);
  int known = 0; // states that MXNet changed
  for (const auto &entry : stored)
    known += entry.getKey().starts_with("aux_out:");
  for (int32_t i = 0; problem.empty() && i < model->n_states; ++i) {
    const symc_tensor_info &info = model->states[i].tensor;
    memory.emplace_back(info.max_bytes + 1);
    symc_tensor state{memory.back().data(), info.shape, info.rank, info.dtype, SYMC_DEVICE_CPU, 0};
    if (symc_get_state(context, info.name, &state))
      problem = std::string("state: ") + symc_last_error(context);
    else if (const params::Array *want = stored.lookup(std::string("aux_out:") + info.name))
      problem = compare(info.name, state, *want, files.rtol, files.atol);
  }
  if (problem.empty() && model->n_states != known)
    problem = std::to_string(model->n_states) + " auxiliary states change, expected " +
              std::to_string(known);
  for (size_t i = 0; problem.empty() && i < files.outputs.size() && i < outputs.size(); ++i)
    if (files.outputs[i] != model->outputs[i].name)
      problem = "output " + std::to_string(i) + " is called '" + model->outputs[i].name +
                "', expected '" + files.outputs[i] + "'";
  symc_destroy(context);
  symc_pool_destroy(pool);
  return problem.empty() ? Outcome{Verdict::Passed, ""} : failed(problem);
}
