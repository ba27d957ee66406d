// KernelJit.cpp: builds the kernel op over strided memrefs, lowers it into a
// function of pointers, sizes and a task number, and compiles that with ORC. The
// address arithmetic of layouts is written out here a second time on purpose: it
// is the oracle of the lowering's.
#include "tools/bench/KernelJit.h"
#include "tools/bench/PackedWeights.h"
#include "codegen/cpu/KernelChoice.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <atomic>
#include <cmath>
#include <random>
#include <thread>

using namespace mlir;
using namespace symc;
using namespace symc::bench;
using codegen::TargetDescription;
using codegen::View;

static int64_t blocksOf(int64_t channels) { return (channels + 15) / 16; }
static const float canary = -7777.0f;

//===----------------------------------------------------------------------===//
// Layouts: sizes and strides of the five views
//===----------------------------------------------------------------------===//

namespace {
struct Layout {
  SmallVector<int64_t> sizes, strides;
  int64_t offset = 0, elements = 0;
};
} // namespace

static Layout dataLayout(const Layer &l) {
  Layout v;
  if (l.matrix) {
    v.sizes = {1, blocksOf(l.in), 1, l.batch, 16};
    v.strides = {l.in * l.batch, 16, l.in * l.batch, l.in, 1};
    v.elements = l.in * l.batch;
    return v;
  }
  int64_t h = l.rows + 2 * l.padRows, w = l.columns + 2 * l.padColumns;
  if (l.planar) {
    v.sizes = {l.batch, 1, h, w, l.in};
    v.strides = {l.in * h * w, l.in * h * w, w, 1, h * w};
    v.elements = l.batch * l.in * h * w;
  } else {
    v.sizes = {l.batch, blocksOf(l.in), h, w, 16};
    v.strides = {blocksOf(l.in) * h * w * 16, h * w * 16, w * 16, 16, 1};
    v.elements = l.batch * blocksOf(l.in) * h * w * 16;
  }
  return v;
}

static Layout outLayout(const Layer &l) {
  Layout v;
  if (l.matrix) {
    v.sizes = {1, blocksOf(l.out), 1, l.batch, 16};
    v.strides = {l.out * l.batch, 16, l.out * l.batch, l.out, 1};
    v.elements = l.out * l.batch;
    return v;
  }
  int64_t h = l.outRows() + 2 * l.outHalo, w = l.outColumns() + 2 * l.outHalo;
  v.sizes = {l.batch, blocksOf(l.out), l.outRows(), l.outColumns(), 16};
  v.strides = {blocksOf(l.out) * h * w * 16, h * w * 16, w * 16, 16, 1};
  v.offset = l.outHalo * (w + 1) * 16;
  v.elements = l.batch * blocksOf(l.out) * h * w * 16;
  return v;
}

static Layout weightLayout(const Layer &l) {
  Layout v;
  if (l.depthwise)
    v.sizes = {blocksOf(l.out), l.kernelRows, l.kernelColumns, 16};
  else
    v.sizes = {blocksOf(l.out), l.planar ? 1 : blocksOf(l.in), l.kernelRows, l.kernelColumns,
               l.planar ? l.in : 16, 16};
  v.elements = 1;
  v.strides.resize(v.sizes.size());
  for (size_t d = v.sizes.size(); d-- > 0;) {
    v.strides[d] = v.elements;
    v.elements *= v.sizes[d];
  }
  return v;
}

//===----------------------------------------------------------------------===//
// Operands and the oracle
//===----------------------------------------------------------------------===//

static float *align(std::vector<float> &storage, int64_t elements) {
  storage.assign(elements + 16, 0.0f);
  auto address = reinterpret_cast<uintptr_t>(storage.data());
  return storage.data() + ((64 - address % 64) % 64) / 4;
}

// A strided layer whose phases have kernels of 4x4.
static constexpr int64_t phasesOfKernel[] = {1, 2, 8, 8};

static kernel::WinogradShape winogradShape(const Layer &l, const TargetDescription &target) {
  codegen::ConvLayer layer{l.batch, l.outRows(), l.outColumns(), l.in,  l.out, {3, 3},
                           {1, 1},  {1, 1},      true};
  auto kernel = l.late            ? codegen::ConvKernel::WinogradF4Late
                : l.winograd == 4 ? codegen::ConvKernel::WinogradF4
                : l.winograd == 3 ? codegen::ConvKernel::WinogradPhases
                                  : codegen::ConvKernel::WinogradF2;
  if (l.winograd == 3)
    layer = {l.batch, l.outRows(), l.outColumns(), (l.in + 3) / 4, l.out, {8, 8}, {2, 2}, {1, 1}, false};
  kernel::WinogradShape shape = codegen::chooseConvKernel(layer, {target, 0, kernel}).winograd;
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
  kernel::StrassenShape shape =
      codegen::chooseConvKernel(layer, {target, 0, codegen::ConvKernel::Strassen}).strassen;
  if (!l.cut.empty()) {
    shape.flat = l.cut[0];
    shape.unit = l.cut[1];
    shape.unitsPerTask = l.cut[2];
    shape.lastPieces = l.cut[3];
  }
  return shape;
}

Operands::Operands(const Layer &l, uint64_t seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  Layout in = dataLayout(l), o = outLayout(l), w = weightLayout(l);
  dataAt = align(data, in.elements);
  std::fill(data.begin(), data.end(), std::nanf("")); // dead lanes must not be read
  int64_t images = l.matrix ? 1 : l.batch, h = in.sizes[2], wd = in.sizes[3];
  for (int64_t n = 0; n < images; ++n)
    for (int64_t c = 0; c < l.in; ++c)
      for (int64_t y = 0; y < h; ++y)
        for (int64_t x = 0; x < wd; ++x) {
          bool halo = y < l.padRows || y >= h - l.padRows || x < l.padColumns ||
                      x >= wd - l.padColumns;
          int64_t at = l.planar ? n * in.strides[0] + y * in.strides[2] + x + c * in.strides[4]
                                : n * in.strides[0] + c / 16 * in.strides[1] +
                                      y * in.strides[2] + x * in.strides[3] + c % 16;
          float value = uniform(engine);
          dataAt[at] = halo ? 0.0f : l.positive ? std::fabs(value) : value;
        }
  float *weightsAt = align(weights, w.elements);
  for (int64_t i = 0; i < w.elements; ++i)
    weightsAt[i] = uniform(engine);
  float *biasAt = align(bias, blocksOf(l.out) * 16);
  for (int64_t i = 0; i < blocksOf(l.out) * 16; ++i)
    biasAt[i] = uniform(engine);
  residualAt = align(residual, o.elements) + o.offset;
  for (float &value : residual)
    value = uniform(engine);
  outAt = align(out, o.elements) + o.offset;
  clearOut();
  if (int64_t elements = packedElements(l))
    packWeights(l, weightsAt, align(transformed, elements));
}

void Operands::clearOut() { std::fill(out.begin(), out.end(), canary); }

static const float *aligned(const std::vector<float> &storage) {
  auto address = reinterpret_cast<uintptr_t>(storage.data());
  return storage.data() + ((64 - address % 64) % 64) / 4;
}

// The layer by plain loops, sums in `Sum`.
template <typename Sum>
static std::vector<float> sums(const Operands &operands, const Layer &l, bool fused) {
  Layout in = dataLayout(l), o = outLayout(l), w = weightLayout(l);
  std::vector<float> result(operands.out.size(), canary);
  int64_t outOrigin = operands.outAt - operands.out.data();
  const float *dataAt = operands.dataAt, *residualAt = operands.residualAt;
  const float *weightsAt = aligned(operands.weights), *biasAt = aligned(operands.bias);
  int64_t channels = l.depthwise ? blocksOf(l.out) * 16 : l.out;
  for (int64_t n = 0; n < o.sizes[0]; ++n)
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t y = 0; y < o.sizes[2]; ++y)
        for (int64_t x = 0; x < o.sizes[3]; ++x) {
          Sum sum = l.bias ? biasAt[c] : 0;
          auto step = [&](int64_t i, int64_t ky, int64_t kx) {
            int64_t at = n * in.strides[0] + (y * l.stride + ky * l.dilation) * in.strides[2] +
                         (x * l.stride + kx * l.dilation) * in.strides[3];
            at += l.planar ? i * in.strides[4] : i / 16 * in.strides[1] + i % 16;
            int64_t wt;
            if (l.depthwise)
              wt = c / 16 * w.strides[0] + ky * w.strides[1] + kx * w.strides[2] + c % 16;
            else
              wt = c / 16 * w.strides[0] + (l.planar ? 0 : i / 16) * w.strides[1] +
                   ky * w.strides[2] + kx * w.strides[3] + (l.planar ? i : i % 16) * 16 + c % 16;
            Sum a = dataAt[at], b = weightsAt[wt];
            if (fused)
              sum = std::fma(a, b, sum);
            else {
              volatile Sum product = a * b;
              sum += product;
            }
          };
          int64_t perBlock = l.planar ? l.in : 16;
          if (l.depthwise) {
            for (int64_t ky = 0; ky < l.kernelRows; ++ky)
              for (int64_t kx = 0; kx < l.kernelColumns; ++kx)
                step(c, ky, kx);
          } else {
            for (int64_t block = 0; block < l.in; block += perBlock)
              for (int64_t ky = 0; ky < l.kernelRows; ++ky)
                for (int64_t kx = 0; kx < l.kernelColumns; ++kx)
                  for (int64_t i = block; i < std::min(l.in, block + perBlock); ++i)
                    step(i, ky, kx);
          }
          int64_t at = n * o.strides[0] + c / 16 * o.strides[1] + y * o.strides[2] +
                       x * o.strides[3] + c % 16;
          if (l.residual)
            sum += residualAt[at];
          if (l.relu)
            sum = sum > 0 ? sum : 0;
          result[outOrigin + at] = sum;
        }
  return result;
}

std::vector<float> Operands::expected(const Layer &l, bool fused) const {
  return sums<float>(*this, l, fused);
}

std::vector<float> Operands::exact(const Layer &l) const { return sums<double>(*this, l, true); }

double Operands::error(const std::vector<float> &expected) const {
  double largest = 0, worst = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == canary && out[i] != canary)
      return INFINITY;
    if (expected[i] == canary)
      continue;
    if (std::isnan(out[i]))
      return INFINITY;
    largest = std::max(largest, std::fabs(double(expected[i])));
    worst = std::max(worst, std::fabs(double(out[i]) - expected[i]));
  }
  return worst / largest;
}

int64_t Operands::mismatches(const Layer &l, const std::vector<float> &expected,
                             double tolerance) const {
  double largest = 0;
  for (float value : expected)
    if (value != canary && !std::isnan(value))
      largest = std::max(largest, std::fabs(double(value)));
  int64_t count = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (l.depthwise && std::isnan(expected[i]))
      continue; // a lane beyond the channels
    if (!(std::fabs(double(out[i]) - expected[i]) <= tolerance * largest))
      ++count;
  }
  return count;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

namespace {
using TaskFn = void (*)(float *, const float *, const float *, float *, float *, float *, int32_t *,
                        int64_t, int64_t, int64_t, int64_t);
using CountFn = int64_t (*)(int64_t, int64_t, int64_t);

class JitLayer final : public CompiledLayer {
public:
  int64_t tasks(const Layer &sizes) const override {
    return count(sizes.batch, sizes.rows, sizes.columns);
  }
  void run(const Layer &sizes, Operands &o, int threads) const override {
    int64_t n = tasks(sizes);
    const float *w = aligned(o.transformed.empty() ? o.weights : o.transformed), *bias = aligned(o.bias);
    if (o.scratch.empty()) { // NaN: nothing may be read that no task has written
      float *memory = align(o.scratch, scratchElements);
      std::fill(memory, memory + scratchElements, std::nanf(""));
      o.slots.assign(16 * n, 0);
    }
    float *scratch = const_cast<float *>(aligned(o.scratch));
    std::atomic<int64_t> next = 0;
    auto work = [&] {
      for (int64_t t = next++; t < n; t = next++)
        task(o.dataAt, w, bias, o.residualAt, o.outAt, scratch, o.slots.data(), sizes.batch,
             sizes.rows, sizes.columns, t);
    };
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i)
      others.emplace_back(work);
    work();
    for (std::thread &thread : others)
      thread.join();
  }
  const std::string &assembly() const override { return text; }
  const std::vector<int64_t> &tile() const override { return chosen; }

  std::unique_ptr<llvm::orc::LLJIT> jit;
  TaskFn task = nullptr;
  CountFn count = nullptr;
  std::string text;
  std::vector<int64_t> chosen;
  int64_t scratchElements = 0;
};

class LayerBuilder {
public:
  LayerBuilder(const Layer &layer, const TargetDescription &target)
      : layer(layer), target(target), b(&context) {
    context.loadDialect<kernel::KernelDialect, arith::ArithDialect, func::FuncDialect,
                        LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                        scf::SCFDialect, vector::VectorDialect, cf::ControlFlowDialect>();
    registerBuiltinDialectTranslation(context);
    registerLLVMDialectTranslation(context);
  }

  std::unique_ptr<CompiledLayer> compile() {
    module = ModuleOp::create(b.getUnknownLoc());
    b.setInsertionPointToEnd(module->getBody());
    Operation *op = buildStep();
    auto result = std::make_unique<JitLayer>();
    if (auto conv = dyn_cast<kernel::ConvOp>(op)) {
      if (layer.tile.empty())
        codegen::chooseTile(conv, target);
      result->chosen.assign(conv.getTile()->begin(), conv.getTile()->end());
    }
    if (auto conv = dyn_cast<kernel::WinogradOp>(op)) {
      codegen::chooseTile(conv, target);
      result->chosen.assign(conv.getTile()->begin(), conv.getTile()->end());
      for (int64_t extent : conv.getBlock())
        result->chosen.push_back(extent);
    }
    if (auto conv = dyn_cast<kernel::StrassenOp>(op)) {
      codegen::chooseTile(conv, target);
      result->chosen.assign(conv.getTile()->begin(), conv.getTile()->end());
      result->chosen.push_back(conv.getUnit());
    }
    result->scratchElements = scratchRows * scratchRow;
    if (failed(verify(op)))
      return nullptr;
    buildFunction("count", op, false);
    buildFunction("task", op, true);
    host->erase();
    if (failed(verify(*module)) || failed(lowerToLlvm()))
      return nullptr;
    return emit(std::move(result));
  }

private:
  // The op inside a function of memrefs; its operands' types carry the layouts.
  Operation *buildStep() {
    auto f32 = b.getF32Type();
    auto memref = [&](const Layout &v) {
      SmallVector<int64_t> sizes = v.sizes, strides = v.strides;
      if (layer.dynamic && v.sizes.size() == 5) {
        sizes[0] = sizes[2] = sizes[3] = ShapedType::kDynamic;
        strides[0] = strides[1] = strides[2] = ShapedType::kDynamic;
      }
      auto layout = StridedLayoutAttr::get(&context, ShapedType::kDynamic, strides);
      return MemRefType::get(sizes, f32, layout);
    };
    Layout out = outLayout(layer), bias = out;
    bias.strides = {0, 16, 0, 0, 1};
    SmallVector<Type> types{memref(dataLayout(layer))};
    types.push_back(MemRefType::get(packedLayout().sizes, f32));
    if (layer.bias)
      types.push_back(memref(bias));
    if (layer.residual)
      types.push_back(memref(out));
    types.push_back(memref(out));
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
      auto dw = kernel::DepthwiseOp::create(inner, loc, args[0], args[1], extras, args.back(),
                                            kernelSize, strides, dilations);
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
          layer.winograd == 3 ? b.getDenseI64ArrayAttr(phasesOfKernel) : DenseI64ArrayAttr());
      body = &winograd.getBody();
      op = winograd;
    } else if (layer.strassen) {
      int64_t perTask[] = {halves.unitsPerTask, halves.lastPieces};
      auto strassen = kernel::StrassenOp::create(
          inner, loc, args[0], args[1], extras, args.back(), block->getArgument(operandCount),
          block->getArgument(operandCount + 1), b.getI64IntegerAttr(layer.in),
          b.getI64IntegerAttr(layer.out), halves.flat ? b.getUnitAttr() : UnitAttr(),
          b.getI64IntegerAttr(halves.unit), b.getDenseI64ArrayAttr(perTask),
          layer.tile.empty() ? DenseI64ArrayAttr() : b.getDenseI64ArrayAttr(layer.tile));
      body = &strassen.getBody();
      op = strassen;
    } else {
      DenseI64ArrayAttr tile =
          layer.tile.empty() ? DenseI64ArrayAttr() : b.getDenseI64ArrayAttr(layer.tile);
      auto conv = kernel::ConvOp::create(
          inner, loc, args[0], args[1], extras, args.back(), b.getDenseI64ArrayAttr(kernelSize),
          b.getDenseI64ArrayAttr(strides), b.getDenseI64ArrayAttr(dilations),
          b.getI64IntegerAttr(layer.in), b.getI64IntegerAttr(layer.out), tile, IntegerAttr());
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
      Value positive =
          arith::CmpFOp::create(inner, loc, arith::CmpFPredicate::OGT, value, zero);
      value = arith::SelectOp::create(inner, loc, positive, value, zero);
    }
    kernel::YieldOp::create(inner, loc, value);
    return op;
  }

  int64_t shapeSpan() const { return layer.winograd + layer.kernelRows - 1; }

  // The weights that the kernel reads.
  Layout packedLayout() {
    Layout v = weightLayout(layer);
    if (layer.strassen) {
      int64_t in = layer.in / 32 * 256;
      v.sizes = {layer.out / 32, 7, layer.in / 32, 1, 1, 16, 16};
      v.strides = {7 * in, in, 256, 256, 256, 16, 1};
    } else if (layer.late) {
      v.sizes = {blocksOf(layer.out), blocksOf(layer.in), 16, 9, 16};
      v.strides = {v.sizes[1] * 2304, 2304, 144, 16, 1};
    } else if (layer.winograd) {
      int64_t span = shapeSpan();
      v.sizes = {span * span, blocksOf(layer.out), blocksOf(layer.in), 16, 16};
      v.strides = {v.sizes[1] * v.sizes[2] * 256, v.sizes[2] * 256, 256, 16, 1};
    }
    return v;
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
    SmallVector<View> views{view(0, dataLayout(layer)), view(1, packedLayout())};
    Layout bias = outLayout(layer);
    bias.strides = {0, 16, 0, 0, 1};
    if (layer.bias)
      views.push_back(view(2, bias));
    if (layer.residual)
      views.push_back(view(3, outLayout(layer)));
    views.push_back(view(4, outLayout(layer)));
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
    if (auto conv = dyn_cast<kernel::WinogradOp>(op)) {
      if (isTask)
        (void)codegen::lowerWinograd(conv, views, arguments.back(), lowering);
      else
        result = count(lowering, codegen::countWinogradTasks(conv, views, lowering));
    } else if (auto conv = dyn_cast<kernel::StrassenOp>(op)) {
      if (isTask)
        (void)codegen::lowerStrassen(conv, views, arguments.back(), lowering);
      else
        result = count(lowering, codegen::countStrassenTasks(conv, views, lowering));
    } else if (auto conv = dyn_cast<kernel::ConvOp>(op)) {
      if (isTask)
        (void)codegen::lowerConv(conv, views, arguments.back(), lowering);
      else
        result = count(lowering, codegen::countConvTasks(conv, views, lowering));
    } else {
      auto depthwise = cast<kernel::DepthwiseOp>(op);
      if (isTask)
        (void)codegen::lowerDepthwise(depthwise, views, arguments.back(), lowering);
      else
        result = count(lowering, codegen::countDepthwiseTasks(depthwise, views, lowering));
    }
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

  LogicalResult lowerToLlvm() {
    PassManager passes(&context);
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createCSEPass());
    passes.addPass(createSCFToControlFlowPass());
    passes.addPass(createConvertVectorToLLVMPass());
    passes.addPass(createArithToLLVMConversionPass());
    passes.addPass(createConvertMathToLLVMPass());
    passes.addPass(createConvertControlFlowToLLVMPass());
    passes.addPass(createConvertFuncToLLVMPass());
    passes.addPass(createReconcileUnrealizedCastsPass());
    return passes.run(*module);
  }

  std::unique_ptr<CompiledLayer> emit(std::unique_ptr<JitLayer> result) {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    auto llvmContext = std::make_unique<llvm::LLVMContext>();
    std::unique_ptr<llvm::Module> ir = translateModuleToLLVMIR(*module, *llvmContext);
    if (!ir)
      return nullptr;
    // Code for another architecture is there to be looked at.
    bool foreign = target.architecture() != TargetDescription::get("native")->architecture();
    llvm::Triple triple(foreign ? target.triple : llvm::sys::getProcessTriple());
    llvm::orc::JITTargetMachineBuilder machine(triple);
    machine.setCPU(target.llvmCpu);
    SmallVector<StringRef> features;
    StringRef(target.features).split(features, ',', -1, false);
    for (StringRef feature : features)
      machine.getFeatures().AddFeature(feature.drop_front(), feature.front() == '+');
    machine.setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
    machine.getOptions().MCOptions.AsmVerbose = true; // marks spills
    auto tm = machine.createTargetMachine();
    if (!tm) {
      llvm::errs() << llvm::toString(tm.takeError()) << "\n";
      return nullptr;
    }
    ir->setDataLayout((*tm)->createDataLayout());
    ir->setTargetTriple((*tm)->getTargetTriple());
    optimise(*ir, **tm);
    result->text = print(*ir, **tm);
    if (foreign)
      return result;
    auto jit = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(machine).create();
    if (!jit) {
      llvm::errs() << llvm::toString(jit.takeError()) << "\n";
      return nullptr;
    }
    if (auto error = (*jit)->addIRModule({std::move(ir), std::move(llvmContext)})) {
      llvm::errs() << llvm::toString(std::move(error)) << "\n";
      return nullptr;
    }
    auto task = (*jit)->lookup("task"), count = (*jit)->lookup("count");
    if (!task || !count) {
      llvm::errs() << "internal error: the compiled kernel has no entry points\n";
      return nullptr;
    }
    result->task = task->toPtr<TaskFn>();
    result->count = count->toPtr<CountFn>();
    result->jit = std::move(*jit);
    return result;
  }

  static void optimise(llvm::Module &ir, llvm::TargetMachine &tm) {
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager graph;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder passes(&tm);
    passes.registerModuleAnalyses(modules);
    passes.registerCGSCCAnalyses(graph);
    passes.registerFunctionAnalyses(functions);
    passes.registerLoopAnalyses(loops);
    passes.crossRegisterProxies(loops, functions, graph, modules);
    passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(ir, modules);
  }

  static std::string print(const llvm::Module &ir, llvm::TargetMachine &tm) {
    auto copy = llvm::CloneModule(ir);
    llvm::SmallString<0> text;
    llvm::raw_svector_ostream stream(text);
    llvm::legacy::PassManager passes;
    tm.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile);
    passes.run(*copy);
    return text.str().str();
  }

  const Layer &layer;
  const TargetDescription &target;
  kernel::WinogradShape shape;  // of a Winograd layer
  kernel::StrassenShape halves; // of a layer by Strassen's product
  int64_t scratchRows = 0, scratchRow = 0;
  MLIRContext context;
  OpBuilder b;
  OwningOpRef<ModuleOp> module;
  func::FuncOp host;
};
} // namespace

std::unique_ptr<CompiledLayer> CompiledLayer::compile(const Layer &layer,
                                                      const TargetDescription &target) {
  return LayerBuilder(layer, target).compile();
}

bool symc::bench::runsHere(const TargetDescription &target) {
  auto native = TargetDescription::get("native");
  return native && target.runsOn(*native);
}

std::vector<TargetDescription> symc::bench::targetsHere() {
  std::vector<TargetDescription> targets;
  for (const char *name : {"x86-64-v2", "x86-64-v3", "x86-64-v4"}) {
    auto target = TargetDescription::get(name);
    if (target && runsHere(*target))
      targets.push_back(*target);
  }
  return targets;
}
