// Link.cpp: see Link.h. lld keeps global state: one link at a time.
#include "codegen/emit/Link.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Triple.h"
#include <mutex>

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
  plain({"ld.lld", "-o", request.output, "--build-id=none", "--no-color-diagnostics"});
  if (request.form == LinkForm::Relocatable) {
    plain({"-r"});
    if (request.withoutGroups)
      plain({"--force-group-allocation"});
    args.insert(args.end(), request.inputs.begin(), request.inputs.end());
    return Error::success();
  }
  plain({"--gc-sections", "--hash-style=gnu", "-z", "noexecstack", "-z", "relro", "-z", "now", "-z",
         "text", "--no-undefined", "--strip-debug", "--discard-all"});
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
    // Threads of a pool sleep in the library's code, also after dlclose.
    plain({"-shared", "--as-needed", "-Bsymbolic", "-z", "nodelete", "-soname",
           sys::path::filename(request.name)});
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
  lld::Result result = lld::lldMain(pointers, os, os, {{lld::Gnu, &lld::elf::link}});
  broken = !result.canRunAgain;
  if (result.retCode != 0)
    return linkError(request, said);
  return Error::success();
}
