//===- ModelImporter.h - walks the nodes of a model -------------------------===//
//
// With a stack of its own: a frame for the graph, one for each call of a function that is being
// read in its place, and one for each graph that a node calls: in its place too, or as a graph of
// its own (Body.h).
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_ONNX_MODELIMPORTER_H
#define SYMC_FRONTEND_ONNX_MODELIMPORTER_H

#include "frontend/onnx/Body.h"
#include "frontend/onnx/Import.h"
#include "frontend/onnx/Inputs.h"
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/Small.h"
#include "frontend/onnx/Widen.h"
#include <functional>

namespace symc::onnx {

/// Nodes that are read in order, and the names that they see.
struct Frame {
  llvm::ArrayRef<Node> nodes;
  llvm::ArrayRef<Opset> opsets;
  size_t next = 0;
  llvm::StringMap<Operand> names;
  // Of a function in place of its call.
  const Function *function = nullptr;
  const Node *call = nullptr;
  llvm::StringMap<const Attribute *> attributes;
  // Of a graph that a node calls: it sees the names around it, and `leave` takes its outputs.
  Frame *outer = nullptr;
  std::unique_ptr<Body> body; // where it is a graph of its own
  std::function<void(Frame &)> leave;
};

/// A node that waits for the graphs that it calls.
struct Pending {
  Frame &frame;
  size_t number;
  llvm::SmallVector<DeclaredAttribute> declared;
  NodeScope scope;
  Pending(ImportState &state, Frame &frame, const Node &node, int64_t opset,
          mlir::Location location, size_t number)
      : frame(frame), number(number), scope(state, node, opset, location) {}
};
using PendingNode = std::shared_ptr<Pending>;

inline Operand operandOf(mlir::Value value) {
  Operand operand;
  operand.value = value;
  return operand;
}

/// Nodes with one operator that cannot be compiled.
struct Refusals {
  size_t count = 0;
  std::string title, reason;
  size_t number = 0; // of the first node
};

class ModelImporter {
public:
  ModelImporter(std::shared_ptr<const Model> model, const OnnxOptions &options,
                mlir::MLIRContext &context, symc::Diagnostics &diagnostics)
      : model(std::move(model)), options(options), diagnostics(diagnostics), state(context) {}

  std::optional<ImportedModel> run();

private:
  static constexpr size_t mostFrames = 64;
  mlir::Location locationOf(llvm::StringRef title);
  void begin(const InputPlan &plan);
  bool addInitializers();

  Operand readTensor(const Tensor &tensor, llvm::StringRef name, std::string &mistake);

  // The next node of the innermost frame, or what it leaves.
  void step();
  void leave();
  const Function *functionOf(const Node &node) const;

  // What a name means in a frame; a value of the graph around becomes an argument of a body.
  static Operand lookup(const Frame &frame, llvm::StringRef name);
  void importNode(Frame &frame, const Node &node, size_t number);

  // Names for what a node made, or nothing of a refused one.
  void endNode(Pending &pending, bool isReady = true);

  // Operands of types of one byte or less are codes: what moves elements moves them, few operators
  // read them, for all others they are of a type that they do not compute.
  void buildSmall(NodeScope &scope, const OperatorRow &row);
  void buildNode(NodeScope &scope, const OperatorRow &row);
  std::string unknownReason(const Node &node, int64_t opset) const;
  static llvm::StringRef kindOf(const Attribute &attribute);
  bool checkAttributes(Frame &frame, NodeScope &scope, const OperatorRow &row);
  static bool checkCount(NodeScope &scope, const OperatorRow &row);
  void enter(Frame &outer, const Node &node, size_t number, const Function &function);

  //===--------------------------------------------------------------------===//
  // Graphs that a node calls (Bodies.cpp)
  //===--------------------------------------------------------------------===//

  // Reads a graph next, with the given values for its inputs; `leave` follows.
  bool push(Pending &pending, const Graph &graph, llvm::ArrayRef<Operand> inputs,
            std::unique_ptr<Body> body, std::function<void(Frame &)> leave);

  // What a graph gives; nothing where a node of it was refused, which is reported already.
  std::optional<llvm::SmallVector<Operand>> outputsOf(const Graph &graph, Frame &frame);
  void endWithout(Pending &pending, const Graph &graph, Frame &frame);

  // The node has no results, and reports nothing: one inside of it did.
  void endSilently(Pending &pending);
  void endWith(Pending &pending, llvm::ArrayRef<Operand> results);
  void endRefused(Pending &pending, const llvm::Twine &reason);

  // True where a graph is read next, whose `leave` ends the node.
  bool callGraphs(const PendingNode &pending);
  static const Graph &graphOf(NodeScope &scope, llvm::StringRef name);
  static bool hasCount(NodeScope &scope, const Graph &graph, size_t least);
  static std::optional<bool> knownTruth(const Known *known);

  // A condition as a tensor of one element.
  static mlir::Value oneElement(NodeScope &scope, mlir::Value x);
  bool callIf(const PendingNode &pending);
  static void finishBody(Frame &frame, llvm::ArrayRef<Operand> outputs);
  void makeCond(Pending &pending, Body &then, Body &other);
  static std::string textOf(mlir::Type type);
  static Operand knownOperand(NodeScope &scope, const Known &known);

  struct LoopPlan {
    const Graph *graph = nullptr;
    std::optional<int64_t> trips;                        // nothing: until the condition ends it
    std::optional<bool> begins;                          // nothing: a run decides
    llvm::SmallVector<Operand> states;                   // before the first iteration
    llvm::SmallVector<llvm::SmallVector<Operand>> scans; // of iterations that are read in place
    size_t scanCount() const { return graph->outputs.size() - 1 - states.size(); }
  };

  static constexpr int64_t kMostUnrolled = 1024;
  bool callLoop(const PendingNode &pending);
  void endLoop(Pending &pending, LoopPlan &plan, Frame &frame, llvm::ArrayRef<Operand> outputs);

  // ONNX names states first, then what is gathered.
  void endLoopWith(Pending &pending, llvm::ArrayRef<mlir::Value> made, size_t gathered);

  // Iteration `number` of a loop, read in place.
  void unroll(const PendingNode &pending, const std::shared_ptr<LoopPlan> &plan, int64_t number);
  void endUnrolled(Pending &pending, LoopPlan &plan);
  bool callScan(const PendingNode &pending);

  // A gathered result with its axis where the node needs it.
  mlir::Value placed(NodeScope &scope, mlir::Value x, size_t i);

  // Attention whose scores and shares go through graphs of the model's.
  bool callAttention(const PendingNode &pending);

  // A value through a graph of one input and output, where the node has it.
  bool modified(const PendingNode &pending, llvm::StringRef name, mlir::Value x,
                std::function<bool(mlir::Value)> next);
  void noteRefusal(const NodeScope &scope, size_t number);
  void reportRefusals();
  void addOutputs();

  // A declared shape that contradicts what follows from the operands is worth a warning.
  void checkDeclared(const ValueInfo &output, mlir::Value head);

  // Layers that read one value everywhere as their weight get a weight of it.
  void storeFilled();

  // What nobody reads goes.
  void finish(const InputPlan &);
  std::shared_ptr<const Model> model;
  const OnnxOptions &options;
  symc::Diagnostics &diagnostics;
  ImportState state;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<std::unique_ptr<Frame>> frames;
  llvm::StringSet<> small;    // outputs of types of one byte or less
  std::unique_ptr<Frame> top; // the graph's, when all is read
  std::map<std::string, Refusals> refused;
  std::map<std::string, std::pair<std::string, std::string>> needed; // inputs, and the node
};

} // namespace symc::onnx

#endif // SYMC_FRONTEND_ONNX_MODELIMPORTER_H
