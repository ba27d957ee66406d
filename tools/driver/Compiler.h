// Compiler.h: the compiler as a library: one object over frontend,
// passes and codegen, one call a stage, each of which can be the last. No flags,
// no output but files and diagnostics; tools are thin around it.
#ifndef SYMC_TOOLS_DRIVER_COMPILER_H
#define SYMC_TOOLS_DRIVER_COMPILER_H

#include "codegen/Pipelines.h"
#include "codegen/conv/Tuning.h"
#include "codegen/cuda/CudaTuning.h"
#include "codegen/cuda/DeviceModel.h"
#include "codegen/emit/InProcess.h"
#include "frontend/Diagnostics.h"
#include "frontend/import/Importer.h"
#include "passes/WantedGradients.h"
#include "runtime/include/symc/optimizer_options.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include <functional>
#include <memory>
#include <set>

namespace symc::codegen::cuda {
struct CudaChoices;
}

namespace symc {

/// Stands for the batch as the first extent of an input.
inline constexpr const char *batchSymbol = "N";

/// Where a model comes from: files, or a graph and arrays that a program has in memory.
struct ModelSource {
  std::string symbolFile;                     // or an ONNX model
  std::shared_ptr<const symbol::Graph> graph; // instead of symbolFile
  /// The same: an ONNX model's bytes, which their owner keeps; its identifier is the model's name.
  std::shared_ptr<const llvm::MemoryBuffer> onnx;
  std::vector<std::string> paramsFiles;
  std::vector<std::shared_ptr<params::WeightSource>> weights; // beside paramsFiles

  /// What messages call the model.
  std::string name() const {
    return graph ? graph->name : onnx ? onnx->getBufferIdentifier().str() : symbolFile;
  }
};

/// What symc train is to make.
struct TrainRequest {
  OptimizerChoice optimizer;       // and its hyper-parameters
  std::vector<std::string> frozen; // patterns of parameters that keep their values
  std::string initializer;         // "xavier,magnitude=2"; empty: the default
  bool predictionProgram = false;  // a program of its own predicts
};

/// An input that becomes a state which grows (--grow): along `axis`, to at most `rows`.
struct GrowRequest {
  std::string name;
  int64_t axis, rows;
};

/// What is compiled, and for what.
struct CompileRequest {
  ModelSource model;
  /// Outputs to compile up to, by name (symbol/Outputs.h); none: those of the graph.
  std::vector<std::string> outputs;
  /// Operators to put behind the output, and the loss to end in, if any (symbol/Append.h).
  std::vector<std::string> appended;
  std::string loss;
  /// With arguments: the graph is computed as in training, and these gradients are outputs, too.
  WantedGradients gradients;
  /// The training program of a trainer: parameters are inputs, all but those that are frozen have
  /// gradients, in the order of the arguments.
  std::optional<TrainRequest> train;
  /// Bytes of the arena above which the backward part computes results again; -1: any.
  int64_t recompute = -1;
  std::map<std::string, std::vector<DimSpec>> shapes;
  std::map<std::string, std::string> dtypes;
  std::vector<GrowRequest> grown;
  /// Of an ONNX model, NAME=VALUE each: the sizes that its shapes name, and values of inputs.
  std::vector<std::string> sizes, values;
  /// Batch sizes, largest first: each becomes the extents called batchSymbol in `shapes`.
  std::vector<int64_t> batches;
  bool randomWeights = false;
  /// Variables that are parameters, also where they do not look like one.
  std::set<std::string> parameters;
  bool extraWeights = false; // accept arrays that the graph has no variable for
  uint64_t seed = 0;
  /// Best first; none: x86-64-v4 and x86-64-v3, and in front of them x86-64-v4+vnni for a graph
  /// with quantised convolutions or products.
  std::vector<std::string> targetCpus;
  bool onDevice = false;     // kernels for a CUDA device, no code for CPUs
  bool alsoOnDevice = false; // such kernels beside code for CPUs
  bool fallback = false;     // beside either: the CPU computes what has no kernel there
  /// "80" or, for that one alone, "90a"; rising.
  std::vector<std::string> cudaArchs = {"80", "86", "90"};
  bool hostOnly = false; // of those that are taken without targetCpus the best that runs here
  std::string triple = "x86_64-linux-musl";
  codegen::MathMode math = codegen::MathMode::Default;
  const codegen::ConvAlgorithm *forceKernel = nullptr; // wherever it can compute the layer
  codegen::CudaPrecision precision = codegen::CudaPrecision::F32;
  int64_t forceParts = 0; // of the terms of convolutions on a CUDA device; 0: by extents
  const codegen::CudaTile *forceTile = nullptr; // the same on a CUDA device
  bool forceVectors = false;                    // there, four elements a thread of however few
  bool referenceOnly = false;                   // every node by its reference kernel
  bool probes = false;                          // symc_probe around every step
  bool flushDenormals = false;                  // every context has SYMC_FLUSH_DENORMALS
  bool emitPrepare = false;                     // the model prepares its weights itself
  bool stepTable = false;                       // runs read a table, by the runtime of trainers
  bool suppliedWeights = false; // of a model in this process: its contexts get them, none are here
  std::string printAfter;       // a pass, or "all": its result goes to standard error
  std::string crashReproducer;  // a file for the input of a pass that crashes or fails
  codegen::ArenaPlacement placement = codegen::ArenaPlacement::Packed; // prepared weights', too
  std::string tuningFile;       // measured choices to take (Tuning.h)
  std::string tuneInto;         // measures what tuningFile lacks and writes all choices there
  std::string prefix = "model"; // of C names; a C identifier
  std::string resourceDir;      // share/symc
};

/// Which remarks of the passes are reported.
struct RemarkKinds {
  bool passed = false; // what was done
  bool missed = false; // what could not be done, and why
};

/// One remark: its line, "net-symbol.json:12:3: remark: missed: why [pass]", and of that the file,
/// the place and "missed: why [pass]"; and the nodes that it is about, "conv0+relu0".
struct RemarkText {
  bool passed;
  std::string line, nodes, file;
  SourcePos pos;
  std::string message;
};

/// Seconds spent in a stage, in order.
struct StageTime {
  std::string stage;
  double seconds;
};

/// Prepared weights in memory, SYMC_ALIGN-aligned.
struct PreparedWeights {
  std::unique_ptr<uint8_t, void (*)(void *)> bytes{nullptr, nullptr};
  uint64_t size = 0;
  uint64_t hash = 0; // codegen::hashOfWeights
};

/// What request.recompute did (after optimise): the arena with it and without, the nodes that are
/// computed again.
struct RecomputeFacts {
  int64_t arenaBytes, bytesWithout;
  size_t nodes;
};

/// A parameter of a training program (after infer).
struct TrainedParameter {
  std::string name, role, initializer; // role: the operand that it is first used for
  double lrMult = 1;
  std::optional<double> wdMult; // where an attribute gives it
  bool isFrozen = false;
  bool isFixedGamma = false; // a normalisation takes it as 1
};

/// What the graph determines of a training program (after infer).
struct TrainingFacts {
  std::vector<TrainedParameter> parameters;
  std::map<std::string, int64_t> classes;       // of data and labels that hold integers below it
  int64_t batch = 1;                            // the first extent of the first data
  std::map<std::string, std::string> operators; // of nodes, by their names
};

/// One of several batch sizes (after schedule).
struct BatchFacts {
  int64_t size, arenaBytes;
  double algorithmCost; // the model's cycles of all convolutions over those of own choices
};

/// What --emit shows of compiled kernels.
enum class DeviceForm { Ptx, Cubin, Sass };

struct WantedImage {
  std::string architecture; // "80", "90a"
  codegen::CudaImage::Kind kind;
};

/// What a program has for a device: a cubin for each of the architectures, which rise, and PTX of
/// the lowest plain one (80 if there is none), for later devices: that of an architecture's own
/// features runs on no other.
std::vector<WantedImage> imagesFor(llvm::ArrayRef<std::string> architectures);

using CudaBinaries = std::vector<std::shared_ptr<const codegen::CudaBinary>>;

/// A program for a device, and what its kernels take of each architecture.
struct DeviceFacts {
  codegen::CudaProgram program;
  std::vector<std::string> architectures;
  CudaBinaries binaries; // of these
};

class DeviceClock;
class KernelStore;
class TableCatalog;

class Compiler {
public:
  Compiler(CompileRequest request, Diagnostics &diagnostics);
  ~Compiler();

  // The stages, in order. Each returns false after reporting to `diagnostics`.
  bool read();     // the model's source -> sg as imported
  bool infer();    // shapes and types; once, further calls do nothing
  bool optimise(); // sg for code generation (infers first where that has not run)
  bool schedule(); // variants of kernel programs, every decision made

  /// What the passes work on: the net's module, or one that holds the net's at each batch size.
  mlir::ModuleOp wholeModule() { return *whole; }
  /// The net's module; with several batch sizes that of the largest.
  mlir::ModuleOp module() { return nets.front(); }
  std::vector<BatchFacts> batchFacts();
  std::optional<RecomputeFacts> recomputeFacts() const { return recomputed; }
  const TrainingFacts &trainingFacts() const { return facts; }
  mlir::MLIRContext &context() { return mlirContext; }
  codegen::TargetDescription target(size_t i = 0) const { return targets[i]; }
  llvm::ArrayRef<codegen::TargetDescription> targetList() const { return targets; }
  /// As the request names them.
  llvm::ArrayRef<std::string> chosenOutputs() const { return request.outputs; }

  /// Another machine, of the same architecture, for the code that follows.
  void setTriple(llvm::StringRef triple) { request.triple = triple.str(); }
  /// What the model table will contain (after schedule).
  codegen::ModelInfo modelInfo();
  /// The loops of the first variant, before LLVM (after schedule).
  mlir::OwningOpRef<mlir::ModuleOp> loops();
  /// The lowered code of all variants (after schedule). Null after an error.
  std::unique_ptr<codegen::Code> code();
  /// Adds it to that of another program of the same file.
  bool addCode(codegen::Code &code);
  /// The graph as MXNet 1.x writes it; empty after an error.
  std::string symbolText();
  /// Which inputs of the training program its steps read to give the first `outputs` in prediction,
  /// and lets them; nothing where that needs a program of its own (after schedule).
  std::optional<llvm::SmallBitVector> predictedInputs(int64_t outputs);
  /// The program that predicts with what this one trains, from the same source.
  CompileRequest requestOfPrediction() const;
  /// The value that a source has of an argument or a state, row-major in its type; nothing where
  /// none has.
  std::optional<params::ArrayValues> sourceValue(llvm::StringRef name, bool isState) const;
  /// The kernels of a CUDA device and their starts (after schedule, of a request for a device).
  /// Of several batch sizes those of one, in order. Nothing after an error.
  std::optional<codegen::CudaProgram> deviceProgram(size_t net = 0);
  codegen::cuda::CudaChoices cudaChoices() const;
  /// Nodes whose kernels of that program run on one thread of the device.
  const std::vector<std::string> &nodesOnOneThread() const { return oneThread; }
  /// The model of that program with the CPU's code of steps that have no kernel, in this process;
  /// images are those of the program. `options` has the runtime's part of CUDA.
  std::unique_ptr<codegen::InProcess> loadDevice(const codegen::CudaProgram &program,
                                                 const codegen::InProcessOptions &options);
  /// Who makes that program: this compiler, of a request for a device, or the one beside it.
  Compiler &forDevice() { return beside ? *beside : *this; }
  /// The program, and its kernels compiled for the first `count` of the request's architectures.
  std::optional<DeviceFacts> deviceFacts(size_t count);
  /// These kernels compiled, a file for each architecture, in order. Likewise.
  std::optional<std::vector<std::string>> deviceFiles(DeviceForm form,
                                                      llvm::ArrayRef<std::string> architectures);
  /// Bytes of prepared weights (after schedule).
  uint64_t preparedBytes();
  /// Of these, what the code for CPUs reads, or that for the device where there is no other.
  uint64_t ownPreparedBytes() { return preparedBytesOf(module()); }
  /// Runs @prepare on this machine into `bytes` of zeroed memory, SYMC_ALIGN-aligned.
  /// `release` may let go of what was written so far (see codegen::runPrepare).
  bool prepareInto(uint8_t *memory, uint64_t bytes, llvm::function_ref<void()> release = {});
  /// The same into memory of its own.
  bool prepareWeights(PreparedWeights &weights);
  /// Compiles into this process, with weights.
  std::unique_ptr<codegen::InProcess> load(PreparedWeights &weights,
                                           const codegen::InProcessOptions &options);

  /// What the tuner found, a line for each target (after schedule).
  const std::vector<std::string> &tuningSummary() const { return tuned; }

  const std::vector<StageTime> &times() const { return stageTimes; }
  /// Called when a stage begins, for progress lines.
  std::function<void(llvm::StringRef)> onStage;
  /// Called behind each pass over a graph or a module with its name and what it made, which may
  /// be changed.
  std::function<void(llvm::StringRef, mlir::Operation *)> onPass;
  /// Called at the beginning of each stage, and within those that take long, on the caller's
  /// thread: false cancels, an error of the stage that runs.
  std::function<bool()> mayGoOn;
  /// Makes the one image of a program for a device in the place of NVRTC's.
  std::function<llvm::Expected<codegen::CudaImage>(const codegen::CudaProgram &)> imageOf;
  /// Who measures on a device of this machine for tuneInto, not owned; null: nobody does.
  DeviceClock *clock = nullptr;
  /// Begins a stage that is the caller's own; false after an error.
  bool begin(llvm::StringRef stage);
  /// Calls `notify` with each remark of the stages that follow.
  void reportRemarks(RemarkKinds kinds, std::function<void(const RemarkText &)> notify);

private:
  /// Times `body` and reports it; false after an error.
  bool stage(llvm::StringRef name, llvm::function_ref<bool()> body);
  bool runPasses(mlir::Operation *root, llvm::function_ref<void(mlir::OpPassManager &)> build);
  bool refuseBatch();
  static kernel::ProgramOp program(mlir::ModuleOp module, llvm::StringRef name);
  /// Of @main_program of a variant.
  static int64_t arenaBytesOf(mlir::ModuleOp module, size_t variant = 0);
  static uint64_t preparedBytesOf(mlir::ModuleOp module);
  /// The function that runs the net of one of several batch sizes; `run` where there is one size.
  std::string batchSymbolOf(const std::string &run, size_t net) const;
  void describeBatches(codegen::ModelInfo &info);
  std::vector<const void *> parameterData(std::vector<std::shared_ptr<const void>> &kept);
  void releaseSources();
  void warnOfVanished(llvm::ArrayRef<std::string> names);
  std::shared_ptr<const symbol::Graph> readPart(const TableCatalog &catalog);
  void warnOfInfinite(const uint8_t *memory);
  std::shared_ptr<const symbol::Graph> readGraph();
  bool readSources();
  bool readOnnx(std::unique_ptr<llvm::MemoryBuffer> file);
  bool sizeGrowth(bool isOnnx);
  bool markGrowth();
  bool readTargets(llvm::ArrayRef<std::string> names);
  bool chooseTargets();
  bool isTraining();
  bool chooseTrained();
  bool checkLosses();
  bool runOptimisation(mlir::ModuleOp module);
  bool recompute();
  bool report(llvm::Error error);
  bool readTuning();
  codegen::CodegenOptions codegenOptions();
  bool measure();
  bool measureOnDevice();
  std::optional<std::string> architectureOf(int device);
  /// Times of all launches of programs whose code is compiled for this architecture.
  bool measurePrograms(const std::string &architecture,
                       llvm::MutableArrayRef<codegen::CudaProgram> programs, int64_t arenaBytes,
                       std::vector<std::vector<double>> &times);
  std::optional<codegen::CudaProgram> deviceProgram(size_t net,
                                                    const codegen::cuda::CudaChoices &choices);
  bool writeTuning();
  void setUpdates();
  bool outline(kernel::VariantOp variant);
  bool compileKernels(llvm::MutableArrayRef<codegen::CudaProgram> programs);
  /// `binaries`: what is wanted of the first program, then of the next.
  bool compileForDevice(llvm::ArrayRef<codegen::CudaProgram> programs,
                        llvm::ArrayRef<WantedImage> wanted, CudaBinaries &binaries);
  bool addHostSteps(size_t net, const codegen::CudaProgram &program, codegen::Code &code);
  /// Of all batch sizes, or of one.
  bool addPrograms(llvm::ArrayRef<codegen::CudaProgram> programs, codegen::Code &code);
  bool addDeviceCode(codegen::Code &code, uint64_t weightsOffset);
  CompileRequest requestBeside() const;
  /// Calls a stage of `beside`; its errors become this compiler's.
  bool alsoBeside(llvm::function_ref<bool(Compiler &)> stage);
  bool scheduleBeside();

  CompileRequest request;
  Diagnostics &diagnostics;
  mlir::MLIRContext mlirContext;
  std::unique_ptr<mlir::ScopedDiagnosticHandler> handler;
  std::vector<codegen::TargetDescription> targets;
  std::vector<std::shared_ptr<params::WeightSource>> sources;
  mlir::OwningOpRef<mlir::ModuleOp> whole; // the net, or a module of modules of its batch sizes
  std::vector<mlir::ModuleOp> nets;        // the net at each batch size, in order; at least one
  mlir::OwningOpRef<mlir::ModuleOp> rows;  // with an open batch, to prove its rows apart
  /// The same model for the device of alsoOnDevice, with messages of its own.
  Diagnostics messagesBeside;
  std::unique_ptr<Compiler> beside;
  bool sharesWeights = true; // with it, or there is nothing beside
  codegen::Tuning tuning;
  codegen::CudaTuning deviceTuning; // of the same file
  std::vector<std::string> tuned;
  std::vector<std::string> oneThread; // nodes
  std::unique_ptr<KernelStore> store; // of nvrtc, both from the first kernels on
  std::unique_ptr<codegen::Nvrtc> nvrtc;
  std::optional<RecomputeFacts> recomputed;
  TrainingFacts facts;
  bool trying = false; // schedules that are measured only: their remarks stay untold
  bool inferred = false;
  std::vector<StageTime> stageTimes;
};

/// A C identifier from a file's name: "my-net.1" -> "my_net_1".
std::string identifierFrom(llvm::StringRef name);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_COMPILER_H
