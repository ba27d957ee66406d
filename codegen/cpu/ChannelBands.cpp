// ChannelBands.cpp: see ChannelBands.h.
#include "codegen/cpu/ChannelBands.h"

#include "codegen/kernel/Pieces.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// The dimension of an operand that blocks of channels lie along: weights have them first.
static unsigned blockDimOf(const Layer &layer, unsigned operand) {
  return layer.hasRows(operand) ? blockDim : 0;
}

// The step as a layer each of whose blocks of channels needs the same block alone.
static std::optional<Layer> layerOfBlocks(Operation *step) {
  if (!isa<kernel::CopyOp, kernel::PoolOp, kernel::DepthwiseOp>(step))
    return std::nullopt;
  std::optional<Layer> layer = layerOf(step);
  if (!layer)
    return std::nullopt;
  int64_t blocks = layer->places[layer->out].sizes[blockDim];
  for (unsigned i = 0; i < layer->places.size(); ++i)
    if (layer->places[i].sizes[blockDimOf(*layer, i)] != blocks)
      return std::nullopt;
  return layer;
}

// Bytes that the layers touch for one image, each memory once.
static double bytesOfImage(const Chain &chain) {
  double bytes = 0;
  for (const Layer &layer : chain)
    for (unsigned i = 0; i < layer.places.size(); ++i) {
      const Place &place = layer.places[i];
      bool inside = llvm::any_of(layer.links, [&](const Link &one) { return one.operand == i; });
      if (layer.hasRows(i) && !inside)
        bytes += double(place.rowBytes()) * place.sizes[rowDim];
    }
  return bytes;
}

// The evened number of blocks that the budget holds of all layers together; 0 where one is too
// much, it holds all, or pieces would be too many.
static int64_t blocksOfPiece(const Chain &chain, const BandLimits &limits) {
  int64_t blocks = chain.front().places[0].sizes[blockDim];
  int64_t most = int64_t(limits.bandBytes / (bytesOfImage(chain) / blocks));
  if (most == 0 || (most >= blocks && chain.front().images() == 1))
    return 0;
  int64_t pieces = llvm::divideCeil(blocks, most);
  return pieces * double(chain.front().images()) > mostPieces ? 0
                                                              : llvm::divideCeil(blocks, pieces);
}

static void emit(kernel::ProgramOp program, Chain &chain, int64_t each) {
  OpBuilder b(chain.back().step);
  int64_t blocks = chain.front().places[0].sizes[blockDim], images = chain.front().images();
  int64_t pieces = llvm::divideCeil(blocks, each) * images;
  int64_t number = kernel::newStepNumber(program);
  for (int64_t image = 0; image < images; ++image)
    for (int64_t first = 0; first < blocks; first += each)
      for (auto [i, layer] : llvm::enumerate(chain)) {
        IRMapping mapping;
        for (auto [operand, whole] : llvm::enumerate(layer.places)) {
          Place place = whole;
          unsigned dim = blockDimOf(layer, operand);
          place.sizes[dim] = std::min(each, blocks - first);
          place.offset += first * place.strides[dim];
          if (layer.hasRows(operand)) {
            place.sizes[imageDim] = 1;
            place.offset += image * place.strides[imageDim];
          }
          mapping.map(layer.step->getOperand(operand), place.view(b, layer.step->getLoc()));
        }
        auto piece = cast<kernel::RowwiseInterface>(b.clone(*layer.step, mapping));
        piece.setPieceAttr(kernel::PieceAttr::get(b.getContext(), number + int64_t(i), pieces));
      }
  for (Layer &layer : chain)
    layer.step->erase();
}

// Cuts the chain that begins with the first step; returns the steps that are done.
static size_t cut(kernel::ProgramOp program, ArrayRef<Operation *> steps,
                  const BandLimits &limits) {
  Chain chain;
  size_t taken = 0;
  for (Operation *step : steps) {
    bool readsNothing = cast<kernel::StepInterface>(step).getInputs().empty();
    if (!chain.empty() && readsNothing && !touches(step, chain)) {
      ++taken;
      continue;
    }
    std::optional<Layer> layer = layerOfBlocks(step);
    if (!layer || !link(*layer, chain) ||
        (!chain.empty() &&
         layer->places[0].sizes[blockDim] != chain.front().places[0].sizes[blockDim]))
      break;
    chain.push_back(*layer);
    ++taken;
  }
  bool isLarge =
      chain.size() > 1 && bytesBetween(chain) * chain.front().images() >= limits.largeBytes;
  int64_t each = isLarge ? blocksOfPiece(chain, limits) : 0;
  if (each == 0)
    return 1;
  remark::passed(chain.front().step->getLoc(),
                 remark::RemarkOpts::name("channel-bands").category("kernel-row-bands"))
      << llvm::formatv("{0} layers in bands of {1} of {2} blocks of channels: {3:F1} MB an image "
                       "between them are read while they are near",
                       chain.size(), each, chain.front().places[0].sizes[blockDim],
                       bytesBetween(chain) / 1e6)
             .str();
  emit(program, chain, each);
  return taken;
}

void symc::codegen::bandChannels(kernel::ProgramOp program, const BandLimits &limits) {
  cutChains(program, [&](ArrayRef<Operation *> steps) { return cut(program, steps, limits); });
}
