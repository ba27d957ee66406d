//===- NodeReader.h - the object of one node ------------------------------===//
//
// Reads one element of "nodes" in any layout. Internal to the reader of symbol
// files.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_JSON_NODEREADER_H
#define SYMC_FRONTEND_JSON_NODEREADER_H

#include "frontend/json/ObjectReader.h"

namespace symc::json {

class NodeReader : public ObjectReader {
public:
  /// A subgraph that is still to be read, and where to.
  struct Pending {
    symbol::Graph *graph;
    Value value;
  };

  NodeReader(std::shared_ptr<const SourceText> source, Diagnostics &diagnostics,
             symbol::Layout layout)
      : ObjectReader(std::move(source), diagnostics), layout(layout) {}

  /// Reads node `id`; its subgraphs are only made and put on the list.
  void readNode(Value value, uint32_t id, symbol::Node &node,
                llvm::SmallVectorImpl<Pending> &subgraphs);

private:
  void readAttributes(Value object, symbol::AttributeOwner owner, symbol::Node &node);
  void dropRepeatedAttributes(symbol::Node &node, size_t before);
  void setKind(symbol::Node &node, std::optional<Value> backwardSource);

  symbol::Layout layout;
};

} // namespace symc::json

#endif // SYMC_FRONTEND_JSON_NODEREADER_H
