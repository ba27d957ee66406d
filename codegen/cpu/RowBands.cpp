// RowBands.cpp: see RowBands.h.
//
//   1. chains: steps that follow each other, each reading the images that the one
//      before wrote, where these are larger than the last cache, or than a core's own where
//      steps do little else than to move them; steps that read nothing, such as fills of halos,
//      may stand between;
//   2. the height of a band: as many rows as the budget holds of all layers together,
//      but not so few that calls and rows at the edges cost what nearness gains;
//   3. progress: which rows of each layer the rows of the last one need;
//   4. cutting: every step becomes one step a band and image, over views of its rows.
#include "codegen/cpu/RowBands.h"

#include "codegen/kernel/Pieces.h"
#include "codegen/kernel/ViewOrigin.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::RowRange;
using kernel::ViewOrigin;

// The dimensions of an image that bands cut.
static constexpr unsigned imageDim = 0, rowDim = 2, columnDim = 3;

// Of a band's bytes, what lies between two of its layers in the mean is at least this.
static constexpr double leastShare = 0.1;

namespace {

/// A view of constant extents in plain numbers.
struct Place {
  Value root;
  Type elementType;
  int64_t offset;
  SmallVector<int64_t, 6> sizes, strides;

  int64_t rowBytes() const {
    int64_t bytes = kernel::elementBytes(elementType);
    for (auto [d, size] : llvm::enumerate(sizes))
      bytes *= d == imageDim || d == rowDim || strides[d] == 0 ? 1 : size;
    return bytes;
  }
};

/// An operand whose rows another layer of the chain writes.
struct Link {
  unsigned operand;
  size_t producer;
  int64_t shift; // row 0 of the view is that row of the producer's output
};

struct Layer {
  kernel::RowwiseInterface step;
  kernel::RowWindow window;
  SmallVector<Place> places; // of all operands
  unsigned out;              // the operand that is written
  SmallVector<Link> links;

  int64_t rows() const { return places[out].sizes[rowDim]; }
  int64_t images() const { return places[out].sizes[imageDim]; }
  /// What it writes for one image.
  double imageBytes() const { return double(places[out].rowBytes()) * rows(); }
  /// What the rows `of` the output read of an operand.
  RowRange rowsOf(unsigned operand, RowRange of) const {
    return operand == 0 ? window.reads(of, places[0].sizes[rowDim]) : of;
  }
  bool hasRows(unsigned operand) const { return kernel::RowwiseInterface(step).hasRows(operand); }
};

using Chain = std::vector<Layer>;

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
// Chains
//===----------------------------------------------------------------------===//

static std::optional<Place> placeOf(Value value) {
  FailureOr<ViewOrigin> view = kernel::traceView(value);
  if (failed(view))
    return std::nullopt;
  bool constant = true;
  auto number = [&](AffineExpr expr) {
    auto known = dyn_cast<AffineConstantExpr>(expr);
    constant &= bool(known);
    return known ? known.getValue() : 0;
  };
  Place place{view->root, view->elementType, number(view->offset), {}, {}};
  for (AffineExpr size : view->sizes)
    place.sizes.push_back(number(size));
  for (AffineExpr stride : view->strides)
    place.strides.push_back(number(stride));
  return constant ? std::optional(place) : std::nullopt;
}

// The step as a layer of images with rows; nothing where it is none, or a piece already.
static std::optional<Layer> layerOf(Operation *step) {
  auto rowwise = dyn_cast<kernel::RowwiseInterface>(step);
  if (!rowwise || !rowwise.getPiece().empty())
    return std::nullopt;
  Layer layer{rowwise, rowwise.getRowWindow(), {}, unsigned(step->getNumOperands() - 1), {}};
  for (Value operand : step->getOperands()) {
    std::optional<Place> place = placeOf(operand);
    if (!place)
      return std::nullopt;
    layer.places.push_back(*place);
  }
  for (unsigned i = 0; i <= layer.out; ++i)
    if (layer.hasRows(i) && layer.places[i].sizes.size() != 5)
      return std::nullopt;
  return layer;
}

// The row of `out` that the first row of `view` is, where both lie over one image. A view whose
// images overlap (unfold_images) is of other images, too.
static std::optional<int64_t> shiftOf(const Place &view, const Place &out) {
  int64_t channels = view.sizes[1] * view.strides[1];
  if (channels > view.strides[imageDim] && view.sizes[imageDim] > 1)
    return std::nullopt;
  for (unsigned d : {imageDim, 1u, rowDim, columnDim})
    if (view.strides[d] != out.strides[d] && view.sizes[d] != 1)
      return std::nullopt;
  int64_t distance = view.offset - out.offset, row = out.strides[rowDim];
  if (std::abs(distance) >= out.strides[1] / 2 && out.sizes[1] > 1)
    return std::nullopt;
  if (std::abs(distance) >= out.sizes[rowDim] * row && distance)
    return std::nullopt;
  return llvm::divideFloorSigned(distance + row / 2, row);
}

// Adds what `layer` reads of the chain; false where it can't be a layer of it.
static bool link(Layer &layer, const Chain &chain) {
  for (auto [number, before] : llvm::enumerate(chain)) {
    Value written = before.places[before.out].root;
    for (unsigned i = 0; i < layer.places.size(); ++i) {
      const Place &place = layer.places[i];
      if (i == layer.out
              ? llvm::any_of(before.places,
                             [&](const Place &other) { return other.root == place.root; })
              : place.root == written && !layer.hasRows(i))
        return false;
      if (i == layer.out || place.root != written)
        continue;
      std::optional<int64_t> shift = shiftOf(place, before.places[before.out]);
      if (!shift)
        return false;
      layer.links.push_back({i, number, *shift});
    }
  }
  return chain.empty() || (layer.images() == chain.front().images() &&
                           llvm::any_of(layer.links, [&](const Link &one) {
                             return one.operand == 0 && one.producer + 1 == chain.size();
                           }));
}

static bool touches(Operation *step, const Chain &chain) {
  for (Value operand : step->getOperands()) {
    FailureOr<ViewOrigin> view = kernel::traceView(operand);
    if (failed(view))
      return true;
    for (const Layer &layer : chain)
      for (const Place &place : layer.places)
        if (place.root == view->root)
          return true;
  }
  return false;
}

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

// What a copy from or to rows reads or writes side by side: `height` rows of one channel.
static constexpr int64_t leastPlaneBytes = 4096;
static int64_t planeBytes(const Layer &layer, int64_t height) {
  int64_t least = leastPlaneBytes;
  for (const Place &place : layer.places)
    if (isa<kernel::CopyOp>(layer.step) && place.strides[columnDim] == 1)
      least = std::min(least,
                       height * place.sizes[columnDim] * kernel::elementBytes(place.elementType));
  return least;
}

static double bytesBetween(const Chain &chain) {
  double bytes = 0;
  for (size_t i = 0; i + 1 < chain.size(); ++i)
    bytes += chain[i].imageBytes();
  return bytes;
}

// So many heights are tried one by one, and a chain is cut into so many pieces.
static constexpr int64_t mostTried = 4096, mostPieces = 16384;

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
  if (limits.movesOnly && llvm::any_of(chain, [&](const Layer &layer) {
        return planeBytes(layer, height * layer.rows() / rows) < leastPlaneBytes;
      }))
    return 0;
  double bands = double(rows) / height, links = chain.size() - 1;
  return bytesBetween(chain) / (links * bands) < leastShare * limits.bandBytes ? 0 : height;
}

//===----------------------------------------------------------------------===//
// Cutting
//===----------------------------------------------------------------------===//

static Value viewOf(const Place &place, int64_t image, RowRange rows, OpBuilder &b, Location loc) {
  SmallVector<int64_t> sizes(place.sizes);
  sizes[imageDim] = 1;
  sizes[rowDim] = rows.end - rows.begin;
  int64_t offset =
      place.offset + image * place.strides[imageDim] + rows.begin * place.strides[rowDim];
  auto type = MemRefType::get(sizes, place.elementType,
                              StridedLayoutAttr::get(b.getContext(), offset, place.strides));
  auto folded = [&](ArrayRef<int64_t> values) {
    SmallVector<OpFoldResult> list;
    for (int64_t value : values)
      list.push_back(b.getIndexAttr(value));
    return list;
  };
  return memref::ReinterpretCastOp::create(b, loc, type, place.root, b.getIndexAttr(offset),
                                           folded(sizes), folded(place.strides));
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
        piece.setPiece({number + int64_t(i), pieces});
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
    bool isOther = limits.movesOnly && isa<kernel::ConvOp>(steps[i]);
    std::optional<Layer> layer = isOther ? std::nullopt : layerOf(steps[i]);
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
  SmallVector<Operation *> steps;
  for (Operation &op : program.getBody().front())
    if (isa<kernel::StepInterface>(op))
      steps.push_back(&op);
  for (size_t at = 0; at < steps.size();)
    at += cut(ArrayRef(steps).drop_front(at));
}

BandLimits BandLimits::of(const TargetDescription &target) {
  return {double(target.l3Bytes), target.l3Bytes / 2.0};
}

BandLimits BandLimits::ofMoves(const TargetDescription &target) {
  return {2.0 * target.l2Bytes, double(target.l2Bytes), /*movesOnly=*/true};
}

void symc::codegen::bandRows(kernel::ProgramOp program, const BandLimits &limits) {
  Bander(program, limits).run();
}
