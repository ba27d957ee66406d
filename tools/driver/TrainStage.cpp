// TrainStage.cpp: what symc train needs of a graph: its parameters, those among them that get
// gradients, and what its inputs hold (see Compiler.h).
#include "tools/driver/Compiler.h"

#include "codegen/plan/PredictionSteps.h"
#include "ir/CustomOperators.h"
#include "ir/GraphDialect.h"
#include "ir/Inference.h"
#include "ir/InputClasses.h"
#include "ir/OperatorNames.h"
#include "ir/Parts.h"
#include "ir/States.h"
#include "ir/ops/Custom.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Norm.h"
#include "ir/ops/Recurrent.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/GlobPattern.h"

using namespace mlir;
using namespace symc;

// A number of an attribute of a variable, as __lr_mult__; nothing where it has none.
static std::optional<double> multiplier(DictionaryAttr attributes, StringRef key, bool &good) {
  auto text = attributes ? attributes.getAs<StringAttr>(key) : StringAttr();
  double value = 1;
  if (!text)
    return std::nullopt;
  good &= !text.getValue().trim().getAsDouble(value);
  return value;
}

static bool matches(const std::string &pattern, StringRef name) {
  llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(pattern);
  if (glob)
    return glob->match(name);
  llvm::consumeError(glob.takeError());
  return pattern == name;
}

// Whether a normalisation takes the value as 1.
static bool isFixedGamma(BlockArgument argument) {
  return llvm::any_of(argument.getUses(), [](OpOperand &use) {
    auto isFixed = [&](auto norm) { return norm.getFixGamma() && use.get() == norm.getGamma(); };
    return TypeSwitch<Operation *, bool>(use.getOwner())
        .Case<sg::BatchNormOp, sg::BatchNormWithReLUOp>(isFixed)
        .Default(false);
  });
}

// Whether all nodes that compute something else in prediction can have sg.by_mode behind them:
// operators of libraries have kernels of their own for it, and bodies of loops are graphs of their
// own.
static bool canPredictByMode(ModuleOp module, sg::GraphOp main) {
  auto cannot = [&](Operation *op) {
    bool isBelow = op->getParentOfType<sg::GraphOp>() != main;
    return TypeSwitch<Operation *, bool>(op)
        .Case<sg::BatchNormOp, sg::BatchNormWithReLUOp, sg::DropoutOp>(
            [&](Operation *) { return isBelow; })
        .Case([&](sg::RnnOp rnn) { return isBelow && !rnn.getP().isZero(); })
        .Case([](sg::LeakyReLUOp relu) { return relu.getActType() == "rrelu"; })
        .Case([](sg::CustomOp) { return true; })
        .Default(false);
  };
  return !module
              .walk([&](Operation *op) {
                return cannot(op) ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

std::optional<llvm::SmallBitVector> Compiler::predictedInputs(int64_t outputs) {
  auto graph = module().lookupSymbol<sg::GraphOp>("main");
  if (!graph->hasAttr(sg::predictsName))
    return std::nullopt;
  int64_t ofCaller = 0;
  for (unsigned i = 0; i < graph.getResultTypes().size(); ++i)
    ofCaller += sg::stateOfResult(graph, i).empty();
  std::optional<llvm::SmallBitVector> inputs;
  SmallVector<kernel::ProgramOp> programs = llvm::to_vector(kernel::mainPrograms(module()));
  for (kernel::ProgramOp entry : programs) {
    entry->setAttr(codegen::predictedName,
                   DenseI64ArrayAttr::get(graph.getContext(), {outputs, ofCaller}));
    std::optional<codegen::PredictionSteps> steps = codegen::predictionSteps(entry);
    if (!steps) {
      for (kernel::ProgramOp one : programs)
        one->removeAttr(codegen::predictedName);
      return std::nullopt;
    }
    inputs = std::move(steps->inputs);
  }
  return inputs;
}

bool Compiler::chooseTrained() {
  auto graph = module().lookupSymbol<sg::GraphOp>("main");
  std::vector<bool> used(request.train->frozen.size());
  auto fail = [&](StringRef name, const Twine &message) -> symc::Diagnostic & {
    return diagnostics.error(request.model.name(), {}, "parameter '" + name + "' " + message);
  };
  facts = {};
  bool hasData = false;
  for (BlockArgument argument : graph.getBlock().getArguments()) {
    unsigned i = argument.getArgNumber();
    StringRef name = graph.getInputName(i);
    sg::Shape shape = sg::shapeOf(argument.getType());
    if (!graph.getArgAttr(i, "sg.parameter")) {
      if (int64_t classes = sg::classesOf(argument))
        facts.classes[name.str()] = classes;
      if (!hasData && shape.isStatic() && shape.rank() > 0)
        facts.batch = shape[0].get();
      hasData |= shape.isRanked() && shape.rank() > 0;
      continue;
    }
    if (!sg::elementTypeOf(argument.getType()).isF32()) {
      fail(name, "has elements of type " + sg::typeName(sg::elementTypeOf(argument.getType())) +
                     ", and symc train updates float32 alone")
          .note(request.dtypes.empty()
                    ? "its __dtype__ or the parameter file has that type; train the net as it was "
                      "before it was cast"
                    : "--dtype of an input is the type of what it meets; leave --dtype out");
      return false;
    }
    TrainedParameter &parameter = facts.parameters.emplace_back();
    parameter.name = name.str();
    if (auto role = graph.getArgAttrOfType<StringAttr>(i, "sg.role"))
      parameter.role = role.str();
    auto attributes = graph.getArgAttrOfType<DictionaryAttr>(i, "sg.attrs");
    if (auto initializer = attributes ? attributes.getAs<StringAttr>("__init__") : StringAttr())
      parameter.initializer = initializer.str();
    parameter.isFixedGamma = isFixedGamma(argument);
    bool good = true;
    parameter.lrMult = multiplier(attributes, "__lr_mult__", good).value_or(1);
    parameter.wdMult = multiplier(attributes, "__wd_mult__", good);
    if (!good) {
      fail(name, "has an attribute __lr_mult__ or __wd_mult__ that is no number");
      return false;
    }
    for (auto [k, pattern] : llvm::enumerate(request.train->frozen))
      if (matches(pattern, name))
        parameter.isFrozen = used[k] = true;
    if (!parameter.isFrozen)
      request.gradients.arguments.push_back(parameter.name);
  }
  for (auto [k, pattern] : llvm::enumerate(request.train->frozen))
    if (!used[k]) {
      std::vector<std::string> names;
      for (const TrainedParameter &parameter : facts.parameters)
        names.push_back(parameter.name);
      diagnostics
          .error(request.model.name(), {}, "--freeze names no parameter by '" + pattern + "'")
          .note("parameters are " + diagnostics.nameList(names));
      return false;
    }
  module().walk([&](Operation *op) {
    if (StringRef name = sg::nodeName(op); !name.empty() && sg::infoOf(op))
      facts.operators.try_emplace(name.str(), sg::mxnetNameOf(op));
  });
  // Only steps as a whole: no copies of parameters and data for a backward part that runs later.
  graph->setAttr(sg::onePartName, UnitAttr::get(graph.getContext()));
  if (!request.train->predictionProgram && canPredictByMode(module(), graph))
    graph->setAttr(sg::predictsName, UnitAttr::get(graph.getContext()));
  if (!request.gradients.arguments.empty())
    return true;
  diagnostics.error(request.model.name(), {},
                    facts.parameters.empty() ? "the graph has no parameters to train"
                                             : "--freeze leaves no parameter to train");
  return false;
}

// A head that is no loss would need a gradient that nobody gives.
bool Compiler::checkLosses() {
  auto graph = module().lookupSymbol<sg::GraphOp>("main");
  for (unsigned i = 0; i < graph.getNumArguments(); ++i)
    if (auto head = graph.getArgAttrOfType<IntegerAttr>(i, "sg.head_gradient")) {
      diagnostics
          .error(request.model.name(), {},
                 "output '" + graph.getOutputName(head.getInt()) +
                     "' is no loss, so that training has no gradient of it")
          .note("--loss softmax (or linear, mae, logistic, svm, make_loss) ends the graph in a "
                "loss; else "
                "keep an output by BlockGrad, or choose outputs by --outputs");
      return false;
    }
  return true;
}

CompileRequest Compiler::requestOfPrediction() const {
  CompileRequest other = request;
  other.train.reset();
  other.gradients = {};
  other.recompute = -1;
  for (const TrainedParameter &parameter : facts.parameters)
    other.parameters.insert(parameter.name);
  other.stepTable = true;
  other.emitPrepare = true;   // of the values that a training has
  other.randomWeights = true; // which no file needs to have
  other.tuneInto.clear();
  other.crashReproducer.clear(); // that of the first
  other.probes = false;
  other.prefix += "_prediction";
  return other;
}

std::optional<params::ArrayValues> Compiler::sourceValue(StringRef name, bool isState) const {
  auto wanted = isState ? params::ParamKind::Aux : params::ParamKind::Arg;
  for (params::ParamKind kind : {wanted, params::ParamKind::None})
    for (const std::shared_ptr<params::WeightSource> &source : sources)
      for (size_t i = 0; i < source->count(); ++i)
        if (source->array(i).name == name && source->array(i).kind == kind)
          return source->values(i);
  return std::nullopt;
}
