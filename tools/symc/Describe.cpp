// Describe.cpp: see Describe.h.
#include "tools/symc/Describe.h"

#include "codegen/cpu/TargetDescription.h"
#include "frontend/onnx/Operators.h"
#include "ir/OperatorSchema.h"
#include "tools/driver/NvrtcPlace.h"
#include "tools/driver/Training.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace symc;
using namespace symc::sg;

static void printUsage() {
  llvm::raw_ostream &os = llvm::errs();
  os << "usage: symc NET-symbol.json [NET-0000.params ...] [options] -o FILE\n";
  os << "       symc MODEL.onnx [options] -o FILE\n";
  os << "  as in symc net-symbol.json net-0000.params --shape data=1,3,224,224 -o net\n";
  os << "symc --help lists the options\n";
}

static void printHelp() {
  llvm::raw_ostream &os = llvm::outs();
  os << "symc compiles an MXNet or ONNX model to a program, a library or an object file.\n\n";
  printOptions(commandOptions(), os,
               "symc [build] NET-symbol.json [NET-0000.params ...] | MODEL.onnx [options] -o FILE",
               "symc");
  os << R"(
EXAMPLES:
  symc net-symbol.json net-0000.params --shape data=1,3,224,224 -o net
      one file that runs on any Linux: ./net --input data=x.npy --output-dir out
  symc net-symbol.json net-0000.params --shape data=1,3,224,224 -shared -o libnet.so --header net.h
      a library for C and C++
  symc net-symbol.json --random-weights --shape data=1,3,64..512,64..512 --emit=sg-opt
      the optimised graph, for any image size between the bounds
  symc model.onnx --size batch=1 --size sequence=1..384 -o net
      an ONNX model; the sizes that its shapes name
  symc train net-symbol.json --shape data=64,1,28,28 --optimizer sgd,momentum=0.9 -o trainer
      a program that trains the net (symc train --help)
  symc --list-ops Convolution
      what an operator takes
  symc cache --help
      the compiled models that programs with libsymc_predict keep on disk

EXIT STATUS:
  0 done   1 the model cannot be compiled   2 wrong usage   3 an output cannot be written
)";
}

static void printTrainHelp() {
  llvm::raw_ostream &os = llvm::outs();
  os << R"(symc train compiles an MXNet model to a program or a library that trains it: outputs, gradients
and the update of all parameters are one step of compiled code.

)";
  printOptions(commandOptions(), os,
               "symc train NET-symbol.json [NET-0000.params ...] --shape DATA=N,... [options] -o "
               "FILE",
               "symc", optionsOfPrediction());
  printOptimizers(os);
  os << R"(
The net ends in a loss (SoftmaxOutput, a regression output, MakeLoss). What has a --shape is data; a
variable that only a loss reads, or whose name ends in label, is a label, whose shape is found; all
other arguments are parameters, which begin with the values of the parameter files or are drawn. Names
that end neither in _weight nor _gamma have no weight decay, and a variable's __lr_mult__ and
__wd_mult__ multiply its rates, as in MXNet. The batch is fixed when the trainer is compiled; rates are
not.

EXAMPLES:
  symc train lenet-symbol.json --shape data=64,1,28,28 --optimizer sgd,momentum=0.9,wd=1e-4 -o trainer
      ./trainer --bench 100 --threads 2 times steps on drawn data
  symc train net-symbol.json net-0010.params --shape data=32,3,224,224 --freeze 'conv*' -o tune
      goes on from a checkpoint; layers called conv... stay as they are
  symc train net-symbol.json --shape data=64,784 -shared -o libnet.so --header net.h
      a library: net_train_step and its kin in C, symc::Trainer in C++

EXIT STATUS:
  0 done   1 the model cannot be compiled   2 wrong usage   3 an output cannot be written
)";
}

static void printVersion(bool verbose) {
  llvm::outs() << "symc " SYMC_VERSION "\n";
  if (verbose)
    llvm::outs() << "LLVM " << LLVM_VERSION_STRING
                 << "\ntarget cpus: " << llvm::join(codegen::TargetDescription::names(), ", ")
                 << "\ntriples: x86_64-linux-musl, x86_64-linux-gnu"
                 << "\noperators: " << allOps().size() << " (" << allOpNames().size()
                 << " names)\n";
}

static void describe(const OpName &name) {
  llvm::raw_ostream &os = llvm::outs();
  const OpInfo &info = *name.info;
  os << name.name << (name.name == name.canonical ? "" : (" = " + name.canonical).str()) << " (sg."
     << info.mnemonic << "): " << info.summary << "\n";
  os << "\n" << schemaOf(name).str() << "\n";
  if (!info.description.empty())
    os << "\n" << info.description << "\n";
  auto values = [&](llvm::StringRef title, llvm::ArrayRef<ValueInfo> list, const OpName *taker) {
    os << "\n" << title << ":";
    for (const ValueInfo &value : list)
      os << " " << (taker ? taker->inputName(value.name) : value.name)
         << (value.kind == ValueKind::Optional ? "?" : "")
         << (value.kind == ValueKind::Variadic ? "..." : "")
         << (value.auxiliary ? " (auxiliary state)" : "");
    os << "\n";
  };
  values("inputs", info.operands, &name);
  values("outputs", info.results, nullptr);
  for (const char *preset : name.presets)
    os << "implies: " << preset << "\n";
  if (!info.params.empty())
    os << "\nparameters:\n";
  for (const ParamInfo &param : info.params) {
    if (param.internal)
      continue;
    os << "  " << llvm::left_justify(param.name, 22)
       << (param.defaultText ? std::string("default ") + param.defaultText
                             : std::string("required"))
       << "; " << param.doc;
    if (!param.enumNames.empty()) {
      os << " (";
      for (size_t i = 0; i < param.enumNames.size(); ++i)
        os << (i ? ", " : "") << param.enumNames[i];
      os << ")";
    }
    if (param.min || param.max)
      os << " [" << (param.min ? param.min : "") << ".." << (param.max ? param.max : "") << "]";
    os << "\n";
  }
}

static bool listOperators(llvm::StringRef name) {
  if (name.empty()) {
    for (const OpName &entry : allOpNames())
      llvm::outs() << entry.name
                   << (entry.name == entry.canonical ? "" : (" = " + entry.canonical).str())
                   << "\n";
    return true;
  }
  if (const OpName *found = lookupOp(name)) {
    describe(*found);
    return true;
  }
  llvm::errs() << "symc: error: unknown operator '" << name << "'\n";
  if (llvm::StringRef near = suggestOp(name); !near.empty())
    llvm::errs() << "symc: note: did you mean '" << near << "'?\n";
  else
    llvm::errs() << "symc: note: symc --list-ops lists the operators\n";
  return false;
}

// Features of one architecture alone, 90a, came with 90.
static bool listArchitectures() {
  constexpr int firstWithOwn = 90;
  auto nvrtc = codegen::Nvrtc::open(nvrtcPlace());
  if (!nvrtc) {
    llvm::errs() << "symc: error: " << llvm::toString(nvrtc.takeError()) << "\n";
    return false;
  }
  for (int number : (*nvrtc)->architectures()) {
    llvm::outs() << number << "\n";
    if (number >= firstWithOwn)
      llvm::outs() << number << "a\n";
  }
  return true;
}

int symc::printPage(const CommandLine &line) {
  switch (line.page) {
  case Page::None:
    break;
  case Page::Usage:
    printUsage();
    return ExitUsage;
  case Page::Help:
    printHelp();
    break;
  case Page::TrainHelp:
    printTrainHelp();
    break;
  case Page::Version:
    printVersion(line.verbose);
    break;
  case Page::Operators:
    return listOperators(line.operatorName) ? ExitOk : ExitUsage;
  case Page::OnnxOperators:
    llvm::outs() << onnx::listOperators();
    break;
  case Page::Architectures:
    return listArchitectures() ? ExitOk : ExitCompile;
  }
  return ExitOk;
}
