//===- Trees.cpp - ONNX's ensembles of decision trees -----------------------===//
//
// Every form of an ensemble becomes one table of nodes and one of leaves (Forest): sg.tree_leaves
// finds the leaf of each tree, what leaves weigh for each target is taken from a table, and a
// reduction over the trees follows.
//
//===----------------------------------------------------------------------===//
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/ops/Classic.h"
#include "frontend/onnx/ops/Places.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <limits>

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

namespace {

// Next nodes and roots below 0 are the leaves -1 - number.
struct Forest {
  SmallVector<int64_t> features, comparisons, yes, no, roots;
  std::vector<double> splits;
  int64_t leaves = 0;
  std::vector<std::tuple<int64_t, int64_t, double>> votes; // leaf, target, weight
};

} // namespace

constexpr int64_t kMissingHolds = 8, kMember = 6;

// The numbers of a tensor of an attribute, of any count; nothing after a refusal.
static std::optional<std::vector<double>> numbersOf(NodeScope &node, StringRef name) {
  const Tensor &tensor = *node.find(name)->tensor;
  Type type = typeOf(tensor.type, node.context());
  std::string mistake = type ? node.state.weights->check(tensor, dtypeOf(type))
                             : "holds elements of type " + nameOf(tensor.type).str();
  if (!mistake.empty()) {
    node.refuse("its tensor " + inQuotes(name) + " " + mistake);
    return std::nullopt;
  }
  size_t i = node.state.weights->add(name, tensor, dtypeOf(type));
  Known known = decode(node.state.weights->values(i).bytes, tensor.dims, type);
  std::vector<double> numbers;
  for (size_t k = 0; k < known.count(); ++k)
    numbers.push_back(known.at(k));
  return numbers;
}

// The numbers of a list, or of the tensor that stands for it.
static std::optional<std::vector<double>> realsOf(NodeScope &node, StringRef name) {
  std::string tensor = (name + "_as_tensor").str();
  if (node.given(tensor))
    return numbersOf(node, tensor);
  const Attribute *list = node.find(name);
  return list ? std::vector<double>(list->reals.begin(), list->reals.end()) : std::vector<double>();
}

// Whether every walk ends: no node is reached from itself.
static bool ends(const Forest &forest) {
  SmallVector<char> state(forest.features.size(), 0); // 1: on the way, 2: done
  for (int64_t root : forest.roots) {
    SmallVector<int64_t> way;
    if (root >= 0)
      way.push_back(root);
    while (!way.empty()) {
      int64_t at = way.back();
      char &own = state[size_t(at)];
      if (own != 0) {
        own = 2;
        way.pop_back();
        continue;
      }
      own = 1;
      for (int64_t next : {forest.yes[size_t(at)], forest.no[size_t(at)]}) {
        if (next >= 0 && state[size_t(next)] == 1)
          return false;
        if (next >= 0 && state[size_t(next)] == 0)
          way.push_back(next);
      }
    }
  }
  return true;
}

// [rows, targets]: what the leaves weigh, put together over the trees (0: mean, 1: sum, 2: least,
// 3: greatest).
static Value scores(NodeScope &node, const Forest &forest, int64_t targets, int64_t how,
                    Type type) {
  Value x = node.in(0);
  Type own = node.type(0);
  if (!isa<FloatType>(own) || own.getIntOrFloatBitWidth() < 32)
    x = node.cast(x, own = Float32Type::get(node.context()));
  if (node.rank(0) == 1)
    x = node.expandDims(x, 0);
  auto count = int64_t(forest.features.size()), trees = int64_t(forest.roots.size());
  SmallVector<int64_t> rows;
  for (size_t i = 0; i < forest.features.size(); ++i)
    rows.append({forest.features[i], forest.comparisons[i], forest.yes[i], forest.no[i]});
  Type whole = int64Type(node);
  Value leaves =
      node.make("tree_leaves", {x, node.constant(Known::real64(forest.splits, {count}, own)),
                                node.constant(Known::of(rows, {count, 4}, whole)),
                                node.constant(Known::of(forest.roots, {trees}, whole))});
  double least = std::numeric_limits<float>::lowest(), most = std::numeric_limits<float>::max();
  if (type.isF64()) {
    least = std::numeric_limits<double>::lowest();
    most = std::numeric_limits<double>::max();
  }
  std::vector<double> table(size_t(forest.leaves * targets), how == 2   ? most
                                                             : how == 3 ? least
                                                                        : 0);
  for (auto [leaf, target, weight] : forest.votes) {
    double &own = table[size_t(leaf * targets + target)];
    own = how == 2 ? std::min(own, weight) : how == 3 ? std::max(own, weight) : own + weight;
  }
  Value votes = node.make(
      "take", {node.constant(Known::real64(table, {forest.leaves, targets}, type)), leaves},
      {node.number("axis", 0)});
  if (how == 0)
    votes = node.scalar("div", votes, double(trees));
  return node.reduce(how == 2 ? "min" : how == 3 ? "max" : "sum", votes, {1}, false);
}

static bool checkForest(NodeScope &node, const Forest &forest, int64_t targets) {
  sg::Shape shape = node.shape(0);
  if ((shape.rank() != 1 && shape.rank() != 2) || !shape[shape.rank() - 1].isStatic())
    return node.refuse("its data has the shape " + shape.str() +
                       ", needs one or two extents, the last a fixed one");
  int64_t features = shape[shape.rank() - 1].get();
  if (targets < 1 || forest.leaves < 1 || targets > (1 << 26) / forest.leaves)
    return node.refuse("it has " + Twine(targets) + " targets and " + Twine(forest.leaves) +
                       " leaves, needs at least one of each and at most 2^26 pairs");
  for (int64_t feature : forest.features)
    if (feature < 0 || feature >= features)
      return node.refuse("a node compares the feature " + Twine(feature) + " of " +
                         Twine(features));
  for (auto [leaf, target, weight] : forest.votes)
    if (target < 0 || target >= targets)
      return node.refuse("a leaf weighs for the target " + Twine(target) + " of " + Twine(targets));
  return ends(forest) || node.refuse("a node of its trees is reached from itself");
}

// One comparison for each node, but one for each member of a set.
bool treeEnsemble(NodeScope &node) {
  ArrayRef<int64_t> features = node.integers("nodes_featureids"),
                    yes = node.integers("nodes_truenodeids"),
                    no = node.integers("nodes_falsenodeids"),
                    yesLeaf = node.integers("nodes_trueleafs"),
                    noLeaf = node.integers("nodes_falseleafs"),
                    missing = node.integers("nodes_missing_value_tracks_true"),
                    targets = node.integers("leaf_targetids"), roots = node.integers("tree_roots");
  auto modes = numbersOf(node, "nodes_modes");
  auto splits = modes ? numbersOf(node, "nodes_splits") : std::nullopt;
  auto weights = splits ? numbersOf(node, "leaf_weights") : std::nullopt;
  auto members = weights && node.given("membership_values") ? numbersOf(node, "membership_values")
                                                            : std::vector<double>();
  if (!weights || !members)
    return false;
  size_t count = features.size();
  for (size_t size : {yes.size(), no.size(), yesLeaf.size(), noLeaf.size(), modes->size(),
                      splits->size(), missing.empty() ? count : missing.size()})
    if (size != count || weights->size() != targets.size())
      return node.refuse("its lists of nodes or leaves have different lengths");
  Forest forest;
  forest.leaves = int64_t(weights->size());
  for (size_t i = 0; i < weights->size(); ++i)
    forest.votes.emplace_back(int64_t(i), targets[i], (*weights)[i]);
  // Where each node begins, as one comparison or several.
  std::vector<std::vector<double>> sets(count);
  SmallVector<int64_t> starts;
  size_t at = 0;
  int64_t begin = 0;
  for (size_t i = 0; i < count; ++i) {
    starts.push_back(begin);
    if ((*modes)[i] > kMember)
      return node.refuse("a node has the mode " + Twine(int64_t((*modes)[i])) + ", needs 0 to 6");
    if ((*modes)[i] == kMember) {
      while (at < members->size() && !std::isnan((*members)[at]))
        sets[i].push_back((*members)[at++]);
      if (at++ == members->size() || sets[i].empty())
        return node.refuse("a node compares with a set that has no members");
    }
    begin += (*modes)[i] == kMember ? int64_t(sets[i].size()) : 1;
  }
  bool isInside = true;
  auto next = [&](int64_t number, bool isLeaf) {
    if (number < 0 || number >= (isLeaf ? forest.leaves : int64_t(count))) {
      isInside = false;
      return int64_t(-1);
    }
    return isLeaf ? -1 - number : starts[size_t(number)];
  };
  for (size_t i = 0; i < count; ++i) {
    bool isSet = (*modes)[i] == kMember;
    if (!isSet)
      sets[i] = {(*splits)[i]};
    for (auto [k, split] : enumerate(sets[i])) {
      bool last = k + 1 == sets[i].size();
      forest.features.push_back(features[i]);
      forest.splits.push_back(split);
      forest.comparisons.push_back((isSet ? 4 : int64_t((*modes)[i])) +
                                   (!missing.empty() && missing[i] ? kMissingHolds : 0));
      forest.yes.push_back(next(yes[i], yesLeaf[i] != 0));
      forest.no.push_back(last ? next(no[i], noLeaf[i] != 0) : starts[i] + int64_t(k) + 1);
    }
  }
  for (int64_t root : roots)
    forest.roots.push_back(next(root, false));
  if (!isInside)
    return node.refuse("a node or leaf lies outside of its lists");
  int64_t how = node.integer("aggregate_function"), wanted = 0;
  for (int64_t target : targets)
    wanted = std::max(wanted, target + 1);
  if (node.given("n_targets"))
    wanted = node.integer("n_targets");
  int64_t transform = node.integer("post_transform");
  if (how < 0 || how > 3 || transform < 0 || transform > 4)
    return node.refuse("it has no aggregate_function " + Twine(how) + " or no post_transform " +
                       Twine(transform));
  if (!checkForest(node, forest, wanted))
    return false;
  Type type = isa<FloatType>(node.type(0)) ? node.type(0) : Float32Type::get(node.context());
  return node.give(transformedScores(node, scores(node, forest, wanted, how, type), transform));
}

// Nodes by the numbers of their trees and their own, leaves among them.
static std::optional<Forest> readForest(NodeScope &node, StringRef votes) {
  Forest forest;
  ArrayRef<int64_t> trees = node.integers("nodes_treeids"), ids = node.integers("nodes_nodeids"),
                    features = node.integers("nodes_featureids"),
                    yes = node.integers("nodes_truenodeids"),
                    no = node.integers("nodes_falsenodeids"),
                    missing = node.integers("nodes_missing_value_tracks_true"),
                    leafTrees = node.integers((votes + "_treeids").str()),
                    leafIds = node.integers((votes + "_nodeids").str()),
                    targets = node.integers((votes + "_ids").str());
  const std::vector<StringRef> &modes = node.find("nodes_modes")->texts;
  auto splits = realsOf(node, "nodes_values");
  auto weights = splits ? realsOf(node, (votes + "_weights").str()) : std::nullopt;
  if (!weights)
    return std::nullopt;
  size_t count = ids.size();
  auto fail = [&](const Twine &reason) -> std::optional<Forest> {
    node.refuse(reason);
    return std::nullopt;
  };
  for (size_t size : {trees.size(), features.size(), yes.size(), no.size(), modes.size(),
                      splits->size(), missing.empty() ? count : missing.size()})
    if (size != count || leafTrees.size() != weights->size() || leafIds.size() != weights->size() ||
        targets.size() != weights->size())
      return fail("its lists of nodes or leaves have different lengths");
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> places; // of nodes, or -1 - leaf
  for (size_t i = 0; i < count; ++i) {
    bool isLeaf = modes[i] == "LEAF";
    int64_t place = isLeaf ? -1 - forest.leaves++ : int64_t(forest.features.size());
    if (!places.insert({{trees[i], ids[i]}, place}).second)
      return fail("node " + Twine(ids[i]) + " of tree " + Twine(trees[i]) + " is given twice");
    if (isLeaf)
      continue;
    int64_t comparison = llvm::StringSwitch<int64_t>(modes[i])
                             .Case("BRANCH_LEQ", 0)
                             .Case("BRANCH_LT", 1)
                             .Case("BRANCH_GTE", 2)
                             .Case("BRANCH_GT", 3)
                             .Case("BRANCH_EQ", 4)
                             .Case("BRANCH_NEQ", 5)
                             .Default(-1);
    if (comparison < 0)
      return fail("it has no mode of nodes " + inQuotes(modes[i]));
    forest.features.push_back(features[i]);
    forest.splits.push_back((*splits)[i]);
    forest.comparisons.push_back(comparison + (!missing.empty() && missing[i] ? kMissingHolds : 0));
  }
  auto place = [&](int64_t tree, int64_t id) -> std::optional<int64_t> {
    auto found = places.find({tree, id});
    if (found != places.end())
      return found->second;
    node.refuse("tree " + Twine(tree) + " has no node " + Twine(id));
    return std::nullopt;
  };
  llvm::DenseSet<std::pair<int64_t, int64_t>> reached;
  for (size_t i = 0; i < count; ++i) {
    if (modes[i] == "LEAF")
      continue;
    auto one = place(trees[i], yes[i]), other = one ? place(trees[i], no[i]) : std::nullopt;
    if (!other)
      return std::nullopt;
    forest.yes.push_back(*one);
    forest.no.push_back(*other);
    reached.insert({trees[i], yes[i]});
    reached.insert({trees[i], no[i]});
  }
  llvm::DenseSet<int64_t> rooted;
  for (size_t i = 0; i < count; ++i)
    if (!reached.contains({trees[i], ids[i]})) {
      if (!rooted.insert(trees[i]).second)
        return fail("tree " + Twine(trees[i]) + " has two nodes that no node leads to");
      forest.roots.push_back(places.lookup({trees[i], ids[i]}));
    }
  for (int64_t tree : trees)
    if (!rooted.contains(tree))
      return fail("a node of its trees is reached from itself");
  for (size_t i = 0; i < weights->size(); ++i) {
    auto leaf = place(leafTrees[i], leafIds[i]);
    if (!leaf)
      return std::nullopt;
    if (*leaf >= 0)
      return fail("node " + Twine(leafIds[i]) + " of tree " + Twine(leafTrees[i]) +
                  " is no leaf, and has a weight");
    forest.votes.emplace_back(-1 - *leaf, targets[i], (*weights)[i]);
  }
  return forest;
}

bool treeRegressor(NodeScope &node) {
  auto forest = readForest(node, "target");
  auto base = forest ? realsOf(node, "base_values") : std::nullopt;
  if (!base)
    return false;
  int64_t targets = node.integer("n_targets"), transform = transformOf(node.text("post_transform"));
  int64_t how = llvm::StringSwitch<int64_t>(node.text("aggregate_function"))
                    .Case("AVERAGE", 0)
                    .Case("SUM", 1)
                    .Case("MIN", 2)
                    .Case("MAX", 3)
                    .Default(-1);
  if (how < 0 || transform < 0)
    return node.refuse("it has no aggregate_function " + inQuotes(node.text("aggregate_function")) +
                       " or no post_transform " + inQuotes(node.text("post_transform")));
  if (!checkForest(node, *forest, targets))
    return false;
  if (!base->empty() && int64_t(base->size()) != targets)
    return node.refuse("it has " + Twine(base->size()) + " base_values for " + Twine(targets) +
                       " targets");
  Type type = Float32Type::get(node.context());
  Value y = scores(node, *forest, targets, how, type);
  if (!base->empty())
    y = node.binary("add", y, node.constant(Known::real64(*base, {targets}, type)));
  return node.give(y ? transformedScores(node, y, transform) : y);
}

} // namespace symc::onnx::ops
