// ConvAlgorithm.h: a way to compute convolutions and matrix products, a row of the table
// that the choice, --force-kernel, tuner and bench read. A row decides which layers it can
// compute and how exactly, cuts one for a target and builds its step. Beside the row stands the
// model of its step (TunableStep.h), which tuner, report and planner of tiles
// call. Everything about an algorithm stands in its folder here; files called *Algorithm.cpp
// join by being there.
#ifndef SYMC_CODEGEN_CONV_CONVALGORITHM_H
#define SYMC_CODEGEN_CONV_CONVALGORITHM_H

#include "codegen/kernel/ConvTile.h"
#include "codegen/kernel/KernelDialect.h"
#include <memory>

namespace symc::codegen {

struct TargetDescription; // which cost models read; schedules hand it on
struct ProductRow;        // the same
class ConvAlgorithm;
const ConvAlgorithm *directAlgorithm();

/// A convolution. Output extents are mlir::ShapedType::kDynamic at run time.
struct ConvLayer {
  int64_t images, rows, columns;
  int64_t inChannels, outChannels;
  int64_t kernel[2], strides[2], dilations[2];
  bool blocked;        // data comes in blocks of 16 channels
  int64_t extras = 0;  // views that the step's body reads
  bool flat = false;   // pixels of all views lie at one distance
  bool matrix = false; // columns are rows of a matrix, whose number grows with the batch
  double met = 1;      // of a dilated window's products, those that meet the image
  /// By which its direct step multiplies, if that is not float32's.
  const ProductRow *product = nullptr;
  bool columnPairs = false; // whose steps take two columns of a window (ColumnPairs.h)
};

/// How one layer is computed.
struct TuningChoice {
  ConvTile tile;           // of the register kernel
  bool pixelsOutside;      // direct: pixel tiles outside, channels inside
  double microseconds = 0; // as measured; 0 = unknown
  const ConvAlgorithm *algorithm = directAlgorithm();

  StepChoice ofStep() const { return {tile, pixelsOutside}; }
};

/// An image whose pixels that lie a stride apart became channels: channel
/// c * stride^2 + i * stride + j holds those of channel c at rows i and columns j modulo
/// the stride.
struct SpaceToDepth {
  int64_t stride;
  int64_t images, rows, columns, channels; // of the image that is made, in channels' blocks
};

/// Prepared weights that are no panels.
struct WeightsForm {
  kernel::FormAttr form;
  mlir::MemRefType type;
};

/// Where a step is built, and what it gets from the schedule.
struct StepSite {
  mlir::OpBuilder &builder;
  mlir::Location location;
  mlir::Value data;
  mlir::ValueRange extras;
  mlir::Value out;
  llvm::function_ref<mlir::Value(const WeightsForm &form)> weights;
  /// A buffer of f32 with a row for each task.
  llvm::function_ref<mlir::Value(int64_t rows, int64_t elements)> scratch;
  /// The words by which tasks take rows of scratch.
  llvm::function_ref<mlir::Value()> slots;
};

/// How the step of one layer is cut for a target.
class ConvCut {
public:
  virtual ~ConvCut() = default;
  /// Half a sentence: "4 tasks, 16 tiles and 2 output blocks at once".
  virtual std::string describe() const = 0;
  /// The image that the step reads, where it is not the layer's.
  virtual std::optional<SpaceToDepth> dataForm() const { return std::nullopt; }
  /// Builds the step and returns its body, to be filled.
  virtual mlir::Region &create(const StepSite &site) const = 0;

  double cycles = 0; // the model's, of one core for all images
};

class ConvAlgorithm {
public:
  virtual ~ConvAlgorithm() = default;

  /// "direct": the value of --force-kernel, and the word of tuning files.
  const llvm::StringLiteral name;
  /// In sentences.
  const llvm::StringLiteral title;
  /// The algorithm is taken where its cycles are at most this share of direct ones: its
  /// weights may be larger, the model may err.
  const double shareNeeded;

  /// Why it can't compute the layer, half a sentence; nothing where it can.
  virtual std::string obstacle(const ConvLayer &layer) const = 0;
  /// Whether that obstacle is reported where no algorithm fits.
  virtual bool isMeantFor(const ConvLayer &layer) const = 0;
  /// The largest error of an output channel against exact arithmetic over the channel's
  /// largest value, of sums over so many input channels: a table, at least twice what
  /// tools/scripts/oracles/measure_errors.py finds, which tests validate.
  virtual double errorBound(int64_t channels) const = 0;
  /// Whether what one pixel, or one row of a matrix, holds reaches the results of others
  /// beyond its window and tile: an infinity there makes them NaN, a large value inexact.
  virtual bool mixesPixels() const { return false; }
  /// The channels over which the layer's step sums.
  virtual int64_t summedChannels(const ConvLayer &layer) const { return layer.inChannels; }
  double errorBoundOf(const ConvLayer &layer) const { return errorBound(summedChannels(layer)); }
  /// The cheapest cut of a layer that it can compute.
  virtual std::unique_ptr<ConvCut> cut(const ConvLayer &layer,
                                       const TargetDescription &target) const = 0;

  /// The weights that the layer's step reads, the same for each cut; nothing where it reads
  /// the panels that the schedule requested.
  virtual std::optional<WeightsForm> weightsOf(const ConvLayer &layer,
                                               mlir::MLIRContext *context) const {
    return std::nullopt;
  }

  /// Makes weights [O, I, kH, kW] what a request of `form` needs; false where that is
  /// no form of this algorithm.
  virtual bool pack(kernel::FormAttr form, mlir::Value source, mlir::Value target,
                    mlir::OpBuilder &builder, mlir::Location location) const {
    return false;
  }

protected:
  ConvAlgorithm(llvm::StringLiteral name, llvm::StringLiteral title, double shareNeeded)
      : name(name), title(title), shareNeeded(shareNeeded) {}
};

/// The table: direct, then the others, those that have to gain most first.
llvm::ArrayRef<const ConvAlgorithm *> convAlgorithms();

/// The row of that name, or null.
const ConvAlgorithm *convAlgorithmNamed(llvm::StringRef name);
/// The layer that a direct step computes; its extents may be run-time values.
ConvLayer layerOf(kernel::ConvOp step);
/// The row whose step it is, or null.
const ConvAlgorithm *algorithmOf(mlir::Operation *step);
/// The names, as messages list them: "direct, ... or x".
std::string convAlgorithmNames();

/// "conv/n1/i64/o64/56x56/k3x3/s1x1/d1x1/l16/rows/e1".
std::string keyOfLayer(const ConvLayer &layer, int64_t lanes, bool flat);
std::string keyOfLayer(const ConvLayer &layer);

/// Why a layer whose extents are run-time values has no cut; empty where they are known.
std::string extentsObstacle(const ConvLayer &layer);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CONV_CONVALGORITHM_H
