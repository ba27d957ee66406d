// CompileOptions.cpp: see CompileOptions.h.
#include "tools/driver/CompileOptions.h"

#include "codegen/conv/ConvAlgorithm.h"
#include "tools/driver/CommandLine.h"
#include "tools/driver/CustomKernels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace symc;
using namespace llvm::opt;

// LLVM sorts sections by their titles. What most people need goes first, kernels go last; what a
// tool has of its own stands between.
static std::string orderSections(llvm::StringRef text) {
  static constexpr llvm::StringLiteral first[] = {"MOST", "ACTION", "INPUT", "OUTPUT"};
  static constexpr llvm::StringLiteral last[] = {"TARGET", "KERNELS"};
  auto rankOf = [&](llvm::StringRef title) {
    for (auto [i, word] : llvm::enumerate(first))
      if (title.starts_with(word))
        return int(i) + 1;
    for (auto [i, word] : llvm::enumerate(last))
      if (title.starts_with(word))
        return int(std::size(first) + i) + 2;
    return int(std::size(first)) + 1;
  };
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  std::map<int, std::string> parts; // by rank; what precedes the sections has 0
  int rank = 0;
  for (llvm::StringRef line : lines) {
    if (line.ends_with(":") && !line.starts_with(" "))
      rank = rankOf(line);
    parts[rank] += (line + "\n").str();
  }
  std::string ordered;
  for (auto &[rank, part] : parts)
    ordered += (ordered.empty() ? "" : "\n") + llvm::StringRef(part).rtrim().str() + "\n";
  return ordered;
}

// Without options of these names: lines from one up to the next option or section.
static std::string leaveOut(llvm::ArrayRef<std::string> names, llvm::StringRef text) {
  std::string kept;
  bool drops = false;
  for (llvm::StringRef line : llvm::split(text.rtrim(), '\n')) {
    llvm::StringRef word = line.ltrim();
    if (line.starts_with("  -") || !line.starts_with(" ")) // others go on with an option's text
      drops = llvm::any_of(names, [&](llvm::StringRef name) {
        llvm::StringRef rest = word;
        return line.starts_with("  -") && rest.consume_front(name) &&
               (rest.empty() || rest[0] == ' ' || rest[0] == '=');
      });
    if (!drops)
      kept += (line + "\n").str();
  }
  return kept;
}

void symc::printOptions(const OptTable &table, llvm::raw_ostream &os, llvm::StringRef usage,
                        llvm::StringRef title, llvm::ArrayRef<std::string> without) {
  std::string text, names = codegen::convAlgorithmNames();
  llvm::raw_string_ostream page(text);
  table.printHelp(page, usage.str().c_str(), title.str().c_str(), /*ShowHidden=*/false,
                  /*ShowAllAliases=*/false);
  constexpr llvm::StringLiteral mark = "@ALGORITHMS@";
  for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
    text.replace(at, mark.size(), names);
  os << orderSections(leaveOut(without, text));
}

std::string symc::resourceFolder(const InputArgList &args, unsigned resourceDir) {
  llvm::StringRef named = args.getLastArgValue(resourceDir);
  return named.empty() ? resourcesOfProgram() : named.str();
}

std::vector<std::string> symc::operatorFiles(const InputArgList &args, unsigned customOp) {
  std::vector<std::string> files;
  for (const Arg *arg : args.filtered(customOp))
    for (llvm::StringRef file : llvm::split(arg->getValue(), ','))
      files.push_back(file.str());
  return files;
}

void symc::loadOperators(const InputArgList &args, unsigned customOp,
                         const std::string &resourceDir, Complain complain) {
  for (const Arg *arg : args.filtered(customOp))
    if (std::string mistake = loadCustomOperators(arg->getValue(), resourceDir); !mistake.empty())
      complain(mistake, "");
}

// "4", "1..8"; false for other text.
static bool parseExtent(llvm::StringRef text, DimSpec &extent) {
  int64_t low, high;
  size_t dots = text.find("..");
  bool isRange = dots != llvm::StringRef::npos;
  if (text.take_front(dots).trim().getAsInteger(10, low) || low < (isRange ? 1 : 0))
    return false;
  if (isRange && (text.drop_front(dots + 2).trim().getAsInteger(10, high) || high < low))
    return false;
  extent = isRange && low != high ? DimSpec::range(low, high) : DimSpec::fixed(low);
  return true;
}

static bool isSizeName(llvm::StringRef text) {
  return !text.empty() && llvm::isAlpha(text.front()) &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

namespace {
/// A --shape. An extent that is a name has the symbol alone until that size is known.
struct GivenShape {
  llvm::StringRef input, text;
  std::vector<DimSpec> extents = {};
  std::vector<std::pair<std::string, DimSpec>> sizes = {}; // those with a name: T=1..8
  bool isShape = true;

  GivenShape(llvm::StringRef input, llvm::StringRef text) : input(input), text(text) {
    if (!text.trim().empty())
      for (llvm::StringRef part : llvm::split(text, ','))
        add(part.trim());
  }

private:
  void add(llvm::StringRef part) {
    auto [left, right] = part.split('=');
    llvm::StringRef name = left.trim();
    DimSpec dim{0, 0, 0, name.str()};
    if (part.contains('=')) {
      // N is the batch, and what inference finds may differ from input to input.
      bool isSize = isSizeName(name) && name != batchSymbol && parseExtent(right.trim(), dim) &&
                    (dim.max > 0 || dim.value > 0);
      isShape &= isSize;
      if (dim.max > 0)
        dim.symbol = name.str();
      if (isSize)
        sizes.emplace_back(name.str(), dim);
    } else if (!isSizeName(name)) {
      isShape &= parseExtent(part, dim);
    }
    extents.push_back(dim);
  }
};
} // namespace

static bool areSame(const DimSpec &a, const DimSpec &b) {
  return a.value == b.value && a.min == b.min && a.max == b.max && a.symbol == b.symbol;
}

static std::string textOf(const DimSpec &dim) {
  return dim.max > 0 ? std::to_string(dim.min) + ".." + std::to_string(dim.max)
                     : std::to_string(dim.value);
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

// All --shape; an extent that is a name has the size that one of them gives it. N without a size,
// at the beginning, is the batch.
static void readShapes(const InputArgList &args, const CompileOptionIds &ids,
                       CompileRequest &request, Complain complain) {
  std::vector<GivenShape> given;
  llvm::StringRef name, value;
  for (const Arg *arg : args.filtered(ids.shape))
    if (splitNamed(*arg, name, value, complain))
      given.emplace_back(name, value);
  std::map<std::string, std::pair<llvm::StringRef, DimSpec>> sizes; // with the input that has it
  for (const GivenShape &shape : given)
    for (auto &[size, dim] : shape.sizes) {
      auto &[input, first] = sizes.try_emplace(size, shape.input, dim).first->second;
      if (!areSame(first, dim))
        complain("size '" + size + "' is " + textOf(first) + " in --shape " + input + "= and " +
                     textOf(dim) + " in --shape " + shape.input + "=",
                 "give it once, and write " + size + " elsewhere");
    }
  for (GivenShape &shape : given) {
    for (auto [axis, dim] : llvm::enumerate(shape.extents)) {
      if (dim.symbol.empty() || dim.max > 0)
        continue;
      if (auto size = sizes.find(dim.symbol); size != sizes.end())
        dim = size->second.second;
      else
        shape.isShape &= dim.symbol == batchSymbol && axis == 0;
    }
    if (!shape.isShape) {
      complain("'" + shape.text + "' is no shape for input '" + shape.input + "'",
               "write extents as 1,3,224,224; a range as 64..1080, one that inputs share as "
               "T=64..1080 and then T; 0 for one that inference finds");
      continue;
    }
    auto [known, fresh] = request.shapes.try_emplace(shape.input.str(), shape.extents);
    if (!fresh && !llvm::equal(known->second, shape.extents, areSame))
      complain("--shape gives input '" + shape.input + "' two shapes", "give each input one");
  }
}

// The sizes of --batch, largest first.
static void readBatchSizes(llvm::StringRef text, CompileRequest &request, Complain complain) {
  constexpr int64_t largest = 65536;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  for (llvm::StringRef part : parts) {
    int64_t size;
    if (part.trim().getAsInteger(10, size) || size < 1 || size > largest)
      complain("'" + part + "' is no batch size",
               "write --batch 1,4,16 with sizes from 1 to " + llvm::Twine(largest));
    else if (llvm::is_contained(request.batches, size))
      complain("batch size " + llvm::Twine(size) + " is given twice", "give each size once");
    else
      request.batches.push_back(size);
  }
  llvm::sort(request.batches, std::greater<int64_t>());
}

// Inputs whose shape begins with N have the batch there. Where none does, those whose
// first extent is that of the first --shape have it.
static void readBatch(const InputArgList &args, const CompileOptionIds &ids,
                      CompileRequest &request, Complain complain) {
  const Arg *arg = ids.batch ? args.getLastArg(ids.batch) : nullptr;
  auto hasN = [](const std::vector<DimSpec> &shape) {
    return !shape.empty() && shape[0].symbol == batchSymbol;
  };
  auto marked = llvm::find_if(request.shapes, [&](auto &shape) { return hasN(shape.second); });
  if (!arg) {
    if (marked != request.shapes.end())
      complain("'N' in --shape " + marked->first +
                   "= stands for the batch, but there are no batch sizes",
               ids.batch ? "pass --batch with the sizes that are compiled" : "write a number");
    return;
  }
  readBatchSizes(arg->getValue(), request, complain);
  for (auto &[name, shape] : request.shapes)
    for (const DimSpec &dim : shape)
      if (dim.max > 0)
        complain("--batch and the range " + llvm::Twine(dim.min) + ".." + llvm::Twine(dim.max) +
                     " in --shape " + name + "= exclude each other",
                 "give every other extent as a number, or leave --batch out and give the batch as "
                 "a range");
  const Arg *first = nullptr;
  for (const Arg *shape : args.filtered(ids.shape))
    first = first ? first : shape;
  llvm::StringRef name = first ? llvm::StringRef(first->getValue()).split('=').first : "";
  auto leader = request.shapes.find(name.str());
  if (leader == request.shapes.end() || leader->second.empty())
    return complain("--batch needs the shape of an input that has the batch as its first extent",
                    "pass --shape data=N,3,224,224");
  DimSpec batch = leader->second[0];
  if (marked == request.shapes.end())
    for (auto &[name, shape] : request.shapes)
      if (!shape.empty() && shape[0].value == batch.value)
        shape[0] = {0, 0, 0, batchSymbol};
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
    auto target = [](const std::string &name) { return codegen::TargetDescription::get(name); };
    for (const std::string &name : request.targetCpus)
      if (target(name) && target(request.targetCpus.front()) &&
          target(name)->architecture() != target(request.targetCpus.front())->architecture())
        complain("target cpus '" + request.targetCpus.front() + "' and '" + name +
                     "' are of different architectures",
                 "compile a file for each");
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
  if (const Arg *arg = ids.forceKernel ? args.getLastArg(ids.forceKernel) : nullptr) {
    request.forceKernel = codegen::convAlgorithmNamed(arg->getValue());
    if (!request.forceKernel)
      complain("unknown kernel '" + llvm::StringRef(arg->getValue()) + "'",
               "use " + codegen::convAlgorithmNames());
  }
}

// The graph decides whether a text with commas is one name or several.
static void readOutputs(const InputArgList &args, const CompileOptionIds &ids,
                        CompileRequest &request, Complain complain) {
  for (const Arg *arg : args.filtered(ids.outputs)) {
    llvm::StringRef text = arg->getValue();
    if (llvm::any_of(llvm::split(text, ','), [](auto name) { return name.trim().empty(); }))
      complain("--outputs has an empty name in '" + text + "'",
               "write --outputs flatten0_output,fc1_output");
    request.outputs.push_back(text.str());
  }
  for (const Arg *arg : args.filtered(ids.append))
    request.appended.push_back(arg->getValue());
}

static void readGradients(const InputArgList &args, const CompileOptionIds &ids,
                          CompileRequest &request, Complain complain) {
  WantedGradients &wanted = request.gradients;
  for (const Arg *arg : args.filtered(ids.gradients))
    for (llvm::StringRef name : llvm::split(arg->getValue(), ','))
      if (name.empty())
        complain("--gradients has an empty name in '" + llvm::StringRef(arg->getValue()) + "'",
                 "write --gradients all, or --gradients fc1_weight,fc1_bias");
      else
        wanted.arguments.push_back(name.str());
  llvm::StringRef name, value;
  for (const Arg *arg : args.filtered(ids.gradReq)) {
    if (!splitNamed(*arg, name, value, complain))
      continue;
    if (value == "add")
      wanted.added.push_back(name.str());
    else if (value == "null")
      wanted.dropped.push_back(name.str());
    else if (value != "write")
      complain("'" + value + "' is no way to treat the gradient of '" + name + "'",
               "use write, add or null");
    if (wanted.arguments.empty())
      complain("--grad-req without --gradients", "pass --gradients all, or the arguments' names");
  }
  if (const Arg *arg = args.getLastArg(ids.recompute)) {
    llvm::StringRef text = arg->getValue();
    int64_t bytes;
    if (text.getAsInteger(10, bytes) || bytes < 0)
      complain("--recompute needs a number of bytes, found '" + text + "'",
               "write --recompute=100000000");
    else
      request.recompute = bytes;
  }
  if (!wanted.arguments.empty() && ids.batch && args.hasArg(ids.batch))
    complain("--gradients and --batch exclude each other", "give the one batch size in --shape");
}

// All --grow: NAME=AXIS:MAX, where NAME may hold '='.
static void readGrowth(const InputArgList &args, const CompileOptionIds &ids,
                       CompileRequest &request, Complain complain) {
  for (const Arg *arg : args.filtered(ids.grow)) {
    llvm::StringRef text = arg->getValue();
    auto [name, place] = text.rsplit('=');
    auto [axis, rows] = place.split(':');
    GrowRequest grown{name.str(), 0, 0};
    if (name.empty() || axis.getAsInteger(10, grown.axis) || rows.getAsInteger(10, grown.rows) ||
        grown.axis < 0 || grown.rows < 1) {
      complain("option '" + arg->getSpelling() + "' needs NAME=AXIS:MAX, found '" + text + "'",
               "write --grow past_key=2:1024: an axis from 0 on, and the most rows along it");
      continue;
    }
    auto isSame = [&](const GrowRequest &other) { return other.name == grown.name; };
    if (llvm::any_of(request.grown, isSame))
      complain("--grow gives input '" + name + "' twice", "give each input once");
    else
      request.grown.push_back(grown);
  }
  if (request.grown.empty())
    return;
  for (auto [given, option] : {std::pair(ids.batch && args.hasArg(ids.batch), "--batch"),
                               std::pair(args.hasArg(ids.gradients), "--gradients")})
    if (given)
      complain("--grow and " + llvm::Twine(option) + " exclude each other",
               "leave one of them out");
}

void symc::readCompileOptions(const InputArgList &args, const CompileOptionIds &ids,
                              CompileRequest &request, Complain complain) {
  llvm::StringRef name, value;
  readShapes(args, ids, request, complain);
  for (auto [id, words] :
       {std::pair(ids.size, &request.sizes), std::pair(ids.value, &request.values)})
    for (const Arg *arg : args.filtered(id))
      if (splitNamed(*arg, name, value, complain))
        words->push_back(arg->getValue());
  readGrowth(args, ids, request, complain);
  readBatch(args, ids, request, complain);
  for (const Arg *arg : args.filtered(ids.dtype))
    if (splitNamed(*arg, name, value, complain))
      if (auto [known, fresh] = request.dtypes.try_emplace(name.str(), value.str());
          !fresh && known->second != value)
        complain("--dtype gives input '" + name + "' two element types: " + known->second +
                     " and " + value,
                 "give each input one");
  readOutputs(args, ids, request, complain);
  readGradients(args, ids, request, complain);
  request.randomWeights = args.hasArg(ids.randomWeights, ids.randomWeightsSeed);
  if (const Arg *arg = args.getLastArg(ids.randomWeightsSeed))
    if (llvm::StringRef(arg->getValue()).getAsInteger(10, request.seed))
      complain("--random-weights needs a number, found '" + llvm::StringRef(arg->getValue()) + "'",
               "");
  readTarget(args, ids, request, complain);
}
