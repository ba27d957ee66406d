// RowBands.cpp: see RowBands.h.
//
//   1. chains: steps that follow each other, each reading the images that the one
//      before wrote, where these are large; steps that read nothing, such as fills of halos,
//      may stand between;
//   2. the height of a band: as many rows as the budget holds of all layers together,
//      but not so few that calls and rows at the edges cost what nearness gains;
//   3. progress: which rows of each layer the rows of the last one need;
//   4. cutting: every step becomes one step a band and image, over views of its rows.
#include "codegen/cpu/RowBands.h"

#include "codegen/kernel/Pieces.h"
#include "codegen/kernel/ViewOrigin.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::RowRange;

// Of a band's bytes, what lies between two of its layers in the mean is at least this.
static constexpr double leastShare = 0.1;

namespace {

class Bander {
public:
  Bander(kernel::ProgramOp program, const BandLimits &limits) : program(program), limits(limits) {}
  void run();

private:
  size_t cut(ArrayRef<Operation *> steps);
  int64_t heightOf(const Chain &chain);
  void emit(Chain &chain, int64_t height);

  kernel::ProgramOp program;
  BandLimits limits;
};

} // namespace

//===----------------------------------------------------------------------===//
// Bands
//===----------------------------------------------------------------------===//

// How far each layer has to be for the last one to have `rows` rows.
static SmallVector<int64_t> progress(const Chain &chain, int64_t rows) {
  SmallVector<int64_t> ends(chain.size(), 0);
  ends.back() = rows;
  for (size_t i = chain.size(); i-- > 0;)
    for (const Link &one : chain[i].links) {
      if (ends[i] == 0)
        continue;
      int64_t end = chain[i].rowsOf(one.operand, {ends[i] - 1, ends[i]}).end + one.shift;
      int64_t &reached = ends[one.producer];
      reached = std::clamp<int64_t>(end, reached, chain[one.producer].rows());
    }
  return ends;
}

// Bytes that one band of `height` rows touches, away from the image's edges.
static double bandBytes(const Chain &chain, int64_t height) {
  int64_t first = (chain.back().rows() - height) / 2;
  SmallVector<int64_t> before(chain.size(), 0), after = progress(chain, first + height);
  if (first > 0)
    before = progress(chain, first);
  double bytes = 0;
  for (size_t i = 0; i < chain.size(); ++i) {
    const Layer &layer = chain[i];
    RowRange rows{before[i], after[i]};
    if (rows.begin >= rows.end)
      continue;
    for (unsigned operand = 0; operand < layer.places.size(); ++operand) {
      const Place &place = layer.places[operand];
      bool inside =
          llvm::any_of(layer.links, [&](const Link &one) { return one.operand == operand; });
      if (!layer.hasRows(operand)) {
        double weights = kernel::elementBytes(place.elementType);
        for (int64_t size : place.sizes)
          weights *= size;
        bytes += weights;
      } else if (!inside) {
        RowRange read = layer.rowsOf(operand, rows);
        bytes += double(place.rowBytes()) * (read.end - read.begin);
      } else if (operand == 0) { // the rows that two bands read
        bytes += double(place.rowBytes()) *
                 std::max<int64_t>(0, layer.window.reach - layer.window.stride);
      }
    }
  }
  return bytes;
}

static constexpr int64_t mostTried = 4096; // heights, one by one

// The tallest bands within the budget, evened out; 0 where they would be too small to pay, or too
// many.
int64_t Bander::heightOf(const Chain &chain) {
  int64_t rows = chain.back().rows(), height = rows;
  auto fits = [&](int64_t band) { return bandBytes(chain, band) <= limits.bandBytes; };
  for (int64_t low = 0; rows > mostTried && low < height;) { // taller bands take more
    int64_t middle = low + (height - low + 1) / 2;
    if (fits(middle))
      low = middle;
    else
      height = middle - 1;
  }
  while (height > 0 && !fits(height))
    --height;
  if (height == 0 || double(llvm::divideCeil(rows, height)) * chain.front().images() > mostPieces)
    return 0;
  int64_t even = llvm::divideCeil(rows, llvm::divideCeil(rows, height));
  int64_t divisor = height; // bands of equal height share their code
  while (rows % divisor != 0 && divisor * 4 >= even * 3)
    --divisor;
  height = divisor * 4 >= even * 3 ? divisor : even;
  double bands = double(rows) / height, links = chain.size() - 1;
  return bytesBetween(chain) / (links * bands) < leastShare * limits.bandBytes ? 0 : height;
}

//===----------------------------------------------------------------------===//
// Cutting
//===----------------------------------------------------------------------===//

static Value viewOf(Place place, int64_t image, RowRange rows, OpBuilder &b, Location loc) {
  place.sizes[imageDim] = 1;
  place.sizes[rowDim] = rows.end - rows.begin;
  place.offset += image * place.strides[imageDim] + rows.begin * place.strides[rowDim];
  return place.view(b, loc);
}

void Bander::emit(Chain &chain, int64_t height) {
  OpBuilder b(chain.back().step);
  int64_t rows = chain.back().rows(), bands = llvm::divideCeil(rows, height);
  int64_t pieces = bands * chain.front().images();
  int64_t number = kernel::newStepNumber(program);
  for (int64_t image = 0; image < chain.front().images(); ++image) {
    SmallVector<int64_t> done(chain.size(), 0);
    for (int64_t band = 0; band < bands; ++band) {
      SmallVector<int64_t> ends = progress(chain, std::min(rows, (band + 1) * height));
      for (auto [i, layer] : llvm::enumerate(chain)) {
        // Rows that nothing in the chain reads are computed with the last band.
        int64_t end = band + 1 == bands ? layer.rows() : ends[i];
        if (end <= done[i])
          continue;
        RowRange out{done[i], end};
        done[i] = end;
        IRMapping mapping;
        for (auto [operand, place] : llvm::enumerate(layer.places))
          if (layer.hasRows(operand))
            mapping.map(layer.step->getOperand(operand),
                        viewOf(place, image, layer.rowsOf(operand, out), b, layer.step->getLoc()));
        auto piece = cast<kernel::RowwiseInterface>(b.clone(*layer.step, mapping));
        piece.cutToRows(out, layer.places[0].sizes[rowDim]);
        piece.setPieceAttr(kernel::PieceAttr::get(b.getContext(), number + int64_t(i), pieces));
      }
    }
  }
  for (Layer &layer : chain)
    layer.step->erase();
}

// Cuts the chain that begins with the first step; returns the steps that are done.
size_t Bander::cut(ArrayRef<Operation *> steps) {
  Chain chain;
  size_t taken = 0;
  int64_t height = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    bool readsNothing = cast<kernel::StepInterface>(steps[i]).getInputs().empty();
    if (!chain.empty() && readsNothing && !touches(steps[i], chain))
      continue;
    if (!chain.empty() && chain.back().imageBytes() * chain.back().images() < limits.largeBytes)
      break;
    std::optional<Layer> layer;
    if (!isa<kernel::CopyOp>(steps[i])) // of channels, whose rows lie far from each other
      layer = layerOf(steps[i]);
    if (!layer || !link(*layer, chain))
      break;
    chain.push_back(*layer);
    if (chain.size() == 1)
      continue;
    int64_t next = heightOf(chain);
    if (next == 0 || (next == layer->rows() && layer->images() == 1)) {
      chain.pop_back();
      break;
    }
    height = next;
    taken = i + 1;
  }
  if (taken == 0)
    return 1;
  remark::passed(chain.front().step->getLoc(),
                 remark::RemarkOpts::name("row-bands").category("kernel-row-bands"))
      << llvm::formatv("{0} layers in bands of {1} of {2} rows: {3:F1} MB an image between them "
                       "are read while they are near",
                       chain.size(), height, chain.back().rows(), bytesBetween(chain) / 1e6)
             .str();
  emit(chain, height);
  return taken;
}

void Bander::run() {
  cutChains(program, [&](ArrayRef<Operation *> steps) { return cut(steps); });
}

void symc::codegen::bandRows(kernel::ProgramOp program, const BandLimits &limits) {
  Bander(program, limits).run();
}
