// KernelWriter.h: writes one CUDA kernel: its parameters in the order of their use, lines with
// their indentation, views of a program as pointers and strides, and a walk over an index space in
// strides of the grid.
#ifndef SYMC_CODEGEN_CUDA_KERNELWRITER_H
#define SYMC_CODEGEN_CUDA_KERNELWRITER_H

#include "codegen/cuda/CudaProgram.h"
#include "codegen/cuda/CudaTuning.h"
#include "codegen/cuda/DeviceModel.h"
#include "codegen/cuda/ReferenceKernels.h"
#include "codegen/kernel/ViewOrigin.h"
#include "mlir/IR/SymbolTable.h"

namespace symc::codegen::cuda {

/// `text` times a number, or `text` itself.
std::string times(const std::string &text, int64_t by);

/// An operand in the text of a kernel.
struct View {
  std::string pointer;                                   // to element [0, ..., 0]
  mlir::Type elementType;                                // signless
  llvm::SmallVector<mlir::AffineExpr, 6> sizes, strides; // elements; stride 0: broadcast
  int64_t alignment;                                     // bytes, of that element
  /// Where that element is, if it is known to the byte and in the arena or the weights.
  std::optional<CudaArgument> memory = std::nullopt;
};

/// What kernels are chosen by.
struct CudaChoices {
  std::vector<const CudaDevice *> devices = {&cudaDeviceOf("80")}; // the model's, at least one
  bool tensorCores = false; // whether all of their architectures have them
  bool groups = false;      // whether all of them have wgmma
  CudaPrecision precision = CudaPrecision::F32;
  const CudaTile *tile = nullptr; // of every convolution that it suits
  int64_t parts = 0;              // of its terms, where it has more than a pixel; 0: by extents
  llvm::StringMap<MeasuredForm> forms = {}; // of shapes, where neither is given
  std::string formsFile = "";               // that has these; for errors
  const CudaDevice *tuned = nullptr;        // launches hold what a tuner measures on this device
  bool vectors = false;  // four elements a thread of however few, and tensors aligned for them
  bool fallback = false; // the CPU computes what has no kernel

  /// The form of a shape, or null.
  const MeasuredForm *formOf(const std::string &key) const;
};

/// What the kernels of one program share.
struct ProgramScope {
  kernel::ProgramOp program;
  const ReferenceKernels *references; // null: none
  const CudaChoices &choices;
  int64_t counters, partialSums; // their first bytes in the arena
  mlir::SymbolTableCollection symbols = {};
  llvm::SmallVector<std::string> referenceFiles = {}; // whose text the source needs
  llvm::StringMap<bool> refusedForms = {};            // shapes whose form an error has named
};

class KernelWriter {
public:
  KernelWriter(ProgramScope &scope, std::string node);

  /// A parameter called `name` that points to a view; fails after an error at it.
  mlir::FailureOr<View> view(mlir::Value operand, const std::string &name);
  /// The same of a view that is traced already, in another form perhaps.
  mlir::FailureOr<View> view(const kernel::ViewOrigin &origin, mlir::Value operand,
                             const std::string &name);

  /// An expression over the program's sizes: a number, or text over parameters.
  std::string size(mlir::AffineExpr expr);
  /// The product of sizes.
  mlir::AffineExpr count(llvm::ArrayRef<mlir::AffineExpr> sizes);
  /// The largest value of an expression.
  int64_t largest(mlir::AffineExpr expr);
  /// A parameter called `name` that the driver makes of a tensor map.
  void map(CudaTensorMap map, const std::string &name);
  std::string round() { return parameter({CudaArgument::Round}, "round"); }
  std::string status() { return parameter({CudaArgument::Status}, "status"); }
  std::string launchNumber() { return parameter({CudaArgument::Number}, "number"); }
  std::string seed() { return parameter({CudaArgument::Seed}, "seed"); }
  /// Memory behind the program's arena, for the sums of parts; reserved once.
  std::string partialSums(llvm::StringRef type);
  /// Words there that are 0 before the kernel and have to be behind it; reserved once.
  std::string counters();
  /// Lines that make that many of them 0, which the first kernel of a program has.
  void clearCounters(int64_t count);
  const CudaChoices &choices() const { return scope.choices; }
  std::string iteration() { return parameter({CudaArgument::Iteration}, "iteration"); }
  /// Makes the text of the reference kernel of an operation part of the source, in the namespace
  /// "of_" and its file; nothing where there is none.
  std::optional<ReferenceKernel> needReference(llvm::StringRef operation);

  /// The element of a view at indices, one for each dimension, as text; "0" is left out.
  std::string element(const View &view, llvm::ArrayRef<std::string> indices);
  std::string load(const View &view, llvm::ArrayRef<std::string> indices);
  void store(const View &view, llvm::ArrayRef<std::string> indices, const std::string &value);

  void line(const llvm::Twine &text);
  void open(const llvm::Twine &text); // "{" behind it
  void close();
  /// A name that nothing else in the kernel has.
  std::string fresh(llvm::StringRef stem) { return stem.str() + std::to_string(names++); }

  /// Opens a walk over all indices of an index space, one thread an index, or every `step`th of the
  /// last dimension, which `step` divides; close() ends it. The launch gets a grid for the largest
  /// sizes.
  llvm::SmallVector<std::string> walk(llvm::ArrayRef<mlir::AffineExpr> sizes, int64_t step = 1);
  /// What an index of such a size needs: "int", or "long long".
  llvm::StringRef indexType(mlir::AffineExpr largestSize);
  /// Cuts number `from` into indices along `sizes`, the last one the fastest.
  llvm::SmallVector<std::string> split(const std::string &from,
                                       llvm::ArrayRef<mlir::AffineExpr> sizes);

  /// Fails, after an error at its place in the file, where a measured form cannot compute it.
  mlir::LogicalResult checkForm(const CudaConvolution &problem);
  /// The tile of a convolution, which the launch will name.
  const CudaTile &chooseTile(const CudaConvolution &problem);
  void grid(int64_t x, int64_t y, int64_t z, int64_t threads);
  void rounds(int64_t count) { launch.rounds = count; }
  /// Of shared memory, beyond what the kernel declares: its array without a length.
  void sharedBytes(int64_t bytes) { launch.sharedBytes = bytes; }
  /// How many blocks a multiprocessor holds at least: the compiler may take as many registers as
  /// that leaves, where it would rather spill some than hold fewer blocks than it can.
  void fewestBlocks(int64_t count) { heldBlocks = count; }

  /// The whole text of the kernel under a name, and its launch, which has none yet.
  std::string text(llvm::StringRef name) const;
  CudaLaunch takeLaunch() { return std::move(launch); }

private:
  std::string parameter(CudaArgument argument, const std::string &name);

  ProgramScope &scope;
  CudaLaunch launch;
  std::vector<std::string> parameters; // as declared
  std::string lines;
  unsigned depth = 1, names = 0;
  int64_t threads = 256, heldBlocks = 0; // 0: the compiler's choice
};

} // namespace symc::codegen::cuda

#endif // SYMC_CODEGEN_CUDA_KERNELWRITER_H
