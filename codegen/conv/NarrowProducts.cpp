// NarrowProducts.cpp: see NarrowProducts.h.
#include "codegen/conv/NarrowProducts.h"

#include "codegen/kernel/Groups.h"

#include "codegen/cpu/TileChoice.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// Fewer pixels wait for weights from memory, whatever multiplies them.
static constexpr int64_t leastPixels = 4;
static constexpr int64_t assumedExtent = 100; // of one that a run chooses

FloatType symc::codegen::halfTypeNamed(llvm::StringRef name, MLIRContext *context) {
  if (name == "bf16")
    return BFloat16Type::get(context);
  return name == "f16" ? FloatType(Float16Type::get(context)) : FloatType();
}

static int64_t pixelsOf(kernel::ConvOp conv) {
  ArrayRef<int64_t> out = cast<MemRefType>(conv.getOut().getType()).getShape();
  int64_t pixels = 1;
  for (int64_t extent : {out[0], out[2], out[3]})
    pixels *= ShapedType::isDynamic(extent) ? assumedExtent : extent;
  return pixels;
}

static bool isSideBySide(MemRefType data) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(data.getStridesAndOffset(strides, offset)) && strides.back() == 1;
}

// Channels side by side, so that a step's elements are one word. Rows of an odd number of channels
// begin between words.
static bool liesInGroups(MemRefType data, int64_t channels, int64_t elements) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(data.getStridesAndOffset(strides, offset)) || strides.back() != 1)
    return false;
  return data.getShape().back() % elements == 0 &&
         (channels % elements == 0 || llvm::all_of(strides, [&](int64_t stride) {
            return stride == 1 || (!ShapedType::isDynamic(stride) && stride % elements == 0);
          }));
}

static const ProductRow *refusal(std::string *reason, const char *text) {
  if (reason)
    *reason = text;
  return nullptr;
}

const ProductRow *symc::codegen::narrowProductOf(kernel::ConvOp conv,
                                                 const TargetDescription &target, FloatType half,
                                                 std::string *reason) {
  auto data = cast<MemRefType>(conv.getData().getType());
  auto panels = cast<MemRefType>(conv.getWeights().getType());
  bool isPrepared = conv.getWeights().getDefiningOp<kernel::WeightOp>() && panels.getRank() == 6;
  if (!isPrepared || !panels.getElementType().isF32() || !data.getElementType().isF32())
    return nullptr; // not in question
  if (kernel::ChannelGroups::of(conv))
    return refusal(reason, "it reads the channels of its groups one by one");
  const ProductRow *row = productRowOf(target, data.getElementType(), half);
  if (!row)
    return refusal(reason, "the instruction set does not widen such floats");
  if (conv.getInChannels() % row->termsPerStep && !isSideBySide(data))
    return refusal(reason, "it reads planes of an odd number of channels");
  const ProductRow *both = productRowOf(target, half, half, pixelsSideBySide(conv));
  if (both && both->panelForm == row->panelForm && pixelsOf(conv) >= leastPixels &&
      liesInGroups(data, conv.getInChannels(), both->elementsPerStep))
    return both;
  return row;
}

const ProductRow *symc::codegen::narrowProductOf(kernel::RecurrentOp layer,
                                                 const TargetDescription &target, FloatType half,
                                                 std::string *reason) {
  if (layer.getScratch())
    return refusal(reason, "a step reads sums of them");
  const ProductRow *row = productRowOf(target, Float32Type::get(layer.getContext()), half);
  if (!row)
    return refusal(reason, "the instruction set does not widen such floats");
  auto out = cast<MemRefType>(layer.getOut().getType());
  if (out.getShape().back() % row->termsPerStep)
    return refusal(reason, "it has an odd number of units");
  const ProductRow *both = productRowOf(target, half, half);
  bool isLarge = out.isDynamicDim(1) || out.getDimSize(1) >= leastPixels;
  return both && both->panelForm == row->panelForm && isLarge ? both : row;
}

std::optional<std::string> symc::codegen::targetMultiplying(llvm::StringRef precision) {
  MLIRContext context;
  FloatType half = halfTypeNamed(precision, &context);
  TargetDescription common = *TargetDescription::get(TargetDescription::common());
  for (const std::string &name : TargetDescription::names()) {
    std::optional<TargetDescription> target = TargetDescription::get(name);
    if (target->architecture() == common.architecture() && half &&
        productRowOf(*target, half, half))
      return name;
  }
  return std::nullopt;
}
