// Schedule.h: from optimised sg to kernel programs. Every value gets a layout,
// every node (or fused group) a step: a tile kernel, a loop nest, a copy, or a
// call of the runtime's reference kernel, which is said in a remark.
#ifndef SYMC_CODEGEN_SCHEDULE_SCHEDULE_H
#define SYMC_CODEGEN_SCHEDULE_SCHEDULE_H

#include "codegen/schedule/Tensors.h"
#include "mlir/IR/BuiltinOps.h"

namespace symc::codegen {

struct ScheduleOptions {
  /// What the layouts of all instruction sets of the device rest on.
  const Target *target;
  /// Reference kernels only, in the order of the graph (`--verify`'s other side).
  bool referenceOnly = false;
  /// Layers by tile kernels. Not in @prepare, whose weights are not packed.
  bool tileKernels = true;
  /// Tile kernels take products whose columns or terms are known only at run time.
  bool openProducts = true;
};

/// Adds to `module` (which holds sg.graph @main, perhaps @prepare, and weights)
/// kernel.program @main and @prepare and the kernel.prepared weights between
/// them. The graphs stay. Fails with an error at the node that has no lowering.
/// Of several modules of one net, each with its own batch, the first prepares the weights
/// for all of them. chooseAlgorithms decides what the steps leave open.
mlir::LogicalResult scheduleModules(llvm::ArrayRef<mlir::ModuleOp> modules,
                                    const ScheduleOptions &options);

/// Sets the layouts of the values of all graphs of a module but @prepare, for schedules of
/// these options; see #kernel.layout.
void chooseLayouts(mlir::ModuleOp module, const ScheduleOptions &options);

/// The kernel.program of a graph: "main_program" of @main.
std::string programName(sg::GraphOp graph);

/// The sg.weight symbols that the program @prepare reads, in the order of its
/// arguments.
llvm::SmallVector<sg::WeightOp> prepareInputs(mlir::ModuleOp module);

/// The kernel.prepared that holds the first value of a state, row-major. `weight` is the
/// symbol that an argument of @main has as `sg.state`.
std::string preparedState(llvm::StringRef weight);

/// What kernel.conv over bytes is told beside its operands; as it is, a product of matrices.
struct IntegerLayer {
  int64_t inputs, outputs;
  bool isSigned; // data, which is read plus 128 then
  int64_t kernel[2] = {1, 1}, stride[2] = {1, 1}, dilate[2] = {1, 1};

  IntegerLayer(int64_t inputs, int64_t outputs, bool isSigned)
      : inputs(inputs), outputs(outputs), isSigned(isSigned) {}
  /// Of a convolution over two extents.
  template <typename Op>
  IntegerLayer(Op op, int64_t inputs, bool isSigned)
      : IntegerLayer(inputs, op.getNumFilter(), isSigned) {
    auto take = [](int64_t (&both)[2], llvm::ArrayRef<int64_t> values) {
      llvm::copy(values, both);
    };
    take(kernel, op.getKernel());
    take(stride, op.getStride());
    take(dilate, op.getDilate());
  }
};

/// The forms in which a step would read and write a group's images.
struct RuleForms {
  enum Kind { Plain, Blocked, Either };
  Kind kind = Plain;
  int64_t costIfPlain = 0, costIfBlocked = 0; // of either: bytes that the step itself moves then
};

/// Builds the steps of one graph into one program.
class Scheduler {
public:
  /// `symbols`: where graphs are found by their names, for calls; none for their layouts.
  Scheduler(Tensors &tensors, const ScheduleOptions &options,
            mlir::SymbolTableCollection *symbols = nullptr)
      : t(tensors), options(options), symbols(symbols) {}
  /// Sets the layouts of the graph's values as attributes.
  void chooseLayouts(sg::GraphOp graph);
  /// All nodes, then copies of the heads that were not computed in place. Values lie as the
  /// attributes have it.
  mlir::LogicalResult run(sg::GraphOp graph);
  /// The nodes that the value is computed by, each once over all calls.
  mlir::LogicalResult runFor(mlir::Value value);

  /// A node, or the nodes of an sg.fused: at most one root, elementwise nodes behind it and,
  /// of what it reads first, before it.
  struct Group {
    mlir::Operation *op = nullptr; // the node of the graph
    mlir::Operation *root = nullptr;
    llvm::SmallVector<mlir::Operation *> chain, producers;
    mlir::Value result;                             // the graph's value
    mlir::Location location;                        // of the whole group
    llvm::DenseMap<mlir::Value, mlir::Value> outer; // body value -> graph value
    explicit Group(mlir::Location location) : location(location) {}
    mlir::Value resolve(mlir::Value value) const {
      auto found = outer.find(value);
      return found == outer.end() ? value : found->second;
    }
    /// The nodes before the root as a group of their own.
    Group beforeRoot() const;
  };

  /// What the chain reads from outside, each value and alignment once, in order.
  struct Operand {
    mlir::Value value;               // the graph's
    llvm::SmallVector<int64_t> axes; // the result axis of each of its axes
    bool operator==(const Operand &other) const {
      return value == other.value && axes == other.axes;
    }
  };

  /// One way to compute a group. A rule stands in the file that makes its step.
  struct Rule {
    enum Use {
      Always,    // in schedules by reference kernels, too
      Generated, // where code is generated
      Tiles      // where that may be tile kernels: not in @prepare
    };
    llvm::StringLiteral name;
    Use use;
    /// The forms of the step that it would make of the group; none if it takes no such group.
    std::optional<RuleForms> (*match)(Scheduler &, const Group &);
    /// Makes the step. False, with nothing made, where operands lie or are known otherwise than
    /// `match` can tell before layouts are chosen: the next rule is asked.
    bool (*emit)(Scheduler &, Group &);
  };
  /// All rules by benefit (Rules.cpp): the first that takes a group computes it.
  static llvm::ArrayRef<const Rule *> rules();
  bool isUsed(const Rule &rule) const;
  /// The forms of a rule that is used, of those on offer; none if it does not take the group.
  std::optional<RuleForms> formsBy(const Rule &rule, const Group &group);
  /// The forms of the first rule that takes the node; none for what has no step.
  std::optional<RuleForms> formsOf(mlir::Operation *op);

  // What the choice of layouts asks (ChooseLayouts.cpp).
  mlir::FailureOr<Group> groupOf(mlir::Operation *op);
  llvm::SmallVector<Operand> externalOperands(const Group &group);
  /// Whether a tile kernel takes the group; its result is blocked then.
  bool fitsConvolution(const Group &group);
  bool fitsPooling(const Group &group, bool blockedData);
  /// Pooling that reductions can compute, too.
  static bool sumsWholeImages(mlir::Operation *pooling);
  /// Whether the nodes behind the root have bodies on elements of the result's type.
  bool chainIsEmittable(const Group &group);
  /// What the chain reads as a view in the shape of `result`; none where extents differ.
  std::optional<ViewSpec> broadcastPlain(const Operand &operand, mlir::Value result,
                                         mlir::Location location);
  /// Whether it can be read as a view in the shape of a blocked result, and that view.
  bool canBlock(const Operand &operand, mlir::Value result);
  ViewSpec broadcastBlocked(const Operand &operand, mlir::Value result, mlir::Location location);
  /// The [C] vector of a weight as a view in the shape of a blocked result.
  ViewSpec channelVector(mlir::Value weight, mlir::Value result, mlir::Location location);
  /// The chain's last value; `scalars` holds those of other nodes in the group, `outer` gives
  /// what comes from outside of it.
  mlir::Value emitChain(const Group &group, llvm::ArrayRef<mlir::Operation *> chain,
                        llvm::DenseMap<mlir::Value, mlir::Value> &scalars,
                        llvm::function_ref<mlir::Value(const Operand &)> outer);
  /// Whether the group can be a loop nest over blocks.
  bool fitsBlockedLoops(const Group &group);
  /// Whether a kernel over bytes in blocks takes the node (ScheduleInteger.cpp).
  bool fitsIntegers(mlir::Operation *op);
  void setForm(mlir::Operation *op, bool blocked) { forms[op] = blocked; }
  /// Whether the layouts have `op` write its result in blocks.
  bool writesBlocks(mlir::Operation *op) const { return forms.lookup(op); }
  /// The channel of its operand at which a result of a split along channels begins.
  static std::optional<int64_t> channelStart(mlir::Operation *op, unsigned result);
  /// The axis along which a concatenation joins, counted from the front.
  static int64_t joinedAxis(mlir::Operation *concat);
  /// Whether the first result is images of the operand, whole ones with the borders that these
  /// have: some of them, some channels, or windows of images.
  static bool holdsWholeImages(mlir::Operation *op);
  /// The zeros that a layer needs around its data.
  static Halo paddingOf(mlir::Operation *layer);
  /// The channels of an image, if they are known.
  static std::optional<int64_t> channelsOf(mlir::Value value);
  /// Bytes of a value; an extent that is known only at run time counts as 64.
  static int64_t bytesOf(mlir::Value value);

private:
  static const Rule quantizedRule, lrnRule, placesRule, convolutionRule, fullyConnectedRule,
      poolingRule, loopsRule, reduceRule, recurrentRule, integerConvolutionRule, integerPoolingRule,
      integerSumsRule, productRule, resizeRule, deconvolutionRule, repeatsRule, moveRule;

  mlir::LogicalResult schedule(mlir::Operation *op);
  mlir::LogicalResult readLayouts(sg::GraphOp graph);
  void setLayouts(sg::GraphOp graph);
  void choosePlaces(sg::GraphOp graph);
  void chooseHalos(sg::GraphOp graph);

  // Layers (ScheduleLayers.cpp): true if a step was made.
  bool scheduleConvolution(Group &group);
  bool scheduleDepthwise(Group &group);
  bool scheduleFullyConnected(Group &group);
  bool schedulePooling(Group &group);
  // Layers over integers (ScheduleInteger.cpp).
  bool scheduleIntegerConvolution(mlir::Operation *op);
  bool scheduleIntegerPooling(mlir::Operation *op);
  mlir::Value integerPanels(mlir::Value weight, const ViewSpec &data, mlir::Location location);
  ViewSpec integerImage(mlir::Value data, Halo pad, mlir::Location location);
  kernel::ConvOp createIntegerConv(const ViewSpec &data, mlir::Value panels,
                                   mlir::ValueRange extras, mlir::Value out,
                                   const IntegerLayer &layer, mlir::Location location);
  ViewSpec integerVector(mlir::Value vector, mlir::Value result, mlir::Location location);
  // Sums of integers and their ranges (ScheduleIntegerSums.cpp).
  bool scheduleIntegerSums(mlir::Operation *op);
  /// Sums of `data`, in rows or an image, from `start` on, to `out`.
  void createIntegerSums(const ViewSpec &data, mlir::Value weight, std::optional<ViewSpec> start,
                         const ViewSpec &out, const IntegerLayer &layer, mlir::Location location);
  // Conversions of quantised integers (ScheduleQuantized.cpp).
  bool scheduleQuantized(mlir::Operation *op);
  // Normalisation across channels (ScheduleLrn.cpp).
  bool scheduleLrn(mlir::Operation *op);
  // Masks, ranges and one-hot rows (SchedulePlaces.cpp).
  bool schedulePlaces(mlir::Operation *op);
  // Products of matrices (ScheduleProduct.cpp).
  bool scheduleProduct(mlir::Operation *op);
  // Recurrent layers (ScheduleRecurrent.cpp).
  bool scheduleRecurrent(mlir::Operation *op);
  // Elementwise (ScheduleElementwise.cpp).
  bool scheduleLoops(Group &group);
  Operand operandOf(const Group &group, mlir::Operation *op, unsigned index);
  /// Fills `region`: element arguments, the chain on them, a yield.
  void buildBody(mlir::Region &region, const Group &group, mlir::Value rootResult, bool hasBias,
                 llvm::ArrayRef<Operand> operands, mlir::Type elementType);
  // Reductions and normalisations (ScheduleReduce.cpp).
  bool scheduleReduce(const Group &group);
  // Moves (ScheduleMoves.cpp).
  bool scheduleMove(mlir::Operation *op);
  // Calls (ScheduleCall.cpp).
  mlir::LogicalResult scheduleCall(mlir::Operation *op);

  Tensors &t;
  const ScheduleOptions &options;
  mlir::SymbolTableCollection *symbols;
  llvm::DenseMap<mlir::Operation *, bool> forms; // blocked or not; looked up only
  llvm::DenseSet<mlir::Operation *> scheduled;   // by runFor; looked up only
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_SCHEDULE_H
