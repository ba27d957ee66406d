// LayerModule.cpp: see LayerModule.h. The op stands in a function of memrefs while tiles
// are chosen and it is verified; the lowering gets views of plain pointers.
#include "tools/bench/LayerModule.h"

#include "codegen/conv/Tuning.h"
#include "codegen/conv/strassen/StrassenCost.h"
#include "codegen/conv/winograd/WinogradCost.h"
#include "codegen/conv/winograd/WinogradWeights.h"
#include "tools/bench/LayerLayouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

using namespace mlir;
using namespace symc;
using namespace symc::bench;
using codegen::TargetDescription;
using codegen::View;

// A strided layer whose phases have kernels of 4x4.
static constexpr int64_t phasesOfKernel[] = {1, 2, 8, 8};

// What the step states of a layer that is not one of 3x3.
static DenseI64ArrayAttr nameLayer(const Layer &l, Builder &b) {
  if (l.winograd == 3)
    return b.getDenseI64ArrayAttr(phasesOfKernel);
  if (l.winograd == 5)
    return b.getDenseI64ArrayAttr({l.in, 1, l.kernelRows, l.kernelColumns});
  return {};
}

static kernel::WinogradShape winogradShape(const Layer &l, const TargetDescription &target) {
  kernel::WinogradShape shape;
  shape.m = l.winograd;
  shape.onTheFly = l.onTheFly;
  shape.stride = l.winograd == 3 ? phasesOfKernel[1] : 1;
  if (l.winograd != 3)
    shape.dilations[0] = shape.dilations[1] = l.dilation;
  shape.images = l.batch * shape.dilations[0] * shape.dilations[1];
  shape.rows = l.outRows() / shape.dilations[0];
  shape.columns = l.outColumns() / shape.dilations[1];
  int64_t phases = shape.stride * shape.stride;
  shape.inChannels = (l.in + phases - 1) / phases * phases;
  shape.outChannels = l.out;
  shape = codegen::cutWinograd(shape, target);
  shape.inChannels = l.in;
  if (!l.cut.empty()) {
    shape.tilesAtOnce = l.cut[0];
    shape.blocksAtOnce = l.cut[1];
    shape.groupsPerTask = l.cut[2];
    shape.blocksPerTask = l.cut[3];
  }
  return shape;
}

static kernel::StrassenShape strassenShape(const Layer &l, const TargetDescription &target) {
  codegen::ConvLayer layer{l.batch, l.rows, l.columns, l.in, l.out, {1, 1}, {1, 1}, {1, 1}, true};
  if (l.matrix) {
    layer.images = layer.rows = 1;
    layer.columns = l.batch;
  }
  layer.flat = l.outHalo == 0;
  kernel::StrassenShape shape = codegen::cutStrassen(layer, target);
  if (!l.cut.empty()) {
    shape.flat = l.cut[0];
    shape.unit = l.cut[1];
    shape.unitsPerTask = l.cut[2];
    shape.lastPieces = l.cut[3];
  }
  return shape;
}

namespace {
class LayerBuilder {
public:
  LayerBuilder(const Layer &layer, const TargetDescription &target, MLIRContext &context)
      : layer(layer), target(target), context(context), b(&context) {}

  LayerModule build() {
    module = ModuleOp::create(b.getUnknownLoc());
    b.setInsertionPointToEnd(module->getBody());
    Operation *op = buildStep();
    LayerModule result;
    result.tile = chooseTile(op);
    result.scratchElements = scratchRows * scratchRow;
    if (failed(verify(op)))
      return {};
    buildFunction("count", op, false);
    buildFunction("task", op, true);
    host->erase();
    if (failed(verify(*module)))
      return {};
    result.module = std::move(module);
    return result;
  }

private:
  // The tile, then the block of Winograd or the unit of Strassen's product.
  std::vector<int64_t> chooseTile(Operation *op) {
    auto tunable = dyn_cast<codegen::TunableStep>(op);
    if (!tunable || failed(tunable.choose(target)))
      return {};
    std::vector<int64_t> chosen = tunable.getRegisterTile().vec();
    if (auto conv = dyn_cast<kernel::WinogradOp>(op))
      chosen.insert(chosen.end(), conv.getBlock().begin(), conv.getBlock().end());
    if (auto conv = dyn_cast<kernel::StrassenOp>(op))
      chosen.push_back(conv.getUnit());
    return chosen;
  }

  const codegen::ProductRow &product() { return *codegen::productRowNamed(layer.product); }

  // The op inside a function of memrefs; its operands' types carry the layouts.
  Operation *buildStep() {
    if (layer.weightSums)
      return buildWeightSums();
    auto f32 = b.getF32Type();
    auto memref = [&](const Layout &v, Type element) {
      SmallVector<int64_t> sizes = v.sizes, strides = v.strides;
      if (layer.dynamic && v.sizes.size() == 5) {
        sizes[0] = sizes[2] = sizes[3] = ShapedType::kDynamic;
        strides[0] = strides[1] = strides[2] = ShapedType::kDynamic;
      }
      auto layout = StridedLayoutAttr::get(&context, ShapedType::kDynamic, strides);
      return MemRefType::get(sizes, element, layout);
    };
    Layout out = outLayout(layer), bias = out;
    bias.strides = {0, 16, 0, 0, 1};
    SmallVector<Type> types{memref(dataLayout(layer), product().lhs(&context))};
    types.push_back(MemRefType::get(packedLayout(layer).sizes, product().rhs(&context)));
    if (layer.bias)
      types.push_back(memref(bias, f32));
    if (layer.residual)
      types.push_back(memref(out, f32));
    types.push_back(memref(out, f32));
    size_t operandCount = types.size();
    if (layer.winograd) {
      shape = winogradShape(layer, target);
      scratchRows = shape.tasks();
      scratchRow = shape.scratchElements();
    } else if (layer.strassen) {
      halves = strassenShape(layer, target);
      scratchRows = halves.tasks();
      scratchRow = halves.scratchElements();
    }
    if (scratchRows) {
      types.push_back(MemRefType::get({scratchRows, scratchRow}, f32));
      types.push_back(MemRefType::get({scratchRows, 16}, b.getI32Type()));
    }
    host = func::FuncOp::create(b, b.getUnknownLoc(), "host", b.getFunctionType(types, {}));
    Block *block = host.addEntryBlock();
    OpBuilder inner = OpBuilder::atBlockEnd(block);
    ValueRange args = ValueRange(block->getArguments()).take_front(operandCount);
    ValueRange extras = args.slice(2, args.size() - 3);
    Location loc = b.getUnknownLoc();
    Region *body;
    Operation *op;
    SmallVector<int64_t> kernelSize{layer.kernelRows, layer.kernelColumns};
    SmallVector<int64_t> strides(2, layer.stride), dilations(2, layer.dilation);
    if (layer.depthwise) {
      auto dw =
          kernel::DepthwiseOp::create(inner, loc, args[0], args[1], extras, args.back(), kernelSize,
                                      strides, dilations, /*piece=*/{}, /*cut=*/{});
      body = &dw.getBody();
      op = dw;
    } else if (layer.winograd) {
      int64_t cut[] = {shape.tilesAtOnce, shape.blocksAtOnce};
      int64_t perTask[] = {shape.groupsPerTask, shape.blocksPerTask};
      auto winograd = kernel::WinogradOp::create(
          inner, loc, args[0], args[1], extras, args.back(), block->getArgument(operandCount),
          block->getArgument(operandCount + 1), b.getI64IntegerAttr(shape.m),
          b.getI64IntegerAttr(layer.in), b.getI64IntegerAttr(layer.out),
          b.getDenseI64ArrayAttr(cut), b.getDenseI64ArrayAttr(perTask),
          layer.tile.empty() ? DenseI64ArrayAttr() : b.getDenseI64ArrayAttr(layer.tile),
          nameLayer(layer, b),
          shape.isDilated() ? b.getDenseI64ArrayAttr(shape.dilations) : DenseI64ArrayAttr(),
          shape.expands ? b.getUnitAttr() : UnitAttr(), DenseI64ArrayAttr(), UnitAttr(),
          StringAttr());
      body = &winograd.getBody();
      op = winograd;
    } else if (layer.strassen) {
      int64_t perTask[] = {halves.unitsPerTask, halves.lastPieces};
      auto strassen = kernel::StrassenOp::create(
          inner, loc, args[0], args[1], extras, args.back(), block->getArgument(operandCount),
          block->getArgument(operandCount + 1), b.getI64IntegerAttr(layer.in),
          b.getI64IntegerAttr(layer.out), halves.flat ? b.getUnitAttr() : UnitAttr(),
          b.getI64IntegerAttr(halves.unit), b.getDenseI64ArrayAttr(perTask),
          layer.tile.empty() ? DenseI64ArrayAttr() : b.getDenseI64ArrayAttr(layer.tile),
          StringAttr());
      body = &strassen.getBody();
      op = strassen;
    } else {
      auto conv = kernel::ConvOp::create(inner, loc, args[0], args[1], extras, args.back(),
                                         kernelSize, strides, dilations, layer.in, layer.out);
      if (!layer.tile.empty())
        conv.setTile(layer.tile);
      body = &conv.getBody();
      op = conv;
    }
    func::ReturnOp::create(inner, loc);
    Block *scalar = &body->emplaceBlock();
    scalar->addArgument(f32, loc);
    for (size_t i = 0; i < extras.size(); ++i)
      scalar->addArgument(f32, loc);
    inner.setInsertionPointToEnd(scalar);
    Value value = scalar->getArgument(0);
    for (size_t i = 0; i < extras.size(); ++i)
      value = arith::AddFOp::create(inner, loc, value, scalar->getArgument(i + 1));
    if (layer.relu) {
      Value zero = arith::ConstantOp::create(inner, loc, inner.getF32FloatAttr(0));
      Value positive = arith::CmpFOp::create(inner, loc, arith::CmpFPredicate::OGT, value, zero);
      value = arith::SelectOp::create(inner, loc, positive, value, zero);
    }
    kernel::YieldOp::create(inner, loc, value);
    return op;
  }

  // Data, the gradient of the result and sums of a layer's kernel.conv_weights or
  // kernel.winograd_weights.
  SmallVector<Layout> layoutsOfSums() {
    auto chunks = kernel::PixelChunks::of(layer.batch, layer.outRows(), layer.outColumns());
    SmallVector<int64_t> sizes{
        chunks.count, 1, blocksOf(layer.out), layer.in, layer.kernelRows, layer.kernelColumns, 16};
    SmallVector<int64_t> strides(sizes.size(), 1);
    for (size_t axis = sizes.size() - 1; axis-- > 0;)
      strides[axis] = strides[axis + 1] * sizes[axis + 1];
    return {dataLayout(layer), outLayout(layer), {sizes, strides}};
  }

  Operation *buildWeightSums() {
    auto f32 = b.getF32Type();
    SmallVector<Layout> layouts = layoutsOfSums();
    SmallVector<Type> types;
    for (const Layout &v : ArrayRef(layouts).drop_back())
      types.push_back(MemRefType::get(
          v.sizes, f32, StridedLayoutAttr::get(&context, ShapedType::kDynamic, v.strides)));
    types.push_back(MemRefType::get(layouts.back().sizes, f32));
    kernel::WinogradWeightsShape cut;
    if (layer.winograd) {
      cut.window[0] = layer.kernelRows;
      cut.window[1] = layer.kernelColumns;
      for (int axis : {0, 1})
        cut.dilations[axis] = cut.window[axis] == 1 ? 1 : layer.dilation;
      cut.images = layer.batch;
      cut.rows = layer.outRows();
      cut.columns = layer.outColumns();
      cut.inChannels = layer.in;
      cut.outChannels = layer.out;
      cut = codegen::cutWinogradWeights(cut, target);
      scratchRows = cut.tasks();
      scratchRow = cut.scratchElements();
      types.push_back(MemRefType::get({scratchRows, scratchRow}, f32));
      types.push_back(MemRefType::get({scratchRows, 16}, b.getI32Type()));
    }
    host = func::FuncOp::create(b, b.getUnknownLoc(), "host", b.getFunctionType(types, {}));
    Block *block = host.addEntryBlock();
    OpBuilder inner = OpBuilder::atBlockEnd(block);
    ValueRange args = block->getArguments();
    auto pair = [&](int64_t x, int64_t y) { return inner.getDenseI64ArrayAttr({x, y}); };
    if (layer.winograd) {
      auto op = kernel::WinogradWeightsOp::create(
          inner, b.getUnknownLoc(), args[0], args[1], args[2], args[3], args[4],
          b.getI64IntegerAttr(layer.in), b.getI64IntegerAttr(layer.out), b.getI64IntegerAttr(1),
          b.getDenseI64ArrayAttr({cut.tilesAtOnce, cut.inBlocksOfTask, cut.outBlocksOfTask}),
          pair(cut.inBlocksSummed, cut.outBlocksSummed), b.getI64IntegerAttr(cut.slotsOfTask),
          layer.tile.empty() ? DenseI64ArrayAttr() : b.getDenseI64ArrayAttr(layer.tile),
          StringAttr());
      func::ReturnOp::create(inner, b.getUnknownLoc());
      return op;
    }
    auto op = kernel::ConvWeightsOp::create(
        inner, b.getUnknownLoc(), args[0], args[1], args[2],
        pair(layer.kernelRows, layer.kernelColumns), pair(layer.stride, layer.stride),
        pair(layer.dilation, layer.dilation), b.getI64IntegerAttr(layer.in),
        b.getI64IntegerAttr(layer.out), b.getI64IntegerAttr(1),
        layer.tile.empty() ? DenseI64ArrayAttr() : b.getDenseI64ArrayAttr(layer.tile), UnitAttr(),
        DenseI64ArrayAttr(), /*cut=*/{});
    func::ReturnOp::create(inner, b.getUnknownLoc());
    return op;
  }

  // count(batch, rows, columns) -> i64, or
  // task(data, weights, bias, residual, out, scratch, slots, batch, rows, columns, task).
  void buildFunction(StringRef name, Operation *op, bool isTask) {
    Location loc = b.getUnknownLoc();
    auto pointer = LLVM::LLVMPointerType::get(&context);
    Type index = b.getIndexType();
    SmallVector<Type> types;
    if (isTask)
      types.append(7, pointer);
    types.append(isTask ? 4 : 3, index);
    b.setInsertionPointToEnd(module->getBody());
    auto function = func::FuncOp::create(
        b, loc, name, b.getFunctionType(types, isTask ? TypeRange() : TypeRange(index)));
    if (isTask)
      for (unsigned i = 0; i < 7; ++i)
        function.setArgAttr(i, "llvm.noalias", b.getUnitAttr());
    OpBuilder inner = OpBuilder::atBlockEnd(function.addEntryBlock());
    unsigned firstSize = isTask ? 7 : 0;
    ValueRange arguments = function.getArguments();
    Value none;
    if (!isTask)
      none = LLVM::ZeroOp::create(inner, loc, pointer);
    auto view = [&](unsigned operand, const Layout &v) {
      View result;
      result.pointer = isTask ? arguments[operand] : none;
      result.elementType = inner.getF32Type();
      for (int64_t size : v.sizes)
        result.sizes.push_back(inner.getIndexAttr(size));
      for (int64_t stride : v.strides)
        result.strides.push_back(inner.getIndexAttr(stride));
      return result;
    };
    SmallVector<View> views;
    if (layer.weightSums) {
      for (auto [operand, layout] : llvm::enumerate(layoutsOfSums()))
        views.push_back(view(operand, layout));
    } else {
      views = {view(0, dataLayout(layer)), view(1, packedLayout(layer))};
      views[0].elementType = product().lhs(&context);
      views[1].elementType = product().rhs(&context);
      Layout bias = outLayout(layer);
      bias.strides = {0, 16, 0, 0, 1};
      if (layer.bias)
        views.push_back(view(2, bias));
      if (layer.residual)
        views.push_back(view(3, outLayout(layer)));
      views.push_back(view(4, outLayout(layer)));
    }
    codegen::LoweringContext lowering{inner, target, layer.math};
    if (layer.dynamic)
      makeDynamic(lowering, views, arguments.slice(firstSize, 3));
    Value result;
    if (scratchRows) {
      Layout rows{{scratchRows, scratchRow}, {scratchRow, 1}};
      Layout words{{scratchRows, 16}, {16, 1}};
      views.push_back(view(5, rows));
      views.push_back(view(6, words));
      views.back().elementType = inner.getI32Type();
    }
    auto interface = cast<codegen::LoweringInterface>(op);
    if (isTask)
      (void)interface.lowerTask(views, arguments.back(), lowering);
    else
      result = count(lowering, interface.countTasks(views, lowering));
    func::ReturnOp::create(inner, loc, result ? ValueRange(result) : ValueRange());
  }

  Value count(codegen::LoweringContext &lowering, OpFoldResult tasks) {
    if (auto attribute = dyn_cast<Attribute>(tasks))
      return arith::ConstantOp::create(lowering.builder, b.getUnknownLoc(),
                                       cast<IntegerAttr>(attribute));
    return cast<Value>(tasks);
  }

  // Sizes and strides of data, residual and out as functions of the arguments.
  void makeDynamic(codegen::LoweringContext &lowering, SmallVectorImpl<View> &views,
                   ValueRange sizes) {
    OpBuilder &inner = lowering.builder;
    Location loc = b.getUnknownLoc();
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(inner, loc, value);
    };
    auto add = [&](Value x, int64_t y) -> Value {
      return arith::AddIOp::create(inner, loc, x, constant(y));
    };
    auto mul = [&](Value x, Value y) -> Value { return arith::MulIOp::create(inner, loc, x, y); };
    auto fill = [&](View &v, Value n, Value h, Value w, int64_t blocks, int64_t halo,
                    int64_t channels) {
      if (layer.matrix) {
        v.sizes[3] = n;
        return;
      }
      v.sizes[0] = n;
      if (isConstantZero(v.strides[2]))
        return setExtents(v, h, w);
      Value width = add(w, 2 * halo), height = add(h, 2 * halo);
      Value plane = mul(width, height);
      if (channels) { // planar
        v.strides[2] = width;
        v.strides[4] = plane;
        v.strides[0] = v.strides[1] = mul(plane, constant(channels));
        return setExtents(v, height, width);
      }
      v.strides[2] = mul(width, constant(16));
      v.strides[1] = mul(plane, constant(16));
      v.strides[0] = mul(plane, constant(16 * blocks));
      setExtents(v, h, w);
    };
    auto outExtent = [&](Value in, int64_t pad, int64_t window) {
      Value span = add(in, 2 * pad - layer.dilation * (window - 1) - 1);
      return add(arith::DivUIOp::create(inner, loc, span, constant(layer.stride)), 1);
    };
    Value oh = outExtent(sizes[1], layer.padRows, layer.kernelRows);
    Value ow = outExtent(sizes[2], layer.padColumns, layer.kernelColumns);
    fill(views[0], sizes[0], sizes[1], sizes[2], blocksOf(layer.in), layer.padRows,
         layer.planar ? layer.in : 0);
    for (View &v : MutableArrayRef<View>(views).drop_front(2))
      fill(v, sizes[0], oh, ow, blocksOf(layer.out), layer.outHalo, 0);
  }
  static bool isConstantZero(OpFoldResult value) {
    auto attribute = dyn_cast<Attribute>(value);
    return attribute && cast<IntegerAttr>(attribute).getInt() == 0;
  }
  static void setExtents(View &v, Value h, Value w) {
    v.sizes[2] = h;
    v.sizes[3] = w;
  }

  const Layer &layer;
  const TargetDescription &target;
  kernel::WinogradShape shape;  // of a Winograd layer
  kernel::StrassenShape halves; // of a layer by Strassen's product
  int64_t scratchRows = 0, scratchRow = 0;
  MLIRContext &context;
  OpBuilder b;
  OwningOpRef<ModuleOp> module;
  func::FuncOp host;
};
} // namespace

void symc::bench::loadLayerDialects(MLIRContext &context) {
  DialectRegistry registry;
  codegen::registerLowerings(registry);
  codegen::registerTunableSteps(registry);
  context.appendDialectRegistry(registry);
  context.loadDialect<kernel::KernelDialect, arith::ArithDialect, func::FuncDialect,
                      LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                      vector::VectorDialect, cf::ControlFlowDialect>();
  registerBuiltinDialectTranslation(context);
  registerLLVMDialectTranslation(context);
}

LayerModule symc::bench::buildLayerModule(const Layer &layer, const TargetDescription &target,
                                          MLIRContext &context) {
  return LayerBuilder(layer, target, context).build();
}
