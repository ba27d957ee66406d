//===- PublicFactsTest.cpp - inference against MXNet's, where given -------===//
//
// For each symbol of SYMC_CONFORMANCE_DIR whose operators are in the table, infers
// shapes and element types from what facts.json gives and compares arguments,
// outputs and auxiliary states. Where MXNet reports an error or cannot decide
// shapes, inference must fail too; where nothing is given it may take float32. Of
// partial shapes, what MXNet knows must be found, and more may be. Skipped where the
// folder is not given.
//
//===----------------------------------------------------------------------===//
#include "Import.h"
#include "frontend/import/TableCatalog.h"
#include "ir/GraphDialect.h"
#include "passes/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <cstdlib>

using namespace symc;
using namespace symc::test;

namespace {

/// What inference found, by list; as text: "[2, 3]", "[]", "float32", "?".
struct Found {
  std::vector<std::string> arguments, outputs, auxiliary;
  bool operator==(const Found &other) const {
    return arguments == other.arguments && outputs == other.outputs && auxiliary == other.auxiliary;
  }
  friend std::ostream &operator<<(std::ostream &os, const Found &found) {
    for (const auto *list : {&found.arguments, &found.outputs, &found.auxiliary}) {
      for (const std::string &text : *list)
        os << text << ' ';
      os << "; ";
    }
    return os;
  }
};

std::string shapeText(mlir::Type type) {
  sg::Shape shape = sg::shapeOf(type);
  std::string text = "[";
  for (size_t i = 0; shape.isRanked() && i < shape.rank(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i].isStatic() ? shape[i].get() : 0);
  return text + "]";
}

std::string typeText(mlir::Type type) {
  mlir::Type element = sg::elementTypeOf(type);
  return element ? sg::typeName(element) : "?";
}

Found collect(mlir::ModuleOp module, std::string (*text)(mlir::Type)) {
  auto graph = module.lookupSymbol<sg::GraphOp>("main"); // bodies of loops may stand before it
  llvm::StringMap<std::vector<std::string>> byName;
  Found found;
  // Not the weights' own types, which are written only where nothing is unknown.
  for (auto parameter : graph.getBlock().getOps<sg::ParameterOp>()) {
    std::string type = text(parameter.getType());
    if (module.lookupSymbol<sg::WeightOp>(parameter.getWeight()).getAux())
      found.auxiliary.push_back(type);
    byName[parameter.getWeight().split('#').first].push_back(type);
  }
  for (auto [i, argument] : llvm::enumerate(graph.getBlock().getArguments()))
    byName[graph.getInputName(i)].push_back(text(argument.getType()));
  mlir::ArrayAttr order = *graph.getArgumentOrder();
  for (mlir::Attribute name : order) {
    auto &list = byName[mlir::cast<mlir::StringAttr>(name).getValue()];
    found.arguments.push_back(list.front());
    list.erase(list.begin());
  }
  for (mlir::Value head : graph.getBlock().getTerminator()->getOperands())
    found.outputs.push_back(text(head.getType()));
  return found;
}

std::vector<std::string> expectedList(const llvm::json::Value &list) {
  std::vector<std::string> texts;
  for (const llvm::json::Value &entry : *list.getAsArray()) {
    if (auto name = entry.getAsString()) {
      texts.push_back(name->str());
      continue;
    }
    std::string text = "[";
    for (const llvm::json::Value &extent : *entry.getAsArray())
      text += (text.size() > 1 ? ", " : "") +
              std::to_string(std::max<int64_t>(0, *extent.getAsInteger()));
    texts.push_back(text + "]");
  }
  return texts;
}

/// Whether `found` tells all that `expected` tells; 0 and [] tell nothing.
bool tellsAll(llvm::ArrayRef<std::string> found, llvm::ArrayRef<std::string> expected) {
  auto tells = [](llvm::StringRef text, llvm::StringRef wanted) {
    llvm::SmallVector<llvm::StringRef> have, want;
    text.trim("[]").split(have, ", ");
    wanted.trim("[]").split(want, ", ");
    return wanted == "[]" ||
           (have.size() == want.size() && llvm::all_of(llvm::zip(have, want), [](auto pair) {
              return std::get<1>(pair) == "0" || std::get<0>(pair) == std::get<1>(pair);
            }));
  };
  return found.size() == expected.size() &&
         llvm::all_of(llvm::zip(found, expected),
                      [&](auto pair) { return tells(std::get<0>(pair), std::get<1>(pair)); });
}

/// Partial facts that are not compared: MXNet takes an unknown extent for 0 in a sum
/// (concat), and goes on after a contradiction (shared_weight_conflict).
bool isOutside(llvm::StringRef key, llvm::StringRef folder) {
  return key == "infer_shape_partial" &&
         (folder.ends_with("/concat") || folder.ends_with("/shared_weight_conflict"));
}

class PublicFacts : public testing::Test {
protected:
  void SetUp() override {
    const char *value = std::getenv("SYMC_CONFORMANCE_DIR");
    if (!value || !*value)
      GTEST_SKIP() << "SYMC_CONFORMANCE_DIR is not set";
    context.disableMultithreading();
    context.loadDialect<sg::SGDialect>();
    llvm::SmallString<128> folder(value);
    llvm::sys::path::append(folder, "symbols");
    std::error_code failure;
    for (llvm::sys::fs::directory_iterator it(folder, failure), end; it != end && !failure;
         it.increment(failure))
      folders.push_back(it->path());
    std::sort(folders.begin(), folders.end());
  }

  /// Runs `pass` over the symbol with `options`, for each entry of facts[key].
  template <class Given>
  void check(llvm::StringRef key, llvm::StringRef kind, std::unique_ptr<mlir::Pass> (*pass)(),
             std::string (*text)(mlir::Type), Given given) {
    TableCatalog catalog(context);
    for (const std::string &folder : folders) {
      Diagnostics diagnostics;
      auto graph = json::readSymbolFile(folder + "/symbol.json", diagnostics, {&catalog});
      if (!graph || llvm::any_of(graph->nodes, [](const symbol::Node &node) {
            return node.kind == symbol::NodeKind::Operator && !sg::lookupOp(node.op);
          }))
        continue;
      auto file = llvm::cantFail(
          llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(folder + "/facts.json")));
      llvm::json::Value facts = llvm::cantFail(llvm::json::parse(file->getBuffer()));
      for (const llvm::json::Value &entry : *facts.getAsObject()->getArray(key)) {
        const llvm::json::Object &fact = *entry.getAsObject();
        ImportOptions options;
        options.randomWeights = options.allowDuplicateNames = true;
        given(*fact.getObject("given"), options);
        std::string messages;
        mlir::ScopedDiagnosticHandler quiet(&context, [&](mlir::Diagnostic &diagnostic) {
          messages += diagnostic.str() + "\n";
          return mlir::success();
        });
        auto module = importGraph(*graph, options, context, diagnostics);
        ASSERT_TRUE(module) << diagnostics.str();
        mlir::PassManager manager(&context);
        manager.addPass(pass());
        bool good = mlir::succeeded(manager.run(*module));
        const llvm::json::Array *arguments = fact.getArray(("arg_" + kind).str());
        if (isOutside(key, folder))
          continue;
        ++compared;
        if (!arguments) {
          bool nothingGiven = fact.getObject("given")->empty();
          if (kind == "shapes" || (fact.get("error") && !nothingGiven))
            EXPECT_FALSE(good) << folder << " " << key.str();
          continue;
        }
        Found expected = {expectedList(*fact.get(("arg_" + kind).str())),
                          expectedList(*fact.get(("out_" + kind).str())),
                          expectedList(*fact.get(("aux_" + kind).str()))};
        Found found = collect(*module, text);
        if (key != "infer_shape_partial") {
          EXPECT_EQ(found, expected) << folder << " " << key.str() << "\n" << messages;
          continue;
        }
        EXPECT_TRUE(tellsAll(found.arguments, expected.arguments) &&
                    tellsAll(found.outputs, expected.outputs) &&
                    tellsAll(found.auxiliary, expected.auxiliary))
            << folder << "\nfound " << found << "\nexpected " << expected << "\n"
            << messages;
      }
    }
    std::cout << compared << " entries of " << key.str() << " compared\n";
    EXPECT_GT(compared, 0u);
  }

  static void givenShapes(const llvm::json::Object &given, ImportOptions &options) {
    for (const auto &[name, extents] : given)
      for (const llvm::json::Value &extent : *extents.getAsArray())
        options.shapes[name.str()].push_back(
            DimSpec::fixed(std::max<int64_t>(0, *extent.getAsInteger())));
  }
  static void givenTypes(const llvm::json::Object &given, ImportOptions &options) {
    for (const auto &[name, type] : given)
      options.dtypes[name.str()] = type.getAsString()->str();
  }

  mlir::MLIRContext context;
  std::vector<std::string> folders;
  unsigned compared = 0;
};

TEST_F(PublicFacts, ShapesAreThoseOfMXNet) {
  check("infer_shape", "shapes", createInferShapes, shapeText, givenShapes);
}

TEST_F(PublicFacts, PartialShapesAreThoseOfMXNet) {
  check("infer_shape_partial", "shapes", createInferShapes, shapeText, givenShapes);
}

TEST_F(PublicFacts, TypesAreThoseOfMXNet) {
  check("infer_type", "types", createInferTypes, typeText, givenTypes);
}

} // namespace
