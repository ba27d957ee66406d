//===- Model.cpp - what an ONNX file holds ---------------------------------===//
//
// One function a message of onnx.proto, which takes the fields that symc reads by
// their numbers. Graphs nest, by attributes of nodes, to a depth of 64.
//
//===----------------------------------------------------------------------===//
#include "frontend/onnx/Model.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace symc::onnx {

namespace {

class ModelReader {
public:
  ModelReader(Model &model, Diagnostics &diagnostics)
      : model(model), wire(model.buffer->getBuffer(), model.path, diagnostics) {}

  bool run() {
    Message message{"ModelProto", {0, model.buffer->getBufferSize()}};
    Field field;
    Span span;
    while (wire.next(message, field))
      switch (field.number) {
      case 1:
        wire.integer(message, field, model.irVersion);
        break;
      case 2:
        wire.text(message, field, model.producer);
        break;
      case 7:
        if (wire.inner(message, field, span))
          readGraph(span, model.graph.emplace());
        break;
      case 8:
        if (wire.repeated(message, field, span))
          readOpset(span, model.opsets.emplace_back());
        break;
      case 25:
        if (wire.repeated(message, field, span))
          readFunction(span, model.functions.emplace_back());
        break;
      }
    if (!wire.failed() && !model.graph)
      wire.fail(message.rest.end, "ModelProto has no graph (field 7)");
    return !wire.failed();
  }

private:
  static constexpr unsigned mostNested = 64;

  void readOpset(Span span, Opset &opset) {
    Message message{"OperatorSetIdProto", span};
    Field field;
    while (wire.next(message, field))
      if (field.number == 1)
        wire.text(message, field, opset.domain);
      else if (field.number == 2)
        wire.integer(message, field, opset.version);
  }

  bool enter(Span span) {
    return ++depth <= mostNested ||
           wire.fail(span.begin, "messages are nested deeper than " + Twine(mostNested));
  }

  void readGraph(Span span, Graph &graph) {
    Message message{"GraphProto", span};
    Field field;
    Span inner;
    if (enter(span))
      while (wire.next(message, field))
        switch (field.number) {
        case 1:
          if (wire.repeated(message, field, inner))
            readNode(inner, graph.nodes.emplace_back());
          break;
        case 2:
          wire.text(message, field, graph.name);
          break;
        case 5:
          if (wire.repeated(message, field, inner))
            readTensor(inner, graph.initializers.emplace_back());
          break;
        case 11:
          if (wire.repeated(message, field, inner))
            readValueInfo(inner, graph.inputs.emplace_back());
          break;
        case 12:
          if (wire.repeated(message, field, inner))
            readValueInfo(inner, graph.outputs.emplace_back());
          break;
        case 13:
          if (wire.repeated(message, field, inner))
            readValueInfo(inner, graph.values.emplace_back());
          break;
        case 15:
          if (wire.repeated(message, field, inner))
            readSparse(inner, graph.sparse.emplace_back());
          break;
        }
    --depth;
  }

  void readSparse(Span span, StringRef &name) {
    Message message{"SparseTensorProto", span};
    Field field;
    Span inner;
    while (wire.next(message, field))
      if (field.number == 1 && wire.inner(message, field, inner)) {
        Tensor values;
        readTensor(inner, values);
        name = values.name;
      }
  }

  void readNode(Span span, Node &node) {
    Message message{"NodeProto", span};
    Field field;
    Span inner;
    node.at = span.begin;
    while (wire.next(message, field))
      switch (field.number) {
      case 1:
        wire.texts(message, field, node.inputs);
        break;
      case 2:
        wire.texts(message, field, node.outputs);
        break;
      case 3:
        wire.text(message, field, node.name);
        break;
      case 4:
        wire.text(message, field, node.op);
        break;
      case 5:
        if (wire.repeated(message, field, inner))
          readAttribute(inner, node.attributes.emplace_back());
        break;
      case 7:
        wire.text(message, field, node.domain);
        break;
      case 8:
        wire.text(message, field, node.overload);
        break;
      }
    if (node.domain == "ai.onnx")
      node.domain = "";
  }

  void readAttribute(Span span, Attribute &attribute) {
    Message message{"AttributeProto", span};
    Field field;
    Span inner;
    int64_t type = 0;
    while (wire.next(message, field))
      switch (field.number) {
      case 1:
        wire.text(message, field, attribute.name);
        break;
      case 2:
        wire.real(message, field, attribute.real);
        break;
      case 3:
        wire.integer(message, field, attribute.integer);
        break;
      case 4:
        if (wire.bytes(message, field, inner))
          attribute.text = wire.at(inner);
        break;
      case 5:
        if (wire.inner(message, field, inner))
          readTensor(inner, *(attribute.tensor = std::make_shared<Tensor>()));
        break;
      case 6:
        if (wire.inner(message, field, inner))
          readGraph(inner, *(attribute.graph = std::make_shared<Graph>()));
        break;
      case 7:
        wire.reals(message, field, attribute.reals);
        break;
      case 8:
        wire.integers(message, field, attribute.integers);
        break;
      case 9:
        if (wire.bytes(message, field, inner))
          attribute.texts.push_back(wire.at(inner));
        break;
      case 20:
        wire.integer(message, field, type);
        break;
      case 21:
        wire.text(message, field, attribute.reference);
        break;
      }
    if (!wire.failed() && (type < 0 || type > 14))
      wire.fail(span.begin, "AttributeProto has the type " + Twine(type) + ", needs 0 to 14");
    attribute.type = static_cast<AttributeType>(type);
  }

  void readTensor(Span span, Tensor &tensor) {
    Message message{"TensorProto", span};
    Field field;
    Span inner;
    int64_t place = 0;
    tensor.at = span.begin;
    while (wire.next(message, field))
      switch (field.number) {
      case 1:
        wire.integers(message, field, tensor.dims);
        break;
      case 2:
        wire.integer(message, field, tensor.type);
        break;
      case 3:
        tensor.hasSegment = wire.inner(message, field, inner);
        break;
      case 4:
        wire.list(message, field, WireType::Fixed32, tensor.floats);
        break;
      case 5:
        wire.list(message, field, WireType::Varint, tensor.int32s);
        break;
      case 6:
        tensor.hasStrings = wire.bytes(message, field, inner);
        break;
      case 7:
        wire.list(message, field, WireType::Varint, tensor.int64s);
        break;
      case 8:
        wire.text(message, field, tensor.name);
        break;
      case 9:
        if (wire.bytes(message, field, inner))
          tensor.raw = inner;
        break;
      case 10:
        wire.list(message, field, WireType::Fixed64, tensor.doubles);
        break;
      case 11:
        wire.list(message, field, WireType::Varint, tensor.uint64s);
        break;
      case 13:
        if (wire.repeated(message, field, inner))
          readEntry(inner, tensor.external.emplace_back());
        break;
      case 14:
        wire.integer(message, field, place);
        break;
      }
    tensor.isExternal = place == 1;
  }

  void readEntry(Span span, std::pair<StringRef, StringRef> &entry) {
    Message message{"StringStringEntryProto", span};
    Field field;
    while (wire.next(message, field))
      if (field.number == 1)
        wire.text(message, field, entry.first);
      else if (field.number == 2)
        wire.text(message, field, entry.second);
  }

  void readValueInfo(Span span, ValueInfo &info) {
    Message message{"ValueInfoProto", span};
    Field field;
    Span inner;
    while (wire.next(message, field))
      if (field.number == 1)
        wire.text(message, field, info.name);
      else if (field.number == 2 && wire.inner(message, field, inner))
        readType(inner, info);
  }

  // Of what is inside of a sequence, map or optional value nothing is read.
  void readType(Span span, ValueInfo &info) {
    Message message{"TypeProto", span};
    Field field;
    Span inner;
    while (wire.next(message, field)) {
      TypeKind kind = field.number == 1   ? TypeKind::Tensor
                      : field.number == 4 ? TypeKind::Sequence
                      : field.number == 5 ? TypeKind::Map
                      : field.number == 7 ? TypeKind::Opaque
                      : field.number == 8 ? TypeKind::SparseTensor
                      : field.number == 9 ? TypeKind::Optional
                                          : TypeKind::None;
      if (kind == TypeKind::None || !wire.inner(message, field, inner))
        continue;
      info.kind = kind;
      if (kind == TypeKind::Tensor)
        readTensorType(inner, info);
    }
  }

  void readTensorType(Span span, ValueInfo &info) {
    Message message{"TypeProto.Tensor", span};
    Field field;
    Span inner;
    while (wire.next(message, field))
      if (field.number == 1)
        wire.integer(message, field, info.elementType);
      else if (field.number == 2 && wire.inner(message, field, inner))
        readShape(inner, info.shape.emplace());
  }

  void readShape(Span span, std::vector<Dimension> &shape) {
    Message message{"TensorShapeProto", span};
    Field field;
    Span inner;
    while (wire.next(message, field))
      if (field.number == 1 && wire.repeated(message, field, inner)) {
        Message dimension{"TensorShapeProto.Dimension", inner};
        Dimension &extent = shape.emplace_back();
        while (wire.next(dimension, field))
          if (field.number == 1)
            wire.integer(dimension, field, extent.value.emplace());
          else if (field.number == 2)
            wire.text(dimension, field, extent.name);
        if (extent.value && *extent.value < 0) // written for one that is open
          extent.value.reset();
      }
  }

  void readFunction(Span span, Function &function) {
    Message message{"FunctionProto", span};
    Field field;
    Span inner;
    while (wire.next(message, field))
      switch (field.number) {
      case 1:
        wire.text(message, field, function.name);
        break;
      case 4:
        wire.texts(message, field, function.inputs);
        break;
      case 5:
        wire.texts(message, field, function.outputs);
        break;
      case 6:
        wire.texts(message, field, function.attributes);
        break;
      case 7:
        if (wire.repeated(message, field, inner))
          readNode(inner, function.nodes.emplace_back());
        break;
      case 9:
        if (wire.repeated(message, field, inner))
          readOpset(inner, function.opsets.emplace_back());
        break;
      case 10:
        wire.text(message, field, function.domain);
        break;
      case 11:
        if (wire.repeated(message, field, inner))
          readAttribute(inner, function.defaults.emplace_back());
        break;
      case 13:
        wire.text(message, field, function.overload);
        break;
      }
    if (function.domain == "ai.onnx")
      function.domain = "";
  }

  Model &model;
  Wire wire;
  unsigned depth = 0;
};

} // namespace

bool isModelFile(StringRef bytes, StringRef path) {
  StringRef text = bytes.ltrim(" \t\r\n");
  if (text.starts_with("{"))
    return false;
  if (path.ends_with(".onnx"))
    return true;
  // ir_version, producer's name and version, domain, model's version, documentation, graph, opsets.
  return !bytes.empty() && StringRef("\x08\x12\x1a\x22\x28\x32\x3a\x42").contains(bytes.front());
}

std::shared_ptr<const Model> readModel(std::unique_ptr<MemoryBuffer> buffer, StringRef path,
                                       Diagnostics &diagnostics, bool isFile) {
  auto model = std::make_shared<Model>();
  model->path = path.str();
  model->isFile = isFile;
  model->buffer = std::move(buffer);
  if (!ModelReader(*model, diagnostics).run())
    return nullptr;
  return model;
}

std::optional<uint64_t> countElements(ArrayRef<int64_t> dims) {
  uint64_t count = 1;
  bool isEmpty = false, isTooLarge = false;
  for (int64_t dim : dims) {
    if (dim < 0)
      return std::nullopt;
    isEmpty |= dim == 0;
    if (dim && count > uint64_t(INT64_MAX) / static_cast<uint64_t>(dim))
      isTooLarge = true;
    else if (dim)
      count *= static_cast<uint64_t>(dim);
  }
  if (isTooLarge)
    return isEmpty ? std::optional<uint64_t>(0) : std::nullopt;
  return isEmpty ? 0 : count;
}

} // namespace symc::onnx
