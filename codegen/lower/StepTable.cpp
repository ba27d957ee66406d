// StepTable.cpp: see StepTable.h.
#include "codegen/lower/StepTable.h"

#include "codegen/lower/CallSite.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

std::optional<StepEntry::Place> StepTable::placeOf(const kernel::ViewOrigin &view,
                                                   const ViewPlace &place) {
  auto offset = dyn_cast<AffineConstantExpr>(view.offset);
  if (!offset)
    return std::nullopt;
  int64_t base = place.space == ViewPlace::Arena     ? 0
                 : place.space == ViewPlace::Weights ? 1
                                                     : 2 + place.argument;
  int64_t elements = offset.getValue() * kernel::elementBytes(view.elementType);
  return StepEntry::Place(base, place.byteOffset + elements);
}

static void addEntry(const StepEntry &entry, ArrayRef<int64_t> integers, int64_t text,
                     raw_ostream &os) {
  size_t places = entry.kernel ? entry.places.size() : 0;
  SmallVector<int64_t> numbers{entry.tasks,
                               entry.isNaming,
                               int64_t(places),
                               int64_t(integers.size()),
                               int64_t(entry.reports.size()),
                               text,
                               int64_t(entry.views.size())};
  for (auto [base, bytes] : ArrayRef(entry.places).take_front(places))
    numbers.append({base, bytes});
  llvm::append_range(numbers, integers);
  llvm::append_range(numbers, entry.reports);
  for (const auto &[place, row] : entry.views) {
    numbers.append({place.first, place.second, int64_t(row.size())});
    llvm::append_range(numbers, row);
  }
  std::string rest;
  llvm::raw_string_ostream bytes(rest);
  for (int64_t number : numbers)
    llvm::encodeSLEB128(number, bytes);
  llvm::encodeSLEB128(int64_t(rest.size()), os);
  os << rest;
}

// Functions in one array, by its initializer; kernels are functions of another dialect up to the
// conversion that makes LLVM's of all.
static LLVM::GlobalOp addFunctions(ModuleOp module, Location loc, const Twine &name,
                                   ArrayRef<Operation *> functions) {
  OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  auto type = LLVM::LLVMArrayType::get(pointer, functions.size());
  auto global = LLVM::GlobalOp::create(top, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                       name.str(), Attribute());
  OpBuilder b = OpBuilder::atBlockBegin(&global.getInitializerRegion().emplaceBlock());
  Value all = LLVM::UndefOp::create(b, loc, type);
  for (auto [i, function] : llvm::enumerate(functions)) {
    Value address;
    if (auto kernel = dyn_cast<func::FuncOp>(function)) {
      Value symbol = func::ConstantOp::create(b, loc, kernel.getFunctionType(),
                                              FlatSymbolRefAttr::get(kernel));
      address = UnrealizedConversionCastOp::create(b, loc, TypeRange(pointer), symbol).getResult(0);
    } else {
      address = LLVM::AddressOfOp::create(b, loc, cast<LLVM::LLVMFuncOp>(function));
    }
    all = LLVM::InsertValueOp::create(b, loc, all, address, ArrayRef<int64_t>{int64_t(i)});
  }
  LLVM::ReturnOp::create(b, loc, all);
  return global;
}

void StepTable::emit(ModuleOp module, Location loc, StringRef symbol, const KernelForms &forms) {
  SmallVector<Operation *> functions;
  std::string texts, bytes;
  llvm::raw_string_ostream os(bytes);
  for (const StepEntry &entry : entries) {
    KernelOfForm kernel;
    if (entry.kernel)
      kernel = forms.of(entry.kernel);
    Operation *function = entry.function;
    functions.push_back(kernel.kernel ? kernel.kernel.getOperation() : function);
    addEntry(entry, kernel.integers, entry.texts.empty() ? -1 : int64_t(texts.size()), os);
    texts += entry.texts;
    if (!entry.texts.empty())
      texts.push_back('\0'); // behind the last of them
  }
  entriesGlobal = addText(module, loc, symbol + "_entries", bytes);
  functionsGlobal = addFunctions(module, loc, symbol + "_functions", functions);
  if (!texts.empty())
    textsGlobal = addText(module, loc, symbol + "_texts", texts);
}

Value StepTable::call(StringRef callee, Value frame, bool withTexts, OpBuilder &b) const {
  Location loc = frame.getLoc();
  auto module = entriesGlobal->getParentOfType<ModuleOp>();
  SmallVector<Value> arguments{
      frame, LLVM::AddressOfOp::create(b, loc, entriesGlobal),
      LLVM::AddressOfOp::create(b, loc, functionsGlobal),
      LLVM::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(entries.size()))};
  if (withTexts)
    arguments.push_back(textsGlobal ? LLVM::AddressOfOp::create(b, loc, textsGlobal).getResult()
                                    : LLVM::ZeroOp::create(b, loc, frame.getType()).getResult());
  SmallVector<Type> types(ValueRange(arguments).getTypes());
  auto function = cast<LLVM::LLVMFuncOp>(
      declareFunction(module, callee, LLVM::LLVMFunctionType::get(b.getI32Type(), types)));
  return LLVM::CallOp::create(b, loc, function, arguments).getResult();
}
