//===- Importer.h - symbol -> sg dialect ----------------------------------===//
//
// Makes of a symbol graph, read from a file or made in memory, a module of the sg
// dialect: `sg.graph @main` with the nodes that the heads reach, and one
// `sg.weight` for each parameter. It handles no operator by name; the op table
// defines how attributes parse and which operands and results a node has. All
// mistakes of a graph are reported, each with its place; a module comes back
// only when there was none. Shapes and element types are what the options and
// files specify; inference fills in the rest.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_IMPORT_IMPORTER_H
#define SYMC_FRONTEND_IMPORT_IMPORTER_H

#include "frontend/params/WeightSource.h"
#include "frontend/symbol/Graph.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <map>
#include <set>

namespace symc {

/// One extent of an input as the user gives it.
struct DimSpec {
  /// The extent of a fixed dimension; 0 for one that inference shall find.
  int64_t value = 0;
  /// With max > 0 the extent is chosen at run time from min..max.
  int64_t min = 0, max = 0;
  /// The name of the run-time size; dimensions of one name are equal. Empty:
  /// "<input>.<axis>".
  std::string symbol;
  /// Of a state that grows: the range begins at 0.
  bool grows = false;

  static DimSpec fixed(int64_t value) { return {value, 0, 0, {}}; }
  static DimSpec unknown() { return {}; }
  static DimSpec range(int64_t min, int64_t max, std::string symbol = {}) {
    return {0, min, max, std::move(symbol)};
  }
  /// How long a state is that has room for `rows`, before a run, which appends some.
  static DimSpec growing(int64_t rows, std::string symbol) {
    return {0, 0, std::max<int64_t>(rows - 1, 1), std::move(symbol), true};
  }
};

struct ImportOptions {
  /// Shapes (--shape) and element types (--dtype, MXNet's names) of inputs; types
  /// of drawn weights too. A variable that has a shape here is an input even if a
  /// source holds its value.
  std::map<std::string, std::vector<DimSpec>> shapes;
  std::map<std::string, std::string> dtypes;
  /// Where weights come from; of no use after the call.
  std::vector<const params::WeightSource *> weights;
  /// Draw parameters that no source holds instead of reporting them.
  bool randomWeights = false;
  /// Accept arg: and aux: arrays that the graph has no variable for.
  bool extraWeights = false;
  uint64_t seed = 0;
  /// Without, operands that only training reads do not keep a variable alive. Graphs with backward
  /// nodes are graphs of training in any case.
  bool training = false;
  /// Whoever trains the graph holds its parameters: they are inputs (`sg.parameter`), whether a
  /// source has their value or not, of shapes that inference finds. A label without a shape is an
  /// input, too. Auxiliary states that no source has are drawn.
  bool parametersAreInputs = false;
  /// Variables that are parameters, also where they do not look like one.
  std::set<std::string> parameters;
  /// Accept variables of one name, which all get the shape and type given for it
  /// (what infer_shape does; a value could not be given to them).
  bool allowDuplicateNames = false;
};

/// The module holds
///  - `sg.weight @<variable>` in order of first use: type from the source (or
///    `__shape__` and `__dtype__` where the weight is drawn); `file`, the name of
///    the source, with `offset` where a file has the array as it is (not compressed
///    or sparse), or `random`, a seed made of options.seed and the name; `aux` for auxiliary
///    states; `sg.role`, the name of the operand that it is first used for. An input that is a
///    parameter has it, too.
///  - `sg.graph @main` as its description states, with nodes in MXNet's order.
/// Every operation has location NameLoc(node name, file:line:col), or the name alone
/// where the graph was made in memory. Attributes
/// of a node that are no parameters (`__x__`, hints) are in `sg.attrs`; `sg.op` is the
/// operator's name in the file where the operation does not determine it.
/// `sg.np_shape` on the module: saved under NumPy shape semantics.
mlir::OwningOpRef<mlir::ModuleOp> importGraph(const symbol::Graph &graph,
                                              const ImportOptions &options,
                                              mlir::MLIRContext &context, Diagnostics &diagnostics);

} // namespace symc

#endif // SYMC_FRONTEND_IMPORT_IMPORTER_H
