// OutlineKernels.cpp: the functions of a program's steps.
//
//   for each step: trace its operands -> key (operation, attributes, body, what is constant in
//   sizes and strides, alignment, aliasing) -> the kernel function of that key, made on first sight
//
// A wrapper of the step, which threads call, computes addresses and sizes and calls the kernel.
#include "codegen/lower/Outliner.h"

#include "codegen/kernel/NestNormalForm.h"
#include "codegen/kernel/ValueBuffers.h"
#include "codegen/lower/RoundOrder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::ViewOrigin;

//===----------------------------------------------------------------------===//
// What a step's function may rely on
//===----------------------------------------------------------------------===//

// Buffers of the arena touch where their bytes do; weights and arguments only
// where they are the same object. Views of one root count as touching.
static bool mayTouch(const ViewPlace &a, const ViewPlace &b) {
  if (a.space != b.space)
    return false;
  if (a.space == ViewPlace::Argument)
    return a.argument == b.argument;
  return a.byteOffset < b.byteOffset + b.rootBytes && b.byteOffset < a.byteOffset + a.rootBytes;
}

FailureOr<StepFacts> Outliner::factsOf(Operation *step) {
  StepFacts facts;
  auto interface = cast<kernel::StepInterface>(step);
  auto outputs = interface.getOutputs();
  for (OpOperand &use : step->getOpOperands()) {
    FailureOr<ViewOrigin> view = kernel::traceView(use.get());
    if (failed(view))
      return failure();
    FailureOr<ViewPlace> place = placeOf(*view, program, symbols);
    if (failed(place))
      return failure();
    unsigned first = outputs.getBeginOperandIndex();
    bool written =
        use.getOperandNumber() >= first && use.getOperandNumber() < first + outputs.size();
    facts.operands.push_back({*view, *place, written, true});
  }
  if (interface.isElementwise()) {
    SmallVector<ViewOrigin *> views;
    for (StepOperand &operand : facts.operands)
      views.push_back(&operand.view);
    normaliseNest(views, outputs.getBeginOperandIndex());
  }
  for (StepOperand &one : facts.operands)
    for (const StepOperand &other : facts.operands)
      if (&one != &other && (one.written || other.written) && mayTouch(one.place, other.place))
        one.noalias = false;
  for (StepOperand &operand : facts.operands) {
    for (AffineExpr expr : operand.view.sizes)
      if (!isa<AffineConstantExpr>(expr))
        facts.numberOf(expr);
    for (AffineExpr expr : operand.view.strides)
      if (!isa<AffineConstantExpr>(expr))
        facts.numberOf(expr);
  }
  return facts;
}

static void printBody(Region &body, raw_ostream &os) {
  DenseMap<Value, unsigned> numbers;
  for (Value argument : body.getArguments())
    os << numbers.try_emplace(argument, numbers.size()).first->second << ':' << argument.getType()
       << ' ';
  for (Operation &op : body.front()) {
    os << '\n' << op.getName() << op.getAttrDictionary();
    for (Value operand : op.getOperands())
      os << ' ' << numbers.lookup(operand);
    for (Value result : op.getResults())
      os << " -> " << numbers.try_emplace(result, numbers.size()).first->second << ':'
         << result.getType();
  }
}

std::string Outliner::keyOf(Operation *step, StepFacts &facts) {
  std::string key;
  llvm::raw_string_ostream os(key);
  NamedAttrList attributes(step->getAttrDictionary());
  if (auto rowwise = dyn_cast<kernel::RowwiseInterface>(step))
    attributes.erase(rowwise.getPieceAttrName()); // pieces of one shape share their function
  attributes.erase(kernel::predictingName);
  if (auto tiled = dyn_cast<kernel::TiledInterface>(step); tiled && tiled.getReasonAttrName())
    attributes.erase(tiled.getReasonAttrName());
  os << step->getName() << attributes.getDictionary(context);
  for (const StepOperand &operand : facts.operands) {
    os << "\n"
       << operand.view.elementType << (operand.noalias ? " n" : " ") << operand.place.alignment;
    auto print = [&](AffineExpr expr) {
      if (auto constant = dyn_cast<AffineConstantExpr>(expr))
        os << ' ' << constant.getValue();
      else
        os << " v" << facts.numberOf(expr);
    };
    llvm::for_each(operand.view.sizes, print);
    os << " by";
    llvm::for_each(operand.view.strides, print);
  }
  for (Region &region : step->getRegions()) {
    os << "\nbody ";
    printBody(region, os);
  }
  return key;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

// Views of a step inside `b`'s function: `dynamicValues` are in facts order.
static SmallVector<View> viewsOf(const StepFacts &facts, ValueRange pointers,
                                 ValueRange dynamicValues, OpBuilder &b) {
  auto fold = [&](AffineExpr expr) -> OpFoldResult {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return b.getIndexAttr(constant.getValue());
    return dynamicValues[llvm::find(facts.dynamic, expr) - facts.dynamic.begin()];
  };
  SmallVector<View> views;
  for (auto [i, operand] : llvm::enumerate(facts.operands)) {
    View view{pointers.empty() ? Value() : pointers[i], operand.view.elementType, {}, {}};
    for (AffineExpr expr : operand.view.sizes)
      view.sizes.push_back(fold(expr));
    for (AffineExpr expr : operand.view.strides)
      view.strides.push_back(fold(expr));
    views.push_back(view);
  }
  return views;
}

// With `oneTask` its number is known inside. LLVM does not see it: code is compiled
// apart from its callers.
FailureOr<func::FuncOp> Outliner::buildKernel(Operation *step, const StepFacts &facts,
                                              bool oneTask) {
  OpBuilder top = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Type> types(facts.operands.size(), pointer);
  types.append(facts.dynamic.size() + 1, top.getIndexType());
  std::string name =
      (symbol + "_k" + Twine(kernels.size()) + "_" + step->getName().stripDialect()).str();
  auto kernel =
      func::FuncOp::create(top, step->getLoc(), name, top.getFunctionType(types, TypeRange()));
  kernel.setPrivate();
  kernel->setAttr("llvm.linkage", LLVM::LinkageAttr::get(context, LLVM::Linkage::Internal));
  // Inlined into the program, many kernels would make one function that takes
  // long to optimise; the call is nothing beside a task.
  kernel->setAttr("passthrough", top.getStrArrayAttr({"noinline"}));
  for (auto [i, operand] : llvm::enumerate(facts.operands)) {
    if (operand.noalias)
      kernel.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), top.getUnitAttr());
    if (!operand.written)
      kernel.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(), top.getUnitAttr());
    kernel.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                      top.getI64IntegerAttr(operand.place.alignment));
  }
  Block *entry = kernel.addEntryBlock();
  OpBuilder b = OpBuilder::atBlockBegin(entry);
  size_t pointers = facts.operands.size();
  auto arguments = entry->getArguments();
  SmallVector<View> views = viewsOf(facts, ValueRange(arguments.take_front(pointers)),
                                    ValueRange(arguments.slice(pointers, facts.dynamic.size())), b);
  LoweringContext lowering{b, target, math};
  Value task = arguments.back();
  if (oneTask)
    task = arith::ConstantIndexOp::create(b, step->getLoc(), 0);
  if (failed(cast<LoweringInterface>(step).lowerTask(views, task, lowering)))
    return failure();
  b.setInsertionPointToEnd(entry);
  func::ReturnOp::create(b, step->getLoc());
  return kernel;
}

FailureOr<func::FuncOp> Outliner::kernelFor(Operation *step, StepFacts &facts, bool oneTask) {
  std::string key = keyOf(step, facts);
  if (func::FuncOp known = kernels.lookup(key))
    return known;
  FailureOr<func::FuncOp> made = buildKernel(step, facts, oneTask);
  if (succeeded(made))
    kernels[key] = *made;
  return made;
}

// Addresses and sizes from the frame, then the kernel.
void Outliner::callKernel(Operation *step, StepFacts &facts, func::FuncOp kernel,
                          std::optional<int64_t> tasks, Value memory, Value task, OpBuilder &b) {
  Location loc = step->getLoc();
  FrameReader frame(b, loc, memory);
  SmallVector<Value> arguments;
  for (const StepOperand &operand : facts.operands)
    arguments.push_back(frame.address(operand.view, operand.place));
  for (AffineExpr expr : facts.dynamic)
    arguments.push_back(frame.size(expr));
  int64_t rounds = cast<kernel::StepInterface>(step).getRounds();
  if (rounds != 0 && rounds != 1 && tasks && *tasks > 1) {
    Value round =
        LLVM::LoadOp::create(b, loc, b.getI64Type(), arguments[facts.operands.size() - 1]);
    task = taskOfRound(b, loc, frame, task, *tasks, round);
  }
  arguments.push_back(arith::IndexCastOp::create(b, loc, b.getIndexType(), task));
  auto call = func::CallOp::create(b, loc, kernel, arguments);
  if (!options.mergesForms)
    return forms.keep(kernel);
  forms.add(kernel, /*onlyBounds=*/cast<kernel::StepInterface>(step).getFlops() != 0);
  calls.push_back({call, kernel});
}

// Calls of merged kernels pass the integers in which they differed.
void Outliner::mergeForms() {
  constexpr size_t mostOfCall = 32; // what lies on the stack is read once a task
  forms.merge(mostOfCall);
  for (auto [call, kernel] : calls) {
    KernelOfForm merged = forms.of(kernel);
    OpBuilder b(call);
    SmallVector<Value> arguments(call.getOperands());
    ArrayRef<Type> types = merged.kernel.getArgumentTypes();
    for (auto [type, value] : llvm::zip_equal(types.drop_front(arguments.size()), merged.integers))
      arguments.push_back(
          arith::ConstantOp::create(b, call.getLoc(), b.getIntegerAttr(type, value)));
    func::CallOp::create(b, call.getLoc(), merged.kernel, arguments);
    call.erase();
  }
}

// void wrapper(frame, task), which threads call.
LLVM::LLVMFuncOp Outliner::buildWrapper(Operation *step, StepFacts &facts, func::FuncOp kernel,
                                        std::optional<int64_t> tasks) {
  LLVM::LLVMFuncOp &wrapper = stepFunctions[step];
  if (wrapper)
    return wrapper;
  Location loc = step->getLoc();
  wrapper = function(loc, symbol + "_step" + Twine(wrappers), LLVM::LLVMVoidType::get(context),
                     {pointer, IntegerType::get(context, 64)}, LLVM::Linkage::Internal);
  OpBuilder b = OpBuilder::atBlockBegin(&wrapper.getBody().front());
  callKernel(step, facts, kernel, tasks, wrapper.getArgument(0), wrapper.getArgument(1), b);
  LLVM::ReturnOp::create(b, loc, ValueRange());
  return wrapper;
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

// Whether the step's lowering takes an operand as it lies in memory. The factors of products are
// rows of their own, which the lowering looks up.
static bool readsHalves(OpOperand &operand) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type || !kernel::isHalf(type.getElementType()))
    return true;
  if (isa<kernel::ConvOp>(operand.getOwner()) && operand.getOperandNumber() < 2)
    return true;
  auto lowering = dyn_cast<LoweringInterface>(operand.getOwner());
  return lowering && lowering.takesHalves(operand);
}

// How many tasks the step has, as its lowering cuts it; nothing after an error.
FailureOr<OpFoldResult> Outliner::countTasks(Operation *step, StepFacts &facts, OpBuilder &b,
                                             FrameReader &frame) {
  SmallVector<Value> dynamicValues;
  for (AffineExpr expr : facts.dynamic)
    dynamicValues.push_back(frame.size(expr));
  SmallVector<View> views = viewsOf(facts, {}, dynamicValues, b);
  LoweringContext lowering{b, target, math};
  auto interface = dyn_cast<LoweringInterface>(step);
  if (!interface)
    return step->emitError("internal error: no lowering for this step");
  if (auto tiled = dyn_cast<kernel::TiledInterface>(step); tiled && !tiled.isChosen())
    return step->emitOpError("has no tile; kernel-choose-tiles sets it");
  return interface.countTasks(views, lowering);
}

FailureOr<StepFacts> Outliner::checkedFactsOf(Operation *step) {
  if (step->hasAttr(kernel::narrowName) && !llvm::all_of(step->getOpOperands(), readsHalves))
    return step->emitOpError("has floats of 16 bits in memory, which code for CPUs does not read");
  return factsOf(step);
}
