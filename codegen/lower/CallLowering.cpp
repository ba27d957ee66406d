// CallLowering.cpp: kernel.call as the body of its wrapper: tensors and arguments in the
// ABI's layout on the stack, parameters and static shapes as constant globals, then the
// call. Layouts are those of symc_tensor and symc_kernel_args in
// runtime/include/symc/abi.h.
#include "codegen/lower/CallSite.h"
#include "codegen/lower/KernelLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::ViewOrigin;

Operation *symc::codegen::declareFunction(ModuleOp module, StringRef name, Type functionType) {
  if (Operation *known = module.lookupSymbol(name))
    return known;
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  return LLVM::LLVMFuncOp::create(b, module.getLoc(), name, functionType);
}

LLVM::GlobalOp symc::codegen::addText(ModuleOp module, Location loc, const Twine &name,
                                      StringRef text) {
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  std::string bytes = text.str();
  bytes.push_back('\0');
  return LLVM::GlobalOp::create(b, loc, LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size()),
                                /*isConstant=*/true, LLVM::Linkage::Internal, name.str(),
                                b.getStringAttr(bytes), /*alignment=*/8);
}

namespace {

class CallEmitter {
public:
  CallEmitter(OpBuilder &builder, Location loc, ModuleOp module, StringRef prefix)
      : b(builder), loc(loc), module(module), prefix(prefix),
        pointer(LLVM::LLVMPointerType::get(builder.getContext())) {}

  Value i64(int64_t value) {
    return LLVM::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(value));
  }
  Value i32(int64_t value) {
    // 32 bits: ranks, element types and numbers of operands.
    return LLVM::ConstantOp::create(b, loc, b.getI32Type(), b.getI32IntegerAttr(value));
  }
  Value null() { return LLVM::ZeroOp::create(b, loc, pointer); }
  Value stack(Type type, int64_t count) {
    return LLVM::AllocaOp::create(b, loc, pointer, type, i64(count), 8);
  }
  // 32 bits: places in a struct.
  void storeField(Value base, Type type, ArrayRef<int32_t> path, Value value) {
    SmallVector<LLVM::GEPArg> indices(path.begin(), path.end());
    Value place = LLVM::GEPOp::create(b, loc, pointer, type, base, indices);
    LLVM::StoreOp::create(b, loc, value, place);
  }

  /// An internal constant; `value` may be null, then `fill` builds the value.
  LLVM::GlobalOp global(StringRef part, Type type, Attribute value,
                        function_ref<Value(OpBuilder &)> fill = nullptr) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    auto op = LLVM::GlobalOp::create(top, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                     (prefix + "_" + part).str(), value, /*alignment=*/8);
    if (fill) {
      Block *block = new Block;
      op.getInitializerRegion().push_back(block);
      OpBuilder inside = OpBuilder::atBlockBegin(block);
      Value result = fill(inside);
      LLVM::ReturnOp::create(inside, loc, result);
    }
    return op;
  }
  Value addressOf(LLVM::GlobalOp op) { return LLVM::AddressOfOp::create(b, loc, op); }

  LLVM::GlobalOp integers(StringRef part, ArrayRef<int64_t> values) {
    auto type = LLVM::LLVMArrayType::get(b.getI64Type(), values.size());
    return global(part, type, b.getI64TensorAttr(values));
  }

  Value tensors(ArrayRef<ViewOrigin> views, ArrayRef<ViewPlace> places, ArrayRef<int64_t> dtypes,
                FrameReader &frame);
  FailureOr<Value> parameters(kernel::CallOp call);
  Value bodies(kernel::CallOp call, ArrayRef<CalledProgram> programs);
  Value custom(kernel::CallOp call, Type signature, Value args);

  OpBuilder &b;
  Location loc;
  ModuleOp module;
  StringRef prefix;
  Type pointer;
};

} // namespace

// An array of symc_tensor on the stack. Extents live in one constant when all
// are known, else beside the tensors.
Value CallEmitter::tensors(ArrayRef<ViewOrigin> views, ArrayRef<ViewPlace> places,
                           ArrayRef<int64_t> dtypes, FrameReader &frame) {
  Type tensor = LLVM::LLVMStructType::getLiteral(
      b.getContext(), {pointer, pointer, b.getI32Type(), b.getI32Type(), b.getI64Type()});
  Value array = stack(tensor, views.size());
  SmallVector<int64_t> known;
  SmallVector<AffineExpr> extents;
  for (const ViewOrigin &view : views)
    llvm::append_range(extents, view.sizes);
  for (AffineExpr extent : extents)
    if (auto constant = dyn_cast<AffineConstantExpr>(extent))
      known.push_back(constant.getValue());
  Value shapes;
  if (extents.empty()) {
    shapes = null();
  } else if (known.size() == extents.size()) {
    shapes = addressOf(integers("shapes", known));
  } else {
    shapes = stack(b.getI64Type(), extents.size());
    for (auto [i, extent] : llvm::enumerate(extents))
      storeField(shapes, b.getI64Type(), {(int32_t)i},
                 arith::IndexCastOp::create(b, loc, b.getI64Type(), frame.size(extent)));
  }
  int32_t first = 0;
  for (auto [i, view] : llvm::enumerate(views)) {
    int32_t n = i;
    Value shape =
        LLVM::GEPOp::create(b, loc, pointer, b.getI64Type(), shapes, ArrayRef<LLVM::GEPArg>{first});
    storeField(array, tensor, {n, 0}, frame.address(view, places[i]));
    storeField(array, tensor, {n, 1}, shape);
    storeField(array, tensor, {n, 2}, i32(view.sizes.size()));
    storeField(array, tensor, {n, 3}, i32(dtypes[i]));
    storeField(array, tensor, {n, 4}, i64(0)); // device and ordinal: the CPU
    first += view.sizes.size();
  }
  return array;
}

// A constant array of symc_body, or null.
Value CallEmitter::bodies(kernel::CallOp call, ArrayRef<CalledProgram> programs) {
  if (programs.empty())
    return null();
  Type i64 = b.getI64Type(), i32 = b.getI32Type();
  Type body = LLVM::LLVMStructType::getLiteral(b.getContext(), {pointer, i64, i32, i32, i32, i32});
  Type array = LLVM::LLVMArrayType::get(body, programs.size());
  auto fill = [&](OpBuilder &in) -> Value {
    Value value = LLVM::ZeroOp::create(in, loc, array);
    for (auto [i, called] : llvm::enumerate(programs)) {
      int64_t place = i;
      auto set = [&](int64_t field, Value part) {
        value = LLVM::InsertValueOp::create(in, loc, value, part, ArrayRef<int64_t>{place, field});
      };
      auto number = [&](Type type, int64_t x) -> Value {
        return LLVM::ConstantOp::create(in, loc, type, in.getIntegerAttr(type, x));
      };
      kernel::ProgramOp program = called.program;
      set(0, LLVM::AddressOfOp::create(in, loc, called.run));
      set(1, number(i64, program.getArenaBytes().value_or(0)));
      set(2, number(i32, program.getNumInputs()));
      set(3, number(i32, program.getNumOutputs()));
      set(4, number(i32, (*call.getBodyDtypes())[i]));
    }
    return value;
  };
  return addressOf(global("bodies", array, {}, fill));
}

// The kernel of a custom operator, by the function of the runtime that speaks its interface.
Value CallEmitter::custom(kernel::CallOp call, Type signature, Value args) {
  auto kernel = cast<LLVM::LLVMFuncOp>(declareFunction(module, call.getSymbol(), signature));
  auto runtime = cast<LLVM::LLVMFuncOp>(declareFunction(
      module, "symc_call_custom", LLVM::LLVMFunctionType::get(b.getI32Type(), {pointer, pointer})));
  Value arguments[] = {LLVM::AddressOfOp::create(b, loc, kernel), args};
  return LLVM::CallOp::create(b, loc, runtime, arguments).getResult();
}

// symc_<op>_params: every slot 8 bytes; a tuple takes two (count, pointer).
FailureOr<Value> CallEmitter::parameters(kernel::CallOp call) {
  if (call.getParams().empty())
    return null();
  SmallVector<Type> types;
  SmallVector<std::function<Value(OpBuilder &)>> slots;
  auto constantSlot = [&](Type type, Attribute value) {
    types.push_back(type);
    slots.push_back([this, type, value](OpBuilder &in) -> Value {
      return LLVM::ConstantOp::create(in, loc, type, cast<TypedAttr>(value));
    });
  };
  auto pointerSlot = [&](LLVM::GlobalOp target) {
    types.push_back(pointer);
    slots.push_back([this, target](OpBuilder &in) -> Value {
      if (!target)
        return LLVM::ZeroOp::create(in, loc, pointer);
      return LLVM::AddressOfOp::create(in, loc, target);
    });
  };
  for (auto [i, param] : llvm::enumerate(call.getParams())) {
    std::string part = ("param" + Twine(i)).str();
    if (auto integer = dyn_cast<IntegerAttr>(param)) {
      constantSlot(b.getI64Type(), b.getI64IntegerAttr(integer.getType().isUnsignedInteger()
                                                           ? (int64_t)integer.getUInt()
                                                           : integer.getValue().getSExtValue()));
    } else if (auto real = dyn_cast<FloatAttr>(param)) {
      constantSlot(b.getF64Type(), b.getF64FloatAttr(real.getValueAsDouble()));
    } else if (auto text = dyn_cast<StringAttr>(param)) {
      pointerSlot(addText(module, loc, prefix + "_" + part, text.getValue()));
    } else if (auto list = dyn_cast<DenseI64ArrayAttr>(param)) {
      constantSlot(b.getI64Type(), b.getI64IntegerAttr(list.size()));
      pointerSlot(list.empty() ? LLVM::GlobalOp() : integers(part, list));
    } else if (auto list = dyn_cast<DenseF64ArrayAttr>(param)) {
      constantSlot(b.getI64Type(), b.getI64IntegerAttr(list.size()));
      auto type = RankedTensorType::get({(int64_t)list.size()}, b.getF64Type());
      pointerSlot(list.empty() ? LLVM::GlobalOp()
                               : global(part, LLVM::LLVMArrayType::get(b.getF64Type(), list.size()),
                                        DenseElementsAttr::get(type, list.asArrayRef())));
    } else {
      return call.emitError("internal error: parameter ")
             << i << " is " << param << ", which has no slot form";
    }
  }
  Type structType = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
  LLVM::GlobalOp all = global("params", structType, Attribute(), [&](OpBuilder &in) -> Value {
    Value value = LLVM::UndefOp::create(in, loc, structType);
    for (auto [i, slot] : llvm::enumerate(slots))
      value = LLVM::InsertValueOp::create(in, loc, value, slot(in), (int64_t)i);
    return value;
  });
  return addressOf(all);
}

// Kernels of the op table take dense row-major tensors only.
static LogicalResult checkDense(kernel::CallOp call, const ViewOrigin &view) {
  AffineExpr expected = getAffineConstantExpr(1, call.getContext());
  for (size_t d = view.sizes.size(); d-- > 0;) {
    bool one = view.sizes[d] == getAffineConstantExpr(1, call.getContext());
    if (!one && view.strides[d] != expected) {
      std::string found, needed;
      llvm::raw_string_ostream(found) << view.strides[d];
      llvm::raw_string_ostream(needed) << expected;
      return call.emitError("internal error: operand of a called kernel has stride ")
             << found << " in dimension " << d << ", a dense one has " << needed;
    }
    expected = expected * view.sizes[d];
  }
  return success();
}

static FailureOr<Value> emitCall(kernel::CallOp call, CallSite &site) {
  OpBuilder &builder = site.builder;
  FrameReader &frame = site.frame;
  CallEmitter emit(builder, call.getLoc(), site.module, site.prefix);
  size_t count = call.getIns().size() + call.getOuts().size();
  if (call.getDtypes().size() != count)
    return call.emitError("internal error: ")
           << call.getDtypes().size() << " dtypes for " << count << " operands";
  if (call.getScratchBytes() > 0 && !call.getScratch())
    return call.emitError("internal error: no scratch buffer; plan the arena first");
  for (const ViewOrigin &view : site.views.take_front(count))
    if (failed(checkDense(call, view)))
      return failure();
  Type pointer = emit.pointer, i64 = builder.getI64Type(), i32 = builder.getI32Type();
  Location loc = call.getLoc();

  FailureOr<Value> params = emit.parameters(call);
  if (failed(params))
    return failure();
  Value tensors = emit.tensors(site.views.take_front(count), site.places.take_front(count),
                               call.getDtypes(), frame);
  Type tensorType =
      LLVM::LLVMStructType::getLiteral(call.getContext(), {pointer, pointer, i32, i32, i64});
  Value outputs = LLVM::GEPOp::create(builder, loc, pointer, tensorType, tensors,
                                      ArrayRef<LLVM::GEPArg>{(int32_t)call.getIns().size()});
  Type argsType =
      LLVM::LLVMStructType::getLiteral(call.getContext(), {pointer, pointer, pointer, pointer, i64,
                                                           i32, i32, pointer, pointer, i64});
  Value args = emit.stack(argsType, 1);
  Value scratch =
      call.getScratch() ? frame.address(site.views[count], site.places[count]) : emit.null();
  Value fields[] = {tensors,
                    outputs,
                    *params,
                    scratch,
                    emit.i64(call.getScratchBytes()),
                    emit.i32(call.getIns().size()),
                    emit.i32(call.getOuts().size()),
                    frame.getFrame(),
                    emit.bodies(call, site.programs),
                    emit.i64(static_cast<int64_t>(call.getStream().value_or(0)))};
  for (auto [i, value] : llvm::enumerate(fields))
    emit.storeField(args, argsType, {0, (int32_t)i}, value);

  Type signature = LLVM::LLVMFunctionType::get(i32, {pointer});
  if (call.getCustom())
    return emit.custom(call, signature, args);
  auto callee = cast<LLVM::LLVMFuncOp>(declareFunction(site.module, call.getSymbol(), signature));
  return LLVM::CallOp::create(builder, loc, callee, ValueRange{args}).getResult();
}

namespace {
struct CallLowering : CallLoweringInterface::ExternalModel<CallLowering, kernel::CallOp> {
  FailureOr<Value> emitCall(Operation *op, CallSite &site) const {
    return ::emitCall(cast<kernel::CallOp>(op), site);
  }
};
} // namespace

namespace symc::codegen {
void registerCallLowering(DialectRegistry &registry) {
  addLowering<kernel::CallOp, CallLowering>(registry);
}
} // namespace symc::codegen
