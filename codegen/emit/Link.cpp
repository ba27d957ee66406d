// Link.cpp: see Link.h. lld keeps global state: one link at a time. Where it gives up (fatal) it
// ends the process, unless LLVM's handlers of signals are installed, which are no library's to
// install. The first that it calls on that way, CrashRecoveryContext::throwIfCrash, is therefore
// goBack() here (--wrap in CMakeLists.txt), which goes back to link() as lld's own recovery would,
// without destructors. All of lld runs on the calling thread, so that there is one way back.
#include "codegen/emit/Link.h"

#include "codegen/emit/OutputFile.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Triple.h"
#include <csetjmp>
#include <mutex>
#include <system_error>

LLD_HAS_DRIVER(elf)

using namespace llvm;
using namespace symc::codegen;

// The dynamic loader of glibc, which the C library's ABI fixes for each machine.
static StringRef loaderOf(const Triple &triple) {
  return triple.isAArch64() ? "/lib/ld-linux-aarch64.so.1" : "/lib64/ld-linux-x86-64.so.2";
}

// lld's command line. Order matters to it: start files, code, libraries, end file.
static Error arguments(const LinkRequest &request, const Resources &resources,
                       std::vector<std::string> &args) {
  auto plain = [&](std::initializer_list<StringRef> list) {
    for (StringRef one : list)
      args.push_back(one.str());
  };
  auto files = [&](std::initializer_list<StringRef> list) -> Error {
    for (StringRef name : list) {
      Expected<std::string> path = resources.find(name);
      if (!path)
        return path.takeError();
      args.push_back(*path);
    }
    return Error::success();
  };
  plain(
      {"ld.lld", "-o", request.output, "--build-id=none", "--no-color-diagnostics", "--threads=1"});
  // An output that is mapped is quicker where weights leave a hole in it, but is removed on signals
  // by handlers that LLVM installs.
  if (!filesGoOnSignals())
    plain({"--no-mmap-output-file"});
  if (request.form == LinkForm::Relocatable) {
    plain({"-r"});
    if (request.withoutGroups)
      plain({"--force-group-allocation"});
    if (!request.roots.empty())
      plain({"--gc-sections"});
    for (const std::string &root : request.roots)
      plain({"-u", root});
    args.insert(args.end(), request.inputs.begin(), request.inputs.end());
    return Error::success();
  }
  plain({"--gc-sections", "--hash-style=gnu", "-z", "noexecstack", "-z", "relro", "-z", "now", "-z",
         "text", "--no-undefined"});
  // Names in a program are those of the runtime and libc; a model's functions are local.
  if (request.form == LinkForm::SharedLibrary)
    plain({"--strip-debug", "--discard-all"});
  else
    plain({"--strip-all"});
  if (request.besideIt)
    plain({"-rpath", "$ORIGIN"});
  Error error = Error::success();
  Triple triple(Triple::normalize(request.triple));
  switch (request.form) {
  case LinkForm::StaticProgram:
    plain({"-static", "-pie", "--no-dynamic-linker"});
    error = files({"rcrt1.o", "crti.o"});
    break;
  case LinkForm::DynamicProgram:
    plain({"-pie", "--as-needed", "-dynamic-linker", loaderOf(triple)});
    error = files({"Scrt1.o", "crti.o"});
    break;
  default:
    plain({"-shared", "--as-needed", "-Bsymbolic", "-soname", sys::path::filename(request.name)});
    break;
  }
  if (error)
    return error;
  args.insert(args.end(), request.inputs.begin(), request.inputs.end());
  bool isStatic = request.form == LinkForm::StaticProgram;
  if (Error missing = isStatic ? files({"libc.a", "builtins.a", "crtn.o"})
                               : files({"libm.so.6", "libc.so.6", "builtins.a"}))
    return missing;
  if (request.form == LinkForm::DynamicProgram)
    return files({"libc_nonshared.a", "crtn.o"});
  return Error::success();
}

// What lld says, as one sentence: its first line without the program's name. Where
// it is about the output, the name aside is nobody's business.
static Error linkError(const LinkRequest &request, StringRef said) {
  StringRef line = said.trim().split('\n').first;
  line.consume_front("ld.lld: ");
  line.consume_front("error: ");
  if (line.contains(request.output)) {
    std::string reason = line.rsplit(": ").second.str();
    if (!reason.empty())
      reason[0] = toLower(reason[0]);
    return emitError("cannot write '" + request.name + "': " + reason);
  }
  return emitError("cannot link '" + request.name + "': " + line);
}

// Where a link that gives up goes on; set while one runs.
static std::jmp_buf *gaveUp = nullptr;

// In place of llvm::CrashRecoveryContext::throwIfCrash.
void goBack(int status) __asm__("__wrap__ZN4llvm20CrashRecoveryContext12throwIfCrashEi");
void goBack(int status) {
  if (gaveUp)
    std::longjmp(*gaveUp, status ? status : 1);
}

// In place of lld::tryCreateFile, which makes a file beside the output and handlers to remove it:
// the output is there already.
std::error_code isThere(StringRef path) __asm__("__wrap__ZN3lld13tryCreateFileEN4llvm9StringRefE");
static bool standsIn = false; // for lld's, as lld has found
std::error_code isThere(StringRef path) {
  standsIn = true;
  return {};
}

// False where lld cannot run again. All that a jump passes by is lld's.
static bool runLinker(ArrayRef<const char *> args, raw_ostream &os, int &status) {
  std::jmp_buf here;
  gaveUp = &here;
  if (int given = setjmp(here)) {
    gaveUp = nullptr;
    status = given;
    return false;
  }
  lld::Result result = lld::lldMain(args, os, os, {{lld::Gnu, &lld::elf::link}});
  gaveUp = nullptr;
  status = result.retCode;
  return result.canRunAgain;
}

Error symc::codegen::link(const LinkRequest &request, const Resources &resources) {
  static std::mutex mutex;
  static bool broken = false;
  std::vector<std::string> args;
  if (Error error = arguments(request, resources, args))
    return error;
  std::vector<const char *> pointers;
  for (const std::string &arg : args)
    pointers.push_back(arg.c_str());
  std::lock_guard<std::mutex> lock(mutex);
  if (broken)
    return emitError("internal error: the linker cannot run again after a crash");
  std::string said;
  raw_string_ostream os(said);
  int status = 0;
  LinkersFiles files(request.output);
  broken = !runLinker(pointers, os, status);
  if (status != 0)
    return linkError(request, said);
  if (!standsIn)
    return emitError("internal error: built without --wrap of lld::tryCreateFile");
  return Error::success();
}
