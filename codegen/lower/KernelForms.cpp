// KernelForms.cpp: see KernelForms.h.
#include "codegen/lower/KernelForms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringMap.h"
#include <map>

using namespace mlir;
using namespace symc::codegen;

// Whether an operation is faster where this operand of it is a constant: divisions, by which loops
// find their place, become multiplications.
static bool wantsConstant(OpOperand &use) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::FloorDivSIOp,
             arith::CeilDivSIOp>(use.getOwner()) &&
         use.getOperandNumber() == 1 && !isa<func::FuncOp>(use.getOwner()->getParentOp());
}

// The value of an integer that may become an argument.
static std::optional<int64_t> freeInteger(Operation &op) {
  if (!isa<arith::ConstantOp, LLVM::ConstantOp>(op))
    return std::nullopt;
  auto value = op.getAttrOfType<IntegerAttr>("value");
  Type type = op.getResult(0).getType();
  if (!value || !(type.isIndex() || type.isInteger(64)) ||
      llvm::any_of(op.getUses(), wantsConstant))
    return std::nullopt;
  return value.getInt();
}

namespace {
/// A kernel as words, equal for those that may become one function; its free integers in order.
class Form {
public:
  explicit Form(func::FuncOp kernel) {
    NamedAttrList attributes(kernel->getAttrDictionary());
    attributes.erase(SymbolTable::getSymbolAttrName());
    add(attributes.getDictionary(kernel.getContext()).getAsOpaquePointer());
    add(kernel.getBody());
  }
  StringRef key() const {
    return {reinterpret_cast<const char *>(words.data()), words.size() * sizeof(words[0])};
  }
  llvm::SmallVector<Operation *> integers;

private:
  void add(const void *word) { words.push_back(reinterpret_cast<uintptr_t>(word)); }
  void addNumber(size_t number) { words.push_back(number); }
  void define(Value value) {
    numbers.try_emplace(value, numbers.size());
    add(value.getType().getAsOpaquePointer());
  }
  void add(Region &region) {
    addNumber(region.getBlocks().size());
    for (Block &block : region) {
      blocks.try_emplace(&block, blocks.size());
      addNumber(block.getNumArguments());
      llvm::for_each(block.getArguments(), [&](Value argument) { define(argument); });
    }
    for (Block &block : region)
      for (Operation &op : block)
        add(op);
  }
  void add(Operation &op) {
    add(op.getName().getAsOpaquePointer());
    if (freeInteger(op))
      integers.push_back(&op);
    else
      add(op.getAttrDictionary().getAsOpaquePointer());
    addNumber(op.getNumOperands());
    for (Value operand : op.getOperands())
      addNumber(numbers.lookup(operand));
    llvm::for_each(op.getResults(), [&](Value result) { define(result); });
    for (Block *successor : op.getSuccessors())
      addNumber(blocks.lookup(successor));
    for (Region &region : op.getRegions())
      add(region);
  }

  SmallVector<uintptr_t> words;
  DenseMap<Value, size_t> numbers;
  DenseMap<Block *, size_t> blocks;
};
} // namespace

void KernelForms::add(func::FuncOp kernel) { kernels.insert(kernel); }

// The first of them stays, for all.
void KernelForms::mergeForm(ArrayRef<func::FuncOp> group, size_t mostArguments) {
  SmallVector<SmallVector<Operation *>> integers; // of each kernel
  for (func::FuncOp kernel : group)
    integers.push_back(Form(kernel).integers);
  // Integers of one type that are equal in each kernel become one argument.
  std::map<std::pair<bool, std::vector<int64_t>>, SmallVector<Operation *>> arguments;
  for (size_t place = 0; place < integers[0].size(); ++place) {
    std::vector<int64_t> values;
    for (ArrayRef<Operation *> own : integers)
      values.push_back(*freeInteger(*own[place]));
    Operation *op = integers[0][place];
    if (!llvm::all_equal(values))
      arguments[{op->getResult(0).getType().isIndex(), std::move(values)}].push_back(op);
  }
  func::FuncOp first = group.front();
  if (first.getNumArguments() + arguments.size() > mostArguments)
    return;
  for (auto &[key, places] : arguments) {
    unsigned number = first.getNumArguments();
    (void)first.insertArgument(number, places[0]->getResult(0).getType(), {}, first.getLoc());
    for (Operation *place : places) {
      place->getResult(0).replaceAllUsesWith(first.getArgument(number));
      place->erase();
    }
    for (auto [kernel, value] : llvm::zip_equal(group, key.second))
      merged[kernel].integers.push_back(value);
  }
  for (func::FuncOp kernel : group)
    merged[kernel].kernel = first;
  for (func::FuncOp kernel : group.drop_front())
    kernel.erase();
}

void KernelForms::merge(size_t mostArguments) {
  llvm::StringMap<size_t> numbers;
  SmallVector<SmallVector<func::FuncOp>> groups;
  for (Operation *op : kernels) {
    auto kernel = cast<func::FuncOp>(op);
    if (kept.contains(op))
      continue;
    Form form(kernel);
    size_t number = numbers.try_emplace(form.key(), groups.size()).first->second;
    if (number == groups.size())
      groups.emplace_back();
    groups[number].push_back(kernel);
  }
  for (ArrayRef<func::FuncOp> group : groups)
    if (group.size() > 1)
      mergeForm(group, mostArguments);
}

KernelOfForm KernelForms::of(func::FuncOp kernel) const {
  auto found = merged.find(kernel);
  return found == merged.end() ? KernelOfForm{kernel, {}} : found->second;
}
