// CompileOptions.cpp: see CompileOptions.h.
#include "tools/driver/CompileOptions.h"

#include "llvm/ADT/StringExtras.h"

using namespace symc;
using namespace llvm::opt;

bool symc::parseShape(llvm::StringRef text, std::vector<DimSpec> &shape) {
  text = text.trim();
  if (text.empty())
    return true;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  for (llvm::StringRef part : parts) {
    part = part.trim();
    int64_t low, high;
    size_t dots = part.find("..");
    if (dots == llvm::StringRef::npos) {
      if (part.getAsInteger(10, low) || low < 0)
        return false;
      shape.push_back(DimSpec::fixed(low));
      continue;
    }
    if (part.take_front(dots).getAsInteger(10, low) ||
        part.drop_front(dots + 2).getAsInteger(10, high) || low < 1 || high < low)
      return false;
    shape.push_back(low == high ? DimSpec::fixed(low) : DimSpec::range(low, high));
  }
  return true;
}

bool symc::splitNamed(const Arg &arg, llvm::StringRef &name, llvm::StringRef &value,
                      Complain complain) {
  llvm::StringRef text = arg.getValue();
  std::tie(name, value) = text.split('=');
  if (!name.empty() && text.contains('='))
    return true;
  complain("option '" + arg.getSpelling() + "' needs NAME=VALUE, found '" + text + "'", "");
  return false;
}

static void readTarget(const InputArgList &args, const CompileOptionIds &ids,
                       CompileRequest &request, Complain complain) {
  if (const Arg *arg = args.getLastArg(ids.targetCpu)) {
    request.targetCpus.clear();
    llvm::SmallVector<llvm::StringRef> names;
    llvm::StringRef(arg->getValue()).split(names, ',');
    for (llvm::StringRef name : names) {
      if (!codegen::TargetDescription::get(name))
        complain("unknown target cpu '" + name + "'",
                 "use one of " + llvm::join(codegen::TargetDescription::names(), ", "));
      request.targetCpus.push_back(name.str());
    }
  }
  if (const Arg *arg = args.getLastArg(ids.math)) {
    llvm::StringRef mode = arg->getValue();
    if (mode == "strict")
      request.math = codegen::MathMode::Strict;
    else if (mode == "fast")
      request.math = codegen::MathMode::Fast;
    else if (mode != "default")
      complain("unknown math mode '" + mode + "'", "use strict, default or fast");
  }
  if (const Arg *arg = args.getLastArg(ids.forceKernel)) {
    request.forceKernel = codegen::convKernelNamed(arg->getValue());
    if (!request.forceKernel)
      complain("unknown kernel '" + llvm::StringRef(arg->getValue()) + "'",
               "use direct, winograd-f2, winograd-f4, winograd-f4-late or winograd-phases");
  }
}

void symc::readCompileOptions(const InputArgList &args, const CompileOptionIds &ids,
                              CompileRequest &request, Complain complain) {
  llvm::StringRef name, value;
  for (const Arg *arg : args.filtered(ids.shape)) {
    if (!splitNamed(*arg, name, value, complain))
      continue;
    std::vector<DimSpec> shape;
    if (!parseShape(value, shape))
      complain("'" + value + "' is no shape for input '" + name + "'",
               "write extents as 1,3,224,224; a range as 64..1080; 0 for one that inference finds");
    request.shapes[name.str()] = shape;
  }
  for (const Arg *arg : args.filtered(ids.dtype))
    if (splitNamed(*arg, name, value, complain))
      request.dtypes[name.str()] = value.str();
  request.randomWeights = args.hasArg(ids.randomWeights, ids.randomWeightsSeed);
  if (const Arg *arg = args.getLastArg(ids.randomWeightsSeed))
    if (llvm::StringRef(arg->getValue()).getAsInteger(10, request.seed))
      complain("--random-weights needs a number, found '" + llvm::StringRef(arg->getValue()) + "'",
               "");
  readTarget(args, ids, request, complain);
}
