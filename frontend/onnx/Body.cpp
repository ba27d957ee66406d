//===- Body.cpp - graphs that a node calls, while they are imported --------===//
#include "frontend/onnx/Body.h"

#include "ir/ControlFlow.h"
#include "ir/ops/Control.h"

using namespace llvm;
using namespace mlir;

namespace symc::onnx {

Body::Body(ImportState &state, Location location)
    : state(state), location(location), around(state.graph),
      back(state.builder.saveInsertionPoint()) {
  OpBuilder &builder = state.builder;
  OperationState made(location, sg::GraphOp::getOperationName());
  made.addRegion()->push_back(new Block);
  made.addAttribute("sym_name", builder.getStringAttr(state.symbolFor("body")));
  made.addAttribute("function_type", TypeAttr::get(builder.getFunctionType({}, {})));
  builder.setInsertionPoint(around);
  graph = cast<sg::GraphOp>(builder.create(made));
  sg::shareSizes(around, graph);
  state.graph = graph;
  builder.setInsertionPointToEnd(&graph.getBlock());
}

Body::~Body() {
  if (isFinished)
    return;
  for (Value argument : graph.getBlock().getArguments())
    state.captured.erase(argument);
  state.graph = around;
  state.builder.restoreInsertionPoint(back);
  graph.erase();
}

Value Body::argument(Type type) { return graph.getBlock().addArgument(type, location); }

Value Body::capture(Value value) {
  Value &known = inside[value];
  if (!known) {
    known = argument(value.getType());
    outside.push_back(value);
    state.captured[known] = value;
  }
  return known;
}

void Body::finish(ValueRange heads) {
  OperationState end(location, sg::HeadsOp::getOperationName());
  end.addOperands(heads);
  state.builder.create(end);
  graph.updateType();
  state.graph = around;
  state.builder.restoreInsertionPoint(back);
  isFinished = true;
}

FlatSymbolRefAttr Body::symbol() {
  return FlatSymbolRefAttr::get(&state.context, graph.getSymName());
}

SmallVector<Value> makeForeach(ImportState &state, Location location, Body &body,
                               ArrayRef<Value> data, ArrayRef<Value> states, size_t gathered) {
  OpBuilder &builder = state.builder;
  SmallVector<Value> operands(data);
  llvm::append_range(operands, states);
  llvm::append_range(operands, body.captured());
  OperationState made(location, sg::ForeachOp::getOperationName());
  made.addOperands(operands);
  TypeRange heads = body.headTypes();
  sg::Dim steps = sg::shapeOf(data[0].getType())[0];
  for (auto [i, type] : enumerate(heads)) {
    if (i >= gathered) {
      made.addTypes(type);
      continue;
    }
    SmallVector<sg::Dim> dims{steps};
    sg::Shape element = sg::shapeOf(type);
    llvm::append_range(dims, element.list());
    made.addTypes(sg::makeTensorType(sg::Shape(dims), sg::elementTypeOf(type), &state.context));
  }
  auto numbers = [&](size_t begin, size_t end) {
    return builder.getDenseI64ArrayAttr(
        llvm::to_vector(llvm::seq<int64_t>(int64_t(begin), int64_t(end))));
  };
  size_t firstRest = data.size() + states.size();
  made.addAttribute("num_args", builder.getI64IntegerAttr(int64_t(operands.size()) + 1));
  made.addAttribute("num_outputs", builder.getI64IntegerAttr(int64_t(heads.size())));
  made.addAttribute("num_out_data", builder.getI64IntegerAttr(int64_t(gathered)));
  made.addAttribute("in_data_locs", numbers(0, data.size()));
  made.addAttribute("in_state_locs", numbers(data.size(), firstRest));
  made.addAttribute("remain_locs", numbers(firstRest, operands.size()));
  made.addAttribute("bodies", builder.getArrayAttr({body.symbol()}));
  return SmallVector<Value>(builder.create(made)->getResults());
}

} // namespace symc::onnx
