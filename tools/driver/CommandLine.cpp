// CommandLine.cpp: symc's options (CommandLine.td) through llvm::opt: response
// files, and one message for each mistake.
#include "tools/driver/CommandLine.h"
#include "tools/driver/Dependencies.h"
#include "tools/driver/Dialects.h"
#include "tools/driver/ParseOptions.h"
#include "tools/driver/Preprocess.h"
#include "tools/driver/Training.h"

#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#define SYMC_OPTIONS "tools/driver/CommandLine.inc"
#include "tools/driver/OptionTable.inc"

using namespace symc;
using namespace llvm::opt;

namespace {

/// Passes complaints on and remembers that there was one.
struct Complaint {
  Complain report;
  bool any = false;
  void operator()(const llvm::Twine &message, const llvm::Twine &note = "") {
    any = true;
    report(message, note);
  }
};

} // namespace

const OptTable &symc::commandOptions() {
  static const OptionTable table;
  return table;
}

std::string symc::resourcesOfProgram() {
  llvm::SmallString<128> path(
      llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&resourcesOfProgram)));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "..", "share", "symc");
  return path.str().str();
}

// By number, 90a behind 90; each once.
static void sortArchitectures(std::vector<std::string> &names) {
  auto key = [](const std::string &name) {
    int64_t number = 0;
    llvm::StringRef rest = name;
    rest.consumeInteger(10, number);
    return std::make_pair(number, rest);
  };
  llvm::sort(names, [&](auto &a, auto &b) { return key(a) < key(b); });
  names.erase(llvm::unique(names), names.end());
}

std::string symc::deviceFile(const CommandLine &line, llvm::StringRef architecture) {
  const std::string &output = line.emit.output;
  if (line.deviceArchs.size() == 1)
    return output;
  llvm::StringRef ending = llvm::sys::path::extension(output);
  llvm::StringRef kind = line.deviceForm == DeviceForm::Ptx ? ".compute_" : ".sm_";
  return (llvm::StringRef(output).drop_back(ending.size()) + kind + architecture + ending).str();
}

static void choosePrecision(llvm::StringRef name, bool onDevice, CommandLine &line,
                            Complaint &complain) {
  std::optional<codegen::CudaPrecision> precision = codegen::cudaPrecisionNamed(name);
  if (!precision)
    return complain("unknown type '" + name + "' for --precision", "use f32, tf32, f16 or bf16");
  line.request.precision = *precision;
  if (!onDevice && rounds(*precision) && !isHalf(*precision))
    return complain("--precision " + name + " is of --target cuda",
                    "pass --target cuda, or use f16 or bf16");
  for (const std::string &arch : line.request.cudaArchs)
    if (rounds(*precision) && !codegen::hasTensorCores(arch))
      complain("--precision " + name +
                   " needs tensor cores as sm_80 has them, --cuda-archs names " + arch,
               "leave " + arch + " out");
}

static void chooseDevice(const InputArgList &args, CommandLine &line, Complaint &complain) {
  llvm::StringRef device = args.getLastArgValue(OPT_target, "cpu");
  bool both = device == "cpu,cuda" || device == "cuda,cpu", onDevice = device != "cpu";
  if (onDevice && device != "cuda" && !both)
    return complain("unknown device '" + device + "' for --target", "use cpu, cuda or cpu,cuda");
  bool shows = line.stage == Stage::Kernels || line.stage == Stage::DeviceCode;
  line.request.alsoOnDevice = both && line.stage == Stage::Emit;
  line.request.onDevice = onDevice && (!both || shows);
  if (shows && !onDevice)
    complain("--emit=" + args.getLastArgValue(OPT_emit) +
                 " shows code for another device than the CPU",
             "pass --target cuda");
  if (const Arg *arg = args.getLastArg(OPT_cuda_archs)) {
    line.request.cudaArchs.clear();
    for (llvm::StringRef name : llvm::split(arg->getValue(), ',')) {
      llvm::StringRef number = name;
      number.consume_back("a");
      if (number.size() < 2 || !llvm::all_of(number, llvm::isDigit))
        complain("'" + name + "' is no architecture", "write --cuda-archs 80,86,90a");
      line.request.cudaArchs.push_back(name.str());
    }
    sortArchitectures(line.request.cudaArchs);
    if (!onDevice)
      complain("--cuda-archs is of --target cuda", "pass --target cuda");
  }
  if (const Arg *arg = args.getLastArg(OPT_fallback)) {
    line.request.fallback = true;
    if (llvm::StringRef(arg->getValue()) != "cpu")
      complain("unknown device '" + llvm::StringRef(arg->getValue()) + "' for --fallback",
               "use cpu");
    if (!onDevice)
      complain("--fallback is of --target cuda", "pass --target cuda");
  }
  line.deviceArchs = {line.request.cudaArchs.front()};
  if (args.hasArg(OPT_cuda_archs))
    line.deviceArchs = line.request.cudaArchs;
  if (const Arg *arg = args.getLastArg(OPT_precision))
    choosePrecision(arg->getValue(), onDevice, line, complain);
  // Of code for both what is shown is that for the CPU, whose weights are the device's, too.
  if (both && !line.request.onDevice && !line.request.alsoOnDevice)
    line.request.precision = codegen::CudaPrecision::F32;
  if (!onDevice)
    return;
  if (line.request.onDevice)
    line.request.targetCpus = {
        codegen::TargetDescription::common()}; // whose layouts code for the device has
  if (const Arg *arg = both ? nullptr : args.getLastArg(OPT_force_kernel)) {
    std::optional<codegen::CudaForm> form = codegen::cudaFormNamed(arg->getValue());
    if (form && !form->tile->isRow())
      line.request.forceTile = form->tile, line.request.forceParts = form->parts;
    else
      complain("unknown tile '" + llvm::StringRef(arg->getValue()) + "' for --target cuda",
               "use " + codegen::cudaTileNames() +
                   ", with terms in 3 parts 64x64/3; a pixel alone has a form of its own");
  }
  auto exclude = [&](bool given, llvm::StringRef flag, llvm::StringRef note) {
    if (given)
      complain("--target " + device + " and " + flag + " exclude each other", note);
  };
  exclude(both && args.hasArg(OPT_force_kernel), "--force-kernel", "a kernel is of one device");
  if (!both && args.hasArg(OPT_tune) && args.hasArg(OPT_force_kernel))
    complain("--tune and --force-kernel exclude each other with --target cuda",
             "a tuner measures all tiles");
  exclude(line.stage == Stage::Loops, "--emit=loops", "--emit=cuda shows the kernels");
  exclude(args.hasArg(OPT_probes), "--probes",
          "SYMC_CUDA_PROFILE=FILE measures each kernel where the program runs");
  exclude(args.getLastArgValue(OPT_weights) == "extern", "--weights=extern", "use embed or file");
}

// Options that specify what is written, each something else.
static void checkKinds(const InputArgList &args, Complaint &complain) {
  const Arg *first = nullptr;
  std::string firstKind;
  for (const Arg *arg : args.filtered(OPT_c, OPT_S, OPT_shared, OPT_emit)) {
    const Option &option = arg->getOption();
    std::string kind = option.matches(OPT_c)        ? "object"
                       : option.matches(OPT_S)      ? "asm"
                       : option.matches(OPT_shared) ? "shared"
                                                    : arg->getValue();
    if (first && kind != firstKind)
      return complain(first->getAsString(args) + " and " + arg->getAsString(args) +
                      " exclude each other");
    first = arg;
    firstKind = kind;
  }
  if (args.hasArg(OPT_static) && args.hasArg(OPT_shared))
    complain("-static and -shared exclude each other");
}

static void chooseEmission(const InputArgList &args, CommandLine &line, Complaint &complain,
                           const GivenModel *given) {
  using codegen::EmitKind;
  struct Row {
    llvm::StringRef name;
    Stage stage;
    EmitKind kind;
    DeviceForm deviceForm = DeviceForm::Ptx;
  };
  static const Row rows[] = {{"sg", Stage::Sg, {}},
                             {"sg-opt", Stage::SgOpt, {}},
                             {"schedule", Stage::Schedule, {}},
                             {"loops", Stage::Loops, {}},
                             {"cuda", Stage::Kernels, {}},
                             {"ptx", Stage::DeviceCode, {}, DeviceForm::Ptx},
                             {"cubin", Stage::DeviceCode, {}, DeviceForm::Cubin},
                             {"sass", Stage::DeviceCode, {}, DeviceForm::Sass},
                             {"llvm", Stage::Emit, EmitKind::LLVM},
                             {"asm", Stage::Emit, EmitKind::Assembly},
                             {"object", Stage::Emit, EmitKind::Object},
                             {"archive", Stage::Emit, EmitKind::Archive},
                             {"shared", Stage::Emit, EmitKind::Shared},
                             {"exe", Stage::Emit, EmitKind::Executable}};
  checkKinds(args, complain);
  line.emit.output = args.getLastArgValue(OPT_o).str();
  llvm::StringRef extension = llvm::sys::path::extension(line.emit.output);
  line.emit.kind = extension == ".so"   ? EmitKind::Shared
                   : extension == ".a"  ? EmitKind::Archive
                   : extension == ".o"  ? EmitKind::Object
                   : extension == ".s"  ? EmitKind::Assembly
                   : extension == ".ll" ? EmitKind::LLVM
                                        : EmitKind::Executable;
  if (args.hasArg(OPT_c))
    line.emit.kind = EmitKind::Object;
  if (args.hasArg(OPT_S))
    line.emit.kind = EmitKind::Assembly;
  if (args.hasArg(OPT_shared))
    line.emit.kind = EmitKind::Shared;
  if (const Arg *arg = args.getLastArg(OPT_emit)) {
    const Row *found =
        llvm::find_if(rows, [&](const Row &row) { return row.name == arg->getValue(); });
    if (found == std::end(rows)) {
      complain("unknown kind '" + llvm::StringRef(arg->getValue()) + "' for --emit",
               "kinds are sg, sg-opt, schedule, loops, cuda, ptx, cubin, sass, llvm, asm, object, "
               "archive, shared, exe");
      return;
    }
    line.stage = found->stage;
    line.emit.kind = found->kind;
    line.deviceForm = found->deviceForm;
  }
  chooseDevice(args, line, complain);
  bool binary = line.stage == Stage::DeviceCode && line.deviceForm == DeviceForm::Cubin;
  bool text = (line.stage != Stage::Emit && !binary) || line.emit.kind == EmitKind::LLVM ||
              line.emit.kind == EmitKind::Assembly;
  if (line.emit.output.empty() && (!given || given->destination == Destination::File)) {
    bool looks = args.hasArg(OPT_report, OPT_graph_dot, OPT_memory_plan);
    line.onlyLooks = looks && !given && !text && !args.hasArg(OPT_header, OPT_MD);
    if (given || (!text && line.explain.empty() && !line.onlyLooks))
      complain("no output file", "name it with -o FILE");
    line.emit.output = "-";
  }
  if (line.stage == Stage::DeviceCode && line.deviceArchs.size() > 1 && line.emit.output == "-")
    complain("each of " + llvm::Twine(line.deviceArchs.size()) +
                 " architectures has a file, found standard output",
             "name them with -o FILE, or one architecture in --cuda-archs");
  if (line.emit.output == "-" && args.hasArg(OPT_MD))
    complain("-MD needs an output file, found standard output", "name it with -o FILE");
  // A program that trains may have to open MPI's library.
  bool opens = line.request.train && !args.hasArg(OPT_static);
  bool gnu = line.emit.kind != EmitKind::Executable || args.hasArg(OPT_dynamic) || opens;
  line.freeLinkage = !args.hasArg(OPT_static, OPT_dynamic, OPT_triple);
  if (args.hasArg(OPT_static) && args.hasArg(OPT_dynamic))
    return complain("-static and -dynamic exclude each other");
  if (gnu && !args.hasArg(OPT_triple))
    line.request.triple = "x86_64-linux-gnu";
  llvm::ArrayRef<std::string> cpus = line.request.targetCpus;
  if (auto target = codegen::TargetDescription::get(
          cpus.empty() ? codegen::TargetDescription::common() : cpus.front());
      target && target->architecture() != "x86_64") {
    if (args.hasArg(OPT_triple) || !text)
      return complain("target cpu '" + target->name + "' is of " + target->architecture() +
                          ", for which there is no runtime to link",
                      "--emit=asm and --emit=llvm show the code of the model's steps");
    line.request.triple = target->triple;
  }
  bool musl = line.request.triple == "x86_64-linux-musl", emits = line.stage == Stage::Emit;
  if (emits && line.emit.kind == EmitKind::Shared && musl)
    complain("a shared library uses the C library of its program, but '" + line.request.triple +
                 "' is linked statically",
             "pass --triple x86_64-linux-gnu, or make an archive: --emit=archive");
  if (emits && line.emit.kind == EmitKind::Executable && args.hasArg(OPT_dynamic) && musl)
    complain("-dynamic needs --triple x86_64-linux-gnu, found '" + line.request.triple + "'");
  if (emits && line.emit.kind == EmitKind::Executable && args.hasArg(OPT_static) && !musl)
    complain("-static needs --triple x86_64-linux-musl, found '" + line.request.triple + "'");
}

static void chooseTarget(const InputArgList &args, CommandLine &line, Complaint &complain) {
  if (const Arg *arg = args.getLastArg(OPT_triple)) {
    line.request.triple = arg->getValue();
    if (line.request.triple != "x86_64-linux-musl" && line.request.triple != "x86_64-linux-gnu")
      complain("unknown triple '" + line.request.triple + "'",
               "use x86_64-linux-musl or x86_64-linux-gnu");
  }
  if (const Arg *arg = args.getLastArg(OPT_weights)) {
    llvm::StringRef place = arg->getValue();
    if (place == "file")
      line.weights = codegen::WeightsInfo::SideFile;
    else if (place == "extern")
      line.weights = codegen::WeightsInfo::Extern;
    else if (place != "embed")
      complain("unknown place for weights '" + place + "'", "use embed, file or extern");
  }
}

static void chooseRemarks(const InputArgList &args, CommandLine &line, Complaint &complain) {
  const Arg *arg = args.getLastArg(OPT_remarks, OPT_remarks_eq);
  llvm::StringRef kind = !arg                                    ? ""
                         : arg->getOption().matches(OPT_remarks) ? "all"
                                                                 : arg->getValue();
  line.remarks.passed = kind == "passed" || kind == "all";
  line.remarks.missed = kind == "missed" || kind == "all";
  if (arg && !line.remarks.passed && !line.remarks.missed)
    complain("unknown kind '" + kind + "' of remarks", "use passed, missed or all");
}

static void readInputs(const InputArgList &args, CommandLine &line, Complaint &complain,
                       const GivenModel *given) {
  std::vector<std::string> inputs = args.getAllArgValues(OPT_INPUT);
  if (!inputs.empty() && (inputs.front() == "build" || line.request.train))
    inputs.erase(inputs.begin());
  if (given)
    line.request.model = given->source;
  else if (inputs.empty())
    complain("no model description", "name a symbol file: symc net-symbol.json net-0000.params "
                                     "--shape data=1,3,224,224 -o net, or an ONNX model: "
                                     "symc model.onnx --size batch=1 -o net");
  else
    line.request.model.symbolFile = inputs.front();
  if (!given)
    line.request.model.paramsFiles.assign(inputs.begin() + !inputs.empty(), inputs.end());
  llvm::StringRef name, value;
  readCompileOptions(args,
                     {OPT_shape, OPT_size, OPT_grow, OPT_value, OPT_dtype, OPT_outputs, OPT_append,
                      OPT_gradients, OPT_grad_req, OPT_recompute, OPT_random_weights,
                      OPT_random_weights_eq, OPT_target_cpu, OPT_math,
                      args.getLastArgValue(OPT_target) == "cuda" ? 0u : unsigned(OPT_force_kernel),
                      OPT_batch},
                     line.request, complain);
  for (const Arg *arg : args.filtered(OPT_preprocess))
    if (splitNamed(*arg, name, value, complain) &&
        !line.preprocess.try_emplace(name.str(), value.str()).second)
      complain("--preprocess gives input '" + name + "' two lists of steps",
               "write all steps of an input as one list");
  if (!line.request.gradients.arguments.empty() &&
      llvm::StringRef(args.getLastArgValue(OPT_target)).contains("cuda"))
    complain("--gradients are compiled for CPUs alone, found --target " +
                 args.getLastArgValue(OPT_target),
             "leave --target out");
  line.request.extraWeights = args.hasArg(OPT_extra_weights);
}

// symc train is a word in front of all else, so that a file may be called so.
static bool isTraining(const InputArgList &args, const GivenModel *given) {
  const Arg *first =
      args.getLastArgNoClaim(OPT_INPUT) ? *args.filtered(OPT_INPUT).begin() : nullptr;
  return !given && first && first->getIndex() == 0 && llvm::StringRef(first->getValue()) == "train";
}

// Options that symc train refuses, whatever their value is, with the way out.
static constexpr std::pair<unsigned, llvm::StringLiteral> unfit[] = {
    {OPT_gradients, "a trainer has the gradients of all parameters; --freeze leaves some out"},
    {OPT_grad_req, "--freeze leaves gradients of parameters out"},
    {OPT_random_weights, "parameters without a value are drawn when training begins"},
    {OPT_random_weights_eq, "parameters without a value are drawn when training begins"},
    {OPT_preprocess, "a trainer reads arrays"},
    {OPT_labels, "they name answers of a program that predicts"}};

std::vector<std::string> symc::optionsOfPrediction() {
  std::vector<std::string> names;
  auto add = [&](unsigned option) {
    names.push_back(commandOptions().getOption(option).getPrefixedName().str());
  };
  for (auto [option, note] : unfit)
    add(option);
  for (unsigned option :
       {OPT_batch, OPT_precision, OPT_grow, OPT_target, OPT_cuda_archs, OPT_fallback})
    add(option);
  return names;
}

// What symc train has of its own, and what it has not.
static void readTraining(const InputArgList &args, CommandLine &line, Complaint &complain) {
  for (const Arg *arg :
       args.filtered(OPT_optimizer, OPT_loss, OPT_freeze, OPT_initializer, OPT_prediction_program))
    if (!line.request.train)
      complain(arg->getSpelling() + " is of symc train", "symc train NET-symbol.json ... -o FILE");
  if (!line.request.train)
    return;
  TrainRequest &train = *line.request.train;
  readOptimizer(args.getLastArgValue(OPT_optimizer, "sgd"), train, complain);
  line.request.loss = args.getLastArgValue(OPT_loss);
  for (const Arg *arg : args.filtered(OPT_freeze))
    for (llvm::StringRef pattern : llvm::split(arg->getValue(), ','))
      train.frozen.push_back(pattern.str());
  readInitializer(args.getLastArgValue(OPT_initializer), train, complain);
  train.predictionProgram = args.hasArg(OPT_prediction_program);
  if (llvm::StringRef target = args.getLastArgValue(OPT_target); target.contains("cuda"))
    complain("symc train compiles for CPUs alone, found --target " + target, "leave --target out");
  if (args.hasArg(OPT_batch))
    complain("symc train and --batch exclude each other",
             "a trainer has the one batch size of --shape");
  for (const auto &[name, shape] : line.request.shapes)
    for (const DimSpec &dim : shape)
      if (dim.max > 0) {
        complain("symc train needs fixed extents, found a range in the shape of '" + name + "'",
                 "give one size in --shape");
        break;
      }
  if (line.request.shapes.empty())
    complain("symc train needs the shapes of its data",
             "pass --shape data=64,1,28,28, the batch first");
  for (auto [option, note] : unfit)
    if (const Arg *arg = args.getLastArg(option))
      complain(arg->getSpelling() + " is no option of symc train", note);
  if (llvm::StringRef type = args.getLastArgValue(OPT_precision, "f32"); type != "f32")
    complain("--precision " + type + " is no option of symc train",
             "a trainer computes in float32");
  if (line.weights == codegen::WeightsInfo::Extern)
    complain("--weights=extern is no option of symc train",
             "leave the parameter file out; symc_set_parameter gives values at run time");
}

// An output that replaced another one, or an input, would be lost without a word.
static void checkOutputs(const CommandLine &line, Complaint &complain) {
  std::map<std::string, std::string> uses; // of a file, in a message
  auto add = [&](const std::string &path, const std::string &use, bool output) {
    std::string file = path.empty() ? "" : codegen::outputIdentity(path);
    if (file.empty())
      return;
    auto [found, fresh] = uses.insert({file, use});
    if (!fresh && output)
      complain("'" + path + "' is " + found->second + ", and " + use + " would replace it");
  };
  add(line.request.model.symbolFile, "an input", false);
  for (const std::string &file : line.request.model.paramsFiles)
    add(file, "an input", false);
  for (const std::string &file : line.customOperators)
    add(file, "an input", false);
  add(line.labelsFile, "an input", false);
  for (const std::string &file : filesOf(line.preprocess))
    add(file, "an input", false);
  if (line.stage == Stage::DeviceCode)
    for (const std::string &architecture : line.deviceArchs)
      add(deviceFile(line, architecture), "the output of -o", true);
  else
    add(line.emit.output, "the output of -o", true);
  add(line.emit.header, "the output of --header", true);
  if (line.weights == codegen::WeightsInfo::SideFile)
    add(line.emit.output + ".weights", "the output of --weights=file", true);
  if (line.dependencies) {
    add(line.emit.output + ".d", "the output of -MD", true);
    if (std::string unfit = unfitForMake(line); !unfit.empty())
      complain(unfit + ", which no rule of -MD can hold", "leave -MD out, or rename the file");
  }
  add(line.graphDot, "the output of --graph-dot", true);
  add(line.memoryPlan, "the output of --memory-plan", true);
  add(line.request.tuneInto, "the output of --tune", true);
  add(line.request.crashReproducer, "the output of --crash-reproducer", true);
}

// Of a caller's options: those that belong to the program, and those that contradict what is
// wanted.
static void checkGiven(const InputArgList &args, const GivenModel &given, Complaint &complain) {
  bool toFile = given.destination == Destination::File;
  bool toProcess = given.destination == Destination::Process;
  for (const Arg *arg : args) {
    const Option &option = arg->getOption();
    unsigned id = option.getID(),
             group = option.getGroup().isValid() ? option.getGroup().getID() : 0;
    std::string name = "option '" + arg->getSpelling().str() + "'";
    if (id == OPT_INPUT)
      complain("'" + llvm::StringRef(arg->getValue()) + "' is no option",
               "the model's files are fields of the request");
    else if (group == OPT_grp_look && id != OPT_remarks && id != OPT_remarks_eq)
      complain(name + " is for the program symc alone", "a library prints nothing");
    else if (bool isExtern = id == OPT_weights && llvm::StringRef(arg->getValue()) == "extern";
             toProcess &&
             ((group == OPT_grp_output && id != OPT_prefix && !isExtern) || id == OPT_o ||
              id == OPT_triple || id == OPT_labels || id == OPT_preprocess))
      complain(name + " is about an output file, of which a model in this process has none");
    else if (!toFile && (id == OPT_o || id == OPT_header || id == OPT_MD ||
                         (id == OPT_weights && llvm::StringRef(arg->getValue()) == "file")))
      complain(name + " names a file, but the bytes of the output are wanted");
  }
}

// What a program writes through, as a device or a pipe, would send signals to a library's host.
static void checkRegular(const CommandLine &line, Complaint &complain) {
  for (const std::string *path : {&line.emit.output, &line.emit.header})
    if (!path->empty() && codegen::outputIdentity(*path).empty())
      complain("'" + *path + "' is no regular file, and a library writes no others");
}

std::optional<CommandLine> symc::parseCommandLine(llvm::ArrayRef<const char *> arguments,
                                                  llvm::StringRef resourceDir, Complain report,
                                                  const GivenModel *given) {
  Complaint complain{report};
  llvm::BumpPtrAllocator allocator;
  llvm::SmallVector<const char *> expanded(arguments.begin(), arguments.end());
  InputArgList args =
      parseOptions(commandOptions(), OPT_UNKNOWN, "symc", expanded, allocator, complain);
  if (given)
    checkGiven(args, *given, complain);
  if (complain.any)
    return std::nullopt;
  CommandLine line;
  line.verbose = args.hasArg(OPT_v);
  if (isTraining(args, given))
    line.request.train.emplace();
  if (expanded.empty() && !given)
    line.page = Page::Usage;
  else if (args.hasArg(OPT_help))
    line.page = line.request.train ? Page::TrainHelp : Page::Help;
  else if (args.hasArg(OPT_version))
    line.page = Page::Version;
  else if (args.hasArg(OPT_list_ops_all, OPT_list_op))
    line.page = Page::Operators;
  else if (args.hasArg(OPT_list_onnx_ops))
    line.page = Page::OnnxOperators;
  else if (args.hasArg(OPT_list_archs))
    line.page = Page::Architectures;
  if (line.page == Page::None || line.page == Page::Operators)
    loadOperators(args, OPT_custom_op, args.getLastArgValue(OPT_resource_dir, resourceDir).str(),
                  complain);
  if (complain.any)
    return std::nullopt;
  if (line.page == Page::Operators) {
    line.operatorName = args.getLastArgValue(OPT_list_op).str();
    for (const std::string &input : args.getAllArgValues(OPT_INPUT))
      line.operatorName = input;
  }
  if (line.page != Page::None)
    return line;
  readInputs(args, line, complain, given);
  line.customOperators = operatorFiles(args, OPT_custom_op);
  chooseTarget(args, line, complain);
  readTraining(args, line, complain);
  line.explain = args.getAllArgValues(OPT_explain);
  chooseEmission(args, line, complain, given);
  line.emit.header = args.getLastArgValue(OPT_header).str();
  line.labelsFile = args.getLastArgValue(OPT_labels).str();
  line.graphDot = args.getLastArgValue(OPT_graph_dot).str();
  line.memoryPlan = args.getLastArgValue(OPT_memory_plan).str();
  line.timePasses = args.hasArg(OPT_time_passes);
  line.report = args.hasArg(OPT_report);
  line.reportShapes = args.getAllArgValues(OPT_report_shape);
  chooseRemarks(args, line, complain);
  if (const Arg *arg = args.getLastArg(OPT_images, OPT_no_images))
    line.images = arg->getOption().matches(OPT_images);
  line.dependencies = args.hasArg(OPT_MD);
  line.request.tuningFile = args.getLastArgValue(OPT_tuning).str();
  line.request.tuneInto = args.getLastArgValue(OPT_tune).str();
  line.request.probes = args.hasArg(OPT_probes);
  line.request.flushDenormals = args.hasArg(OPT_flush_denormals);
  line.request.crashReproducer = args.getLastArgValue(OPT_crash_reproducer).str();
  line.request.printAfter = args.getLastArgValue(OPT_print_ir_after).str();
  if (llvm::StringRef pass = line.request.printAfter; !pass.empty() && pass != "all") {
    registerToolPasses();
    if (!mlir::PassInfo::lookup(pass))
      complain("unknown pass '" + pass + "'", "symc-opt --help lists the passes");
  }
  for (const Arg *arg : args.filtered(OPT_tune, OPT_probes))
    if (args.hasArg(OPT_batch))
      complain("--batch and " + arg->getSpelling() + " exclude each other",
               "tune and profile each batch size by itself, with --shape; --tuning=FILE takes the "
               "choices");
  if (given && line.request.onDevice && args.hasArg(OPT_tune))
    complain("--tune with --target cuda is for the program symc alone",
             "--tuning=FILE takes the choices");
  line.request.emitPrepare = line.weights == codegen::WeightsInfo::Extern;
  line.request.suppliedWeights =
      line.request.emitPrepare && given && given->destination == Destination::Process;
  std::string stem = line.request.model.name();
  if (!given || given->destination == Destination::File)
    stem = llvm::sys::path::stem(line.emit.output == "-" ? stem : line.emit.output).str();
  // The C names of libnet.so and libnet.a are net's.
  llvm::StringRef bare = stem;
  bool isLibrary =
      line.emit.kind == codegen::EmitKind::Shared || line.emit.kind == codegen::EmitKind::Archive;
  if (isLibrary && bare.consume_front("lib") && !bare.empty())
    stem = bare.str();
  line.request.prefix = identifierFrom(args.getLastArgValue(OPT_prefix, stem));
  line.request.resourceDir = args.getLastArgValue(OPT_resource_dir, resourceDir).str();
  line.emit.resourceDir = line.request.resourceDir;
  if (given)
    checkRegular(line, complain);
  checkOutputs(line, complain);
  if (complain.any)
    return std::nullopt;
  if (given && given->destination == Destination::Process) {
    line.request.triple = codegen::hostTriple().str();
    line.request.hostOnly = true;
  }
  return line;
}
