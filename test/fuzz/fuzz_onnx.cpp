//===- fuzz_onnx.cpp - any bytes as an ONNX model ------------------===//
//
// Reading must end with a model or with an error, never both or neither. Every place
// that the model keeps lies inside of the file.
//
//===----------------------------------------------------------------------===//
#include "frontend/onnx/Model.h"

using namespace symc;
using namespace symc::onnx;

namespace {

void require(bool condition, const Diagnostics &diagnostics) {
  if (condition)
    return;
  diagnostics.render(llvm::errs());
  __builtin_trap();
}

struct Walk {
  const Model &model;
  uint64_t sum = 0;

  void touch(llvm::StringRef text) {
    for (char c : text)
      sum += static_cast<unsigned char>(c);
  }
  void touch(Span span) {
    if (span.begin > span.end || span.end > model.buffer->getBufferSize())
      __builtin_trap();
    touch(model.bytes(span));
  }
  void touch(const Tensor &tensor) {
    touch(tensor.name);
    if (tensor.raw)
      touch(*tensor.raw);
    for (const auto *list :
         {&tensor.floats, &tensor.int32s, &tensor.int64s, &tensor.doubles, &tensor.uint64s})
      for (Span span : *list)
        touch(span);
    countElements(tensor.dims);
  }
  void touch(llvm::ArrayRef<Node> nodes) {
    for (const Node &node : nodes) {
      touch(node.op);
      for (const Attribute &attribute : node.attributes) {
        touch(attribute.text);
        if (attribute.tensor)
          touch(*attribute.tensor);
        if (attribute.graph)
          touch(*attribute.graph);
      }
    }
  }
  void touch(const Graph &graph) {
    touch(graph.nodes);
    for (const Tensor &tensor : graph.initializers)
      touch(tensor);
  }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Diagnostics diagnostics;
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  auto model = readModel(llvm::MemoryBuffer::getMemBufferCopy(bytes), "fuzz.onnx", diagnostics);
  require(bool(model) != diagnostics.hasErrors(), diagnostics);
  diagnostics.str();
  if (!model)
    return 0;
  Walk walk{*model};
  walk.touch(*model->graph);
  for (const Function &function : model->functions)
    walk.touch(function.nodes);
  volatile uint64_t sink = walk.sum;
  (void)sink;
  return 0;
}
