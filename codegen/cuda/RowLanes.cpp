// RowLanes.cpp: see RowLanes.h.
#include "codegen/cuda/RowLanes.h"

#include "codegen/cuda/ExactWeights.h"
#include "codegen/kernel/ViewOrigin.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace symc::codegen::cuda {

constexpr int64_t channels = 4, columns = 8, lanes = channels * columns, block = 16;

namespace {

using Numbers = SmallVector<int64_t, 6>;
using Place = kernel::KnownView;

/// A convolution that takes the form, and all that touches its planes.
struct Layer {
  kernel::ConvOp conv;
  Place data;
  SmallVector<kernel::FillOp> fills = {};
  SmallVector<kernel::CopyOp> copies = {};
};

class RowLanes {
public:
  RowLanes(ArrayRef<ModuleOp> modules, FloatType type) : modules(modules), type(type) {}
  void run();

private:
  void collect(kernel::ProgramOp program, bool isEntry);
  void change(Layer &layer);
  void fillPanels(kernel::ProgramOp prepare, StringRef name, Location location);
  MemRefType panels(MemRefType old) const {
    return MemRefType::get({old.getDimSize(0), 1, old.getDimSize(2), 1, lanes, block}, type);
  }

  ArrayRef<ModuleOp> modules;
  FloatType type;
  llvm::MapVector<StringRef, std::vector<Layer>> layers; // by weights
  llvm::StringMap<MemRefType> kept;                      // types of weights before
  llvm::StringMap<bool> others;                          // weights with other users
};

} // namespace

static Value viewOf(OpBuilder &b, Location location, const Place &place) {
  Type element = cast<MemRefType>(place.root.getType()).getElementType();
  auto layout = StridedLayoutAttr::get(b.getContext(), place.offset, place.strides);
  return memref::ReinterpretCastOp::create(b, location,
                                           MemRefType::get(place.sizes, element, layout),
                                           place.root, place.offset, place.sizes, place.strides);
}

// The accesses of a buffer that is fills, copies of whole planes and one convolution's data.
static bool findAccesses(Value value, Layer &layer) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (kernel::isView(user)) {
      if (!findAccesses(user->getResult(0), layer))
        return false;
    } else if (auto fill = dyn_cast<kernel::FillOp>(user)) {
      auto zero = dyn_cast<FloatAttr>(fill.getValue());
      if (!zero || !zero.getValue().isPosZero())
        return false;
      layer.fills.push_back(fill);
    } else if (auto copy = dyn_cast<kernel::CopyOp>(user); copy && use == copy.getTargetMutable()) {
      layer.copies.push_back(copy);
    } else if (user != layer.conv || use != layer.conv.getDataMutable()) {
      return false;
    }
  }
  return true;
}

static std::optional<Layer> layerOf(kernel::ConvOp conv) {
  std::optional<Place> data = kernel::traceKnownView(conv.getData()),
                       out = kernel::traceKnownView(conv.getOut());
  auto weights = cast<MemRefType>(conv.getWeights().getType());
  if (!data || !out || !data->root.getDefiningOp<kernel::BufferOp>() || data->sizes.size() != 5 ||
      weights.getRank() != 6 || !weights.getElementType().isF32())
    return std::nullopt;
  int64_t planes = data->sizes[4], plane = data->strides[4], width = data->strides[2];
  bool isPlanar = data->sizes[1] == 1 && data->offset == 0 && data->strides[3] == 1 &&
                  plane == data->sizes[2] * width && data->strides[0] == planes * plane &&
                  width == data->sizes[3] && planes >= 2 && planes <= channels;
  bool isKernel = conv.getKernel()[1] >= 2 && conv.getKernel()[1] <= columns &&
                  conv.getStrides()[1] % 2 == 0 && conv.getDilations()[0] == 1 &&
                  conv.getDilations()[1] == 1 && int64_t(conv.getInChannels()) == planes;
  Layer layer = {conv, *data};
  if (!isPlanar || !isKernel || !findAccesses(data->root, layer))
    return std::nullopt;
  for (kernel::CopyOp copy : layer.copies) {
    std::optional<Place> target = kernel::traceKnownView(copy.getTarget()),
                         source = kernel::traceKnownView(copy.getSource());
    if (!target || !source || target->sizes.size() != 4 || target->sizes[1] != planes ||
        target->strides != Numbers{data->strides[0], plane, width, 1} || target->offset >= plane ||
        !cast<MemRefType>(copy.getSource().getType()).getElementType().isF32())
      return std::nullopt;
  }
  return layer;
}

void RowLanes::collect(kernel::ProgramOp program, bool isEntry) {
  for (auto weight : program.getBody().getOps<kernel::WeightOp>()) {
    kept.try_emplace(weight.getName(), cast<MemRefType>(weight.getType()));
    for (OpOperand &use : weight.getResult().getUses()) {
      auto conv = dyn_cast<kernel::ConvOp>(use.getOwner());
      std::optional<Layer> layer;
      if (isEntry && conv && use == conv.getWeightsMutable())
        layer = layerOf(conv);
      if (layer)
        layers[weight.getName()].push_back(*layer);
      else
        others[weight.getName()] = true;
    }
  }
}

// With the views of it.
static void eraseUnused(Operation *op) {
  for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
    if (kernel::isView(user))
      eraseUnused(user);
  if (op->use_empty())
    op->erase();
}

void RowLanes::change(Layer &layer) {
  kernel::ConvOp conv = layer.conv;
  Location location = conv.getLoc();
  Place &old = layer.data;
  int64_t height = old.sizes[2], width = old.strides[2], plane = old.strides[4];
  int64_t pixels = cast<MemRefType>(conv.getOut().getType()).getDimSize(3);
  int64_t apart = conv.getStrides()[1], taps = conv.getKernel()[1];
  int64_t wide = llvm::alignTo(std::max(width, (pixels - 1) * apart + columns), 2);
  Operation *buffer = old.root.getDefiningOp();
  OpBuilder b(buffer);
  auto shape = MemRefType::get({old.sizes[0], height, wide, channels}, type);
  Value rows = kernel::BufferOp::create(b, buffer->getLoc(), shape, ValueRange(), ValueRange(),
                                        IntegerAttr());
  auto mark = [&](Operation *op) { op->setAttr(kernel::narrowName, b.getUnitAttr()); };
  Numbers strides{height * wide * channels, wide * channels, channels, 1};
  Location filled = layer.fills.empty() ? location : layer.fills.front().getLoc();
  kernel::FillOp::create(b, filled,
                         viewOf(b, filled, {rows, 0, Numbers(shape.getShape()), strides}),
                         b.getFloatAttr(type, 0));
  for (kernel::CopyOp copy : layer.copies) {
    b.setInsertionPoint(copy);
    Place source = *kernel::traceKnownView(copy.getSource()),
          target = *kernel::traceKnownView(copy.getTarget());
    auto channelsLast = [](Numbers &numbers) {
      std::rotate(numbers.begin() + 1, numbers.begin() + 2, numbers.end());
    };
    channelsLast(source.sizes);
    channelsLast(source.strides);
    int64_t row = target.offset % plane / width, column = target.offset % width;
    Place to = {rows, (row * wide + column) * channels, source.sizes, strides};
    mark(kernel::CopyOp::create(b, copy.getLoc(), viewOf(b, location, source),
                                viewOf(b, location, to)));
    copy.erase();
  }
  for (kernel::FillOp fill : layer.fills)
    fill.erase();
  b.setInsertionPoint(conv);
  Place data = {rows,
                0,
                {old.sizes[0], 1, height, pixels, lanes},
                {strides[0], strides[0], strides[1], apart * channels, 1}};
  conv.getDataMutable().assign(viewOf(b, location, data));
  conv.setKernel({conv.getKernel()[0], 1});
  conv.setStrides({conv.getStrides()[0], 1});
  conv.setInChannels(taps * channels); // other lanes are not read, as little as before
  conv.removeZerosAttr();
  mark(conv);
  Value weights = conv.getWeights();
  weights.setType(panels(cast<MemRefType>(weights.getType())));
  eraseUnused(buffer);
}

// Its own weights go to a buffer, and at its end to where terms of rows lie.
void RowLanes::fillPanels(kernel::ProgramOp prepare, StringRef name, Location location) {
  Value exact = keepExact(prepare, name);
  if (!exact)
    return;
  auto old = cast<MemRefType>(exact.getType());
  int64_t outputs = old.getDimSize(0), height = old.getDimSize(2), width = old.getDimSize(3),
          planes = old.getDimSize(4);
  OpBuilder b(prepare.getBody().front().getTerminator());
  Value place = kernel::WeightOp::create(b, location, panels(old), name);
  Numbers all5{height * lanes * block, lanes * block, channels * block, block, 1};
  Place zeros = {place, 0, {outputs, height, columns, channels, block}, all5};
  kernel::FillOp::create(b, location, viewOf(b, location, zeros), b.getFloatAttr(type, 0));
  Numbers sizes{outputs, height, width, planes, block};
  Place from = {
      exact,
      0,
      sizes,
      {height * width * planes * block, width * planes * block, planes * block, block, 1}};
  writeRounded(b, location, viewOf(b, location, from),
               viewOf(b, location, {place, 0, sizes, all5}));
}

void RowLanes::run() {
  for (ModuleOp module : modules)
    for (auto variant : module.getOps<kernel::VariantOp>())
      for (auto program : variant.getBody().getOps<kernel::ProgramOp>())
        collect(program, program == variant.getEntry());
  for (auto &[name, ofWeight] : layers) {
    if (others.lookup(name))
      continue;
    for (Layer &layer : ofWeight)
      change(layer);
    for (ModuleOp module : modules) {
      if (auto prepare = module.lookupSymbol<kernel::ProgramOp>("prepare_program"))
        fillPanels(prepare, name, ofWeight.front().conv.getLoc());
      for (auto prepared : module.getOps<kernel::PreparedOp>())
        if (prepared.getSymName() == name)
          prepared.setType(panels(kept.lookup(name)));
    }
  }
}

void layRowsAsLanes(ArrayRef<ModuleOp> modules, FloatType type) { RowLanes(modules, type).run(); }

} // namespace symc::codegen::cuda
