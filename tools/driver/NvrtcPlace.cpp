// NvrtcPlace.cpp: see NvrtcPlace.h.
#include "tools/driver/NvrtcPlace.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <dlfcn.h>

using namespace symc;
namespace path = llvm::sys::path;

static codegen::NvrtcSearch placeOf(const char *variable) {
  codegen::NvrtcSearch search;
  if (const char *file = std::getenv(variable))
    search.library = file;
  Dl_info own;
  if (dladdr(reinterpret_cast<void *>(&symc::nvrtcPlace), &own) && own.dli_fname)
    for (llvm::StringRef folder = own.dli_fname; !folder.empty();
         folder = path::parent_path(folder))
      if (path::filename(folder).ends_with("-packages"))
        search.folders.push_back(folder.str());
  if (const char *environment = std::getenv("VIRTUAL_ENV"))
    search.addPython(environment);
  return search;
}

codegen::NvrtcSearch symc::nvrtcPlace() { return placeOf("SYMC_NVRTC"); }

codegen::NvrtcSearch symc::nvdisasmPlace() { return placeOf("SYMC_NVDISASM"); }
