// Module.h: a library that HostCompiler.h made of CUDA source: its kernels, its shared arrays and
// the lines of its code.
#ifndef SYMC_TOOLS_CUDA_SHIM_MODULE_H
#define SYMC_TOOLS_CUDA_SHIM_MODULE_H

#include "tools/cuda-shim/Memory.h"

namespace symc::shim {

class Module {
public:
  /// Loads the library that begins at `image` and contains its own length. Null, and `message`, if
  /// it is none for this processor or requires what the shim has not.
  static std::unique_ptr<Module> load(const void *image, Memory &memory, std::string &message);
  ~Module();
  Module(const Module &) = delete;

  /// Calls the kernel of that name for one thread, by the addresses of its arguments; or null.
  void (*entry(const std::string &kernel) const)(void **arguments);
  /// How many bytes each of its arguments has.
  std::vector<size_t> argumentBytes(const std::string &kernel) const;
  /// Whether the address is one of its constants and variables that are not shared.
  bool holds(uintptr_t address) const {
    return address - begin < end - begin && address - sharedBegin >= sharedEnd - sharedBegin;
  }
  /// Whether its accesses are checked.
  bool checked() const;
  /// "net.cu:12" for an address that a call in it returns to; empty if not known.
  std::string lineOf(void *caller) const;

private:
  Module(Memory &memory) : memory(memory) {}
  void addSharedArrays(const char *image);

  Memory &memory;
  int file = -1; // in memory
  void *handle = nullptr;
  uintptr_t begin = 0, end = 0;             // where it is loaded
  uintptr_t sharedBegin = 0, sharedEnd = 0; // shared arrays and the gaps between them
  std::vector<uintptr_t> sharedArrays;
};

} // namespace symc::shim

#endif // SYMC_TOOLS_CUDA_SHIM_MODULE_H
