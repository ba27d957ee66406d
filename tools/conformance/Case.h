// Case.h: one conformance case: a folder with symbol.json, io.params and
// case.json. Compiled into this process, run on the stored inputs, compared with
// the stored outputs: |x - y| <= atol + rtol * |y|, NaN equal to NaN.
#ifndef SYMC_TOOLS_CONFORMANCE_CASE_H
#define SYMC_TOOLS_CONFORMANCE_CASE_H

#include "tools/conformance/BankTable.h"
#include "tools/driver/Compiler.h"

namespace symc::conformance {

enum class Verdict {
  Passed,
  Failed,
  Unsupported,
  OtherMode,    // of training, or with `train` of prediction
  WithoutLayer, // for the algorithm, the precision or the tile that is forced
  WithoutAxis,  // to be opened
  Refused       // an open extent, or a mutant
};

/// Where a case for a device ran; Fallback: the CPU computed some of its steps.
enum class Ran { Elsewhere, Device, Fallback };

struct Outcome {
  Verdict verdict;
  std::string message;          // one line; for Unsupported the operators' names
  int64_t slots = 0, bytes = 0; // that had memory of their own in guarded runs
  Ran ran = Ran::Elsewhere;
  bool halves = false;                 // a product's factors were 16 bits in memory
  bool matrices = false;               // and its sums registers of matrices
  std::vector<KernelBanks> banks = {}; // where they are counted
};

/// Where inaccessible pages lie beside what a run works on.
enum class Guard { None, End, Start };

struct RunOptions {
  std::string targetCpu = codegen::TargetDescription::common();
  codegen::MathMode math = codegen::MathMode::Default;
  const codegen::ConvAlgorithm *forceKernel = nullptr;
  const codegen::CudaTile *forceTile = nullptr;                   // with `device`
  int64_t forceParts = 0;                                         // of terms; 0: by extents
  codegen::CudaPrecision precision = codegen::CudaPrecision::F32; // likewise
  bool vectors = false; // likewise: four elements a thread of however few
  bool referenceOnly = false;
  bool train = false;         // cases of training, with all gradients, and no others
  bool nativeKernels = false; // those of this program in the place of bitcode
  Guard guard = Guard::None;
  int64_t openAxis = -1;   // chosen at run time from 1 to twice what the case has
  bool openEach = false;   // each extent of each input, one after the other
  bool device = false;     // by the kernels for a CUDA device
  bool shim = false;       // with `device`: on the host's shim, else on cuda:0
  bool countBanks = false; // of shared memory, with `device`
  bool mutants = false;    // results are unknown: a refusal is as good as an answer
  std::string misbehave;   // what a guarded run does wrong, to see that it is found
  int threads = 1;
  bool emulateAmx = false; // instructions of matrices, by the process's emulator
  std::string resourceDir;
  std::string modelsDir; // where models/<stem> cases find symbol and parameters
};

/// Runs the case in `folder`. Never throws; may crash with the code that it tests,
/// so callers run it in a process of its own.
Outcome runCase(llvm::StringRef folder, const RunOptions &options);

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_CASE_H
