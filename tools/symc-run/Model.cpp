// Model.cpp: see Model.h.
#include "tools/symc-run/Model.h"

#include "runtime/main/sizes.h"
#include "tools/symc-run/Timing.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>

using namespace symc;
using namespace symc::run;

static Probe probeListener = nullptr;

void symc::run::listenToProbes(Probe listener) { probeListener = listener; }

static void reportProbe(const symc_frame *frame, int64_t step, int32_t phase) {
  if (probeListener)
    probeListener(frame, step, phase);
}

Model::~Model() {
  if (context)
    destroy(context);
  // The library stays: its threads may still be on their way out.
}

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

std::unique_ptr<Model> Model::open(const std::string &path) {
  std::unique_ptr<Model> result(new Model);
  llvm::SmallString<128> absolute(path); // without '/' dlopen would search
  llvm::sys::fs::make_absolute(absolute);
  result->library = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!result->library) {
    sayError("cannot load '" + path + "': " + dlerror(),
             "a compiled program is run through its own flags: " + path + " --help");
    return nullptr;
  }
  auto *table = static_cast<const symc_model *const *>(result->findSymbol("symc_main_model"));
  if (!table || !*table || (*table)->magic != SYMC_MODEL_MAGIC) {
    sayError("'" + path + "' is no compiled model: it has no symc_main_model",
             "compile one with symc -shared -o libnet.so");
    return nullptr;
  }
  result->model = *table;
  if (result->model->abi_version != SYMC_ABI_VERSION) {
    sayError("'" + path + "' has ABI " + llvm::Twine(result->model->abi_version) +
                 ", this program has " + llvm::Twine(SYMC_ABI_VERSION),
             "compile the model again");
    return nullptr;
  }
  std::string prefix = result->model->name;
  auto find = [&](const char *name, auto &function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        result->findSymbol((prefix + "_" + name).c_str()));
    if (!function)
      sayError("'" + path + "' has no function '" + prefix + "_" + name + "'",
               "compile the model again");
    return function != nullptr;
  };
  int32_t (*create)(const symc_options *, symc_context **) = nullptr;
  if (!find("create", create) || !find("destroy", result->destroy) ||
      !find("run", result->runOnce) || !find("last_error", result->lastError) ||
      !find("infer_outputs", result->inferOutputs) || !find("run_extents", result->runExtents) ||
      !find("get_state", result->getState) || !find("reset_state", result->resetState) ||
      !find("state_extents", result->stateExtents))
    return nullptr;
  result->create = create;
  // A library with probes reports its steps to what this variable points to.
  if (auto *hook = static_cast<Probe *>(result->findSymbol("symc_probe_hook")))
    *hook = reportProbe;
  return result;
}

void *Model::findSymbol(const char *name) const { return library ? dlsym(library, name) : nullptr; }

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

std::unique_ptr<Model> Model::compile(const CompileRequest &request, bool allHeads) {
  std::unique_ptr<Model> result(new Model);
  result->diagnostics = std::make_unique<Diagnostics>();
  result->source = std::make_unique<Compiler>(request, *result->diagnostics);
  result->weights = std::make_unique<PreparedWeights>();
  Compiler &compiler = *result->source;
  codegen::InProcessOptions options;
  options.resourceDir = request.resourceDir;
  options.host = {{"symc_parallel", reinterpret_cast<const void *>(&symc_parallel)},
                  {"symc_probe", reinterpret_cast<const void *>(&reportProbe)}};
  if (compiler.read() && compiler.infer()) {
    if (!request.gradients.arguments.empty())
      result->gradientBounds = boundGradients(compiler.module());
    result->nodeOutputs = listNodes(compiler.module(), allHeads);
    if (compiler.optimise() && compiler.schedule())
      result->loaded = compiler.load(*result->weights, options);
  }
  if (!result->loaded) {
    fflush(stdout);
    result->diagnostics->render(llvm::errs());
    return nullptr;
  }
  result->model = result->loaded->model();
  result->create = [model = result->model](const symc_options *wanted, symc_context **context) {
    return symc_create(model, wanted, context);
  };
  result->destroy = symc_destroy;
  result->runOnce = symc_run;
  result->lastError = symc_last_error;
  result->inferOutputs = symc_infer_outputs;
  result->runExtents = symc_run_extents;
  result->getState = symc_get_state;
  result->resetState = symc_reset_state;
  result->stateExtents = symc_state_extents;
  return result;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

bool Model::start(int threads) {
  char error[512] = "";
  symc_options options = {};
  options.threads = threads;
  options.error = error;
  options.error_bytes = sizeof error;
  int32_t status = create(&options, &context);
  if (status)
    sayError("cannot start '" + llvm::Twine(model->name) +
             "': " + (error[0] ? error : symc_status_message(status)));
  return !status;
}

// A context reports whether another device than the CPU runs the variant.
bool Model::runs(const symc_variant &variant) const {
  if (variant.device == SYMC_DEVICE_CPU)
    return variant.cpu_level <= static_cast<uint64_t>(symc_cpu_level()) &&
           symc_cpu_permits(int32_t(variant.cpu_level));
  symc_options options = {};
  options.isa = variant.isa;
  symc_context *made = nullptr;
  if (create(&options, &made))
    return false;
  destroy(made);
  return true;
}

const char *Model::isa() const {
  for (int32_t i = 0; i < model->n_variants; ++i)
    if (runs(model->variants[i]))
      return model->variants[i].isa;
  return "none";
}

int Model::run(std::vector<Tensor> &inputs, std::vector<Tensor> &outputs) {
  auto fail = [&](int32_t status) {
    sayError(llvm::Twine(model->name) + ": " + lastError(context));
    return status == SYMC_STATUS_BAD_SHAPE || status == SYMC_STATUS_BAD_DTYPE ? ExitBadInput
                                                                              : ExitFailed;
  };
  std::vector<symc_tensor> in, out;
  for (size_t i = 0; i < inputs.size(); ++i) {
    in.push_back(inputs[i].view());
    if (inputs[i].absent && (model->inputs[i].flags & SYMC_TENSOR_OPTIONAL))
      in.back().data = nullptr; // the reference kernels read labels that others do not
  }
  int32_t total = 0;
  for (int32_t i = 0; i < model->n_outputs; ++i)
    total += model->outputs[i].rank;
  if (outputs.empty()) {
    largest.resize(total + 1);
    if (int32_t status = inferOutputs(context, in.data(), in.size(), largest.data(), total))
      return fail(status);
    for (int32_t i = 0; i < model->n_outputs; ++i) {
      const symc_tensor_info &info = model->outputs[i];
      outputs.push_back({info.name, info.dtype, std::vector<int64_t>(info.rank), {}});
    }
    for (int32_t i = 0; i < model->n_states; ++i) {
      const symc_tensor_info &info = model->states[i].tensor;
      outputs.push_back({info.name, info.dtype, {info.shape, info.shape + info.rank}, {}});
      outputs.back().bytes.resize(info.max_bytes);
    }
  }
  auto shape = [&](const std::vector<int64_t> &extents) {
    const int64_t *next = extents.data();
    for (Tensor &output : llvm::MutableArrayRef(outputs).take_front(model->n_outputs)) {
      output.shape.assign(next, next + output.shape.size());
      next += output.shape.size();
      int64_t bytes = symc_dtype_bytes(output.dtype);
      for (int64_t extent : output.shape)
        bytes *= extent;
      output.bytes.resize(bytes);
    }
  };
  shape(largest);
  for (Tensor &output : llvm::MutableArrayRef(outputs).take_front(model->n_outputs))
    out.push_back(output.view());
  if (model->n_states)
    if (int32_t status = resetState(context, nullptr))
      return fail(status);
  double start = milliseconds();
  if (int32_t status = runOnce(context, in.data(), in.size(), out.data(), out.size()))
    return fail(status);
  lastMilliseconds = milliseconds() - start;
  std::vector<int64_t> extents(total + 1);
  if (int32_t status = runExtents(context, extents.data(), total))
    return fail(status);
  shape(extents);
  for (int32_t i = 0; i < model->n_states; ++i) {
    const symc_state_info &state = model->states[i];
    Tensor &output = outputs[model->n_outputs + i];
    if (int32_t status =
            stateExtents(context, state.tensor.name, output.shape.data(), state.tensor.rank))
      return fail(status);
    if (state.capacity)
      output.bytes.resize(state.tensor.max_bytes / state.capacity * output.shape[state.axis]);
    symc_tensor value = output.view();
    if (int32_t status = getState(context, model->states[i].tensor.name, &value))
      return fail(status);
  }
  return ExitOk;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static std::string inputNames(const symc_model &model) {
  std::string text;
  for (int32_t i = 0; i < model.n_inputs; ++i)
    text += std::string(i ? ", " : "") + "'" + model.inputs[i].name + "'";
  return text;
}

static int readFile(llvm::StringRef word, const symc_model &model, std::vector<Tensor> &inputs,
                    std::vector<bool> &given) {
  auto indexOf = [&](llvm::StringRef name) {
    for (int32_t i = 0; i < model.n_inputs; ++i)
      if (name == model.inputs[i].name)
        return i;
    return -1;
  };
  llvm::StringRef path = word, name;
  if (word.contains('=') && !llvm::sys::fs::exists(word))
    std::tie(name, path) = word.split('=');
  if (!name.empty() && indexOf(name) < 0) {
    sayError("no input is called '" + name + "'", "inputs are " + inputNames(model));
    return ExitUsage;
  }
  Diagnostics diagnostics;
  std::optional<params::ArrayFile> file = params::readArrays(path, diagnostics);
  if (!file) {
    diagnostics.render(llvm::errs());
    return ExitBadInput;
  }
  bool any = false;
  auto take = [&](int index, const params::Array &array) {
    inputs[index] = fromArray(model.inputs[index].name, array);
    given[index] = any = true;
  };
  if (file->arrays.size() == 1 &&
      (!name.empty() || file->arrays[0].name.empty() || indexOf(file->arrays[0].name) < 0)) {
    int index = name.empty() ? -1 : indexOf(name), live = 0;
    for (int32_t i = 0; i < model.n_inputs && name.empty(); ++i)
      if (!(model.inputs[i].flags & SYMC_TENSOR_OPTIONAL)) {
        index = i;
        ++live;
      }
    if (name.empty() && live != 1) {
      sayError("'" + path + "' could be any of " + llvm::Twine(live) + " inputs",
               "write --input NAME=" + path + "; inputs are " + inputNames(model));
      return ExitUsage;
    }
    take(index, file->arrays[0]);
    return ExitOk;
  }
  for (const params::Array &array : file->arrays)
    if (int index = indexOf(array.name); index >= 0 && (name.empty() || name == array.name))
      take(index, array);
  if (!any) {
    sayError("'" + path + "' has no array called " +
                 (name.empty() ? "as an input" : "'" + name.str() + "'"),
             "inputs are " + inputNames(model));
    return ExitBadInput;
  }
  return ExitOk;
}

int symc::run::readInputs(const CommandLine &line, const symc_model &model,
                          std::vector<Tensor> &inputs) {
  inputs.assign(model.n_inputs, {});
  std::vector<bool> given(model.n_inputs);
  for (const std::string &word : line.inputs)
    if (int status = readFile(word, model, inputs, given))
      return status;
  symc::Sizes sizes;
  symc::Problem problem;
  auto misfit = [&] {
    sayError(problem.text);
    return ExitUsage;
  };
  if (!sizes.start(model, problem))
    return misfit();
  for (const std::string &word : line.shapes)
    if (!sizes.take(word.c_str(), problem))
      return misfit();
  for (int32_t i = 0; i < model.n_inputs; ++i)
    if (given[i])
      sizes.take(i, inputs[i].shape.data(), inputs[i].shape.size());
  std::string made;
  bool largest = false;
  for (int32_t i = 0; i < model.n_inputs; ++i) {
    if (given[i])
      continue;
    const symc_tensor_info &info = model.inputs[i];
    Tensor &tensor = inputs[i];
    tensor = {info.name, info.dtype, {}, {}};
    int64_t count = 1;
    for (int32_t d = 0; d < info.rank; ++d) {
      tensor.shape.push_back(sizes.extent(i, d));
      count *= tensor.shape.back();
    }
    tensor.absent = info.flags & SYMC_TENSOR_OPTIONAL;
    tensor.bytes.resize(count * symc_dtype_bytes(info.dtype));
    if (tensor.absent)
      continue;
    if (line.randomInputs)
      draw_values(tensor.bytes.data(), info.dtype, count, line.inputSeed + i);
    made += std::string(made.empty() ? " " : ", ") + info.name + " " + tensor.typeText();
    largest = largest || sizes.isLargest(i);
  }
  if (largest)
    made += line.library.empty() ? ", the largest sizes"
                                 : ", the largest sizes (--shape chooses others)";
  if (!made.empty() && line.randomInputs)
    printf("drawing inputs with seed %llu:%s\n", static_cast<unsigned long long>(line.inputSeed),
           made.c_str());
  else if (!made.empty())
    printf("running on zeros:%s\n", made.c_str());
  return ExitOk;
}
