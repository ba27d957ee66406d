// Checks.cpp: see Checks.h. A node is at fault where its inputs agree and its
// output differs, so that what a wrong node does to all behind it is not reported.
#include "tools/symc-run/Checks.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace symc;
using namespace symc::run;

namespace {

// Zeros for what comes in as the gradient of a node's output that only here is one of the model's.
void addGradients(const symc_model &model, std::vector<Tensor> &inputs) {
  for (int32_t i = inputs.size(); i < model.n_inputs; ++i) {
    const symc_tensor_info &info = model.inputs[i];
    inputs.push_back({info.name, info.dtype, {info.shape, info.shape + info.rank}, {}});
    inputs.back().bytes.resize(info.max_bytes);
  }
}

/// A model whose every node output is a head, and its run.
struct AllNodes {
  std::unique_ptr<Model> model;
  std::vector<Tensor> outputs;
  int status = ExitBadInput;

  AllNodes(CompileRequest request, bool reference, int threads, std::vector<Tensor> &inputs) {
    request.referenceOnly = reference;
    model = Model::compile(request, /*allHeads=*/true);
    if (!model)
      return;
    std::vector<Tensor> all = inputs;
    addGradients(model->table(), all);
    status = model->start(threads) ? model->run(all, outputs) : ExitFailed;
  }
  const Tensor &of(const NodeOutput &node) const { return outputs[node.head]; }
};

} // namespace

static double toleranceOf(const CommandLine &line, double rule) {
  return line.tolerance.value_or(rule);
}

// Without a graph it is unknown how long the reductions are.
constexpr double kLibraryTolerance = 1e-4;

// Of an output that is the gradient of an argument, or a state behind it; else null.
static const GradientBound *gradientBound(const Model &model, llvm::StringRef output) {
  auto found = model.gradients().find(output);
  return found == model.gradients().end() ? nullptr : &found->second;
}

// `name` of the output with the number `head`.
static double headTolerance(const CommandLine &line, const Model &model, int head,
                            llvm::StringRef name) {
  double rule = model.nodes().empty() ? kLibraryTolerance : 0;
  if (const GradientBound *bound = gradientBound(model, name))
    return toleranceOf(line, bound->tolerance);
  for (const NodeOutput &node : model.nodes())
    if (node.head == head)
      rule = node.tolerance;
  return toleranceOf(line, rule);
}

static void printLine(const char *kind, const std::string &name, const Comparison &result,
                      double tolerance) {
  if (result.misfit.empty())
    printf("%s '%s': max|e|/max|y| %.2e, allowed %.2e: %s\n", kind, name.c_str(),
           result.relativeError, tolerance, result.agrees() ? "agrees" : "differs");
  else
    printf("%s '%s': %s: differs\n", kind, name.c_str(), result.misfit.c_str());
}

static void printWorst(const Comparison &result) {
  if (result.misfit.empty())
    printf("  %lld of %lld elements differ; worst at %s: expected %.9g, got %.9g, error %.2e, "
           "allowed %.2e\n",
           static_cast<long long>(result.wrong), static_cast<long long>(result.count),
           params::shapeText(result.worst).c_str(), result.expected, result.got,
           std::abs(result.expected - result.got), result.allowed);
  else
    printf("  %s\n", result.misfit.c_str());
}

static void printFirst(const NodeOutput &node, const Comparison &result, const char *inputs) {
  printf("first node that differs: '%s' (%s, %s); %s\n", node.node.c_str(), node.op.c_str(),
         node.place.c_str(), inputs);
  printWorst(result);
}

int symc::run::verify(const CommandLine &line, const Model &model, std::vector<Tensor> &inputs,
                      const std::vector<Tensor> &outputs) {
  CompileRequest request = line.request;
  request.referenceOnly = true;
  std::unique_ptr<Model> reference = Model::compile(request, /*allHeads=*/false);
  if (!reference)
    return ExitBadInput;
  std::vector<Tensor> expected;
  if (!reference->start(line.threads))
    return ExitFailed;
  if (int status = reference->run(inputs, expected))
    return status;
  bool agree = true, onlyGradients = true;
  const Tensor *first = nullptr; // of the gradients that differ, on the way back
  for (size_t i = 0; i < outputs.size(); ++i) {
    double tolerance = headTolerance(line, model, i, outputs[i].name);
    Comparison result = compare(outputs[i], expected[i], tolerance);
    printLine("output", outputs[i].name, result, tolerance);
    if (!result.agrees())
      printWorst(result);
    agree &= result.agrees();
    const GradientBound *bound = gradientBound(model, outputs[i].name);
    onlyGradients &= bound || result.agrees();
    if (bound && !result.agrees() &&
        (!first || bound->order > gradientBound(model, first->name)->order))
      first = &outputs[i];
  }
  if (agree)
    return ExitOk;
  if (onlyGradients) {
    const GradientBound *bound = gradientBound(model, first->name);
    printf("first gradient that differs, from the outputs back: '%s', of what '%s' reads (%s, %s)\n"
           "reproduce: %s\n",
           first->name.c_str(), bound->node.c_str(), bound->op.c_str(), bound->place.c_str(),
           line.reproduce().c_str());
    return ExitFailed;
  }
  AllNodes ours(line.request, false, line.threads, inputs);
  AllNodes theirs(line.request, true, line.threads, inputs);
  if (ours.status || theirs.status)
    return std::max(ours.status, theirs.status);
  for (const NodeOutput &node : ours.model->nodes()) {
    Comparison result = compare(ours.of(node), theirs.of(node), toleranceOf(line, node.tolerance));
    if (!result.agrees()) { // all before it agree, its inputs among them
      printFirst(node, result, "its inputs agree");
      printf("reproduce: %s\n", line.reproduce().c_str());
      return ExitFailed;
    }
  }
  printf("no single node differs where every node's output is kept: nodes that are computed "
         "together do (symc --emit=sg-opt shows them)\n");
  printf("reproduce: %s\n", line.reproduce().c_str());
  return ExitFailed;
}

int symc::run::compareWithFile(const CommandLine &line, const Model &model,
                               std::vector<Tensor> &inputs, const std::vector<Tensor> &outputs) {
  Diagnostics diagnostics;
  std::optional<params::ArrayFile> file = params::readArrays(line.compareFile, diagnostics);
  if (!file) {
    diagnostics.render(llvm::errs());
    return ExitBadInput;
  }
  llvm::StringMap<const params::Array *> wanted;
  for (const params::Array &array : file->arrays)
    wanted[array.name] = &array;
  llvm::StringSet<> used;
  auto find = [&](llvm::StringRef name) -> const params::Array * {
    const params::Array *array = wanted.lookup(name);
    if (array)
      used.insert(name);
    return array;
  };
  bool first = true;
  int compared = 0, differing = 0;
  auto check = [&](const char *kind, const Tensor &got, const params::Array &array,
                   double tolerance) {
    Comparison result = compare(got, fromArray(array.name, array), tolerance);
    printLine(kind, array.name, result, tolerance);
    ++compared;
    differing += !result.agrees();
    return result;
  };
  // Nodes in graph order, by the name of their output or, for the first output, their own.
  bool needsNodes = false;
  for (const NodeOutput &node : model.nodes())
    needsNodes |= node.head < 0 && (wanted.count(node.name) || wanted.count(node.node));
  std::optional<AllNodes> all;
  if (needsNodes) {
    all.emplace(line.request, false, line.threads, inputs);
    if (all->status)
      return all->status;
  }
  std::vector<char> agrees(model.nodes().size()); // compared, and found equal
  const NodeOutput *before = nullptr;
  for (size_t i = 0; i < model.nodes().size(); ++i) {
    const NodeOutput &node = model.nodes()[i];
    const params::Array *array = find(node.name);
    if (!array && (!before || before->node != node.node))
      array = find(node.node);
    before = &node;
    if (!array)
      continue;
    const Tensor &got = node.head >= 0 ? outputs[node.head] : all->of(all->model->nodes()[i]);
    Comparison result = check("node", got, *array, toleranceOf(line, node.tolerance));
    agrees[i] = result.agrees();
    if (!result.agrees() && first) {
      first = false;
      bool known = llvm::all_of(node.reads, [&](int read) { return agrees[read]; });
      printFirst(node, result, known ? "its inputs agree" : "not all its inputs were compared");
    }
  }
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!used.count(outputs[i].name))
      if (const params::Array *array = find(outputs[i].name)) {
        Comparison result =
            check("output", outputs[i], *array, headTolerance(line, model, i, outputs[i].name));
        if (!result.agrees() && first) {
          first = false;
          printWorst(result);
        }
      }
  for (const Tensor &input : inputs)
    used.insert(input.name);
  std::string unknown;
  for (const params::Array &array : file->arrays)
    if (!used.count(array.name))
      unknown += (unknown.empty() ? "'" : ", '") + array.name + "'";
  if (!compared) {
    sayError("'" + line.compareFile + "' names no node and no output of the model",
             unknown.empty() ? "it has no arrays" : "it has " + unknown);
    return ExitBadInput;
  }
  if (!unknown.empty())
    printf("not compared, since the model has no such node: %s\n", unknown.c_str());
  printf("%d of %d compared arrays differ\n", differing, compared);
  if (differing)
    printf("reproduce: %s\n", line.reproduce().c_str());
  return differing ? ExitFailed : ExitOk;
}

int symc::run::dumpAll(const CommandLine &line, std::vector<Tensor> &inputs) {
  AllNodes all(line.request, false, line.threads, inputs);
  if (all.status)
    return all.status;
  llvm::StringSet<> written;
  for (const NodeOutput &node : all.model->nodes()) {
    std::string name = node.name;
    for (int copy = 2; !written.insert(name).second; ++copy)
      name = node.name + "~" + std::to_string(copy); // MXNet lets nodes share a name
    if (!writeTensor(line.dumpDir, name, all.of(node)))
      return ExitFailed;
  }
  printf("wrote %u arrays to %s\n", written.size(), line.dumpDir.c_str());
  return ExitOk;
}
