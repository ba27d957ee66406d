// NarrowProducts.cpp: kernel-narrow-products: weights of convolutions and products for CPUs, and
// what these read and write where the instruction set multiplies it, in 16 bits.
//
// Weights become narrow in all variants or in none, as these share them. Buffers are a variant's
// own: where it has a row of products of 16 bits, those that such products read, if each step that
// touches them converts what it loads and stores (LoweringInterface.takesHalves). Data that lies
// elsewhere is rounded by a step in front of the layer. Keys and values that stay from run to run
// (--grow) get the type, too.
#include "codegen/KernelPasses.h"

#include "codegen/conv/ColumnPairs.h"
#include "codegen/conv/NarrowProducts.h"
#include "codegen/kernel/AttentionOps.h"
#include "codegen/kernel/ViewOrigin.h"
#include "codegen/lower/KernelLowering.h"
#include "codegen/passes/PassInputs.h"
#include "codegen/schedule/PreparedForms.h"
#include "codegen/schedule/Tensors.h"
#include "ir/GraphDialect.h"
#include "ir/States.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"

namespace symc::codegen {
#define GEN_PASS_DEF_KERNELNARROWPRODUCTS
#include "codegen/Passes.h.inc"
} // namespace symc::codegen

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::rootOf;

static MemRefType with(Type memref, Type element) {
  return cast<MemRefType>(cast<MemRefType>(memref).clone(element));
}

static bool isFloat32(Value value) {
  return cast<MemRefType>(value.getType()).getElementType().isF32();
}

//===----------------------------------------------------------------------===//
// Buffers of one program
//===----------------------------------------------------------------------===//

namespace {
/// A buffer of float32.
struct Root {
  SmallVector<Value> views;          // it, and views of it
  SmallVector<OpOperand *> accesses; // of steps, perhaps through views
  bool possible = true, wanted = false;
  bool isNarrow() const { return possible && wanted; }
};

/// Narrows what the products of a program read.
class ProgramNarrowing {
public:
  /// `products` multiply data of `half`.
  ProgramNarrowing(kernel::ProgramOp program, const TargetDescription &target, FloatType half,
                   ArrayRef<kernel::ConvOp> products)
      : program(program), target(target), half(half), products(products.begin(), products.end()) {}

  void run();

private:
  bool takes(OpOperand &access);
  void retype(Root &root);
  void joinAttention();
  void roundData(kernel::ConvOp conv);

  kernel::ProgramOp program;
  const TargetDescription &target;
  FloatType half;
  llvm::SetVector<kernel::ConvOp> products;
  llvm::MapVector<Value, Root> roots;
  // Data that a step has rounded, by where it lies; until something writes there.
  struct Rounded {
    kernel::ViewOrigin origin;
    Value value;
  };
  SmallVector<Rounded> rounded;
};
} // namespace

// Whether both sides of a copy are read and written side by side, as a step that converts does.
static bool movesRows(kernel::CopyOp copy) {
  return llvm::all_of(copy->getOperands(), [](Value view) {
    SmallVector<int64_t> strides;
    int64_t offset;
    auto type = cast<MemRefType>(view.getType());
    return succeeded(type.getStridesAndOffset(strides, offset)) && !strides.empty() &&
           strides.back() == 1;
  });
}

bool ProgramNarrowing::takes(OpOperand &access) {
  Operation *step = access.getOwner();
  if (auto conv = dyn_cast<kernel::ConvOp>(step); conv && access == conv.getDataMutable())
    return products.contains(conv);
  if (auto copy = dyn_cast<kernel::CopyOp>(step))
    return movesRows(copy);
  if (isa<kernel::FillOp>(step))
    return true;
  auto lowering = dyn_cast<LoweringInterface>(step);
  return lowering && lowering.takesHalves(access);
}

void ProgramNarrowing::retype(Root &root) {
  for (Value view : root.views)
    view.setType(with(view.getType(), half));
  for (OpOperand *access : root.accesses) {
    Operation *step = access->getOwner();
    if (auto fill = dyn_cast<kernel::FillOp>(step)) {
      double value = cast<FloatAttr>(fill.getValue()).getValueAsDouble();
      fill.setValueAttr(FloatAttr::get(half, value));
    } else if (!isa<kernel::CopyOp>(step)) {
      step->setAttr(kernel::narrowName, UnitAttr::get(step->getContext()));
    }
  }
}

// Attention multiplies pairs if queries, keys and values are all narrow.
void ProgramNarrowing::joinAttention() {
  SmallVector<kernel::AttentionOp> steps(program.getBody().front().getOps<kernel::AttentionOp>());
  auto factorsOf = [&](kernel::AttentionOp step) {
    SmallVector<Root *> factors;
    for (Value factor : step.getOperands().take_front(kernel::AttentionOp::factors)) {
      if (cast<MemRefType>(factor.getType()).getElementType() == half)
        continue; // of a state
      auto root = roots.find(rootOf(factor));
      factors.push_back(root == roots.end() ? nullptr : &root->second);
    }
    return factors;
  };
  auto isPossible = [](Root *root) { return root && root->possible; };
  for (bool changed = true; changed;) {
    changed = false;
    for (kernel::AttentionOp step : steps) {
      SmallVector<Root *> factors = factorsOf(step);
      if (llvm::all_of(factors, isPossible))
        continue;
      for (Root *factor : factors)
        if (isPossible(factor)) {
          factor->possible = false;
          changed = true;
        }
    }
  }
  for (kernel::AttentionOp step : steps)
    for (Root *factor : factorsOf(step))
      if (isPossible(factor))
        factor->wanted = true;
}

// A copy of which one side is narrow.
static void moveBetweenTypes(kernel::CopyOp copy) {
  if (isFloat32(copy.getSource()) == isFloat32(copy.getTarget()))
    return;
  OpBuilder builder(copy);
  createMove(builder, copy.getLoc(), copy.getSource(), copy.getTarget());
  copy.erase();
}

// A step in front of the layer, or of an earlier one that reads the same.
void ProgramNarrowing::roundData(kernel::ConvOp conv) {
  FailureOr<kernel::ViewOrigin> view = kernel::traceView(conv.getData());
  if (failed(view))
    return;
  for (const Rounded &one : rounded)
    if (one.origin.root == view->root && one.origin.offset == view->offset &&
        one.origin.sizes == view->sizes && one.origin.strides == view->strides) {
      conv.getDataMutable().assign(one.value);
      return;
    }
  OpBuilder builder(conv);
  Tensors t(builder, program, target);
  SmallVector<AffineExpr> sizes(view->sizes);
  Value words = t.buffer(sizes, half, conv.getLoc());
  // The last block of rows of a matrix reaches into the next row, or beyond the last one.
  ViewSpec from{view->root, view->offset, {}, {}}, to = t.rowMajor(words, sizes);
  llvm::append_range(from.sizes, view->sizes);
  llvm::append_range(from.strides, view->strides);
  auto move = [&](int64_t block, AffineExpr blocks, int64_t lanes) {
    ViewSpec parts[] = {from, to};
    for (ViewSpec &part : parts) {
      part.offset = part.offset + part.strides[1] * block;
      part.sizes[1] = blocks;
      part.sizes[4] = t.constant(lanes);
    }
    createMove(builder, conv.getLoc(), t.materialise(parts[0], conv.getLoc()),
               t.materialise(parts[1], conv.getLoc()));
  };
  int64_t lanes = cast<AffineConstantExpr>(sizes[4]).getValue();
  int64_t whole = conv.getInChannels() / lanes, rest = conv.getInChannels() % lanes;
  if (!isa<AffineConstantExpr>(sizes[1])) // whole blocks
    move(0, sizes[1], lanes);
  else if (whole)
    move(0, t.constant(whole), lanes);
  if (rest && isa<AffineConstantExpr>(sizes[1]))
    move(whole, t.constant(1), rest);
  rounded.push_back({*view, words});
  conv.getDataMutable().assign(words);
}

void ProgramNarrowing::run() {
  for (auto buffer : program.getBody().front().getOps<kernel::BufferOp>())
    if (isFloat32(buffer)) {
      Root &root = roots[buffer.getResult()];
      root.possible = kernel::collectAccesses(buffer.getResult(), root.views, root.accesses);
    }
  for (auto &[value, root] : roots)
    for (OpOperand *access : root.accesses) {
      root.possible &= takes(*access);
      auto conv = dyn_cast<kernel::ConvOp>(access->getOwner());
      root.wanted |= conv && *access == conv.getDataMutable() && products.contains(conv);
    }
  joinAttention();
  for (auto &[value, root] : roots)
    if (root.isNarrow())
      retype(root);
  for (Operation &op : llvm::make_early_inc_range(program.getBody().front())) {
    if (auto copy = dyn_cast<kernel::CopyOp>(op)) {
      Value written = rootOf(copy.getTarget());
      moveBetweenTypes(copy);
      llvm::erase_if(rounded, [&](const Rounded &one) { return one.origin.root == written; });
      continue;
    }
    auto step = dyn_cast<kernel::StepInterface>(op);
    if (!step)
      continue;
    if (auto conv = dyn_cast<kernel::ConvOp>(op);
        conv && products.contains(conv) && isFloat32(conv.getData()))
      roundData(conv);
    for (Value output : step.getOutputs()) {
      Value written = rootOf(output);
      llvm::erase_if(rounded, [&](const Rounded &one) { return one.origin.root == written; });
    }
  }
}

//===----------------------------------------------------------------------===//
// States that grow
//===----------------------------------------------------------------------===//

namespace {
/// States that grow (--grow), whose memory all variants share: of 16 bits where each step that
/// touches one appends rows to it or is attention over such keys and values. The runtime converts
/// what callers set and get.
class GrownStates {
public:
  GrownStates(ModuleOp module, FloatType half, function_ref<bool(kernel::ProgramOp)> widens)
      : module(module), half(half) {
    find(widens);
  }

  void narrow();

private:
  struct State {
    BlockArgument argument; // of @main
    bool possible = true;
  };
  struct Memory {
    size_t state;
    SmallVector<Value> views;
    SmallVector<OpOperand *> accesses;
  };

  void find(function_ref<bool(kernel::ProgramOp)> widens);
  bool takes(OpOperand &access);

  ModuleOp module;
  FloatType half;
  SmallVector<State> states;
  llvm::MapVector<Value, Memory> memories; // by arguments of programs, what a run finds and leaves
  SmallVector<std::pair<size_t, size_t>> together; // keys and values of one step
};
} // namespace

void GrownStates::find(function_ref<bool(kernel::ProgramOp)> widens) {
  auto graph = module.lookupSymbol<sg::GraphOp>("main");
  if (!graph)
    return;
  SmallVector<unsigned> results; // beside states
  unsigned resultCount = graph.getBlock().getTerminator()->getNumOperands();
  for (BlockArgument argument : graph.getBlock().getArguments()) {
    unsigned i = argument.getArgNumber();
    if (!sg::growthOfArgument(graph, i) || !sg::elementTypeOf(argument.getType()).isF32())
      continue;
    for (unsigned j = 0; j < resultCount; ++j)
      if (sg::growthOfResult(graph, j) &&
          sg::stateOfResult(graph, j) == sg::stateOfArgument(graph, i)) {
        states.push_back({argument});
        results.push_back(j);
      }
  }
  SmallVector<kernel::ProgramOp> programs = kernel::mainPrograms(module);
  for (kernel::ProgramOp program : programs)
    for (auto [number, state] : llvm::enumerate(states)) {
      Block &block = program.getBody().front();
      state.possible &= widens(program);
      for (unsigned at :
           {state.argument.getArgNumber(), unsigned(program.getNumInputs()) + results[number]}) {
        Memory &memory = memories[block.getArgument(at)];
        memory.state = number;
        state.possible &=
            kernel::collectAccesses(block.getArgument(at), memory.views, memory.accesses);
      }
    }
  for (auto &[value, memory] : memories)
    states[memory.state].possible &=
        llvm::all_of(memory.accesses, [&](OpOperand *access) { return takes(*access); });
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [one, other] : together)
      if (states[one].possible != states[other].possible) {
        states[one].possible = states[other].possible = false;
        changed = true;
      }
  }
}

bool GrownStates::takes(OpOperand &access) {
  Operation *step = access.getOwner();
  if (auto copy = dyn_cast<kernel::CopyOp>(step))
    return access == copy.getTargetMutable() && !memories.contains(rootOf(copy.getSource())) &&
           movesRows(copy);
  auto attention = dyn_cast<kernel::AttentionOp>(step);
  if (!attention ||
      (access != attention.getKeysMutable() && access != attention.getValuesMutable()))
    return false;
  auto keys = memories.find(rootOf(attention.getKeys())),
       values = memories.find(rootOf(attention.getValues()));
  if (keys == memories.end() || values == memories.end())
    return false;
  together.push_back({keys->second.state, values->second.state});
  return true;
}

void GrownStates::narrow() {
  for (auto &[value, memory] : memories) {
    if (!states[memory.state].possible)
      continue;
    for (Value view : memory.views)
      view.setType(with(view.getType(), half));
    for (OpOperand *access : memory.accesses)
      if (auto copy = dyn_cast<kernel::CopyOp>(access->getOwner()))
        moveBetweenTypes(copy);
      else
        access->getOwner()->setAttr(kernel::narrowName, UnitAttr::get(module.getContext()));
  }
  std::string type = half.isBF16() ? "bf16" : "f16";
  for (const State &state : states) {
    auto options = remark::RemarkOpts::name("states").category("kernel-narrow-products");
    if (state.possible)
      remark::passed(state.argument.getLoc(), options) << ("rows that it gets are kept as " + type);
    else
      remark::missed(state.argument.getLoc(), options)
          << "its rows stay float32: a step reads them that is no attention over keys and values "
             "that grow, or an instruction set does not widen such floats";
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct NarrowProductsPass : symc::codegen::impl::KernelNarrowProductsBase<NarrowProductsPass> {
  using KernelNarrowProductsBase::KernelNarrowProductsBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<kernel::KernelDialect, arith::ArithDialect, memref::MemRefDialect,
                    affine::AffineDialect>();
    registerLowerings(registry);
  }
  void runOnOperation() override;

private:
  bool findWeights(ArrayRef<ModuleOp> modules, FloatType half);

  /// The steps that read a weight as a factor of products, with their rows.
  struct Use {
    OpOperand *weights;
    const ProductRow *row;
    kernel::ProgramOp program;
    StringRef target;
  };
  struct Weight {
    SmallVector<Use> uses;
    bool isKept = false; // as float32
    std::string obstacle;
  };
  llvm::MapVector<StringRef, Weight> weights;
  std::map<std::string, TargetDescription> targets;
};

} // namespace

static auto remarkOf() {
  return remark::RemarkOpts::name("products").category("kernel-narrow-products");
}

// [HB, P, G, 1, 1, B] with so many rows of the state's matrices together.
static MemRefType panelsOfStates(MemRefType panels, int64_t together) {
  SmallVector<int64_t> shape(panels.getShape());
  shape[1] /= together;
  shape[4] *= together;
  return MemRefType::get(shape, panels.getElementType());
}

// [OB, IB, kH, kW, L, B] of which L is whole steps; rows beyond the channels are zero.
static MemRefType panelsOfSteps(MemRefType panels, int64_t elements) {
  SmallVector<int64_t> shape(panels.getShape());
  shape[4] = llvm::alignTo(shape[4], elements);
  return MemRefType::get(shape, panels.getElementType());
}

// Gives a recurrent step a place for rounded states, whose first one a step in front of it writes.
static void roundStates(kernel::RecurrentOp layer, const TargetDescription &target,
                        FloatType half) {
  FailureOr<kernel::ViewOrigin> view = kernel::traceView(layer.getState());
  if (failed(view))
    return;
  OpBuilder builder(layer);
  Tensors t(builder, layer->getParentOfType<kernel::ProgramOp>(), target);
  SmallVector<AffineExpr> extents{t.constant(2)};
  llvm::append_range(extents, view->sizes);
  Value states = t.buffer(extents, half, layer.getLoc());
  ViewSpec to = t.rowMajor(states, extents);
  to.offset = to.offset + to.strides[0];
  to.sizes.erase(to.sizes.begin());
  to.strides.erase(to.strides.begin());
  createMove(builder, layer.getLoc(), layer.getState(), t.materialise(to, layer.getLoc()));
  layer.getRoundedMutable().assign(states);
}

// Weights of products, and why some stay float32; false after an error.
bool NarrowProductsPass::findWeights(ArrayRef<ModuleOp> modules, FloatType half) {
  for (ModuleOp module : modules)
    for (auto variant : module.getOps<kernel::VariantOp>()) {
      StringRef name = variant.getTarget();
      std::optional<TargetAndMath> named =
          TargetAndMath::get(variant, getArgument(), name, variant.getMath());
      if (!named)
        return false;
      const TargetDescription &target =
          targets.try_emplace(name.str(), named->target).first->second;
      variant.walk([&](kernel::WeightOp weight) {
        Weight &found = weights[weight.getName()];
        for (OpOperand &use : weight->getUses()) {
          std::string reason;
          const ProductRow *row = nullptr;
          bool multiplies = true;
          if (auto conv = dyn_cast<kernel::ConvOp>(use.getOwner())) {
            if (use == conv.getWeightsMutable())
              row = narrowProductOf(conv, target, half, &reason);
          } else if (auto layer = dyn_cast<kernel::RecurrentOp>(use.getOwner());
                     layer && use == layer.getWeightsMutable()) {
            row = narrowProductOf(layer, target, half, &reason);
          } else {
            reason = "a step reads them that is no direct convolution or product";
            multiplies = false;
          }
          if (multiplies)
            found.uses.push_back({&use, row, weight->getParentOfType<kernel::ProgramOp>(), name});
          found.isKept |= !row;
          if (!row && found.obstacle.empty())
            found.obstacle = reason;
        }
      });
    }
  return true;
}

void NarrowProductsPass::runOnOperation() {
  FloatType half = halfTypeNamed(type, &getContext());
  if (!half) {
    getOperation().emitError(getArgument()) << ": type is '" << type << "', needs f16 or bf16";
    return signalPassFailure();
  }
  SmallVector<ModuleOp> modules = modulesOf(getOperation());
  if (!findWeights(modules, half))
    return signalPassFailure();
  PreparedForms forms(modules);
  llvm::MapVector<Operation *, SmallVector<kernel::ConvOp>> rounding; // by program
  for (auto &[name, weight] : weights) {
    if (weight.uses.empty())
      continue;
    if (weight.isKept) {
      if (!weight.obstacle.empty())
        remark::missed(weight.uses.front().weights->getOwner()->getLoc(), remarkOf())
            << ("its weights stay float32: " + weight.obstacle);
      continue;
    }
    for (const Use &use : weight.uses) {
      Operation *step = use.weights->getOwner();
      OpBuilder builder(step);
      auto panels = use.weights->get().getDefiningOp<kernel::WeightOp>();
      auto form = kernel::FormAttr::get(&getContext(), use.row->panelForm);
      auto layer = dyn_cast<kernel::RecurrentOp>(step);
      MemRefType kept = with(panels.getType(), half);
      kept = layer ? panelsOfStates(kept, use.row->termsPerStep)
                   : panelsOfSteps(kept, use.row->elementsPerStep);
      use.weights->set(forms.request(panels, form, kept, builder));
      if (panels->use_empty())
        panels.erase();
      bool rounds = use.row->lhs(&getContext()) == half;
      if (rounds && layer)
        roundStates(layer, targets.at(use.target.str()), half);
      else if (rounds)
        rounding[use.program].push_back(cast<kernel::ConvOp>(step));
      remark::passed(step->getLoc(), remarkOf())
          << ("for " + use.target + ": weights of " + type +
              (rounds ? " and data rounded to it" : "") + ", multiplied by " + use.row->name)
                 .str();
    }
  }
  if (failed(forms.finish()))
    return signalPassFailure();
  for (ModuleOp module : modules)
    GrownStates(module, half, [&](kernel::ProgramOp program) {
      auto variant = program->getParentOfType<kernel::VariantOp>();
      return variant && productRowOf(targets.at(variant.getTarget().str()),
                                     Float32Type::get(&getContext()), half);
    }).narrow();
  for (auto &[program, products] : rounding) {
    auto variant = program->getParentOfType<kernel::VariantOp>();
    ProgramNarrowing(cast<kernel::ProgramOp>(program), targets.at(variant.getTarget().str()), half,
                     products)
        .run();
  }
}
