// Target.h: what schedules, algorithms and cost models may query of a device: widths, element
// types, caches and how fast they are. A target's folder fills a row for each of its kinds;
// rows are data, and no code compares the name of a device.
#ifndef SYMC_CODEGEN_TARGET_TARGET_H
#define SYMC_CODEGEN_TARGET_TARGET_H

#include "mlir/IR/BuiltinTypes.h"

namespace symc::codegen {

/// Elements of one type in layers that sum products: convolutions, products of matrices,
/// recurrent layers.
struct ElementRow {
  mlir::Type (*operand)(mlir::MLIRContext *);     // of data and weights, signless
  mlir::Type (*accumulator)(mlir::MLIRContext *); // of sums, which a step's body gets
  llvm::StringLiteral panels;                     // #kernel.form of packed weights
  bool scalarBodies; // results are of the operand's type, by the body that is fused behind them
};

/// f32 summed in f32; bytes summed in i32, in quads.
llvm::ArrayRef<ElementRow> standardElements();

/// Row-major, and in blocks of a target's channels.
llvm::ArrayRef<llvm::StringLiteral> standardLayouts();

struct Target {
  /// Channels side by side in a blocked layout, and outputs side by side in a panel of
  /// weights. Kinds of one device agree: their code shares layouts and prepared weights.
  int64_t blockWidth = 16;
  llvm::ArrayRef<ElementRow> elements = standardElements();
  /// Kinds of #kernel.layout in which code reads and writes images. All have "plain"; who lacks
  /// "blocked" gets no step that needs it.
  llvm::ArrayRef<llvm::StringLiteral> layouts = standardLayouts();

  /// Images with rows of at most so many pixels are computed better as one row of pixels, without
  /// the border of their reader between rows, even if it gets a copy with one; 0: none are.
  int64_t shortRowPixels = 0;

  int vectorBytes = 16;
  int64_t l1Bytes = 0, l2Bytes = 0; // of one core
  int64_t l3Bytes = 16 << 20;       // of all that a core reaches
  /// Cores that a step is cut for: how evenly its tasks end is rated as if so many shared it.
  int cores = 2;

  // Bytes a cycle of one core, measured by machine-probe and by layers of models; what
  // streams differ in is what else the core does meanwhile.
  double l2BytesPerCycle = 22;     // past multiply-adds, each byte once: from L2
  double l3BytesPerCycle = 16;     // from L3
  double memoryBytesPerCycle = 8;  // from memory
  double weightBytesPerCycle = 7;  // packed weights from memory, each byte once for a layer
  double firstBytesPerCycle = 5;   // the same within a short unit, which starts with them
  double taskBytesPerCycle = 10;   // weights from beyond L2, in the time of a task
  double sharedBytesPerCycle = 14; // what this step left beyond L2: sums, weights that passed
  double nearBytesPerCycle = 45;   // rows of weights that L2 holds, read again at once

  bool offers(llvm::StringRef layout) const { return llvm::is_contained(layouts, layout); }
  int lanes(int elementBytes) const { return vectorBytes / elementBytes; }
  /// The row of an element type of a tensor, signed or not; null where layers have none.
  const ElementRow *elementsOf(mlir::Type type) const;
  /// The same if layers of that type have scalar bodies.
  const ElementRow *layerElements(mlir::Type type) const {
    const ElementRow *row = elementsOf(type);
    return row && row->scalarBodies ? row : nullptr;
  }
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_TARGET_TARGET_H
