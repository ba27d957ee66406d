// Nvrtc.cpp: see Nvrtc.h.
#include "codegen/cuda/Nvrtc.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include <algorithm>
#include <dlfcn.h>

using namespace symc::codegen;
using llvm::StringRef;

using nvrtcProgram = struct OpaqueNvrtcProgram *;

struct Nvrtc::Functions {
#define SYMC_NVRTC_FUNCTION(name, arguments) int(*name) arguments = nullptr;
#include "codegen/cuda/NvrtcFunctions.def"
#undef SYMC_NVRTC_FUNCTION
  const char *(*nvrtcGetErrorString)(int result) = nullptr;

  llvm::Error failure(StringRef function, int result) const {
    return llvm::createStringError(llvm::Twine("NVRTC failed: ") + function + ": " +
                                   nvrtcGetErrorString(result));
  }
};

//===-- The library --------------------------------------------------------------------------===//

// Since version 11.2 a library serves all minor versions of its own.
static constexpr const char *fileNames[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"};

/// Folders whose names match `pattern`, the last name first, so that newer versions lead.
static void addFolders(std::vector<std::string> &found, StringRef parent, StringRef pattern,
                       StringRef below) {
  std::vector<std::string> names;
  llvm::Regex regex(pattern);
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(parent, error), end; !error && it != end;
       it.increment(error))
    if (regex.match(llvm::sys::path::filename(it->path())))
      names.push_back(it->path());
  std::sort(names.rbegin(), names.rend());
  for (const std::string &name : names)
    found.push_back(name + below.str());
}

void NvrtcSearch::addPython(StringRef prefix) {
  for (StringRef packages : {"/site-packages", "/dist-packages"})
    addFolders(folders, (prefix + "/lib").str(), "^python3[.0-9]*$", packages);
}

std::vector<std::string> NvrtcSearch::allFolders(StringRef inToolkit) const {
  NvrtcSearch all = *this;
  if (usual) {
    addFolders(all.folders, "/usr/local", "^cuda(-[0-9.]+)?$", inToolkit);
    all.addPython("/usr/local");
    all.addPython("/usr");
  }
  return all.folders;
}

/// The library by the loader, then in folders: of Python's packages, where the wheel
/// nvidia-cuda-nvrtc has one of its own, or of CUDA.
static void *openAny(const NvrtcSearch &search) {
  if (search.usual)
    for (const char *name : fileNames)
      if (void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL))
        return handle;
  for (const std::string &folder : search.allFolders("/lib64"))
    for (StringRef below : {"/", "/nvidia/cu13/lib/", "/nvidia/cuda_nvrtc/lib/"})
      for (const char *name : fileNames)
        if (void *handle = dlopen((folder + below.str() + name).c_str(), RTLD_NOW | RTLD_LOCAL))
          return handle;
  return nullptr;
}

/// Size and time of the file that a function comes from.
static std::string buildOf(void *function) {
  Dl_info library;
  llvm::sys::fs::file_status status;
  if (!dladdr(function, &library) || llvm::sys::fs::status(library.dli_fname, status))
    return "";
  return std::to_string(status.getSize()) + " " +
         std::to_string(status.getLastModificationTime().time_since_epoch().count());
}

llvm::Expected<std::unique_ptr<Nvrtc>> Nvrtc::open(const NvrtcSearch &search) {
  void *handle = search.library.empty() ? openAny(search)
                                        : dlopen(search.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle && !search.library.empty())
    return llvm::createStringError(llvm::Twine("cannot open NVRTC, which SYMC_NVRTC names: ") +
                                   dlerror());
  if (!handle)
    return llvm::createStringError(
        "code for CUDA needs NVRTC, NVIDIA's compiler library, and finds no libnvrtc.so.13, .12 or "
        ".11.2; install it by 'pip install nvidia-cuda-nvrtc-cu12' (no GPU is needed) or with the "
        "CUDA toolkit, or name the library in SYMC_NVRTC");

  auto functions = std::make_shared<Functions>();
  auto missing = [](StringRef name) {
    return llvm::createStringError("the library of NVRTC has no function " + name +
                                   "; symc needs version 11.2 or later");
  };
#define SYMC_NVRTC_FUNCTION(name, arguments)                                                       \
  functions->name = reinterpret_cast<decltype(functions->name)>(dlsym(handle, #name));             \
  if (!functions->name)                                                                            \
    return missing(#name);
#include "codegen/cuda/NvrtcFunctions.def"
  SYMC_NVRTC_FUNCTION(nvrtcGetErrorString, )
#undef SYMC_NVRTC_FUNCTION

  std::unique_ptr<Nvrtc> nvrtc(new Nvrtc());
  nvrtc->call = functions;
  if (int result = functions->nvrtcVersion(&nvrtc->major, &nvrtc->minor))
    return functions->failure("nvrtcVersion", result);
  int count = 0;
  if (int result = functions->nvrtcGetNumSupportedArchs(&count))
    return functions->failure("nvrtcGetNumSupportedArchs", result);
  nvrtc->supported.resize(count);
  if (int result = functions->nvrtcGetSupportedArchs(nvrtc->supported.data()))
    return functions->failure("nvrtcGetSupportedArchs", result);
  llvm::sort(nvrtc->supported);
  nvrtc->build = buildOf(reinterpret_cast<void *>(functions->nvrtcVersion));
  return nvrtc;
}

std::string Nvrtc::version() const { return std::to_string(major) + "." + std::to_string(minor); }

std::string Nvrtc::known() const {
  return llvm::join(llvm::map_range(supported, [](int each) { return std::to_string(each); }),
                    ", ");
}

//===-- Logs ---------------------------------------------------------------------------------===//

// What logs call every source: what is compiled must not depend on the model's name.
static constexpr llvm::StringLiteral sourceName = "kernels.cu";

static int64_t numberOf(StringRef text) {
  int64_t number = 0;
  text.getAsInteger(10, number);
  return number;
}

/// The number before `what` in a line such as "Used 40 registers, 1024 bytes smem", or 0.
static int64_t numberBefore(StringRef line, StringRef what) {
  llvm::SmallVector<StringRef> match;
  llvm::Regex regex(("([0-9]+) " + what).str());
  return regex.match(line, &match) ? numberOf(match[1]) : 0;
}

/// A line of ptxas, of which `kernel` was named last.
static void readUse(StringRef line, std::string &kernel,
                    std::map<std::string, CudaKernelUse> &uses) {
  llvm::SmallVector<StringRef> match;
  static const llvm::Regex properties("properties[[:space:]]for[[:space:]]([A-Za-z0-9_$]+)");
  if (properties.match(line, &match)) {
    kernel = match[1].str();
    uses[kernel].kernel = kernel;
    return;
  }
  if (kernel.empty())
    return;
  CudaKernelUse &use = uses[kernel];
  if (line.contains("bytes stack frame")) {
    use.stackBytes = numberBefore(line, "bytes stack frame");
    use.spillStoreBytes = numberBefore(line, "bytes spill stores");
    use.spillLoadBytes = numberBefore(line, "bytes spill loads");
  } else if (line.contains("Used ")) {
    use.registers = numberBefore(line, "registers");
    use.sharedBytes = numberBefore(line, "bytes smem");
    use.constantBytes = numberBefore(line, "bytes cmem\\[0\\]");
    kernel.clear();
  }
}

void symc::codegen::readNvrtcLog(StringRef log, CudaBinary &binary) {
  // "kernels.cu(12): error: ...", "kernels.cu(3): warning #177-D: ...", "ptxas error   : ..."
  static const llvm::Regex located("^(.*)\\(([0-9]+)\\):[[:space:]](catastrophic[[:space:]])?("
                                   "error|warning)[^:]*:[[:space:]](.*)$");
  static const llvm::Regex other(
      "^(ptxas|nvrtc)[^:]*(error|fatal|warning)[[:space:]]*:[[:space:]](.*)$");
  std::map<std::string, CudaKernelUse> uses;
  std::string kernel;
  llvm::SmallVector<StringRef> lines, match;
  log.split(lines, '\n');
  for (StringRef line : lines) {
    if (located.match(line, &match) && match[1] == sourceName)
      binary.messages.push_back({match[4] == "error", numberOf(match[2]), match[5].str()});
    else if (other.match(line, &match))
      binary.messages.push_back({match[2] != "warning", 0, (match[1] + ": " + match[3]).str()});
    else
      readUse(line, kernel, uses);
  }
  for (auto &[key, use] : uses)
    binary.kernels.push_back(std::move(use));
}

/// The errors of a log with the lines of the source; the log where none was understood.
static std::string describeErrors(StringRef log, StringRef name, StringRef source) {
  CudaBinary parts;
  readNvrtcLog(log, parts);
  llvm::SmallVector<StringRef> lines;
  source.split(lines, '\n');
  std::string text;
  for (const CudaMessage &message : parts.messages) {
    if (!message.isError)
      continue;
    text += "\n" + name.str() + (message.line ? ":" + std::to_string(message.line) : "") + ": " +
            message.text;
    if (message.line > 0 && size_t(message.line) <= lines.size())
      text += "\n" + lines[message.line - 1].str();
  }
  return text.empty() ? "\n" + log.rtrim().str() : text;
}

//===-- Compilation --------------------------------------------------------------------------===//

llvm::Error Nvrtc::check(StringRef architecture) const {
  StringRef number = architecture.take_while(llvm::isDigit);
  StringRef family = architecture.drop_front(number.size());
  if (number.empty() || !(family.empty() || family == "a" || family == "f"))
    return llvm::createStringError("CUDA architecture '" + architecture +
                                   "' is none; expected a number such as 80 or 90a");
  if (!llvm::is_contained(supported, numberOf(number)))
    return llvm::createStringError("NVRTC " + version() + " compiles for no architecture " +
                                   architecture + "; it supports " + known());
  return llvm::Error::success();
}

/// A text or binary that NVRTC gives in two calls, of its size and its bytes.
template <typename Size, typename Get>
static int take(Size size, Get get, nvrtcProgram program, std::string &bytes) {
  size_t count = 0;
  if (int result = size(program, &count))
    return result;
  bytes.resize(count);
  return get(program, bytes.data());
}

// A source with one of these compiles to the same bytes. Sums and products round each, unless the
// source has fmaf: that is the order the host has.
static constexpr const char *options[] = {
    "--std=c++17", "--fmad=false", "--device-as-default-execution-space", "--ptxas-options=-v"};

std::vector<std::string> Nvrtc::keyOf(StringRef source, StringRef target) const {
  std::vector<std::string> key = {version(), build, target.str(), source.str()};
  key.insert(key.end(), std::begin(options), std::end(options));
  return key;
}

// Lengths of the log, the PTX and the rest, then these.
static std::string writeKept(const CudaBinary &binary) {
  std::string text;
  for (const std::string *part : {&binary.log, &binary.ptx, &binary.bytes})
    text += std::to_string(part->size()) + "\n";
  return text + binary.log + binary.ptx + binary.bytes;
}

static std::shared_ptr<const CudaBinary> readKept(StringRef text) {
  auto binary = std::make_shared<CudaBinary>();
  std::string *parts[] = {&binary->log, &binary->ptx, &binary->bytes};
  size_t sizes[3];
  for (size_t &size : sizes) {
    auto [line, rest] = text.split('\n');
    if (line.getAsInteger(10, size))
      return nullptr;
    text = rest;
  }
  for (auto [part, size] : llvm::zip(parts, sizes)) {
    if (size > text.size())
      return nullptr;
    *part = text.take_front(size).str();
    text = text.drop_front(size);
  }
  if (!text.empty() || binary->bytes.empty())
    return nullptr;
  readNvrtcLog(binary->log, *binary);
  return binary;
}

/// A thread that needs what another one compiles waits for it.
struct Nvrtc::Slot {
  std::mutex lock;
  std::shared_ptr<const CudaBinary> binary;
};

std::shared_ptr<Nvrtc::Slot> Nvrtc::slotFor(const std::string &target, StringRef source) {
  std::lock_guard<std::mutex> locked(lock);
  std::shared_ptr<Slot> &slot = slots[{target, source.str()}];
  if (!slot)
    slot = std::make_shared<Slot>();
  return slot;
}

llvm::Expected<std::shared_ptr<const CudaBinary>>
Nvrtc::compile(StringRef source, StringRef name, StringRef architecture, CudaImage::Kind kind) {
  assert(kind != CudaImage::HostLibrary && "what NVRTC compiles runs on a device");
  if (llvm::Error error = check(architecture))
    return error;
  if (kind == CudaImage::Ptx) {
    std::shared_ptr<Slot> cubin = slotFor("sm_" + architecture.str(), source);
    std::lock_guard<std::mutex> locked(cubin->lock);
    if (cubin->binary && !cubin->binary->ptx.empty()) {
      auto ptx = std::make_shared<CudaBinary>();
      ptx->bytes = cubin->binary->ptx;
      return ptx;
    }
  }
  std::string target = (kind == CudaImage::Ptx ? "compute_" : "sm_") + architecture.str();
  std::shared_ptr<Slot> slot = slotFor(target, source);
  std::lock_guard<std::mutex> locked(slot->lock);
  if (slot->binary)
    return slot->binary;
  std::vector<std::string> key = keyOf(source, target);
  if (std::optional<std::string> kept = store ? store->find(key) : std::nullopt)
    if (std::shared_ptr<const CudaBinary> binary = readKept(*kept))
      return slot->binary = binary;
  auto made = compileAnew(source.str(), name, target);
  if (!made)
    return made;
  slot->binary = *made;
  if (store)
    store->add(key, name, target + ", NVRTC " + version(), writeKept(**made));
  return made;
}

llvm::Expected<std::shared_ptr<const CudaBinary>>
Nvrtc::compileAnew(const std::string &source, StringRef name, const std::string &target) {
  nvrtcProgram program = nullptr;
  if (int result = call->nvrtcCreateProgram(&program, source.c_str(), sourceName.data(), 0, nullptr,
                                            nullptr))
    return call->failure("nvrtcCreateProgram", result);
  auto destroy = llvm::scope_exit([&] { call->nvrtcDestroyProgram(&program); });
  std::string architecture = "--gpu-architecture=" + target;
  llvm::SmallVector<const char *> all(std::begin(options), std::end(options));
  all.push_back(architecture.c_str());
  int result = call->nvrtcCompileProgram(program, int(all.size()), all.data());
  std::string log;
  if (int failed = take(call->nvrtcGetProgramLogSize, call->nvrtcGetProgramLog, program, log))
    return call->failure("nvrtcGetProgramLog", failed);
  log.resize(StringRef(log).rtrim('\0').size());
  constexpr int compilationError = 6;
  if (result == compilationError)
    return llvm::createStringError("NVRTC " + version() + " refuses code for " + target + ":" +
                                   describeErrors(log, name, source));
  if (result)
    return call->failure("nvrtcCompileProgram", result);

  auto binary = std::make_shared<CudaBinary>();
  readNvrtcLog(log, *binary);
  binary->log = log;
  bool isCubin = StringRef(target).starts_with("sm_");
  if (int failed = take(call->nvrtcGetPTXSize, call->nvrtcGetPTX, program,
                        isCubin ? binary->ptx : binary->bytes))
    return call->failure("nvrtcGetPTX", failed);
  if (!isCubin)
    return binary;
  if (int failed = take(call->nvrtcGetCUBINSize, call->nvrtcGetCUBIN, program, binary->bytes))
    return call->failure("nvrtcGetCUBIN", failed);
  return binary;
}
