// AttentionGradient.cpp: gradients of interleaved attention: products of the parts of its operands.
#include "ir/Gradient.h"
#include "ir/ops/Attention.h"

#include <cmath>

using namespace mlir;
using namespace symc;
using namespace symc::sg;

namespace {
/// [L, B, heads * parts * D], of which each part is a batch of matrices [B * heads, L, D].
struct Interleaved {
  CoreBuilder &core;
  Type type;
  Dim length, batch, heads, width;
  int64_t parts;

  Interleaved(CoreBuilder &core, Value value, int64_t heads, int64_t parts)
      : core(core), type(value.getType()), parts(parts) {
    Shape shape = shapeOf(type);
    length = shape[0];
    batch = shape[1];
    this->heads = core.dim(heads);
    width = floorDiv(shape[2], heads * parts);
  }
  Shape apart() const { return Shape({length, batch, heads, core.dim(parts), width}); }
  Value part(Value value, int64_t i) const {
    Value own = core.slice(core.reshape(value, apart()), 3, i, i + 1);
    own = core.transpose(core.reshape(own, Shape({length, batch, heads, width})), {1, 2, 0, 3});
    return core.reshape(own, Shape({batch * heads, length, width}));
  }
  // The value whose parts these are; zeros for null.
  Value join(ArrayRef<Value> values) const {
    SmallVector<Value> own;
    Shape one({length, batch, heads, core.dim(1), width});
    for (Value value : values) {
      Value like = value ? value : *llvm::find_if(values, [](Value v) { return v; });
      Value back =
          core.transpose(core.reshape(like, Shape({batch, heads, length, width})), {2, 0, 1, 3});
      back = core.reshape(back, one);
      own.push_back(value ? back : core.fillLike(back, 0));
    }
    return core.reshapeTo(core.concat(own, 3), type);
  }
};

Value product(CoreBuilder &core, Value a, bool ta, Value b, bool tb) {
  Shape left = shapeOf(a.getType()), right = shapeOf(b.getType());
  Shape shape({left[0], left[ta ? 2 : 1], right[tb ? 1 : 2]});
  return core.make("batch_dot", {a, b}, core.withShape(a, shape),
                   {core.flag("transpose_a", ta), core.flag("transpose_b", tb)});
}
} // namespace

LogicalResult InterleavedQkOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  bool self = getIsSelf();
  int64_t heads = getHeads();
  Interleaved queries(core, getQueries(), heads, self ? 3 : 1);
  Value slope = core.scalar("div", scope.of(), std::sqrt(double(queries.width.get())));
  Interleaved keys = self ? queries : Interleaved(core, getKeysValues(), heads, 2);
  Value query = queries.part(getQueries(), 0);
  Value key = self ? queries.part(getQueries(), 1) : keys.part(getKeysValues(), 0);
  Value ofQuery = product(core, slope, false, key, false);
  Value ofKey = product(core, slope, true, query, false);
  if (self) {
    scope.give(0, queries.join({ofQuery, ofKey, Value()}));
    return success();
  }
  scope.give(0, queries.join({ofQuery}));
  scope.give(1, keys.join({ofKey, Value()}));
  return success();
}

LogicalResult InterleavedValattOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  int64_t parts = getIsSelf() ? 3 : 2;
  Interleaved source(core, getKeysValues(), getHeads(), parts);
  // The result, [Q, B, heads * D], is one part.
  Interleaved result(core, getOutput(), getHeads(), 1);
  Value slope = result.part(scope.of(), 0);
  if (scope.needs(0)) {
    SmallVector<Value> own(parts);
    own.back() = product(core, getAttention(), true, slope, false);
    scope.give(0, source.join(own));
  }
  if (scope.needs(1))
    scope.give(1, product(core, slope, false, source.part(getKeysValues(), parts - 1), true));
  return success();
}
