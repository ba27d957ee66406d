//===- Model.h - what an ONNX file holds -----------------------------------===//
//
// Graphs, nodes, tensors and types as views into the mapped file, which lives as
// long as the model. Texts are views, values of tensors places in the file; nothing
// is copied but lists of numbers of attributes and shapes.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_ONNX_MODEL_H
#define SYMC_FRONTEND_ONNX_MODEL_H

#include "frontend/onnx/Wire.h"
#include <memory>
#include <optional>

namespace symc::onnx {

/// TensorProto.DataType.
enum class DataType : int32_t {
  Undefined = 0,
  Float = 1,
  Uint8 = 2,
  Int8 = 3,
  Uint16 = 4,
  Int16 = 5,
  Int32 = 6,
  Int64 = 7,
  String = 8,
  Bool = 9,
  Float16 = 10,
  Double = 11,
  Uint32 = 12,
  Uint64 = 13,
  Bfloat16 = 16,
};

struct Tensor {
  uint64_t at = 0; // where its message begins
  llvm::StringRef name;
  int64_t type = 0;
  std::vector<int64_t> dims;
  std::optional<Span> raw;
  /// Lists of numbers: spans of packed elements, or of one.
  std::vector<Span> floats, int32s, int64s, doubles, uint64s;
  bool hasStrings = false, hasSegment = false;
  bool isExternal = false;
  std::vector<std::pair<llvm::StringRef, llvm::StringRef>> external;
};

/// One extent of a declared shape: a number, a name, or neither.
struct Dimension {
  std::optional<int64_t> value;
  llvm::StringRef name;
};

enum class TypeKind { None, Tensor, Sequence, Map, Opaque, SparseTensor, Optional };

struct ValueInfo {
  llvm::StringRef name;
  TypeKind kind = TypeKind::None;
  int64_t elementType = 0; // of a tensor
  std::optional<std::vector<Dimension>> shape;
};

struct Graph;

/// AttributeProto.AttributeType.
enum class AttributeType : int64_t {
  Undefined = 0,
  Float = 1,
  Int = 2,
  String = 3,
  Tensor = 4,
  Graph = 5,
  Floats = 6,
  Ints = 7,
  Strings = 8,
  Tensors = 9,
  Graphs = 10,
  SparseTensor = 11,
  SparseTensors = 12,
  TypeProto = 13,
  TypeProtos = 14,
};

struct Attribute {
  llvm::StringRef name, reference; // reference: the attribute of the function around it
  AttributeType type = AttributeType::Undefined;
  float real = 0;
  int64_t integer = 0;
  llvm::StringRef text;
  std::shared_ptr<Tensor> tensor;
  std::shared_ptr<Graph> graph;
  std::vector<float> reals;
  std::vector<int64_t> integers;
  std::vector<llvm::StringRef> texts;
};

struct Node {
  uint64_t at = 0;
  llvm::StringRef name, op, domain, overload;
  std::vector<llvm::StringRef> inputs, outputs;
  std::vector<Attribute> attributes;
};

struct Graph {
  llvm::StringRef name;
  std::vector<Node> nodes;
  std::vector<Tensor> initializers;
  std::vector<llvm::StringRef> sparse; // initializers that are sparse
  std::vector<ValueInfo> inputs, outputs, values;
};

struct Opset {
  llvm::StringRef domain;
  int64_t version = 0;
};

struct Function {
  llvm::StringRef name, domain, overload;
  std::vector<llvm::StringRef> inputs, outputs, attributes;
  std::vector<Attribute> defaults;
  std::vector<Node> nodes;
  std::vector<Opset> opsets;
};

struct Model {
  std::string path;   // or what messages call it
  bool isFile = true; // or bytes that a program has in memory
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  int64_t irVersion = 0;
  llvm::StringRef producer;
  std::vector<Opset> opsets;
  std::vector<Function> functions;
  std::optional<Graph> graph;

  llvm::StringRef bytes(Span span) const { return buffer->getBuffer().slice(span.begin, span.end); }
};

/// Whether a file is an ONNX model and no symbol, which begins with `{` behind blanks: it is called
/// *.onnx, or its first byte is the tag of a field that a model may begin with.
bool isModelFile(llvm::StringRef bytes, llvm::StringRef path);

/// Reads a model; null after an error, which names the byte. Bytes that are no file's have no
/// folder for tensors outside of them.
std::shared_ptr<const Model> readModel(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                       llvm::StringRef path, Diagnostics &diagnostics,
                                       bool isFile = true);

/// The elements that a shape has; nothing where they do not fit 63 bits or an extent is negative.
std::optional<uint64_t> countElements(llvm::ArrayRef<int64_t> dims);

} // namespace symc::onnx

#endif // SYMC_FRONTEND_ONNX_MODEL_H
