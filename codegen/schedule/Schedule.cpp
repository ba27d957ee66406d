// Schedule.cpp: builds the programs of the graphs. @main is scheduled
// first; what it requests of weights becomes the list that @prepare fulfils. One
// packing per weight and form: equal requests share a kernel.prepared.
#include "codegen/schedule/Schedule.h"

#include "codegen/kernel/ViewOrigin.h"
#include "codegen/schedule/CheckShapes.h"
#include "codegen/schedule/GraphScheduler.h"
#include "codegen/schedule/IntegerLayer.h"
#include "codegen/schedule/PreparedForms.h"
#include "ir/Clips.h"
#include "ir/ControlFlow.h"
#include "ir/InferGraph.h"
#include "ir/Parts.h"
#include "ir/States.h"
#include "ir/ops/Shape.h"

#include "runtime/include/symc/abi.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static MemRefType plainType(Value value) {
  SmallVector<int64_t> shape;
  for (AffineExpr expr : extentsOf(value)) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    shape.push_back(constant ? constant.getValue() : ShapedType::kDynamic);
  }
  return MemRefType::get(shape, Tensors::storageType(elementTypeOf(value.getType())));
}

// The memory of an argument or a result: of a state that grows, with room for all of its rows.
static MemRefType argumentType(Value value, std::optional<Growth> growth) {
  MemRefType type = plainType(value);
  if (!growth)
    return type;
  SmallVector<int64_t> shape(type.getShape());
  shape[growth->axis] = growth->rows;
  return MemRefType::get(shape, type.getElementType());
}

// The rows of a state that are there, in that memory.
static ViewSpec rowsOf(Value value, Value memory, const Growth &growth, Tensors &t) {
  SmallVector<AffineExpr, 4> extents = extentsOf(value), whole = extents;
  whole[growth.axis] = t.constant(growth.rows);
  ViewSpec view = t.rowMajor(memory, whole);
  view.sizes.assign(extents.begin(), extents.end());
  return view;
}

static MemRefType plainType(WeightOp weight) {
  auto type = cast<RankedTensorType>(weight.getType());
  return MemRefType::get(type.getShape(), Tensors::storageType(type.getElementType()));
}

namespace {
/// What a run changes: an argument of @main, and the weight that holds its first value.
struct State {
  StringRef weight;
  BlockArgument value;
};
} // namespace

// In the order of the arguments of @main. States that grow have no weight.
static SmallVector<State> statesOf(ModuleOp module) {
  SmallVector<State> states;
  if (auto main = module.lookupSymbol<GraphOp>("main"))
    for (BlockArgument argument : main.getBlock().getArguments())
      if (StringRef state = stateOfArgument(main, argument.getArgNumber());
          !state.empty() && !growthOfArgument(main, argument.getArgNumber()))
        states.push_back({state, argument});
  return states;
}

static kernel::ProgramOp createProgram(OpBuilder &builder, Location location, StringRef name,
                                       ArrayRef<Type> inputs, ArrayRef<Type> outputs,
                                       GraphOp dims) {
  auto program = kernel::ProgramOp::create(builder, location, name, inputs.size(), outputs.size(),
                                           DenseI64ArrayAttr(), DenseI64ArrayAttr(), IntegerAttr(),
                                           ArrayAttr(), ArrayAttr(), FloatAttr(), ArrayAttr(),
                                           ArrayAttr(), ArrayAttr());
  Block &block = program.getBody().emplaceBlock();
  for (Type type : inputs)
    block.addArgument(type, location);
  for (Type type : outputs)
    block.addArgument(type, location);
  if (dims && dims.getDimMin()) {
    program.setDimMin(dims.getDimMin());
    program.setDimMax(dims.getDimMax());
    if (Attribute clips = dims->getAttr(clipsOfGraph))
      program->setAttr(clipsOfProgram, clips);
    program.setConditionsAttr(dims.getConditionsAttr());
    program.setSentencesAttr(dims.getSentencesAttr());
    for (size_t i = 0; i < dims.getDimMin()->size(); ++i)
      block.addArgument(builder.getIndexType(), location);
  }
  OpBuilder inner = OpBuilder::atBlockEnd(&block);
  kernel::EndOp::create(inner, location);
  return program;
}

// Of a graph with gradients, whose each input and output is. kernel-split-parts parts the steps.
static void setParts(kernel::ProgramOp program, GraphOp graph) {
  if (!hasBackward(graph))
    return;
  SmallVector<StringRef> parts;
  for (int64_t i = 0; i < int64_t(program.getNumInputs()); ++i)
    parts.push_back(partOfArgument(graph, i));
  for (int64_t i = 0; i < int64_t(program.getNumOutputs()); ++i)
    parts.push_back(partOfResult(graph, i));
  program.setPartsAttr(Builder(graph.getContext()).getStrArrayAttr(parts));
}

// Programs get the sizes that have a range, and no others.
static LogicalResult checkSizes(GraphOp graph) {
  int64_t sizes = graph.getDimMin() ? graph.getDimMin()->size() : 0;
  auto check = [&](Value value) -> LogicalResult {
    SmallVector<AffineExpr> extents = extentsOf(value);
    int64_t dimension = -1, symbol = -1;
    getMaxDimAndSymbol<ArrayRef<AffineExpr>>({extents}, dimension, symbol);
    if (symbol < sizes)
      return success();
    return emitError(value.getLoc()) << "a tensor of the graph has size s" << symbol
                                     << ", which has no range (dim_min, dim_max)";
  };
  for (Value argument : graph.getBlock().getArguments())
    if (failed(check(argument)))
      return failure();
  for (Operation &op : graph.getBlock())
    for (Value result : op.getResults())
      if (failed(check(result)))
        return failure();
  return success();
}

namespace {

/// Schedules the programs of a module, or of several, whose weights the first one prepares.
class ModuleScheduler {
public:
  ModuleScheduler(ArrayRef<ModuleOp> modules, const ScheduleOptions &options)
      : modules(modules), options(options), module(modules.front()), builder(module.getContext()) {}

  LogicalResult run() {
    for (ModuleOp each : modules) {
      builder.setInsertionPointToEnd(each.getBody());
      for (GraphOp body : bodiesOf(each))
        if (failed(scheduleGraph(body)))
          return failure();
      auto main = each.lookupSymbol<GraphOp>("main");
      if (!main)
        return each.emitError("there is no graph @main to make a program of");
      if (failed(scheduleGraph(main)))
        return failure();
    }
    builder.setInsertionPointToEnd(module.getBody());
    if (failed(schedulePrepare(module.lookupSymbol<GraphOp>("prepare"))))
      return failure();
    for (ModuleOp other : modules.drop_front()) {
      builder.setInsertionPointToEnd(other.getBody());
      for (auto prepared : module.getOps<kernel::PreparedOp>())
        builder.clone(*prepared.getOperation());
    }
    return success();
  }

private:
  LogicalResult scheduleGraph(GraphOp graph) {
    SmallVector<Type> inputs, outputs;
    for (auto [i, argument] : llvm::enumerate(graph.getBlock().getArguments()))
      inputs.push_back(argumentType(argument, growthOfArgument(graph, i)));
    OperandRange heads = graph.getBlock().getTerminator()->getOperands();
    for (auto [i, head] : llvm::enumerate(heads))
      outputs.push_back(argumentType(head, growthOfResult(graph, i)));
    for (auto [types, what] :
         {std::pair<ArrayRef<Type>, StringRef>{inputs, "an input"}, {outputs, "an output"}})
      for (Type type : types)
        if (int64_t rank = cast<MemRefType>(type).getRank(); rank > SYMC_MAX_RANK)
          return emitError(graph.getLoc()) << what << " of the graph has rank " << rank
                                           << ", programs take at most " << SYMC_MAX_RANK;
    for (auto [i, head] : llvm::enumerate(heads))
      if (growthOfResult(graph, i) && !(head.getDefiningOp() && growthOf(head.getDefiningOp())))
        return emitError(head.getLoc()) << "internal error: state '" << stateOfResult(graph, i)
                                        << "' grows by no concatenation";
    if (failed(checkSizes(graph)))
      return failure();
    OpBuilder::InsertionGuard guard(builder);
    kernel::ProgramOp program =
        createProgram(builder, graph.getLoc(), programName(graph), inputs, outputs, graph);
    Block &block = program.getBody().front();
    if (graph.getDimMin()) {
      unsigned symbols = graph.getDimMin()->size();
      SmallVector<Attribute> shapes;
      for (auto [i, head] : llvm::enumerate(heads)) {
        // The new value of a state is no output whose extents a caller queries; of one that grows
        // the runtime keeps the length.
        SmallVector<AffineExpr, 4> extents;
        if (stateOfResult(graph, i).empty())
          extents = extentsOf(head);
        else if (std::optional<Growth> growth = growthOfResult(graph, i))
          extents = {extentsOf(head)[growth->axis]};
        shapes.push_back(
            AffineMapAttr::get(AffineMap::get(0, symbols, extents, module.getContext())));
      }
      program.setOutputShapesAttr(builder.getArrayAttr(shapes));
    }
    setParts(program, graph);
    if (graph.getDimMin() && program.getParts()) {
      SmallVector<Attribute> shapes;
      for (Value argument : graph.getBlock().getArguments())
        shapes.push_back(AffineMapAttr::get(AffineMap::get(
            0, graph.getDimMin()->size(), extentsOf(argument), module.getContext())));
      program.setInputShapesAttr(builder.getArrayAttr(shapes));
    }
    builder.setInsertionPoint(block.getTerminator());
    Tensors tensors(builder, program, *options.target);
    for (auto [i, argument] : llvm::enumerate(graph.getBlock().getArguments()))
      if (std::optional<Growth> growth = growthOfArgument(graph, i))
        tensors.setStrided(argument, rowsOf(argument, block.getArgument(i), *growth, tensors));
      else
        tensors.setPlain(argument, block.getArgument(i));
    for (auto [i, head] : llvm::enumerate(heads))
      if (std::optional<Growth> growth = growthOfResult(graph, i))
        tensors.setStrided(head,
                           rowsOf(head, block.getArgument(inputs.size() + i), *growth, tensors));
      else if (head.getDefiningOp() && !Tensors::isWeight(head))
        tensors.headMemory.try_emplace(head, block.getArgument(inputs.size() + i));
    // A reshape is another name for the same bytes: what it reads is written there at once. The
    // new value of a state may lie where the old one is still read.
    for (auto [i, head] : llvm::enumerate(heads))
      for (auto shape = head.getDefiningOp<ReshapeOp>();
           shape && shape.getData().getDefiningOp() && !Tensors::isWeight(shape.getData()) &&
           stateOfResult(graph, i).empty();
           shape = shape.getData().getDefiningOp<ReshapeOp>())
        tensors.headMemory.try_emplace(shape.getData(), tensors.headMemory.lookup(head));
    tensors.requestWeight = [&](WeightRequest request) { return request_(tensors, request); };
    return GraphScheduler(tensors, options, &symbols).run(graph);
  }

  // The kernel.prepared of the request, made when it is the first of its kind.
  Value request_(Tensors &tensors, WeightRequest request) {
    Operation *source = request.source.getDefiningOp();
    std::string base = isa<ParameterOp>(source)
                           ? cast<ParameterOp>(source).getWeight().str()
                           : "prepared" + std::to_string(cast<PreparedOp>(source).getIndex());
    request.symbol = base + suffixOf(request.form);
    llvm::StringRef kind = request.form.getKind();
    bool panels = llvm::any_of(tensors.target.elements,
                               [&](const ElementRow &row) { return row.panels == kind; });
    if (panels && request.lanes != tensors.blockWidth)
      request.symbol += ".planar" + std::to_string(request.lanes);
    if (request.groups > 1)
      request.symbol += ".g" + std::to_string(request.group);
    if (!request.part.sizes.empty()) {
      request.symbol += ".at" + std::to_string(request.part.offset);
      for (int64_t extent : request.part.sizes)
        request.symbol += "x" + std::to_string(extent);
      ArrayRef<int64_t> strides = request.part.strides;
      if (strides.size() == 5) { // of a batch
        request.symbol += ".every" + std::to_string(strides.front());
        strides = strides.drop_front();
      }
      if (strides.size() > 1 && strides[0] < strides[1])
        request.symbol += ".transposed";
    }
    // A plain weight and the sg.weight of its name must not share a symbol.
    request.symbol = "w." + request.symbol;
    if (requested.insert(request.symbol).second)
      requests.push_back(request);
    return kernel::WeightOp::create(builder, request.source.getLoc(), request.type, request.symbol);
  }

  LogicalResult schedulePrepare(GraphOp graph) {
    for (WeightRequest &request : requests)
      kernel::PreparedOp::create(builder, request.source.getLoc(), request.symbol, request.type, 0,
                                 request.form);
    SmallVector<WeightOp> weights = prepareInputs(module);
    SmallVector<State> states = statesOf(module);
    for (const State &state : states)
      kernel::PreparedOp::create(builder, state.value.getLoc(), preparedState(state.weight),
                                 plainType(state.value), 0, kernel::FormAttr());
    if (failed(placePrepared(module)))
      return failure();
    SmallVector<Type> inputs;
    llvm::StringMap<unsigned> number;
    for (auto [i, weight] : llvm::enumerate(weights)) {
      inputs.push_back(plainType(weight));
      number[weight.getSymName()] = i;
    }
    OpBuilder::InsertionGuard guard(builder);
    kernel::ProgramOp program =
        createProgram(builder, module.getLoc(), "prepare_program", inputs, {}, nullptr);
    Block &block = program.getBody().front();
    builder.setInsertionPoint(block.getTerminator());
    Tensors tensors(builder, program, *options.target);
    auto argument = [&](ParameterOp op) { return block.getArgument(number[op.getWeight()]); };
    tensors.requestWeight = [&](WeightRequest request) {
      return argument(request.source.getDefiningOp<ParameterOp>());
    };
    // Plain: no tile kernels, so that every host gives equal bits.
    ScheduleOptions plain = options;
    plain.tileKernels = false;
    OperandRange results =
        graph ? graph.getBlock().getTerminator()->getOperands() : OperandRange(nullptr, 0);
    if (graph)
      for (Operation &op : graph.getBlock().without_terminator())
        if (auto parameter = dyn_cast<ParameterOp>(op))
          tensors.setPlain(parameter.getResult(), argument(parameter));
    // Weight by weight, so that of all that is computed on the way little is there at a time.
    GraphScheduler scheduler(tensors, plain);
    for (WeightRequest &request : requests) {
      Operation *source = request.source.getDefiningOp();
      Value value = request.source;
      if (auto prepared = dyn_cast<PreparedOp>(source))
        value = results[prepared.getIndex()];
      else
        tensors.setPlain(value, argument(cast<ParameterOp>(source)));
      if (graph && failed(scheduler.runFor(value)))
        return failure();
      fulfil(tensors, request, value);
    }
    for (const State &state : states) {
      Location location = state.value.getLoc();
      SmallVector<AffineExpr, 4> extents = extentsOf(state.value);
      ViewSpec first = tensors.rowMajor(block.getArgument(number[state.weight]), extents);
      // Where the weight is stored in another type, a head of @prepare.
      for (auto [i, result] : llvm::enumerate(results))
        if (stateOfResult(graph, i) == state.weight) {
          if (failed(scheduler.runFor(result)))
            return failure();
          first = tensors.plainView(result, location);
        }
      Value image = kernel::WeightOp::create(builder, location, plainType(state.value),
                                             preparedState(state.weight));
      tensors.copy(first, tensors.rowMajor(image, extents), location);
    }
    return success();
  }

  // Writes the prepared weight from the value's plain form.
  void fulfil(Tensors &t, const WeightRequest &request, Value value) {
    Location location = value.getLoc();
    Value target = kernel::WeightOp::create(builder, location, request.type, request.symbol);
    llvm::StringRef kind = request.form.getKind();
    ViewSpec from =
        kind == weight_form::vector ? t.plainView(value, location) : t.stridedView(value, location);
    if (!request.part.sizes.empty()) {
      from = t.plainView(value, location);
      from.offset = from.offset + request.part.offset;
      from.sizes.clear();
      from.strides.clear();
      for (auto [size, stride] : llvm::zip(request.part.sizes, request.part.strides)) {
        from.sizes.push_back(t.constant(size));
        from.strides.push_back(t.constant(stride));
      }
    }
    SmallVector<AffineExpr, 6> shape;
    for (int64_t extent : request.type.getShape())
      shape.push_back(t.constant(extent));
    if (kind == weight_form::quads)
      return packQuads(t, from, target, location);
    if (kind == weight_form::plain)
      return t.copy(from, t.rowMajor(target, shape), location);
    if (kind == weight_form::vector) {
      AffineExpr count = t.constant(1);
      for (AffineExpr extent : from.sizes)
        count = count * extent;
      ViewSpec flat{from.base, from.offset, {count}, {t.constant(1)}},
          to = t.rowMajor(target, shape);
      if (count != shape[0])
        t.fill(to, builder.getZeroAttr(request.type.getElementType()), location);
      to.sizes[0] = count;
      return t.copy(flat, to, location);
    }
    t.pack(request, from, target, location);
  }

  ArrayRef<ModuleOp> modules;
  const ScheduleOptions &options;
  ModuleOp module; // the first
  OpBuilder builder;
  SymbolTableCollection symbols; // of graphs, which stay while programs are made of them
  llvm::SmallVector<WeightRequest> requests; // in the order of first use
  llvm::StringSet<> requested;
};

} // namespace

std::string symc::codegen::programName(GraphOp graph) {
  return (graph.getSymName() + "_program").str();
}

// As requests are called, so that no graph's weight has the name.
std::string symc::codegen::preparedState(StringRef weight) { return ("w." + weight).str(); }

SmallVector<WeightOp> symc::codegen::prepareInputs(ModuleOp module) {
  llvm::StringSet<> used;
  module.walk([&](ParameterOp op) { used.insert(op.getWeight()); });
  for (const State &state : statesOf(module))
    used.insert(state.weight);
  SmallVector<WeightOp> weights;
  for (auto weight : module.getOps<WeightOp>())
    if (used.contains(weight.getSymName()))
      weights.push_back(weight);
  return weights;
}

//===----------------------------------------------------------------------===//
// Several modules of one net
//===----------------------------------------------------------------------===//

// Weights do not depend on extents of data, so neither does what is computed of them.
static bool preparesTheSame(ModuleOp first, ModuleOp other) {
  auto a = first.lookupSymbol<GraphOp>("prepare"), b = other.lookupSymbol<GraphOp>("prepare");
  return !a == !b && (!a || OperationEquivalence::isRegionEquivalentTo(
                                &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations));
}

// Whether every weight that the graphs of a module read is there.
static LogicalResult checkWeights(ModuleOp module) {
  SymbolTable symbols(module);
  auto check = [&](ParameterOp op) -> WalkResult {
    if (symbols.lookup<WeightOp>(op.getWeight()))
      return success();
    return op.emitError("the module has no weight '") << op.getWeight() << "'";
  };
  return failure(module.walk(check).wasInterrupted());
}

LogicalResult symc::codegen::scheduleModules(ArrayRef<ModuleOp> modules,
                                             const ScheduleOptions &options) {
  ModuleOp first = modules.front();
  for (ModuleOp module : modules)
    if (failed(checkShapes(module)) || failed(checkCalls(module)) || failed(checkWeights(module)))
      return failure();
  for (ModuleOp other : modules.drop_front())
    if (!preparesTheSame(first, other))
      return other.emitError("internal error: the weights of two batch sizes are prepared in "
                             "different ways");
  return ModuleScheduler(modules, options).run();
}
