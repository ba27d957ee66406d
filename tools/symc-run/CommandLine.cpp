// CommandLine.cpp: symc-run's options (Options.td) through llvm::opt, with one
// message for each mistake.
#include "tools/symc-run/CommandLine.h"
#include "symc/abi.h"
#include "tools/driver/ParseOptions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <thread>

#define SYMC_OPTIONS "tools/symc-run/Options.inc"
#include "tools/driver/OptionTable.inc"

using namespace symc;
using namespace symc::run;
using namespace llvm::opt;

namespace {

/// Prints one mistake and remembers that there was one.
struct Complaint {
  bool any = false;
  void operator()(const llvm::Twine &message, const llvm::Twine &note = "") {
    any = true;
    sayError(message, note);
  }
};

} // namespace

void symc::run::sayError(const llvm::Twine &message, const llvm::Twine &note) {
  fflush(stdout); // what was found so far stands before the message
  llvm::errs() << "symc-run: error: " << message << "\n";
  if (std::string text = note.str(); !text.empty())
    llvm::errs() << "symc-run: note: " << text << "\n";
}

std::string CommandLine::reproduce() const {
  std::string text = program;
  for (const std::string &word : words) {
    bool plain = !word.empty() && llvm::all_of(word, [](char c) {
      return llvm::isAlnum(c) || llvm::StringRef("-_=./,:+").contains(c);
    });
    text += plain ? " " + word : " '" + word + "'";
  }
  return text;
}

static bool isElf(const std::string &path) {
  if (!notRegular(path).empty())
    return false;
  auto buffer = llvm::MemoryBuffer::getFileSlice(path, 4, 0);
  return buffer && (*buffer)->getBuffer() == "\x7f"
                                             "ELF";
}

static void readModelNames(const InputArgList &args, CommandLine &line, Complaint &complain) {
  std::vector<std::string> names = args.getAllArgValues(OPT_INPUT);
  if (!line.op.empty()) {
    if (!names.empty())
      complain("'" + names[0] + "' is a model beside --op, which needs none");
    return;
  }
  if (names.empty())
    return complain("no model",
                    "name a compiled library, or a symbol file with its parameters: "
                    "symc-run net-symbol.json net-0000.params --shape data=1,3,224,224");
  if (!isElf(names.front())) {
    line.request.model.symbolFile = names.front();
    line.request.model.paramsFiles.assign(names.begin() + 1, names.end());
    line.request.prefix = identifierFrom(llvm::sys::path::stem(names.front()));
    return;
  }
  line.library = names.front();
  line.shapes = args.getAllArgValues(OPT_shape);
  if (names.size() > 1)
    complain("'" + names[1] + "' follows a compiled library, which has its weights already");
  for (auto [id, given] :
       {std::pair("--verify", line.verify), std::pair("--dump-all", !line.dumpDir.empty())})
    if (given)
      complain(llvm::Twine(id) + " needs the graph, and '" + names.front() + "' is compiled",
               "name the symbol file and the parameters instead");
  for (const Arg *arg :
       args.filtered(OPT_dtype, OPT_grow, OPT_outputs, OPT_append, OPT_gradients, OPT_grad_req,
                     OPT_recompute, OPT_random_weights, OPT_random_weights_eq, OPT_target_cpu,
                     OPT_math, OPT_force_kernel, OPT_custom_op))
    complain("option '" + arg->getSpelling() + "' is for compilation, and '" + names.front() +
             "' is compiled");
}

template <typename Number>
static void readNumber(const InputArgList &args, unsigned id, Number least, Number most,
                       Number &target, Complaint &complain) {
  const Arg *arg = args.getLastArg(id);
  if (arg && (llvm::StringRef(arg->getValue()).getAsInteger(10, target) || target < least ||
              target > most))
    complain("option '" + arg->getSpelling() + "' needs a number from " + llvm::Twine(least) +
             " to " + llvm::Twine(most) + ", found '" + arg->getValue() + "'");
}

static void printHelp(const OptionTable &table) {
  printOptions(table, llvm::outs(),
               "symc-run MODEL.so | NET-symbol.json [NET-0000.params ...] | MODEL.onnx | --op CALL "
               "[options]",
               "symc-run runs a compiled library, or a model that it compiles in memory: to look "
               "at it, time it and check it");
  llvm::outs() << R"(
EXAMPLES:
  symc-run net-symbol.json net-0000.params --shape data=1,3,224,224 --input data=x.npy --verify
      the outputs against the reference kernels; after a difference, the first node that is wrong
  symc-run net-symbol.json net-0000.params --shape data=1,3,224,224 --input data=x.npy --compare ref.npz
      against arrays from elsewhere, called as nodes ('conv0') or outputs ('conv0_output')
  symc-run net-symbol.json --random-weights --shape data=1,3,224,224 --profile
      where the time goes
  symc-run model.onnx --size batch=1 --random-inputs --verify
      an ONNX model; --size gives the sizes that its shapes name
  symc-run libnet.so --bench 100 --threads 2
      a library that symc -shared wrote
  symc-run --op 'Convolution(kernel=(3,3), num_filter=8)' --input data=x.npy --output-dir out
      one operator, with weights that are drawn

Two results agree where |x-y| <= R * max|y|. R is the sum over the nodes on the longest way
to the result of u * (8 + sqrt(K)): u is half the distance from 1 to the next number of the
element type (6e-8 for float32), K the length of the node's dot products. --tolerance sets R.

EXIT STATUS:
  0 done, and all compared results agree
  1 results differ, a run failed, or an output cannot be written
  2 wrong usage
  3 a model or an array cannot be read or does not fit
)";
}

std::optional<CommandLine> symc::run::parseCommandLine(llvm::ArrayRef<const char *> arguments,
                                                       llvm::StringRef program, int &status) {
  llvm::BumpPtrAllocator allocator;
  llvm::SmallVector<const char *> expanded(arguments.begin(), arguments.end());
  OptionTable table;
  status = ExitUsage;
  Complaint complain;
  InputArgList args = parseOptions(table, OPT_UNKNOWN, "symc-run", expanded, allocator, complain);
  if (complain.any)
    return std::nullopt;
  if (expanded.empty()) {
    llvm::errs()
        << "usage: symc-run MODEL.so | NET-symbol.json [NET-0000.params ...] | MODEL.onnx | "
           "--op CALL [options]\n";
    llvm::errs() << "symc-run --help lists the options\n";
    return std::nullopt;
  }
  if (args.hasArg(OPT_help)) {
    printHelp(table);
    status = ExitOk;
    return std::nullopt;
  }
  if (args.hasArg(OPT_version)) {
    llvm::outs() << "symc-run " SYMC_VERSION ", ABI " << SYMC_ABI_VERSION << "\n";
    status = ExitOk;
    return std::nullopt;
  }
  CommandLine line;
  line.program = program.str();
  line.words.assign(arguments.begin(), arguments.end());
  line.inputs = args.getAllArgValues(OPT_input);
  line.op = args.getLastArgValue(OPT_op).str();
  line.outputDir = args.getLastArgValue(OPT_output_dir).str();
  line.dumpDir = args.getLastArgValue(OPT_dump_all).str();
  line.compareFile = args.getLastArgValue(OPT_compare).str();
  line.describe = args.hasArg(OPT_describe);
  line.traceFile = args.getLastArgValue(OPT_trace).str();
  line.profile = args.hasArg(OPT_profile, OPT_profile_eq, OPT_top) || !line.traceFile.empty();
  llvm::StringRef by = args.getLastArgValue(OPT_profile_eq, "nodes");
  line.profileSteps = by == "steps";
  if (by != "nodes" && by != "steps")
    complain("--profile is by nodes or by steps, found '" + by + "'");
  line.verify = args.hasArg(OPT_verify);
  line.randomInputs = args.hasArg(OPT_random_inputs, OPT_random_inputs_eq);
  if (const Arg *arg = args.getLastArg(OPT_random_inputs_eq))
    if (llvm::StringRef(arg->getValue()).getAsInteger(10, line.inputSeed))
      complain("--random-inputs needs a number, found '" + llvm::StringRef(arg->getValue()) + "'");
  readNumber<int64_t>(args, OPT_bench, 1, 10000000, line.bench, complain);
  readNumber<int64_t>(args, OPT_top, 1, 1000000, line.top, complain);
  readNumber<int>(args, OPT_threads, 0, 1024, line.threads, complain);
  if (line.threads == 0)
    line.threads = std::max(1u, std::thread::hardware_concurrency());
  if (const Arg *arg = args.getLastArg(OPT_tolerance)) {
    double value;
    if (llvm::StringRef(arg->getValue()).getAsDouble(value) || !(value >= 0))
      complain("option '--tolerance' needs a number of at least 0, found '" +
               llvm::StringRef(arg->getValue()) + "'");
    else
      line.tolerance = value;
  }
  readCompileOptions(args,
                     {OPT_shape, OPT_size, OPT_grow, OPT_value, OPT_dtype, OPT_outputs, OPT_append,
                      OPT_gradients, OPT_grad_req, OPT_recompute, OPT_random_weights,
                      OPT_random_weights_eq, OPT_target_cpu, OPT_math, OPT_force_kernel},
                     line.request, complain);
  // What runs in this process needs no other.
  line.request.hostOnly = !args.hasArg(OPT_target_cpu);
  readModelNames(args, line, complain);
  line.request.resourceDir = resourceFolder(args, OPT_resource_dir);
  loadOperators(args, OPT_custom_op, line.request.resourceDir, complain);
  if (complain.any)
    return std::nullopt;
  status = ExitOk;
  return line;
}
