// ModelInfo.h: everything that a compiled model states about itself, as plain
// data: the driver fills it in, ModelTable lays it out as runtime/include/symc/abi.h
// requires, CHeader prints it for programmers. Shapes are in elements, sizes in bytes.
#ifndef SYMC_CODEGEN_EMIT_MODELINFO_H
#define SYMC_CODEGEN_EMIT_MODELINFO_H

#include "runtime/include/symc/abi.h"
#include <memory>
#include <string>
#include <vector>

namespace symc::codegen {

struct TensorInfo {
  std::string name;
  std::vector<int64_t> shape;    // e < 0: symbolic size number -(e+1); outputs: the largest extents
  int64_t maxBytes = 0;          // at the largest extents
  int32_t dtype = SYMC_F32;      // symc_dtype
  uint32_t flags = 0;            // SYMC_TENSOR_OPTIONAL, SYMC_TENSOR_BACKWARD
  std::vector<bool> isOpen = {}; // of outputs: which extents depend on sizes; for the header
};

struct DimInfo {
  std::string name; // "data[2]"
  int64_t min = 0, max = 0;
};

/// What a run needs of its sizes (symc_condition in abi.h).
struct ConditionInfo {
  std::string sentence;
  std::vector<int32_t> sizes;
};

struct VariantInfo {
  std::string isa; // "x86-64-v3", "cuda"
  uint64_t cpuLevel = 0;
  int64_t arenaBytes = 0;
  std::string runSymbol; // int32_t(const symc_frame *), as lowerProgram made it
  std::vector<std::string> batchSymbols = {}; // one for each batch size; runSymbol is made of them
  int32_t device = SYMC_DEVICE_CPU;
  std::vector<std::string> programSymbols =
      {};                // what its device gets ready (symc_variant.programs)
  bool hasParts = false; // with gradients: runSymbol's two parts are functions, too
};

/// What a run changes (symc_state_info in abi.h).
struct StateInfo {
  TensorInfo tensor;
  int64_t imageOffset = 0; // of the first value in the prepared weights, bytes
  int64_t rows = 0;        // of one that grows: for how many it has memory, along `axis`
  int32_t axis = 0;
  int32_t stored = 0; // its type in memory, where that is another than the tensor's
};

/// A shared library that kernels call (symc_library in abi.h).
struct LibraryInfo {
  std::string name; // "LAPACK"
  std::vector<std::string> files, symbols;
  std::string functionsSymbol;    // the kernels' array of addresses
  bool ofCustomOperators = false; // its symbols are kernels (CustomKernels.h)
};

/// Object files and archives of custom operators, and the kernels in them that the model calls.
struct KernelObjects {
  std::vector<std::string> files, symbols;
};

/// A parameter of a trainer (symc_trained in abi.h).
struct TrainedInfo {
  int32_t gradient = -1; // output of the training program; -1: frozen
  bool isState = false, isFixedGamma = false;
  double lrMult = 1, wdMult = 1;
  int64_t imageOffset = -1;
  std::string initializer, role;
};

struct ModelInfo;

/// What symc train compiles beside the training program (symc_training in abi.h).
struct TrainingInfo {
  std::shared_ptr<ModelInfo> prediction; // null: the training program's steps predict
  uint64_t predictionBytes = 0;          // of its prepared weights
  std::vector<TrainedInfo> parameters;   // beside the model's parameters
  std::vector<TensorInfo> inputs;        // what a step takes
  std::vector<int64_t> classes;          // of each
  std::vector<symc_source> sources, predictedOf, preparedOf;
  std::string optimizer; // "sgd"
  std::vector<double> values;
  std::string initializer; // empty: the default
  int32_t nHeads = 0;
};

struct ModelInfo {
  std::string prefix;   // a C identifier
  std::string compiler; // "symc 0.1.0"
  std::string triple;   // "x86_64-linux-musl"
  std::vector<TensorInfo> inputs, outputs;
  std::vector<StateInfo> states;      // in the order of the program's arguments
  std::vector<TensorInfo> parameters; // raw ones, in the order of @prepare's inputs
  std::vector<DimInfo> dims;
  std::vector<VariantInfo> variants; // best first
  std::vector<int64_t> batches;      // sizes, largest first; empty where there is one program
  std::vector<int64_t> rowBytes;     // with batches: of each input, then each output (abi.h)
  std::string outputShapesSymbol;    // empty where every output is static
  std::vector<ConditionInfo> conditions;
  std::string checkSizesSymbol; // empty where there are no conditions and no clips
  std::string prepareSymbol;    // the lowered @prepare; empty where it is not emitted
  int64_t prepareArenaBytes = 0;
  std::vector<LibraryInfo> libraries;       // that kernels call
  std::vector<KernelObjects> kernelObjects; // that are linked in, one for each library of operators
  std::vector<std::string> processKernels;  // of the compiling process: for loading there alone
  std::vector<symc_preprocess> preprocess;  // one for each input, or none; without mean_image
  std::vector<std::vector<float>> meanImages; // beside preprocess; empty ones are NULL there
  bool decodesPictures = false;           // with preprocess: PNG and JPEG files are inputs as well
  uint32_t flags = 0;                     // of symc_options that every context has
  std::vector<std::string> labels;        // names of the classes, or none
  std::string symbolJson;                 // of a trainer's program, for its checkpoints
  std::string optimizerText;              // likewise: what --optimizer was
  std::string probeSteps;                 // with probes: what steps are called (Probes.h)
  std::shared_ptr<TrainingInfo> training; // of a trainer
};

/// Where the prepared weights of the model are.
struct WeightsInfo {
  enum Place { None, Embedded, SideFile, Extern } place = None;
  uint64_t bytes = 0;
  uint64_t hash = 0;    // hashOfWeights
  std::string fileName; // of the side file, beside the program
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_MODELINFO_H
