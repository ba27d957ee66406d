// Nvrtc.h: NVIDIA's run-time compiler of CUDA C++, found when it is needed: symc builds and runs
// without it. It compiles to a cubin for one architecture or to PTX, on machines without a GPU.
#ifndef SYMC_CODEGEN_CUDA_NVRTC_H
#define SYMC_CODEGEN_CUDA_NVRTC_H

#include "codegen/cuda/CudaProgram.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <mutex>

namespace symc::codegen {

/// A line of the compiler's log about a line of the source, or about none (0).
struct CudaMessage {
  bool isError;
  int64_t line;
  std::string text;
};

/// What a kernel takes of a device, as ptxas reports it. Bytes of a thread but for shared memory.
struct CudaKernelUse {
  std::string kernel;
  int64_t registers = 0;
  int64_t sharedBytes = 0; // static, of a block
  int64_t constantBytes = 0;
  int64_t stackBytes = 0;
  int64_t spillStoreBytes = 0, spillLoadBytes = 0;
};

struct CudaBinary {
  std::string bytes; // PTX ends with a 0
  std::string ptx;   // of a cubin: what it was made of
  std::vector<CudaMessage> messages;
  std::vector<CudaKernelUse> kernels; // sorted by name; of a cubin
  std::string log;                    // which has messages and kernels
};

/// Where compiled kernels are kept from one process to the next. Threads may call it at once.
class CudaStore {
public:
  virtual ~CudaStore() = default;
  /// What is kept for a key; nothing where it is not, or no longer whole.
  virtual std::optional<std::string> find(llvm::ArrayRef<std::string> key) = 0;
  /// `name` and `target` are for who lists what is kept.
  virtual void add(llvm::ArrayRef<std::string> key, llvm::StringRef name, llvm::StringRef target,
                   llvm::StringRef bytes) = 0;
};

/// The parts of a log: messages about lines of the source, and what ptxas reports.
void readNvrtcLog(llvm::StringRef log, CudaBinary &binary);

/// Where a library or program of CUDA may lie.
struct NvrtcSearch {
  std::string library;              // this file and no other, unless empty
  std::vector<std::string> folders; // searched next to the loader: of Python's packages
  bool usual = true;                // the loader, and the folders where CUDA is installed

  /// Adds the packages of the Python installation or virtual environment there.
  void addPython(llvm::StringRef prefix);
  /// `folders`, and the usual ones: `inToolkit` of CUDA, as "/lib64", and Python's packages.
  std::vector<std::string> allFolders(llvm::StringRef inToolkit) const;
};

class Nvrtc {
public:
  /// Opens the library, which stays open as long as the process runs.
  static llvm::Expected<std::unique_ptr<Nvrtc>> open(const NvrtcSearch &search = {});

  /// Takes from the store what it has, and adds what it has not, by all that the result depends on.
  void keepIn(CudaStore &place) { store = &place; }

  std::string version() const; // "13.0"
  /// Numbers of the architectures that it compiles for, rising.
  llvm::ArrayRef<int> architectures() const { return supported; }

  /// Compiles for "80" or "90a"; equal sources for one architecture once in a process, and PTX of
  /// one that has a cubin not again. Threads may call it at once. An error quotes the lines of
  /// `name` that the compiler refuses.
  llvm::Expected<std::shared_ptr<const CudaBinary>> compile(llvm::StringRef source,
                                                            llvm::StringRef name,
                                                            llvm::StringRef architecture,
                                                            CudaImage::Kind kind);

private:
  Nvrtc() = default;
  llvm::Error check(llvm::StringRef architecture) const;
  std::vector<std::string> keyOf(llvm::StringRef source, llvm::StringRef target) const;
  std::string known() const;

  struct Functions;
  struct Slot; // of one source for one architecture
  std::shared_ptr<Slot> slotFor(const std::string &target, llvm::StringRef source);
  llvm::Expected<std::shared_ptr<const CudaBinary>>
  compileAnew(const std::string &source, llvm::StringRef name, const std::string &target);
  std::shared_ptr<const Functions> call;
  CudaStore *store = nullptr;
  int major = 0, minor = 0;
  std::string build; // of the library: versions of one number differ by it
  std::vector<int> supported;
  std::mutex lock; // of `slots`
  std::map<std::pair<std::string, std::string>, std::shared_ptr<Slot>> slots;
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CUDA_NVRTC_H
