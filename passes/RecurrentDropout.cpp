// RecurrentDropout.cpp: see RecurrentDropout.h. Of a graph of training:
//
//   %y = sg.rnn(%x, %p, %s) {num_layers = 2, p = 0.5}
//
//   %ps:4 = sg.split_v2(%p)                     weights of both layers, then biases
//   %ss:2 = sg.split_v2(%s)
//   %h = sg.rnn(%x, concat(%ps#0, %ps#2), %ss#0) {num_layers = 1, p = 0}
//   %d = sg.dropout(%h) {p = 0.5}               with a name, and numbers, of its own
//   %y = sg.rnn(%d, concat(%ps#1, %ps#3), %ss#1) {num_layers = 1, p = 0}
#include "passes/RecurrentDropout.h"
#include "ir/Gradient.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

bool symc::dropsBetweenLayers(RnnOp op) {
  return isTraining(op) && op.getP().convertToDouble() != 0 && op.getNumLayers() > 1;
}

// Parts of these extents along the first axis.
static SmallVector<Value> split(CoreBuilder &core, Value value, ArrayRef<int64_t> extents) {
  SmallVector<int64_t> begins;
  SmallVector<Type> types;
  int64_t begin = 0;
  for (int64_t extent : extents) {
    begins.push_back(begin);
    begin += extent;
    Shape shape = shapeOf(value.getType());
    shape[0] = core.dim(extent);
    types.push_back(core.withShape(value, shape));
  }
  OperationState state(core.loc, "sg.split_v2");
  state.addOperands(value);
  state.addTypes(types);
  state.addAttributes({core.numbers("indices", begins), core.number("axis", 0),
                       core.flag("squeeze_axis", false), core.number("sections", 0)});
  return llvm::to_vector_of<Value>(core.b.create(state)->getResults());
}

Value symc::splitRecurrentLayers(RnnOp op, CoreBuilder &core) {
  int64_t layers = op.getNumLayers(), ways = op.countDirections(), hidden = op.getStateSize();
  int64_t rows = op.countGates() * hidden, projected = op.getProjected();
  Shape data = shapeOf(op.getData().getType());
  SmallVector<int64_t> parts;
  for (int64_t layer = 0; layer < layers; ++layer) {
    int64_t reads = layer == 0 ? data[2].get() : ways * projected;
    int64_t projection = op.getProjectionSize() ? projected * hidden : 0;
    parts.push_back(ways * (rows * (reads + projected) + projection));
  }
  parts.append(layers, ways * 2 * rows);
  SmallVector<Value> params = split(core, op.getParameters(), parts), cells;
  SmallVector<Value> states = split(core, op.getState(), SmallVector<int64_t>(layers, ways));
  if (op.getStateCell())
    cells = split(core, op.getStateCell(), SmallVector<int64_t>(layers, ways));
  Value reads = op.getData();
  SmallVector<SmallVector<Value>> results(op.getNumResults());
  for (int64_t layer = 0; layer < layers; ++layer) {
    if (layer > 0) {
      std::string name = (nodeName(op) + "_dropout" + Twine(layer)).str();
      CoreBuilder named(core.b, NameLoc::get(core.b.getStringAttr(name), op.getLoc()));
      reads = named.make("dropout", reads, reads.getType(),
                         {core.real("p", op.getP().convertToDouble())});
    }
    SmallVector<Value> operands{reads, core.concat({params[layer], params[layers + layer]}, 0),
                                states[layer]};
    if (op.getStateCell())
      operands.push_back(cells[layer]);
    if (op.getSequenceLength())
      operands.push_back(op.getSequenceLength());
    NamedAttrList attributes(op->getAttrs());
    attributes.set("num_layers", core.b.getI64IntegerAttr(1));
    attributes.set("p", core.b.getF64FloatAttr(0));
    SmallVector<Type> types{op.getResult(0).getType()};
    for (Type state : llvm::drop_begin(op.getResultTypes())) {
      Shape shape = shapeOf(state);
      shape[0] = core.dim(ways);
      types.push_back(core.typeOf(shape, elementTypeOf(state)));
    }
    OperationState state(op.getLoc(), RnnOp::getOperationName(), operands, types, attributes);
    Operation *made = core.b.create(state);
    reads = made->getResult(0);
    for (auto [list, result] : llvm::zip_equal(results, made->getResults()))
      list.push_back(result);
  }
  for (auto [list, result] : llvm::drop_begin(llvm::zip_equal(results, op.getResults())))
    result.replaceAllUsesWith(core.concat(list, 0));
  return reads;
}
