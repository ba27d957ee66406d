// ConvAlgorithm.cpp: the table of the algorithms that are there; see ConvAlgorithm.h.
#include "codegen/conv/Tuning.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace symc::codegen {
#define SYMC_CONV_ALGORITHM(NAME)                                                                  \
  llvm::ArrayRef<const ConvAlgorithm *> list##NAME##Algorithms();                                  \
  void register##NAME##Steps(DialectRegistry &registry);
#include "codegen/conv/ConvAlgorithms.inc"
#undef SYMC_CONV_ALGORITHM
} // namespace symc::codegen

llvm::ArrayRef<const ConvAlgorithm *> symc::codegen::convAlgorithms() {
  static const std::vector<const ConvAlgorithm *> all = [] {
    std::vector<const ConvAlgorithm *> rows;
#define SYMC_CONV_ALGORITHM(NAME) llvm::append_range(rows, list##NAME##Algorithms());
#include "codegen/conv/ConvAlgorithms.inc"
#undef SYMC_CONV_ALGORITHM
    auto place = [](const ConvAlgorithm *row) {
      return std::pair(row->name != "direct", row->shareNeeded);
    };
    llvm::stable_sort(
        rows, [&](const ConvAlgorithm *a, const ConvAlgorithm *b) { return place(a) < place(b); });
    return rows;
  }();
  return all;
}

void symc::codegen::registerTunableSteps(DialectRegistry &registry) {
  registerTaskModels(registry);
#define SYMC_CONV_ALGORITHM(NAME) register##NAME##Steps(registry);
#include "codegen/conv/ConvAlgorithms.inc"
#undef SYMC_CONV_ALGORITHM
}

const ConvAlgorithm *symc::codegen::directAlgorithm() { return convAlgorithms().front(); }

const ConvAlgorithm *symc::codegen::convAlgorithmNamed(llvm::StringRef name) {
  for (const ConvAlgorithm *row : convAlgorithms())
    if (row->name == name)
      return row;
  return nullptr;
}

const ConvAlgorithm *symc::codegen::algorithmOf(Operation *step) {
  auto tunable = dyn_cast<TunableStep>(step);
  return tunable ? convAlgorithmNamed(tunable.getAlgorithm()) : nullptr;
}

std::string symc::codegen::convAlgorithmNames() {
  std::string text;
  llvm::ArrayRef<const ConvAlgorithm *> rows = convAlgorithms();
  for (const ConvAlgorithm *row : rows)
    text += (row == rows.front() ? "" : row == rows.back() ? " or " : ", ") + row->name.str();
  return text;
}

std::string symc::codegen::keyOfLayer(const ConvLayer &layer, int64_t lanes, bool flat) {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << "conv/n" << layer.images << "/i" << layer.inChannels << "/o" << layer.outChannels << "/"
     << layer.rows << "x" << layer.columns;
  for (auto [letter, pair] :
       {std::pair('k', ArrayRef(layer.kernel)), std::pair('s', ArrayRef(layer.strides)),
        std::pair('d', ArrayRef(layer.dilations))})
    os << "/" << letter << pair[0] << "x" << pair[1];
  os << "/l" << lanes << (flat ? "/flat" : "/rows") << "/e" << layer.extras;
  if (layer.product)
    os << "/" << layer.product->panelForm;
  return key;
}

std::string symc::codegen::keyOfLayer(const ConvLayer &layer) {
  return keyOfLayer(layer, layer.blocked ? 16 : layer.inChannels, layer.flat && layer.rows != 1);
}

std::string symc::codegen::extentsObstacle(const ConvLayer &layer) {
  for (int64_t extent : {layer.images, layer.rows, layer.columns})
    if (ShapedType::isDynamic(extent))
      return "its extents are chosen at run time";
  return "";
}
