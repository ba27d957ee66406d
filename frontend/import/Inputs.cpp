//===- Inputs.cpp - what each variable is ---------------------------------===//
//
// A variable is, in this order:
//   1. an input, where options.shapes names it;
//   2. a weight, where a source holds it;
//   3. an input, where no head needs it (labels, in prediction);
//   4. a weight to be drawn or reported as missing, where it is an auxiliary
//      state, an operand that is a parameter by name, carries attributes that
//      only parameters have, or where inputs have shapes and it has none;
//   5. an input, whose shape comes from `__shape__` or inference.
// Missing weights are reported in one message.
//
//===----------------------------------------------------------------------===//
#include "frontend/import/Plan.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace mlir;

namespace symc::importer {

namespace {

class VariableAssigner {
public:
  explicit VariableAssigner(Plan &plan) : plan(plan), graph(plan.graph) {}

  bool run() {
    for (const std::string &name : graph.leftOut)
      leftOut.insert(name);
    findLive(plan);
    indexSources();
    for (uint32_t id : plan.order) {
      const symbol::Node &node = graph.nodes[id];
      for (auto [i, entry] : enumerate(node.inputs))
        noteUse(entry.node, id, plan.nodes[id].signature.operands[i]);
    }
    for (uint32_t id : plan.order)
      if (graph.nodes[id].isVariable())
        names[graph.nodes[id].name].push_back(id);
    for (uint32_t id : plan.order)
      if (graph.nodes[id].isVariable())
        assign(id);
    checkOptionNames();
    reportMissing();
    if (good)
      reportUnused();
    return good;
  }

private:
  Diagnostic &fail(SourcePos pos, const Twine &message) {
    good = false;
    return plan.error(pos, message);
  }

  void indexSources() {
    for (const params::WeightSource *source : plan.options.weights) {
      size_t unnamed = 0;
      for (size_t i = 0; i < source->count(); ++i) {
        const params::ArrayInfo &array = source->array(i);
        unnamed += array.name.empty();
        if (!array.name.empty())
          stored[array.name].push_back({source, &array});
      }
      if (unnamed && unnamed == source->count()) {
        good = false;
        plan.diagnostics
            .error(source->name(), {},
                   "the file holds a list of " + Twine(unnamed) +
                       " arrays without names, but parameters are found by name")
            .note("save a dictionary: mx.nd.save(file, {'arg:NAME': value, ...})");
        listed = true;
      }
    }
  }

  void noteUse(uint32_t id, uint32_t user, const Signature::Operand &operand) {
    PlannedVariable &variable = plan.variables[id];
    if (variable.operand.empty()) {
      variable.operand = operand.info->name;
      variable.user = user;
      variable.isGradient = graph.nodes[user].kind != symbol::NodeKind::Operator;
    }
    variable.auxiliary |= operand.info->auxiliary;
  }

  void assign(uint32_t id) {
    const symbol::Node &node = graph.nodes[id];
    PlannedVariable &variable = plan.variables[id];
    variable.symbol = node.name;
    ArrayRef<uint32_t> same = names[node.name];
    if (same.front() != id && plan.options.allowDuplicateNames)
      variable.symbol += "#" + std::to_string(id);
    else if (same.front() != id) {
      fail(node.namePos, "two variables are called " + inQuotes(node.name) +
                             ", so a value or a shape cannot be given to either")
          .pointAt(graph.nodes[same.front()].namePos, "the other one is here");
      return;
    }
    if (node.name == "main" || node.name == "prepare") {
      fail(node.namePos, "a variable is called " + inQuotes(node.name) +
                             ", a name that compiled graphs use themselves")
          .note("rename it in the symbol file and in the parameter file");
      return;
    }
    auto given = plan.options.shapes.find(node.name);
    auto found = stored.find(node.name);
    if (given != plan.options.shapes.end()) {
      if (variable.auxiliary) {
        fail(node.namePos, inQuotes(node.name) + " is an auxiliary state and cannot be an input")
            .note("leave it out of the shapes");
        return;
      }
      usedNames.insert(node.name);
      variable.isParameter = plan.options.parametersAreInputs && looksLikeWeight(id);
      return takeShape(id, given->second);
    }
    if (found != stored.end()) {
      usedNames.insert(node.name);
      takeStored(id, found->second);
      return makeInput(id);
    }
    if (!readShapeAttribute(id) || !readTypeAttribute(id))
      return;
    if (!plan.live[id] && !variable.auxiliary)
      return takeType(id);
    if (!looksLikeWeight(id)) {
      // Whoever gives shapes gives them for all inputs, but gradients of outputs have theirs.
      // A parameter may have its shape in the file, and what is trained has none from outside.
      bool isShaped = variable.shape.isRanked() && !plan.options.parametersAreInputs;
      if (plan.options.shapes.empty() || isShaped || variable.isGradient)
        return takeType(id);
      if (!variable.shape.isRanked())
        withoutShape.insert(id);
    }
    variable.role = Role::Weight;
    if (!plan.options.randomWeights && !plan.options.parametersAreInputs)
      missing.push_back(id);
    takeType(id);
    makeInput(id);
  }

  // Of a weight, where whoever trains holds it. What only a loss reads in training is a label, and
  // so is, in a loss made of other operators, what is called one.
  void makeInput(uint32_t id) {
    PlannedVariable &variable = plan.variables[id];
    if (variable.role != Role::Weight || !plan.options.parametersAreInputs || variable.auxiliary)
      return;
    variable.role = Role::Input;
    bool isLabel = !plan.predicted[id] || StringRef(variable.symbol).ends_with("label");
    variable.isParameter = !isLabel || looksLikeWeight(id);
  }

  bool looksLikeWeight(uint32_t id) const {
    const PlannedVariable &variable = plan.variables[id];
    const symbol::AttributeMap &attrs = graph.nodes[id].attrs;
    static constexpr StringLiteral parameters[] = {"weight", "bias", "gamma", "beta", "parameters"};
    if (variable.auxiliary || is_contained(parameters, variable.operand) ||
        plan.options.parameters.count(graph.nodes[id].name))
      return true;
    for (StringRef key : {"__lr_mult__", "__wd_mult__", "__init__"})
      if (attrs.find(key))
        return true;
    return false;
  }

  void takeShape(uint32_t id, const std::vector<DimSpec> &given) {
    const symbol::Node &node = graph.nodes[id];
    if (!readTypeAttribute(id))
      return;
    sg::Shape shape(given.size());
    int64_t elements = 1;
    for (auto [axis, dim] : enumerate(given)) {
      std::string where =
          " of input " + inQuotes(node.name) + " (dimension " + std::to_string(axis) + ")";
      if (dim.max != 0) {
        if (dim.min < (dim.grows ? 0 : 1) || dim.max < dim.min) {
          fail(node.namePos, "extent " + Twine(dim.min) + ".." + Twine(dim.max) + where +
                                 " needs a range that starts at 1 or more and does not end before");
          return;
        }
        shape[axis] = sizeOf(dim, id, axis);
      } else if (dim.value < 0) {
        fail(node.namePos, "extent " + Twine(dim.value) + where +
                               " needs a positive number, a range, or 0 for unknown");
        return;
      } else if (dim.value > 0 || graph.isNumpyShape()) {
        shape[axis] = sg::Dim::constant(dim.value, &plan.context);
      }
      int64_t largest = std::max<int64_t>({dim.value, dim.max, 1});
      if (MulOverflow(elements, largest, elements) || elements > sg::kMostElements) {
        fail(node.namePos,
             "the shape of input " + inQuotes(node.name) + " has more than 2^48 elements");
        return;
      }
    }
    plan.variables[id].shape = shape;
    takeType(id);
  }

  sg::Dim sizeOf(const DimSpec &dim, uint32_t id, size_t axis) {
    std::string name =
        dim.symbol.empty() ? graph.nodes[id].name + "." + std::to_string(axis) : dim.symbol;
    size_t index = 0;
    while (index < plan.sizes.size() && plan.sizes[index].name != name)
      ++index;
    if (index == plan.sizes.size())
      plan.sizes.push_back({name, dim.min, dim.max});
    const Plan::Size &size = plan.sizes[index];
    if (size.min != dim.min || size.max != dim.max)
      fail(graph.nodes[id].namePos, "size " + inQuotes(name) + " is " + Twine(dim.min) + ".." +
                                        Twine(dim.max) + " here, and " + Twine(size.min) + ".." +
                                        Twine(size.max) + " before");
    return sg::Dim(getAffineSymbolExpr(index, &plan.context));
  }

  void takeType(uint32_t id) {
    auto given = plan.options.dtypes.find(graph.nodes[id].name);
    if (given == plan.options.dtypes.end())
      return;
    typedNames.insert(graph.nodes[id].name);
    plan.variables[id].elementType = sg::typeFromName(given->second, &plan.context);
    if (plan.variables[id].elementType)
      return;
    std::string known;
    for (int64_t flag = 0; Type type = sg::typeFromFlag(flag, &plan.context); ++flag)
      known += (flag ? ", " : "") + sg::typeName(type);
    fail(graph.nodes[id].namePos, "unknown element type " + inQuotes(given->second) +
                                      " for input " + inQuotes(graph.nodes[id].name))
        .note("element types are " + known);
  }

  bool readShapeAttribute(uint32_t id) {
    const symbol::Attribute *attribute = graph.nodes[id].attrs.find("__shape__");
    if (!attribute)
      return true;
    bool numpy = graph.isNumpyShape();
    if (StringRef(attribute->value).trim() == "None")
      return true;
    sg::ParamInfo info{};
    info.name = "__shape__";
    info.kind = sg::ParamKind::Tuple;
    info.acceptsNone = true;
    std::string message;
    Attribute parsed = parseParam(info, attribute->value, &plan.context, message);
    bool sound = static_cast<bool>(parsed);
    sg::Shape shape(size_t(0));
    int64_t elements = 1;
    if (sound)
      for (int64_t extent : cast<DenseI64ArrayAttr>(parsed).asArrayRef()) {
        bool unknown = extent == sg::kNoneElement || extent == -1 || (extent == 0 && !numpy);
        sound &= unknown || extent >= 0;
        sound &= !MulOverflow(elements, std::max<int64_t>(extent, 1), elements) &&
                 elements < sg::kMostElements;
        shape.push_back(unknown ? sg::Dim() : sg::Dim::constant(extent, &plan.context));
      }
    if (!sound) {
      fail(attribute->valuePos, "attribute '__shape__' of " + describe(graph.nodes[id]) +
                                    " expects a shape, found " + inQuotes(attribute->value));
      return false;
    }
    // Outside of NumPy semantics () specifies nothing.
    if (shape.rank() > 0 || numpy)
      plan.variables[id].shape = shape;
    return true;
  }

  bool readTypeAttribute(uint32_t id) {
    const symbol::Attribute *attribute = graph.nodes[id].attrs.find("__dtype__");
    if (!attribute)
      return true;
    int64_t flag = -1;
    bool number = !StringRef(attribute->value).trim().getAsInteger(10, flag);
    plan.variables[id].elementType = sg::typeFromFlag(flag, &plan.context);
    if (number && (flag == -1 || plan.variables[id].elementType))
      return true;
    fail(attribute->valuePos,
         "attribute '__dtype__' of " + describe(graph.nodes[id]) +
             " expects the number of an element type (0 for float32, ...), found " +
             inQuotes(attribute->value));
    return false;
  }

  struct Stored {
    const params::WeightSource *source;
    const params::ArrayInfo *array;
  };

  void takeStored(uint32_t id, ArrayRef<Stored> candidates) {
    const symbol::Node &node = graph.nodes[id];
    PlannedVariable &variable = plan.variables[id];
    auto wanted = variable.auxiliary ? params::ParamKind::Aux : params::ParamKind::Arg;
    const Stored *best = nullptr;
    for (auto kind : {wanted, params::ParamKind::None}) {
      for (const Stored &candidate : candidates) {
        if (candidate.array->kind != kind)
          continue;
        if (best && best->array->kind == kind) {
          fail(node.namePos, "parameter " + inQuotes(node.name) + " stands in both '" +
                                 best->source->name() + "' and '" + candidate.source->name() + "'");
          return;
        }
        if (!best)
          best = &candidate;
      }
      if (best)
        break;
    }
    std::string kindName = variable.auxiliary ? "an auxiliary state" : "an argument";
    if (!best) {
      fail(node.namePos, inQuotes(node.name) + " is " + kindName + ", but '" +
                             candidates.front().source->name() + "' holds it as " +
                             inQuotes(candidates.front().array->key))
          .note("save it as '" + Twine(variable.auxiliary ? "aux:" : "arg:") + node.name + "'");
      return;
    }
    if (best->array->isNone) {
      fail(node.namePos, inQuotes(best->array->key) + " in '" + best->source->name() +
                             "' is an array without a value");
      return;
    }
    variable.role = Role::Weight;
    variable.array = best->array;
    variable.source = best->source;
    variable.shape = sg::Shape::of(best->array->shape, &plan.context);
    variable.elementType =
        sg::typeFromFlag(static_cast<int64_t>(best->array->dtype), &plan.context);
  }

  // The graph's nodes; first the variables that no file gives and that a node takes for its data,
  // not as a weight or as a label of a loss.
  std::vector<uint32_t> likelyInputsFirst() {
    llvm::DenseSet<uint32_t> data;
    for (const symbol::Node &node : graph.nodes)
      if (!node.inputs.empty())
        data.insert(node.inputs.front().node);
    std::vector<uint32_t> order(plan.order.begin(), plan.order.end());
    llvm::stable_sort(order, [&](uint32_t a, uint32_t b) {
      auto isLikely = [&](uint32_t id) { return data.contains(id) && !plan.variables[id].array; };
      return isLikely(a) && !isLikely(b);
    });
    return order;
  }

  // Names in the options that no input has. One that is misspelt is likely that of a variable
  // which is a weight only because no shape is given for it.
  void checkOptionNames() {
    std::vector<std::string> inputs, all;
    for (uint32_t id : likelyInputsFirst())
      if (graph.nodes[id].isVariable()) {
        if (names[graph.nodes[id].name].front() == id) // else reported as a mistake
          all.push_back(graph.nodes[id].name);
        if (plan.variables[id].role == Role::Input || withoutShape.contains(id))
          inputs.push_back(graph.nodes[id].name);
      }
    bool misspelt = llvm::any_of(plan.options.shapes, [&](const auto &given) {
      return !names.count(given.first) && !leftOut.contains(given.first);
    });
    if (misspelt)
      llvm::erase_if(missing, [&](uint32_t id) { return withoutShape.contains(id); });
    auto unknown = [&](const std::string &name, const char *what) {
      good = false;
      // Any of the arguments may be meant, so that a distant one is better than none.
      std::string nearest = nearestName(name, all, name.size() * 2 / 5);
      Diagnostic &error = plan.diagnostics.error(
          graph.name, {},
          Twine("a ") + what + " is given for " + inQuotes(name) + ", but no input is called so" +
              (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
      if (all.empty())
        error.note("the graph has no inputs");
      else if (inputs.empty() || plan.options.randomWeights) // any may be given a shape
        error.note("the graph's variables are " + plan.diagnostics.nameList(all));
      else
        error.note("the inputs are " + plan.diagnostics.nameList(inputs));
    };
    auto ignore = [&](const std::string &name, const char *what) {
      plan.diagnostics.warning(graph.name, {},
                               Twine("the ") + what + " of " + inQuotes(name) +
                                   " is ignored: no chosen output needs that variable");
    };
    for (const auto &[name, shape] : plan.options.shapes)
      if (!names.count(name))
        leftOut.contains(name) ? ignore(name, "shape") : unknown(name, "shape");
    for (const auto &[name, type] : plan.options.dtypes) {
      if (leftOut.contains(name) && !names.count(name)) {
        if (!plan.options.shapes.count(name)) // else reported already
          ignore(name, "type");
        continue;
      }
      if (typedNames.contains(name) || plan.options.shapes.count(name))
        continue;
      auto found = stored.find(name);
      if (!names.count(name) || found == stored.end()) {
        unknown(name, "type");
        continue;
      }
      fail(graph.nodes[names[name].front()].namePos, "an element type is given for parameter " +
                                                         inQuotes(name) + ", whose type is in '" +
                                                         found->second.front().source->name() + "'")
          .note("leave it out");
    }
  }

  void forEachArray(llvm::function_ref<void(const params::ArrayInfo &)> visit) const {
    for (const params::WeightSource *source : plan.options.weights)
      for (size_t i = 0; i < source->count(); ++i)
        visit(source->array(i));
  }

  std::vector<std::string> unusedArrays() const {
    std::vector<std::string> unused;
    forEachArray([&](const params::ArrayInfo &array) {
      if (!array.name.empty() && !usedNames.contains(array.name) && !leftOut.contains(array.name))
        unused.push_back(array.key);
    });
    return unused;
  }

  void reportMissing() {
    if (missing.empty() || listed)
      return;
    std::vector<std::string> all;
    for (uint32_t id : missing)
      all.push_back(graph.nodes[id].name);
    const symbol::Node &first = graph.nodes[missing.front()];
    const PlannedVariable &variable = plan.variables[missing.front()];
    std::string file;
    if (plan.options.weights.size() == 1)
      file = (" in '" + plan.options.weights.front()->name() + "'").str();
    Diagnostic &error =
        fail(first.namePos, (missing.size() == 1 ? Twine("a parameter has")
                                                 : Twine(missing.size()) + " parameters have") +
                                " no value" + file + ": " + plan.diagnostics.nameList(all));
    if (!variable.operand.empty())
      error.note(inQuotes(first.name) + " is the " + variable.operand + " of node " +
                 nodeText(graph.nodes[variable.user]));
    if (std::vector<std::string> unused = unusedArrays(); !unused.empty())
      error.note("no node uses these arrays of the file: " + plan.diagnostics.nameList(unused));
    noteSavedParameters(error);
    error.note(
        plan.options.weights.empty()
            ? "give the parameter file, or --random-weights to draw them"
            : "give --random-weights to draw them, or --shape NAME=... for one that is an input");
  }

  // Gluon's Block.save_parameters names arrays by the attributes of blocks ("0.weight",
  // "features.1.gamma"), without prefixes; a symbol has other names.
  void noteSavedParameters(Diagnostic &diagnostic) const {
    size_t count = 0, dotted = 0, known = 0;
    forEachArray([&](const params::ArrayInfo &array) {
      ++count;
      dotted += array.kind == params::ParamKind::None && StringRef(array.name).contains('.');
      known += names.count(array.name);
    });
    if (dotted != 0 && dotted == count && known == 0)
      diagnostic.note("it looks like a file of Gluon's save_parameters(), whose names are not "
                      "those of a symbol; use the files that HybridBlock.export() writes");
  }

  // Arrays that no node uses are worth a warning; arguments and states that the
  // graph does not even have mean that the file belongs to another model.
  void reportUnused() {
    if (plan.options.weights.empty())
      return;
    std::vector<std::string> foreign;
    forEachArray([&](const params::ArrayInfo &array) {
      if (array.kind != params::ParamKind::None && !names.count(array.name) &&
          !leftOut.contains(array.name))
        foreign.push_back(array.key);
    });
    llvm::StringRef path = plan.options.weights.front()->name();
    if (!foreign.empty() && !plan.options.extraWeights) {
      good = false;
      plan.diagnostics
          .error(path, {},
                 (foreign.size() == 1
                      ? Twine("an array belongs to no variable of the graph: ")
                      : Twine(foreign.size()) + " arrays belong to no variable of the graph: ") +
                     plan.diagnostics.nameList(foreign))
          .note("is it the file of another model? if not, pass --extra-weights");
      return;
    }
    std::vector<std::string> unused = unusedArrays();
    if (!unused.empty())
      noteSavedParameters(plan.diagnostics.warning(
          path, {},
          (unused.size() == 1 ? Twine("no node uses an array: ")
                              : "no node uses " + Twine(unused.size()) + " arrays: ") +
              plan.diagnostics.nameList(unused)));
  }

  Plan &plan;
  const symbol::Graph &graph;
  StringMap<SmallVector<Stored, 1>> stored;
  StringMap<SmallVector<uint32_t, 1>> names;
  llvm::StringSet<> usedNames, typedNames;
  llvm::StringSet<> leftOut; // variables that chosen outputs do not need
  std::vector<uint32_t> missing;
  llvm::DenseSet<uint32_t> withoutShape; // weights only because inputs have shapes and they none
  bool listed = false;                   // a file without names was reported
  bool good = true;
};

} // namespace

static void findNeeded(const Plan &plan, bool training, std::vector<bool> &needed) {
  std::vector<uint32_t> work;
  auto mark = [&](uint32_t id) {
    if (!needed[id]) {
      needed[id] = true;
      work.push_back(id);
    }
  };
  for (const symbol::Entry &head : plan.graph.heads)
    mark(head.node);
  while (!work.empty()) {
    uint32_t id = work.back();
    work.pop_back();
    if (plan.graph.nodes[id].backwardSource >= 0)
      mark(static_cast<uint32_t>(plan.graph.nodes[id].backwardSource));
    for (auto [i, entry] : enumerate(plan.graph.nodes[id].inputs))
      if (training || !plan.nodes[id].signature.operands[i].info->trainingOnly)
        mark(entry.node);
  }
}

void findLive(Plan &plan) {
  findNeeded(plan, plan.training, plan.live);
  findNeeded(plan, false, plan.predicted);
}

bool assignVariables(Plan &plan) { return VariableAssigner(plan).run(); }

} // namespace symc::importer
