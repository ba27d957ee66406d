// NarrowStorage.cpp: see NarrowStorage.h.
#include "codegen/cuda/NarrowStorage.h"

#include "codegen/cuda/CudaStep.h"
#include "codegen/cuda/ExactWeights.h"
#include "codegen/cuda/steps/ConvViews.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace symc::codegen::cuda {

using kernel::isView;
using kernel::rootOf;

namespace {

/// A buffer, or a weight in all programs.
struct Root {
  SmallVector<Value> values;
  SmallVector<OpOperand *> accesses; // of steps, perhaps through views
  bool possible = true, narrow = false;
};

class Narrowing {
public:
  Narrowing(ArrayRef<ModuleOp> modules, FloatType type) : modules(modules), type(type) {}
  void run();

private:
  void collect(kernel::ProgramOp program, bool isEntry);
  void collect(Root &root, Value value);
  void findNarrow();
  void roundWeights(kernel::ProgramOp prepare);
  Root *rootAt(Value view);
  bool isNarrow(Value view);
  bool isWanted(const Root &root);
  static bool isRead(OpOperand &access) {
    return llvm::is_contained(cast<kernel::StepInterface>(access.getOwner()).getInputs(),
                              access.get());
  }

  ArrayRef<ModuleOp> modules;
  FloatType type;
  llvm::MapVector<StringRef, Root> weights;
  llvm::MapVector<Value, Root> buffers;
  SmallVector<kernel::ConvOp> products;
};

} // namespace

static bool isFloat32(Value value) {
  return cast<MemRefType>(value.getType()).getElementType().isF32();
}

static bool isLayer(Operation *op) {
  return isa<kernel::ConvOp, kernel::DepthwiseOp, kernel::PoolOp>(op);
}

void Narrowing::collect(Root &root, Value value) {
  SmallVector<Value> views;
  root.values.push_back(value);
  root.possible &= kernel::collectAccesses(value, views, root.accesses);
}

// Programs that steps call are code of CPUs.
void Narrowing::collect(kernel::ProgramOp program, bool isEntry) {
  for (Operation &op : program.getBody().front()) {
    if (auto weight = dyn_cast<kernel::WeightOp>(op); weight && isFloat32(weight)) {
      Root &root = weights[weight.getName()];
      root.possible &= isEntry;
      collect(root, weight.getResult());
    } else if (auto buffer = dyn_cast<kernel::BufferOp>(op);
               buffer && isEntry && isFloat32(buffer)) {
      collect(buffers[buffer.getResult()], buffer.getResult());
    } else if (auto product = dyn_cast<kernel::ConvOp>(op); product && isEntry) {
      products.push_back(product);
    }
  }
}

Root *Narrowing::rootAt(Value view) {
  Value value = rootOf(view);
  if (auto weight = value.getDefiningOp<kernel::WeightOp>()) {
    auto root = weights.find(weight.getName());
    return root == weights.end() ? nullptr : &root->second;
  }
  auto root = buffers.find(value);
  return root == buffers.end() ? nullptr : &root->second;
}

bool Narrowing::isNarrow(Value view) {
  Root *root = rootAt(view);
  return root && root->narrow;
}

// Whether the step moves or computes what leaves the program, and nothing else.
static bool writesOutputsAlone(kernel::StepInterface step) {
  return llvm::all_of(step.getOutputs(),
                      [](Value output) { return isa<BlockArgument>(rootOf(output)); });
}

// Whether the step writes what it reads, element by element.
static bool isMove(Operation *op) {
  if (isa<kernel::CopyOp, kernel::PackPanelsOp>(op))
    return true;
  auto loops = dyn_cast<kernel::LoopsOp>(op);
  if (!loops || loops.getIns().size() != 1 || loops.getOuts().size() != 1)
    return false;
  Block &body = loops.getBody().front();
  auto argument = dyn_cast<BlockArgument>(body.getTerminator()->getOperand(0));
  return argument && argument.getOwner() == &body && argument.getType().isF32();
}

bool Narrowing::isWanted(const Root &root) {
  SmallVector<OpOperand *> reads, writes;
  for (OpOperand *access : root.accesses)
    if (!isa<kernel::FillOp>(access->getOwner()))
      (isRead(*access) ? reads : writes).push_back(access);
  bool leaves = llvm::all_of(reads, [](OpOperand *access) {
    return !isLayer(access->getOwner()) &&
           writesOutputsAlone(cast<kernel::StepInterface>(access->getOwner()));
  });
  if (leaves)
    return false;
  if (llvm::any_of(root.accesses, [](OpOperand *access) { return isLayer(access->getOwner()); }))
    return true;
  // Moved from narrow buffers it loses nothing, and to them nothing more.
  auto moves = [&](ArrayRef<OpOperand *> accesses, unsigned other) {
    return !accesses.empty() && llvm::all_of(accesses, [&](OpOperand *access) {
      return isMove(access->getOwner()) && isNarrow(access->getOwner()->getOperand(other));
    });
  };
  return moves(writes, 0) || moves(reads, 1);
}

// Those of all roots that may be narrow: what layers touch, and what is moved from and to it. An
// operand of a product may not whose other factor is not; what was moved for it is looked at anew.
void Narrowing::findNarrow() {
  auto takes = [](OpOperand *access) {
    auto step = dyn_cast<CudaStepInterface>(access->getOwner());
    return step && step.takesHalves(*access);
  };
  for (auto &[name, root] : weights)
    root.possible &= llvm::all_of(root.accesses, [&](OpOperand *access) {
      auto product = dyn_cast<kernel::ConvOp>(access->getOwner());
      return product && *access == product.getWeightsMutable() && takes(access);
    });
  for (auto &[value, root] : buffers)
    root.possible &= llvm::all_of(root.accesses, takes);
  for (bool odd = true; odd;) {
    for (auto &[name, root] : weights)
      root.narrow = root.possible;
    for (auto &[value, root] : buffers)
      root.narrow = false;
    for (bool changed = true; changed;) {
      changed = false;
      for (auto &[value, root] : buffers)
        if (root.possible && !root.narrow && isWanted(root))
          root.narrow = changed = true;
    }
    odd = false;
    for (kernel::ConvOp product : products) {
      bool data = isNarrow(product.getData()), filter = isNarrow(product.getWeights());
      if (data == filter || hasOnePixel(product))
        continue;
      rootAt(data ? product.getData() : product.getWeights())->possible = false;
      odd = true;
    }
  }
}

static MemRefType with(Type memref, FloatType element) {
  return cast<MemRefType>(cast<MemRefType>(memref).clone(element));
}

static void retype(Value value, FloatType type) {
  value.setType(with(value.getType(), type));
  for (Operation *user : value.getUsers())
    if (isView(user))
      retype(user->getResult(0), type);
}

// What the program wrote as float32 goes to a buffer, and at its end rounded to the weight.
void Narrowing::roundWeights(kernel::ProgramOp prepare) {
  for (auto &[name, root] : weights) {
    Value exact = root.narrow ? keepExact(prepare, name) : Value();
    if (!exact)
      continue;
    OpBuilder b(prepare.getBody().front().getTerminator());
    Location location = exact.getLoc();
    Value place = kernel::WeightOp::create(b, location, with(exact.getType(), type), name);
    writeRounded(b, location, exact, place);
  }
}

void Narrowing::run() {
  for (ModuleOp module : modules)
    for (auto variant : module.getOps<kernel::VariantOp>())
      for (auto program : variant.getBody().getOps<kernel::ProgramOp>())
        collect(program, program == variant.getEntry());
  findNarrow();
  auto narrow = [&](Root &root) {
    if (!root.narrow)
      return;
    for (Value value : root.values)
      retype(value, type);
    for (OpOperand *access : root.accesses)
      access->getOwner()->setAttr(kernel::narrowName, UnitAttr::get(type.getContext()));
  };
  for (auto &[value, root] : buffers)
    narrow(root);
  for (auto &[name, root] : weights)
    narrow(root);
  for (ModuleOp module : modules) {
    if (auto prepare = module.lookupSymbol<kernel::ProgramOp>("prepare_program"))
      roundWeights(prepare);
    for (auto prepared : module.getOps<kernel::PreparedOp>()) {
      auto root = weights.find(prepared.getSymName());
      if (root != weights.end() && root->second.narrow)
        prepared.setType(with(prepared.getType(), type));
    }
  }
}

void narrowStorage(ArrayRef<ModuleOp> modules, FloatType type) { Narrowing(modules, type).run(); }

} // namespace symc::codegen::cuda
