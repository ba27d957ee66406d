// Tensors.h: where each value of a graph lies while it is being scheduled. A
// value has up to two forms: plain (row-major) and blocked ([N][C/B][H][W][B], B the
// target's block width, with a halo of zeros around the image, for the padding that its
// consumers need). A form is made when it is first needed.
#ifndef SYMC_CODEGEN_SCHEDULE_TENSORS_H
#define SYMC_CODEGEN_SCHEDULE_TENSORS_H

#include "codegen/kernel/Extents.h"
#include "codegen/kernel/KernelDialect.h"
#include "codegen/kernel/ViewOrigin.h"
#include "codegen/target/Target.h"
#include "ir/GraphDialect.h"
#include "ir/Interval.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <functional>

namespace symc::codegen {

/// A strided view that is not yet an operation. Extents are affine expressions
/// over the program's symbolic sizes.
struct ViewSpec {
  mlir::Value base;
  mlir::AffineExpr offset;
  llvm::SmallVector<mlir::AffineExpr, 5> sizes, strides;
};

/// Zeros around images in memory, in pixels, as many before as behind.
struct Halo {
  int64_t h = 0, w = 0;

  /// The narrowest one that holds all padding.
  static Halo around(const kernel::Padding &padding) {
    return {std::max(padding.top, padding.bottom), std::max(padding.left, padding.right)};
  }
  Halo joined(Halo other) const { return {std::max(h, other.h), std::max(w, other.w)}; }
  bool holds(Halo other) const { return h >= other.h && w >= other.w; }
  kernel::Padding padding() const { return {h, h, w, w}; }
};

/// A place inside the blocked form of another value: that of a concatenation, or every step-th
/// pixel of it along rows and columns.
struct Placement {
  mlir::Value whole;
  int64_t image = 0, channel = 0; // its first ones there; a block begins at the channel
  int64_t row = 0, column = 0, step = 1;
};

/// What a prepared weight is packed as: the kinds of #kernel.form that no algorithm owns.
namespace weight_form {
inline constexpr llvm::StringLiteral plain = "plain", panels = "panels", depthwise = "depthwise",
                                     vector = "vector", quads = "quads";
} // namespace weight_form

/// A request that @main makes of @prepare.
struct WeightRequest {
  mlir::Value source; // sg.parameter or sg.prepared result in @main
  kernel::FormAttr form;
  int64_t lanes; // input channels of a panel: a block's, or C where data is planar
  int64_t group = 0, groups = 1;
  std::string symbol; // of the kernel.prepared
  mlir::MemRefType type;
  /// A view of the source's elements in its place, where the source holds several
  /// matrices: [O, I, kH, kW], a batch of these or a vector.
  struct Part {
    int64_t offset = 0;
    llvm::SmallVector<int64_t, 4> sizes, strides;
  } part = {};
};

/// Builds one kernel.program: arguments, buffers, views, forms.
class Tensors {
public:
  Tensors(mlir::OpBuilder &builder, kernel::ProgramOp program, const Target &target)
      : Tensors(builder, program, target, kernel::symbolRanges(program)) {}
  /// Without a program, for layouts: queries alone. `ranges`: those of the graph's sizes.
  Tensors(mlir::OpBuilder &builder, const Target &target, const sg::SymbolRanges &ranges)
      : Tensors(builder, kernel::ProgramOp(), target, ranges) {}

  mlir::OpBuilder &builder;
  kernel::ProgramOp program;
  const Target &target;
  const int64_t blockWidth; // the target's

  /// #kernel.form<kind>.
  kernel::FormAttr form(llvm::StringRef kind) const {
    return kernel::FormAttr::get(builder.getContext(), kind);
  }

  // Affine helpers.
  mlir::MLIRContext *context() const { return builder.getContext(); }
  mlir::AffineExpr constant(int64_t value) const;
  /// What an extent may be.
  sg::Interval rangeOf(mlir::AffineExpr extent) const;
  /// The expression as an attribute or an affine.apply of the symbolic sizes.
  mlir::OpFoldResult fold(mlir::AffineExpr expr);
  mlir::Value materialise(const ViewSpec &view, mlir::Location location);
  static mlir::Type storageType(mlir::Type elementType); // signless
  /// How the target computes layers of the value's elements; null where it has none of them.
  const ElementRow *layerElements(mlir::Value value) const;

  /// A new arena buffer of these extents.
  mlir::Value buffer(llvm::ArrayRef<mlir::AffineExpr> extents, mlir::Type elementType,
                     mlir::Location location);

  /// Writes the panels or taps that a layer reads, of a weight [O, I, ...].
  void pack(const WeightRequest &request, ViewSpec weight, mlir::Value target,
            mlir::Location location);

  /// Declares that `value`'s plain form lies in `memref` (argument, weight).
  void setPlain(mlir::Value value, mlir::Value memref) { plain[value] = memref; }
  /// The halo that a blocked form of `value` gets when it is made.
  llvm::DenseMap<mlir::Value, Halo> halos; // looked up only
  Halo haloOf(mlir::Value value) const;
  /// What halos hold of integers whose zero is another number; 0 where there is none.
  llvm::DenseMap<mlir::Value, int64_t> borders; // looked up only
  int64_t borderOf(mlir::Value value) const { return borders.lookup(value); }

  /// What the steps of a recurrent layer keep for its gradient.
  struct RecurrentKept {
    llvm::SmallVector<mlir::Value> gates, cells; // of each direction of each layer
    llvm::SmallVector<mlir::Value> results;      // of each layer
    // Of each direction, where they are other than results: states, and those before projection.
    llvm::SmallVector<mlir::Value> states, unprojected;
  };
  llvm::DenseMap<mlir::Operation *, RecurrentKept> recurrentKept; // looked up only

  /// Values that are written where a concatenation, or a depth_to_space of one, has them.
  llvm::DenseMap<mlir::Value, Placement> placements; // looked up only
  /// Whether the value's blocked form was written in its place.
  bool isInPlace(mlir::Value value) const { return inPlace.contains(value); }

  bool hasBlocked(mlir::Value value) const { return blocked.count(value); }
  bool hasPlain(mlir::Value value) const { return plain.count(value); }

  /// Row-major view of the value; made from the blocked form where needed.
  ViewSpec plainView(mlir::Value value, mlir::Location location);
  /// The value in its own order of extents, with whatever strides it has: a view of
  /// another plain value where it is one, else plainView.
  ViewSpec stridedView(mlir::Value value, mlir::Location location);
  /// The same as [N, C, H, W]; a rank of 3 has one row.
  ViewSpec imageView(mlir::Value value, mlir::Location location);
  /// Declares that `value` is this view; plain memory is made where it is needed.
  void setStrided(mlir::Value value, const ViewSpec &view) { strided[value] = view; }
  /// Whether the value is a view of another's memory, and its rows were not needed yet.
  bool isStrided(mlir::Value value) const { return strided.count(value) && !hasPlain(value); }
  /// The plain memref itself (for kernel.call).
  mlir::Value plainMemref(mlir::Value value, mlir::Location location);
  /// Row-major memory for a result: the program's output argument where the
  /// value is a head that has none yet, else a buffer.
  ViewSpec createPlain(mlir::Value value, mlir::Location location);
  /// Blocked memory for a result, its halo filled.
  ViewSpec createBlocked(mlir::Value value, mlir::Location location);
  /// [N, CB, top + H + bottom, left + W + right, 16] over the blocked form, which is made
  /// where there is none with that halo.
  ViewSpec blockedView(mlir::Value value, const kernel::Padding &padding, mlir::Location location);
  /// Views to read `data` and to write `result`, both in blocks or both in rows.
  std::pair<ViewSpec, ViewSpec> viewsOf(mlir::Value data, mlir::Value result, bool blocks,
                                        mlir::Location location);
  /// Declares that `value`'s blocked form is this part of another's, `halo` around it.
  void setBlocked(mlir::Value value, const ViewSpec &part, Halo halo) {
    blocked[value] = {part, halo};
  }
  /// The zeros around the blocked form that `value` has.
  Halo blockedHalo(mlir::Value value) const { return blocked.lookup(value).halo; }
  /// A result that lies where another value's plain form does.
  void alias(mlir::Value result, mlir::Value source, mlir::Location location);

  /// Called for weight values; gives the memref in that form.
  std::function<mlir::Value(WeightRequest)> requestWeight;
  /// True for sg.parameter and sg.prepared results.
  static bool isWeight(mlir::Value value);

  /// Output argument that a head may be computed into.
  llvm::DenseMap<mlir::Value, mlir::Value> headMemory;

  /// The value's shape as [N, C, H, W] (rank 3: H = 1) over expressions.
  llvm::SmallVector<mlir::AffineExpr, 4> imageShape(mlir::Value value) const;
  ViewSpec rowMajor(mlir::Value base, llvm::ArrayRef<mlir::AffineExpr> extents);
  /// Copies between two views of one shape.
  void copy(const ViewSpec &from, const ViewSpec &to, mlir::Location location);
  void fill(const ViewSpec &view, mlir::Attribute value, mlir::Location location);
  /// `zero` around what is inside of `whole`, whose rows and columns are axes 2 and 3.
  void fillBorder(const ViewSpec &whole, const kernel::Padding &border, mlir::Location location,
                  int64_t zero = 0);
  /// What the border surrounds.
  static ViewSpec withinBorder(ViewSpec whole, const kernel::Padding &border);
  /// Images [N, C, H, W] pixel by pixel: [N, 1, H, W, C].
  ViewSpec pixelwise(const ViewSpec &image) const;
  /// A copy of images [N, C, H, W], or of blocks of them, with `zero` around them, row-major.
  ViewSpec padded(const ViewSpec &image, const kernel::Padding &padding, mlir::Location location,
                  int64_t zero = 0);
  /// The [N, CB, H, W, 16] (and tail) views over planar memory, paired with
  /// those of blocked memory; calls `visit` for each pair.
  void pairPlanarBlocked(const ViewSpec &planar, const ViewSpec &blockedInterior, int64_t channels,
                         llvm::function_ref<void(const ViewSpec &, const ViewSpec &)> visit);

private:
  Tensors(mlir::OpBuilder &builder, kernel::ProgramOp program, const Target &target,
          const sg::SymbolRanges &ranges)
      : builder(builder), program(program), target(target), blockWidth(target.blockWidth),
        ranges(ranges) {}
  const sg::SymbolRanges ranges;

  struct Blocked {
    ViewSpec interior; // [N, CB, H, W, 16]
    Halo halo;         // zeros around each image
  };
  static ViewSpec viewOf(const Blocked &form, const kernel::Padding &padding);
  Blocked allocateBlocked(mlir::Value value, Halo halo, mlir::Location location);
  llvm::DenseMap<mlir::Value, mlir::Value> plain;
  llvm::DenseMap<mlir::Value, ViewSpec> strided; // looked up only
  llvm::DenseMap<mlir::Value, Blocked> blocked;
  llvm::DenseSet<mlir::Value> inPlace; // looked up only
  llvm::DenseMap<mlir::AffineExpr, mlir::Value> applied;
};

/// The extents of a value's type.
llvm::SmallVector<mlir::AffineExpr, 4> extentsOf(mlir::Value value);

/// Their product; 1 of no extents.
mlir::AffineExpr countOf(llvm::ArrayRef<mlir::AffineExpr> extents, mlir::MLIRContext *context);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_TENSORS_H
