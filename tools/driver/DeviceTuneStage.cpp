// DeviceTuneStage.cpp: --tune for a CUDA device: measures how each shape of convolution and matrix
// product runs fastest there, by which tile and with the terms of sums in how many parts.
//
// Programs of the whole model are measured, between events of the driver: in program number i each
// step has form number i of its shape's candidates (DeviceModel.h), so that a kernel finds caches
// as the steps around it leave them. There are as many programs as the shape with the most
// candidates has. All rounds of a step count as one time, and steps of one shape, which have one
// form, as the sum of theirs.
#include "codegen/cuda/ProgramText.h"
#include "tools/driver/Compiler.h"
#include "tools/driver/DeviceClock.h"
#include "tools/driver/Tuner.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace symc;
using codegen::CudaCandidate;
using codegen::CudaLaunch;
using codegen::CudaProgram;
using codegen::MeasuredForm;
using codegen::cuda::CudaChoices;

namespace {

/// A shape of the model: its candidates, the model's own form first, and what each of them takes.
struct Shape {
  std::vector<size_t> launches; // of a program
  std::vector<CudaCandidate> candidates;
  std::vector<double> microseconds; // of all launches, by candidate
  /// That of a program.
  size_t candidateOf(size_t program) const { return program < candidates.size() ? program : 0; }
};

/// By key.
using Shapes = std::map<std::string, Shape>;

} // namespace

// Of those that the file lacks. Candidates are what all launches of a shape can have.
static Shapes collectShapes(const CudaProgram &program, const std::string &architecture,
                            const codegen::CudaTuning &tuning) {
  Shapes shapes;
  for (size_t number = 0; number < program.launches.size(); ++number) {
    const CudaLaunch &launch = program.launches[number];
    if (launch.shape.empty() || tuning.find(architecture, launch.shape))
      continue;
    Shape &shape = shapes[launch.shape];
    if (shape.launches.empty())
      shape.candidates = launch.candidates;
    shape.launches.push_back(number);
    llvm::erase_if(shape.candidates, [&](const CudaCandidate &one) {
      return llvm::none_of(launch.candidates,
                           [&](const CudaCandidate &other) { return other.form == one.form; });
    });
  }
  for (auto at = shapes.begin(); at != shapes.end();)
    at = at->second.candidates.empty() ? shapes.erase(at) : std::next(at);
  return shapes;
}

static MeasuredForm formNamed(llvm::StringRef name) {
  MeasuredForm result = {*codegen::cudaFormNamed(name)};
  result.form.parts = std::max<int64_t>(1, result.form.parts);
  return result;
}

// Of --cuda-archs the code that the device runs: that for itself alone before the plain one.
std::optional<std::string> Compiler::architectureOf(int device) {
  std::optional<std::string> found;
  for (const std::string &name : request.cudaArchs)
    if (llvm::StringRef(name).rtrim('a') == std::to_string(device))
      found = name;
  if (!found)
    diagnostics
        .error(request.model.name(), {},
               "cannot tune for the device of this machine, an sm_" + llvm::Twine(device) +
                   ": --cuda-archs names " + llvm::join(request.cudaArchs, ","))
        .note("pass --cuda-archs " + llvm::Twine(device));
  return found;
}

// "tensor-64x64 and wgmma-64x64/2", each once.
static std::string formsOf(const CudaProgram &program) {
  std::set<std::string> forms;
  for (const CudaLaunch &launch : program.launches)
    if (!launch.shape.empty())
      forms.insert(launch.form);
  return llvm::join(forms, " and ");
}

bool Compiler::measurePrograms(const std::string &architecture,
                               llvm::MutableArrayRef<CudaProgram> programs, int64_t arenaBytes,
                               std::vector<std::vector<double>> &times) {
  constexpr int rounds = 15;
  CudaBinaries binaries;
  std::vector<WantedImage> wanted = {{architecture, codegen::CudaImage::Cubin}};
  if (!stage("nvrtc", [&] { return compileForDevice(programs, wanted, binaries); }))
    return false;
  PreparedWeights weights;
  if (!prepareWeights(weights))
    return false;
  codegen::InProcessOptions options;
  options.resourceDir = request.resourceDir;
  options.host = clock->functions();
  int number = std::atoi(architecture.c_str());
  bool specific = architecture.back() == 'a';
  std::vector<std::unique_ptr<codegen::InProcess>> loaded;
  for (auto [program, binary] : llvm::zip_equal(programs, binaries)) {
    program.images = {{codegen::CudaImage::Cubin, number, specific, binary->bytes}};
    loaded.push_back(loadDevice(program, options));
    if (!loaded.back())
      return false;
  }
  return stage("measure", [&] {
    auto describe = [&](size_t i) { return formsOf(programs[i]); };
    auto next = [&](int round) {
      return begin("measure, round " + std::to_string(round) + " of " + std::to_string(rounds));
    };
    llvm::ArrayRef<uint8_t> values(weights.bytes.get(), weights.size);
    codegen::ModelInfo info = modelInfo();
    auto measured = clock->measure({loaded, info, arenaBytes, values, rounds, describe, next});
    if (!measured)
      return diagnostics.hasErrors() ? (llvm::consumeError(measured.takeError()), false)
                                     : report(measured.takeError());
    times = std::move(*measured);
    return true;
  });
}

// A line of the summary and of the file.
static TunedShape choose(const std::string &key, const Shape &shape) {
  size_t best = 0;
  // The model's own form stays unless another one is clearly faster.
  for (size_t i = 1; i < shape.candidates.size(); ++i)
    if (shape.microseconds[i] < (best ? 1 : 0.98) * shape.microseconds[best])
      best = i;
  double count = shape.launches.size();
  TunedShape tuned;
  tuned.key = key;
  tuned.count = shape.launches.size();
  tuned.form = shape.candidates[best].form;
  tuned.best.microseconds = shape.microseconds[best] / count;
  tuned.modelled.microseconds = shape.microseconds[0] / count;
  tuned.estimated = shape.candidates[0].estimate;
  return tuned;
}

bool Compiler::measureOnDevice() {
  if (!clock)
    return report(codegen::emitError("internal error: nobody measures on a device"));
  llvm::Expected<int> device = clock->open();
  if (!device)
    return report(device.takeError());
  std::optional<std::string> architecture = architectureOf(*device);
  if (!architecture)
    return false;
  CudaChoices choices = cudaChoices();
  choices.tuned = &codegen::cudaDeviceOf(*architecture);
  choices.groups = *architecture == "90a";
  std::optional<CudaProgram> own = deviceProgram(0, choices);
  if (!own)
    return false;
  for (const CudaLaunch &launch : own->launches)
    if (launch.hostStep >= 0)
      return report(codegen::emitError("cannot tune a program with steps on the CPU, as '" +
                                       launch.node + "'"));
  Shapes shapes = collectShapes(*own, *architecture, deviceTuning);
  size_t count = 0;
  for (auto &[key, shape] : shapes)
    count = std::max(count, shape.candidates.size());
  kernel::ProgramOp entry = kernel::mainPrograms(module()).front();
  std::vector<CudaProgram> programs;
  int64_t arenaBytes = 0;
  for (size_t i = 0; i < count; ++i) {
    for (auto &[key, shape] : shapes)
      choices.forms[key] = formNamed(shape.candidates[shape.candidateOf(i)].form);
    std::optional<CudaProgram> program = deviceProgram(0, choices);
    if (!program)
      return false;
    programs.push_back(std::move(*program));
    arenaBytes = std::max(arenaBytes, codegen::cuda::arenaBytesOf(entry, choices));
  }
  std::vector<std::vector<double>> times;
  if (count && !measurePrograms(*architecture, programs, arenaBytes, times))
    return false;
  std::vector<TunedShape> found;
  for (auto &[key, shape] : shapes) {
    shape.microseconds.assign(shape.candidates.size(), 0);
    for (size_t i = 0; i < shape.candidates.size(); ++i)
      for (size_t launch : shape.launches)
        shape.microseconds[i] += times[i][launch];
    found.push_back(choose(key, shape));
    MeasuredForm form = formNamed(found.back().form);
    form.microseconds = found.back().best.microseconds;
    deviceTuning.set(*architecture, key, form);
  }
  tuned.push_back(codegen::CudaTuning::targetName(*architecture) + ": " + summarise(found));
  return writeTuning();
}
