// Emission.cpp: see Emission.h.
#include "tools/driver/Emission.h"

#include "codegen/emit/Libraries.h"
#include "codegen/emit/OutputFile.h"
#include "ir/States.h"
#include "tools/driver/Dependencies.h"
#include "tools/driver/MeanImage.h"
#include "tools/driver/Preprocess.h"
#include "tools/driver/Steps.h"
#include "tools/driver/Training.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

using namespace symc;

// Why a program prints no answer with so many labels, or nothing. It prints one for outputs of
// [rows, classes] of floats, whose numbers of classes may be chosen at run time.
static std::string misfit(size_t labels, Compiler &compiler, const codegen::ModelInfo &info) {
  if (labels == 0)
    return "hold no names";
  auto graph = compiler.module().lookupSymbol<sg::GraphOp>("main");
  std::string wrong;
  size_t next = 0;
  for (auto [i, head] : llvm::enumerate(graph.getBlock().getTerminator()->getOperands())) {
    if (!sg::stateOfResult(graph, i).empty())
      continue;
    const codegen::TensorInfo &output = info.outputs[next++];
    bool isFloat = output.dtype == SYMC_F32 || output.dtype == SYMC_F64 ||
                   output.dtype == SYMC_F16 || output.dtype == SYMC_BF16;
    if (output.shape.size() != 2 || output.shape[1] < 2 || !isFloat)
      continue;
    if (output.shape[1] == int64_t(labels) || !sg::shapeOf(head.getType())[1].isStatic())
      return "";
    wrong = "hold " + std::to_string(labels) + (labels == 1 ? " name" : " names") +
            ", but output '" + output.name + "' has " + std::to_string(output.shape[1]) +
            " classes";
  }
  return wrong;
}

// Labels and preprocessing steps into the model's description.
static bool addProgramData(const CommandLine &line, Compiler &compiler,
                           const Diagnostics &diagnostics, codegen::ModelInfo &info,
                           Notify notify) {
  if (!line.labelsFile.empty()) {
    std::string reason = notRegular(line.labelsFile);
    auto buffer = reason.empty() ? llvm::MemoryBuffer::getFile(line.labelsFile)
                                 : std::make_error_code(std::errc::invalid_argument);
    if (!buffer) {
      notify(MessageKind::Error,
             "cannot read labels '" + line.labelsFile +
                 "': " + (reason.empty() ? reasonOf(buffer.getError()) : reason),
             "");
      return false;
    }
    llvm::SmallVector<llvm::StringRef> names;
    llvm::StringRef text = (*buffer)->getBuffer();
    text.consume_front("\xef\xbb\xbf"); // the mark of UTF-8, which some editors write first
    text.split(names, '\n');
    while (!names.empty() && names.back().trim().empty())
      names.pop_back();
    for (llvm::StringRef name : names)
      info.labels.push_back(name.rtrim("\r").str());
    if (std::string wrong = misfit(info.labels.size(), compiler, info); !wrong.empty()) {
      notify(MessageKind::Error, "labels '" + line.labelsFile + "' " + wrong, "");
      return false;
    }
  }
  if (line.preprocess.empty())
    return true;
  info.preprocess.resize(info.inputs.size(), symc_preprocess{});
  info.meanImages.resize(info.inputs.size());
  for (const auto &[name, steps] : line.preprocess) {
    llvm::StringRef wanted = name; // C++17 captures no part of a structured binding
    auto found =
        llvm::find_if(info.inputs, [&](const auto &input) { return input.name == wanted; });
    if (found == info.inputs.end()) {
      std::vector<std::string> names;
      for (const codegen::TensorInfo &input : info.inputs)
        names.push_back(input.name);
      notify(MessageKind::Error, "--preprocess names '" + name + "', which is no input",
             "inputs are " + diagnostics.nameList(names));
      return false;
    }
    auto fail = [&](llvm::Error error) {
      notify(MessageKind::Error, llvm::toString(std::move(error)), "");
      return false;
    };
    llvm::Expected<PreprocessSteps> parsed = parsePreprocess(steps);
    if (!parsed)
      return fail(parsed.takeError());
    parsed->spec.model_layout = SYMC_NCHW;
    if (llvm::Error error = checkPreprocess(parsed->spec, *found))
      return fail(std::move(error));
    size_t number = found - info.inputs.begin();
    info.preprocess[number] = parsed->spec;
    if (parsed->meanImage.empty())
      continue;
    llvm::Expected<std::vector<float>> image = readMeanImage(parsed->meanImage, *found);
    if (!image)
      return fail(image.takeError());
    info.meanImages[number] = std::move(*image);
  }
  return true;
}

static bool isLibrary(const CommandLine &line) {
  return line.emit.kind == codegen::EmitKind::Shared ||
         line.emit.kind == codegen::EmitKind::Archive ||
         line.emit.kind == codegen::EmitKind::Object;
}

// A library prints no answers, and takes pictures only as --preprocess prescribes.
static void reportUnused(const CommandLine &line, Notify notify) {
  if (!isLibrary(line))
    return;
  if (!line.labelsFile.empty())
    notify(MessageKind::Warning, "--labels is of a program, and a library has no part that uses it",
           "");
  if (line.images.value_or(false) && line.preprocess.empty())
    notify(MessageKind::Warning,
           "--images has no effect: a library reads pictures for inputs of --preprocess alone", "");
}

// Whether a picture could be an input: preprocessing was requested, or there are
// three or four extents with one, three or four channels.
static bool canReadPictures(const codegen::ModelInfo &info) {
  return !info.preprocess.empty() ||
         llvm::any_of(info.inputs, [](const codegen::TensorInfo &input) {
           size_t rank = input.shape.size();
           auto isChannels = [](int64_t extent) {
             return extent == 1 || extent == 3 || extent == 4;
           };
           return (rank == 3 || rank == 4) &&
                  (isChannels(input.shape[rank - 3]) || isChannels(input.shape[rank - 1]));
         });
}

// A library that a kernel calls is opened when a context is created, for which the program needs
// a dynamic loader.
static void chooseLinkage(const CommandLine &line, Compiler &compiler, codegen::ModelInfo &info,
                          Notify notify) {
  bool program = line.emit.kind == codegen::EmitKind::Executable;
  std::string opened = codegen::openedLibrary(info);
  if (!program || !line.freeLinkage || opened.empty())
    return;
  compiler.setTriple("x86_64-linux-gnu");
  info.triple = "x86_64-linux-gnu";
  notify(MessageKind::Remark,
         "the model calls " + opened +
             ", a shared library: the program is linked dynamically, as with -dynamic",
         "");
}

// Open sizes have one arena, for the largest of them. Who gave a range wider than he needs is
// notified before a run needs the memory.
static void reportLargeArena(const codegen::ModelInfo &info, Notify notify) {
  constexpr int64_t large = int64_t(1) << 30;
  int64_t bytes = 0;
  for (const codegen::VariantInfo &variant : info.variants)
    bytes = std::max(bytes, variant.arenaBytes);
  if (info.dims.empty() || bytes < large)
    return;
  notify(MessageKind::Remark,
         "a context takes " + llvm::Twine(bytes) +
             " bytes of memory, enough for the largest sizes of --shape; smaller ranges take less",
         "");
}

// What takes long because no code is generated for it is reported without a request. (No more
// than 20 nodes have such a share.)
static void reportReferenceCode(Compiler &compiler, Notify notify) {
  constexpr double leastShare = 0.05, leastCycles = 3e6;
  for (const ReferenceTime &time : referenceTimes(
           describeSteps(compiler.module(), compiler.targetList()), compiler.targetList().front()))
    if (time.share >= leastShare && time.cycles >= leastCycles)
      notify(MessageKind::Remark,
             "node '" + time.nodes + "' runs in reference code, about " +
                 llvm::Twine(std::lround(100 * time.share)) +
                 " % of the model's estimated time: no code is generated for it",
             "");
}

// The same of a CUDA device, once its kernels are written.
static void reportOneThread(Compiler &compiler, Notify notify) {
  for (const std::string &node : compiler.forDevice().nodesOnOneThread())
    notify(MessageKind::Remark,
           "node '" + node + "' runs on one thread of the device: its kernel has no parallel form",
           "");
}

void symc::reportModel(const CommandLine &line, Compiler &compiler, const codegen::ModelInfo &info,
                       Notify notify) {
  reportLargeArena(info, notify);
  if (!line.request.referenceOnly && !line.request.onDevice)
    reportReferenceCode(compiler, notify);
}

int symc::emitModel(CommandLine &line, Compiler &compiler, Diagnostics &diagnostics, Notify notify,
                    Emitted &emitted) {
  auto failOutput = [&](llvm::Error error) -> int {
    notify(MessageKind::Error, llvm::toString(std::move(error)), "");
    return ExitOutput;
  };
  codegen::ModelInfo &info = emitted.info = compiler.modelInfo();
  if (!info.processKernels.empty()) {
    notify(MessageKind::Error,
           "kernel '" + info.processKernels.front() +
               "' of a custom operator is a function of this process, which no file can hold",
           "compile the model into the process");
    return ExitUsage;
  }
  chooseLinkage(line, compiler, info, notify);
  reportModel(line, compiler, info, notify);
  if (line.request.probes)
    info.probeSteps = writeSteps(compiler.module(), compiler.targetList());
  if (!addProgramData(line, compiler, diagnostics, info, notify))
    return ExitUsage;
  std::optional<TrainerParts> trainer;
  if (line.request.train && !trainer.emplace(line, compiler, diagnostics).plan(info))
    return ExitCompile;
  reportUnused(line, notify);
  line.emit.images = line.images.value_or(canReadPictures(info));
  info.decodesPictures = isLibrary(line) && line.images.value_or(false) && !info.preprocess.empty();
  uint64_t ownBytes = compiler.preparedBytes();
  uint64_t bytes = emitted.weightsBytes = ownBytes + (trainer ? trainer->bytes() : 0);
  auto place = bytes ? line.weights : codegen::WeightsInfo::None;
  std::unique_ptr<codegen::WeightsFile> weights;
  if (place == codegen::WeightsInfo::Embedded && bytes > codegen::largestEmbeddedWeights) {
    place = codegen::WeightsInfo::SideFile;
    notify(MessageKind::Warning,
           llvm::Twine(bytes) + " bytes of weights do not fit in a code file; writing '" +
               line.emit.output + ".weights' beside it",
           "");
  }
  bool text =
      line.emit.kind == codegen::EmitKind::LLVM || line.emit.kind == codegen::EmitKind::Assembly;
  if (bytes && !text && place != codegen::WeightsInfo::Extern) {
    auto file = place == codegen::WeightsInfo::SideFile
                    ? codegen::WeightsFile::sideFile(line.emit.output + ".weights", bytes)
                    : codegen::WeightsFile::embedded(info, bytes, line.emit.output);
    if (!file)
      return failOutput(file.takeError());
    weights = std::move(*file);
    auto release = [&] { weights->release(); };
    if (ownBytes && !compiler.prepareInto(weights->data(), ownBytes, release))
      return ExitCompile;
    if (trainer)
      trainer->fill(weights->data(), release);
    if (llvm::Error error = weights->seal())
      return failOutput(std::move(error));
  }
  std::unique_ptr<codegen::Code> code = compiler.code();
  if (!code || (trainer && !trainer->addCode(*code)))
    return ExitCompile;
  reportOneThread(compiler, notify);
  line.emit.codeBytes = line.report && !text ? &emitted.code : nullptr;
  if (!compiler.begin("emit"))
    return ExitCompile;
  if (llvm::Error error = codegen::emit(line.emit, info, *code, weights.get(), place, bytes))
    return failOutput(std::move(error));
  if (line.dependencies)
    if (llvm::Error error = codegen::writeWhole(line.emit.output + ".d", dependencyRule(line)))
      return failOutput(std::move(error));
  return ExitOk;
}

// Compiled kernels, a file an architecture.
static int writeDeviceCode(const CommandLine &line, Compiler &compiler, Notify notify) {
  auto files = compiler.deviceFiles(line.deviceForm, line.deviceArchs);
  if (!files || !compiler.begin("write"))
    return ExitCompile;
  for (auto [architecture, bytes] : llvm::zip_equal(line.deviceArchs, *files))
    if (llvm::Error error = codegen::writeWhole(deviceFile(line, architecture), bytes)) {
      notify(MessageKind::Error, llvm::toString(std::move(error)), "");
      return ExitOutput;
    }
  return ExitOk;
}

int symc::runStages(const CommandLine &line, Compiler &compiler, Notify notify,
                    llvm::function_ref<int()> afterInference) {
  auto write = [&](llvm::function_ref<void(llvm::raw_ostream &)> print) -> int {
    if (!compiler.begin("write"))
      return ExitCompile;
    std::string text;
    llvm::raw_string_ostream os(text);
    print(os);
    os << "\n";
    llvm::Error error = codegen::writeWhole(line.emit.output, text);
    if (!error)
      return ExitOk;
    notify(MessageKind::Error, llvm::toString(std::move(error)), "");
    return ExitOutput;
  };
  auto writeModule = [&] {
    mlir::OpPrintingFlags flags;
    flags.elideLargeElementsAttrs();
    return write([&](llvm::raw_ostream &os) { compiler.wholeModule().print(os, flags); });
  };
  if (!compiler.read() || !compiler.infer())
    return ExitCompile;
  if (line.stage == Stage::Sg)
    return writeModule();
  if (int bad = afterInference())
    return bad;
  if (!compiler.optimise())
    return ExitCompile;
  if (line.stage == Stage::SgOpt)
    return writeModule();
  if (!compiler.schedule())
    return ExitCompile;
  for (const std::string &tuned : compiler.tuningSummary())
    notify(MessageKind::Tuned, "tuned for " + tuned, "");
  if (line.stage == Stage::Schedule)
    return writeModule();
  if (line.stage == Stage::Kernels) {
    std::optional<codegen::CudaProgram> program = compiler.deviceProgram();
    reportOneThread(compiler, notify);
    return program ? write([&](llvm::raw_ostream &os) { os << program->source; })
                   : int(ExitCompile);
  }
  if (line.stage == Stage::DeviceCode)
    return writeDeviceCode(line, compiler, notify);
  if (line.stage != Stage::Loops)
    return ExitOk;
  mlir::OwningOpRef<mlir::ModuleOp> loops = compiler.loops();
  return loops ? write([&](llvm::raw_ostream &os) { os << *loops; }) : int(ExitCompile);
}
