// OneOperator.cpp: see OneOperator.h.
#include "tools/symc-run/OneOperator.h"

#include "frontend/import/TableCatalog.h"
#include "frontend/params/ParamsReader.h"
#include "frontend/symbol/OperatorCall.h"
#include "frontend/symbol/Symbol.h"
#include "ir/GraphDialect.h"
#include "llvm/Support/FileSystem.h"

using namespace symc;
using namespace symc::run;

// A graph of one node, all of whose inputs are variables.
static std::optional<symbol::Graph> makeGraph(llvm::StringRef text, mlir::MLIRContext &context) {
  TableCatalog catalog(context);
  std::string message;
  auto call = symbol::parseOperatorCall(text, message);
  auto made =
      call ? symbol::Symbol::create(call->op, call->attributes, catalog, message) : std::nullopt;
  std::string name = call ? llvm::StringRef(call->op).lower() : "";
  if (made)
    made = made->compose(name, {}, {}, catalog, message);
  if (!made) {
    sayError(message, "symc --list-op NAME prints an operator's parameters and inputs");
    return std::nullopt;
  }
  symbol::Graph graph = made->toGraph();
  graph.name = name;
  for (symbol::Node &node : graph.nodes)
    if (llvm::StringRef plain = node.name; node.isVariable() && plain.consume_front(name + "_"))
      node.name = plain.str();
  return graph;
}

// The shapes and types of the arrays of one --input, by input.
static int readShapes(llvm::StringRef word, const symbol::Graph &graph, mlir::MLIRContext &context,
                      CompileRequest &request) {
  llvm::StringRef path = word, name;
  if (word.contains('=') && !llvm::sys::fs::exists(word))
    std::tie(name, path) = word.split('=');
  Diagnostics diagnostics;
  std::optional<params::ArrayFile> file = params::readArrays(path, diagnostics);
  if (!file) {
    diagnostics.render(llvm::errs());
    return ExitBadInput;
  }
  for (const params::Array &array : file->arrays) {
    std::string input = file->arrays.size() == 1 && !name.empty() ? name.str() : array.name;
    if (input.empty() && !graph.nodes.empty() && graph.nodes[0].isVariable())
      input = graph.nodes[0].name; // an array without a name
    bool known = llvm::any_of(graph.nodes, [&](const symbol::Node &node) {
      return node.isVariable() && node.name == input;
    });
    if (!known || request.shapes.count(input))
      continue; // the model reports that it has no such input
    for (int64_t extent : array.shape)
      request.shapes[input].push_back(DimSpec::fixed(extent));
    if (mlir::Type type = sg::typeFromFlag(int32_t(array.dtype), &context))
      request.dtypes.try_emplace(input, sg::typeName(type));
  }
  return ExitOk;
}

int symc::run::composeOperator(CommandLine &line) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<sg::SGDialect>();
  auto graph = makeGraph(line.op, context);
  if (!graph)
    return ExitUsage;
  for (const std::string &word : line.inputs)
    if (int status = readShapes(word, *graph, context, line.request))
      return status;
  line.request.randomWeights = true;
  line.request.prefix = "op_" + graph->name;
  line.request.model.graph = std::make_shared<const symbol::Graph>(std::move(*graph));
  return ExitOk;
}
