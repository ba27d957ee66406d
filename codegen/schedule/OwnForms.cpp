// OwnForms.cpp: see OwnForms.h.
#include "codegen/schedule/OwnForms.h"

#include "codegen/kernel/ViewOrigin.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// Of the bytes that the first instruction set reads, what further forms may take: a file is
// at most half as large again as for one instruction set.
static constexpr double mostBytesShare = 0.5;
// Of a layer's cycles, what a form has to save.
static constexpr double leastSaved = 0.1;

static int64_t bytesOf(MemRefType type) {
  return type.getNumElements() * kernel::elementBytes(type.getElementType());
}

void OwnForms::addReadOf(kernel::ProgramOp program) {
  program.walk([&](kernel::WeightOp weight) {
    read[weight.getName()] = bytesOf(cast<MemRefType>(weight.getType()));
  });
}

void OwnForms::limitByRead() {
  int64_t bytes = 0;
  for (const auto &weight : read)
    bytes += weight.second;
  bytesLeft = mostBytesShare * bytes;
}

// The weights that the algorithm reads: their name and bytes.
static std::pair<std::string, int64_t> weightsOf(const ConvAlgorithm *algorithm,
                                                 const ConvLayer &layer, kernel::ConvOp conv) {
  auto panels = conv.getWeights().getDefiningOp<kernel::WeightOp>();
  if (std::optional<WeightsForm> other = algorithm->weightsOf(layer, conv.getContext()))
    return {nameIn(other->form, panels.getName()), bytesOf(other->type)};
  return {panels.getName().str(), bytesOf(cast<MemRefType>(panels.getType()))};
}

OwnForms::Open OwnForms::rate(kernel::ConvOp conv, const KernelPolicy &policy) const {
  ConvLayer layer = layerFor(conv, policy);
  Open open{conv, chooseConvAlgorithm(layer, policy), {}, "", 0};
  std::tie(open.weights, open.bytes) = weightsOf(open.own.algorithm, layer, conv);
  // What the user requests, or nobody could choose, is taken.
  bool isRated = open.own.directCycles > 0 && !open.own.isMeasured;
  if (!isRated || read.contains(open.weights))
    return open;
  SmallVector<const ConvAlgorithm *> among;
  for (const ConvAlgorithm *algorithm : convAlgorithms())
    if (algorithm->obstacle(layer).empty() &&
        read.contains(weightsOf(algorithm, layer, conv).first))
      among.push_back(algorithm);
  if (among.empty())
    return open;
  KernelPolicy restricted = policy;
  restricted.among = among;
  restricted.measured = nullptr;
  open.shared = chooseConvAlgorithm(layer, restricted);
  if (open.shared->cycles <= open.own.cycles) { // by less than the share that it needs
    open.own = *open.shared;
    open.shared.reset();
    std::tie(open.weights, open.bytes) = weightsOf(open.own.algorithm, layer, conv);
  }
  return open;
}

// Takes the forms that are worth their bytes into `read`.
void OwnForms::grant(ArrayRef<Open> open) {
  struct Form {
    int64_t bytes = 0;
    double saved = 0, cycles = 0; // of what would be taken without it
    bool isNeeded = false;        // there is no choice
  };
  llvm::MapVector<StringRef, Form> forms; // several steps may read one
  for (const Open &one : open) {
    if (read.contains(one.weights))
      continue;
    Form &form = forms[one.weights];
    form.bytes = one.bytes;
    form.isNeeded |= !one.shared;
    if (one.shared) {
      form.saved += one.shared->cycles - one.own.cycles;
      form.cycles += one.shared->cycles;
    }
  }
  SmallVector<std::pair<StringRef, Form>> ranked = forms.takeVector();
  llvm::stable_sort(ranked, [](const auto &a, const auto &b) {
    return a.second.saved * b.second.bytes > b.second.saved * a.second.bytes;
  });
  for (const auto &[name, form] : ranked) {
    bool pays = form.saved >= leastSaved * form.cycles && form.bytes <= bytesLeft;
    if (!form.isNeeded && !pays)
      continue;
    bytesLeft -= form.bytes;
    read[name] = form.bytes;
  }
}

void OwnForms::choose(ArrayRef<kernel::ProgramOp> programs, ArrayRef<KernelPolicy> policies) {
  SmallVector<Open> open;
  for (auto [program, policy] : llvm::zip_equal(programs, policies))
    for (auto conv : kernel::ProgramOp(program).getBody().getOps<kernel::ConvOp>())
      if (conv.getChoose() && conv.getWeights().getDefiningOp<kernel::WeightOp>())
        open.push_back(rate(conv, policy));
  llvm::StringSet<> before;
  for (const auto &weight : read)
    before.insert(weight.getKey());
  grant(open);
  for (Open &one : open) {
    FormChoice choice{one.own, "", true};
    std::string megabytes = llvm::formatv("{0:F1} MB", one.bytes / 1e6);
    if (!read.contains(one.weights)) {
      choice = {*one.shared, "", false};
      choice.about = llvm::formatv("it reads weights that are there; {0} would take {1:F1} % of "
                                   "the cycles, and {2} more of weights",
                                   one.own.algorithm->name,
                                   100 * one.own.cycles / one.shared->cycles, megabytes);
      choice.choice.reason = choice.about;
    } else if (!before.contains(one.weights)) {
      choice.about = megabytes + " of weights in a form of its own";
    }
    choices.try_emplace(one.conv, std::move(choice));
  }
}
