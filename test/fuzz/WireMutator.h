//===- WireMutator.h - changes of ONNX models that stay models ------------===//
//
// Reads a file of protobuf's wire format as a tree, by the numbers of the fields that are messages
// in an ONNX model, and changes one field, drawn from the seed: another number, another text of the
// file, the name of an operator, elements of a tensor, a field twice, taken away or put in
// another's place; or puts a part of a second file in its place. Lengths are written anew.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_TEST_FUZZ_WIREMUTATOR_H
#define SYMC_TEST_FUZZ_WIREMUTATOR_H

#include "frontend/onnx/Operators.h"
#include "test/fuzz/JsonMutator.h"

namespace symc {

/// The messages of an ONNX model that have messages.
enum class WireKind {
  Other,
  Model,
  Graph,
  Node,
  Attribute,
  Value,
  Type,
  TensorType,
  Shape,
  Dim,
  Tensor,
  Function,
  Opset
};

struct WireField {
  unsigned number = 0, wire = 0; // 0: a number, 1: 8 bytes, 2: bytes or a message, 5: 4 bytes
  uint64_t value = 0;
  std::string bytes;
  WireKind kind = WireKind::Other; // of a message; Other: bytes
  std::vector<WireField> fields;
};

inline WireKind wireKindOf(WireKind outer, unsigned number) {
  using K = WireKind;
  switch (outer) {
  case K::Model:
    return number == 7 ? K::Graph : number == 8 ? K::Opset : number == 25 ? K::Function : K::Other;
  case K::Graph:
    return number == 1                    ? K::Node
           : number == 5                  ? K::Tensor
           : number >= 11 && number <= 13 ? K::Value
                                          : K::Other;
  case K::Function:
    return number == 7 ? K::Node : number == 9 ? K::Opset : K::Other;
  case K::Node:
    return number == 5 ? K::Attribute : K::Other;
  case K::Attribute:
    return number == 5 ? K::Tensor : number == 6 ? K::Graph : K::Other;
  case K::Value:
    return number == 2 ? K::Type : K::Other;
  case K::Type:
    return number == 1 ? K::TensorType : K::Other;
  case K::TensorType:
    return number == 2 ? K::Shape : K::Other;
  case K::Shape:
    return number == 1 ? K::Dim : K::Other;
  default:
    return K::Other;
  }
}

inline bool readVarint(llvm::StringRef &bytes, uint64_t &value) {
  value = 0;
  for (unsigned i = 0; i < 10 && !bytes.empty(); ++i) {
    auto byte = static_cast<unsigned char>(bytes.front());
    bytes = bytes.drop_front();
    value |= uint64_t(byte & 127) << std::min(7 * i, 63u);
    if (byte < 128)
      return true;
  }
  return false;
}

inline bool readFields(llvm::StringRef bytes, WireKind kind, std::vector<WireField> &fields,
                       unsigned depth = 0) {
  while (!bytes.empty()) {
    WireField field;
    uint64_t tag, length = 0;
    if (depth > 80 || !readVarint(bytes, tag))
      return false;
    field.number = unsigned(tag >> 3);
    field.wire = tag & 7;
    if (field.wire == 0) {
      if (!readVarint(bytes, field.value))
        return false;
    } else {
      length = field.wire == 1 ? 8 : 4;
      if (field.wire != 1 && field.wire != 5 && (field.wire != 2 || !readVarint(bytes, length)))
        return false;
      if (length > bytes.size())
        return false;
      field.bytes = bytes.take_front(length).str();
      bytes = bytes.drop_front(length);
      field.kind = field.wire == 2 ? wireKindOf(kind, field.number) : WireKind::Other;
      if (field.kind != WireKind::Other &&
          !readFields(field.bytes, field.kind, field.fields, depth + 1))
        return false;
    }
    fields.push_back(std::move(field));
  }
  return true;
}

inline void writeVarint(uint64_t value, std::string &out) {
  for (; value > 127; value >>= 7)
    out += char(value | 128);
  out += char(value);
}

inline std::string writeFields(const std::vector<WireField> &fields) {
  std::string out;
  for (const WireField &field : fields) {
    writeVarint(uint64_t(field.number) << 3 | field.wire, out);
    if (field.wire == 0) {
      writeVarint(field.value, out);
      continue;
    }
    std::string bytes = field.kind == WireKind::Other ? field.bytes : writeFields(field.fields);
    if (field.wire == 2)
      writeVarint(bytes.size(), out);
    out += bytes;
  }
  return out;
}

/// A field and the list that it stands in.
struct WirePlace {
  std::vector<WireField> *list;
  size_t at;
  WireKind outer;
  WireField &field() const { return (*list)[at]; }
};

inline void collectPlaces(std::vector<WireField> &fields, WireKind kind,
                          std::vector<WirePlace> &places) {
  for (size_t i = 0; i < fields.size(); ++i) {
    places.push_back({&fields, i, kind});
    collectPlaces(fields[i].fields, fields[i].kind, places);
  }
}

// A text of the model, so that names name other things, or the name of an operator.
inline std::string drawText(const WirePlace &place, const std::vector<WirePlace> &places,
                            JsonDraw &draw) {
  if (place.outer == WireKind::Node && place.field().number == 4 && draw() % 4) {
    llvm::ArrayRef<onnx::OperatorRow> rows = onnx::operatorRows();
    return rows[draw() % rows.size()].name.str();
  }
  std::vector<const std::string *> texts;
  for (const WirePlace &other : places)
    if (other.field().wire == 2 && other.field().kind == WireKind::Other &&
        other.outer == place.outer)
      texts.push_back(&other.field().bytes);
  return texts.empty() || draw() % 8 == 0 ? std::string() : *texts[draw() % texts.size()];
}

// Attributes of the operator that a node has, with small numbers.
inline void addAttribute(std::vector<WireField> &node, JsonDraw &draw) {
  llvm::StringRef op;
  for (const WireField &field : node)
    if (field.number == 4)
      op = field.bytes;
  std::vector<onnx::DeclaredAttribute> known;
  for (const onnx::OperatorRow &row : onnx::operatorRows())
    if (row.name == op && !row.isRefused())
      for (const onnx::DeclaredAttribute &each : onnx::declaredAttributes(row))
        known.push_back(each);
  if (known.empty())
    return;
  const onnx::DeclaredAttribute &chosen = known[draw() % known.size()];
  WireField attribute;
  attribute.number = 5;
  attribute.wire = 2;
  attribute.kind = WireKind::Attribute;
  auto add = [&](unsigned number, unsigned wire, uint64_t value, std::string bytes = "") {
    WireField field;
    field.number = number;
    field.wire = wire;
    field.value = value;
    field.bytes = std::move(bytes);
    attribute.fields.push_back(std::move(field));
  };
  add(1, 2, 0, chosen.name.str());
  if (chosen.kind == "int") {
    add(3, 0, uint64_t(drawInteger(1, draw)));
    add(20, 0, 2);
  } else if (chosen.kind == "ints") {
    for (unsigned i = 0, count = draw() % 5; i < count; ++i)
      add(8, 0, uint64_t(drawInteger(1, draw)));
    add(20, 0, 7);
  } else if (chosen.kind == "string") {
    static const char *const words[] = {"VALID",      "SAME_UPPER", "SAME_LOWER", "max", "cubic",
                                        "half_pixel", "reflect",    "edge",       "add", "ij->ji"};
    add(4, 2, 0, words[draw() % std::size(words)]);
    add(20, 0, 3);
  } else {
    return;
  }
  node.push_back(std::move(attribute));
}

inline void mutatePlace(const WirePlace &place, const std::vector<WirePlace> &places,
                        JsonDraw &draw) {
  WireField &field = place.field();
  std::vector<WireField> &list = *place.list;
  switch (draw() % 16) {
  case 0:
    list.erase(list.begin() + long(place.at));
    return;
  case 1:
    list.insert(list.begin() + long(place.at), WireField(field));
    return;
  case 2:
    std::swap(field, list[draw() % list.size()]);
    return;
  default:
    break;
  }
  if (field.wire == 0) {
    field.value = uint64_t(drawInteger(int64_t(field.value), draw));
  } else if (field.kind == WireKind::Node) {
    addAttribute(field.fields, draw);
  } else if (field.kind != WireKind::Other) {
    std::vector<const WireField *> same;
    for (const WirePlace &other : places)
      if (other.field().kind == field.kind)
        same.push_back(&other.field());
    WireField copy = *same[draw() % same.size()];
    copy.number = field.number;
    field = std::move(copy);
  } else if (field.wire == 2 && (place.outer != WireKind::Tensor || field.number == 8)) {
    field.bytes = drawText(place, places, draw);
  } else if (!field.bytes.empty()) {
    field.bytes[draw() % field.bytes.size()] = char(draw() % 3 ? draw() % 5 : draw());
    if (field.wire == 2 && draw() % 8 == 0)
      field.bytes.resize(draw() % (field.bytes.size() + 9));
  }
}

/// "" where the bytes are no tree.
inline std::string mutateWire(llvm::StringRef bytes, unsigned seed) {
  JsonDraw draw(seed);
  std::vector<WireField> model;
  if (!readFields(bytes, WireKind::Model, model))
    return "";
  for (unsigned i = 0, count = 1 + draw() % 3; i < count; ++i) {
    std::vector<WirePlace> places;
    collectPlaces(model, WireKind::Model, places);
    if (places.empty())
      return "";
    mutatePlace(places[draw() % places.size()], places, draw);
  }
  return writeFields(model);
}

/// The first with a message of the second in the place of one of its own.
inline std::string crossWire(llvm::StringRef first, llvm::StringRef second, unsigned seed) {
  JsonDraw draw(seed);
  std::vector<WireField> one, other;
  if (!readFields(first, WireKind::Model, one) || !readFields(second, WireKind::Model, other))
    return "";
  std::vector<WirePlace> to, from;
  collectPlaces(one, WireKind::Model, to);
  collectPlaces(other, WireKind::Model, from);
  if (to.empty() || from.empty())
    return "";
  const WirePlace &place = to[draw() % to.size()];
  std::vector<const WireField *> same;
  for (const WirePlace &each : from)
    if (each.field().kind == place.field().kind && each.outer == place.outer &&
        each.field().number == place.field().number)
      same.push_back(&each.field());
  if (same.empty())
    return "";
  place.field() = WireField(*same[draw() % same.size()]);
  return writeFields(one);
}

/// The names that the shapes of inputs have in the place of extents.
inline std::vector<std::string> namedExtents(llvm::StringRef bytes) {
  std::vector<WireField> model;
  std::vector<std::string> names;
  if (!readFields(bytes, WireKind::Model, model))
    return names;
  for (WireField &graph : model)
    if (graph.kind == WireKind::Graph)
      for (WireField &input : graph.fields) {
        std::vector<WirePlace> places;
        if (input.number == 11)
          collectPlaces(input.fields, WireKind::Value, places);
        for (const WirePlace &place : places)
          if (place.outer == WireKind::Dim && place.field().number == 2 &&
              place.field().wire == 2 && !llvm::is_contained(names, place.field().bytes))
            names.push_back(place.field().bytes);
      }
  return names;
}

} // namespace symc

#endif // SYMC_TEST_FUZZ_WIREMUTATOR_H
