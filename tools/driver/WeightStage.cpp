// WeightStage.cpp: the values of parameters -> prepared weights, by running @prepare in
// this process (see Compiler.h).
#include "tools/driver/Compiler.h"

#include "codegen/emit/Prepare.h"
#include "codegen/emit/Weights.h"
#include "codegen/schedule/Schedule.h"
#include "tools/driver/DrawnWeights.h"

#include <cmath>
#include <cstdlib>

using namespace mlir;
using namespace symc;

namespace {
/// The arrays of all sources by name.
class SourceIndex {
public:
  explicit SourceIndex(ArrayRef<const params::WeightSource *> sources) {
    for (const params::WeightSource *source : sources)
      for (size_t i = 0; i < source->count(); ++i)
        places[source->array(i).name].push_back({source, i});
  }

  /// The values of `weight`, from the source that the importer took it from.
  std::optional<params::ArrayValues> valuesOf(sg::WeightOp weight) const {
    auto found = places.find(weight.getSymName());
    if (found == places.end())
      return std::nullopt;
    StringRef source = weight.getRandom() ? StringRef(drawnWeights) : weight.getFile().value_or("");
    auto wanted = weight.getAux() ? params::ParamKind::Aux : params::ParamKind::Arg;
    for (params::ParamKind kind : {wanted, params::ParamKind::None})
      for (const Place &place : found->second)
        if (place.source->name() == source && place.source->array(place.number).kind == kind)
          return place.source->values(place.number);
    return std::nullopt;
  }

private:
  struct Place {
    const params::WeightSource *source;
    size_t number;
  };
  llvm::StringMap<SmallVector<Place, 1>> places;
};
} // namespace

// Whether one of a hundred numbers is so small that its product with another such one is denormal:
// channels that training gave up. Of many it looks at pieces, so that few pages are read for it.
static bool hasVanished(ArrayRef<float> values) {
  constexpr size_t piece = 1024, mostPieces = 64;
  constexpr float least = 0x1p-63f;
  size_t pieces = std::min(mostPieces, llvm::divideCeil(values.size(), piece));
  size_t seen = 0, vanished = 0;
  for (size_t i = 0; i < pieces; ++i) {
    ArrayRef<float> part = values.drop_front(i * (values.size() / pieces)).take_front(piece);
    seen += part.size();
    vanished += llvm::count_if(part, [](float x) { return x != 0 && std::abs(x) < least; });
  }
  return vanished * 100 > seen;
}

// Pages of parameter files, which come back when they are read.
void Compiler::releaseSources() {
  for (const std::shared_ptr<params::WeightSource> &source : sources)
    source->releasePages();
}

void Compiler::warnOfVanished(ArrayRef<std::string> names) {
  if (!names.empty() && !request.onDevice && !request.flushDenormals)
    diagnostics.warning(
        request.model.name(), {},
        diagnostics.nameList(names) + (names.size() == 1 ? " holds" : " hold") +
            " many numbers nearer to zero than 1.1e-19, whose products are denormal "
            "and take many processors a hundred cycles each; compiled with --flush-denormals, or "
            "run with SYMC_FLUSH_DENORMALS=1, the model computes with zeros there");
}

// Weights that --precision rounded to float16, of which some number is above its largest.
void Compiler::warnOfInfinite(const uint8_t *memory) {
  std::vector<std::string> names;
  for (auto prepared : module().getOps<kernel::PreparedOp>()) {
    auto type = cast<MemRefType>(prepared.getType());
    if (!prepared.getForm() || !type.getElementType().isF16())
      continue;
    auto *halves = reinterpret_cast<const uint16_t *>(memory + prepared.getOffset());
    ArrayRef<uint16_t> values(halves, type.getNumElements());
    if (llvm::none_of(values, [](uint16_t bits) { return (bits & 0x7fff) == 0x7c00; }))
      continue;
    StringRef name = prepared.getSymName();
    name.consume_front("w.");
    names.push_back(name.take_front(name.rfind("." + prepared.getForm()->getKind().str())).str());
  }
  llvm::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (!names.empty())
    diagnostics.warning(request.model.name(), {},
                        diagnostics.nameList(names) + (names.size() == 1 ? " holds" : " hold") +
                            " numbers above 65504, which --precision f16 makes infinite; "
                            "--precision bf16 has such numbers");
}

// Raw values of @prepare's inputs, kept alive by `kept`; copies where the bytes of a
// source are not aligned to their elements.
std::vector<const void *> Compiler::parameterData(std::vector<std::shared_ptr<const void>> &kept) {
  std::unique_ptr<params::WeightSource> drawn = drawWeights(module());
  SmallVector<const params::WeightSource *> all{drawn.get()};
  for (const std::shared_ptr<params::WeightSource> &source : sources)
    all.push_back(source.get());
  SourceIndex index(all);
  std::vector<const void *> data;
  std::vector<std::string> vanished;
  constexpr uint64_t mostLookedAt = 64 << 20; // bytes that may be in memory for it at once
  uint64_t lookedAt = 0;
  for (sg::WeightOp weight : codegen::prepareInputs(module())) {
    auto type = cast<RankedTensorType>(weight.getType());
    int64_t element = sg::typeBytes(type.getElementType());
    std::optional<params::ArrayValues> values = index.valuesOf(weight);
    if (!values) {
      diagnostics.error(request.model.name(), {},
                        "internal error: no value for weight '" + weight.getSymName() + "'");
      return {};
    }
    if (reinterpret_cast<uintptr_t>(values->bytes.data()) % element != 0) {
      auto copy = std::make_shared<std::vector<char>>(values->bytes.vec());
      values = params::ArrayValues{*copy, copy};
    }
    data.push_back(values->bytes.data());
    if (type.getElementType().isF32() &&
        hasVanished({static_cast<const float *>(data.back()), size_t(type.getNumElements())}))
      vanished.push_back(weight.getSymName().str());
    lookedAt += values->bytes.size();
    if (lookedAt > mostLookedAt) {
      releaseSources();
      lookedAt = 0;
    }
    kept.push_back(std::move(values->owner));
  }
  releaseSources();
  warnOfVanished(vanished);
  return data;
}

uint64_t Compiler::preparedBytesOf(ModuleOp module) {
  uint64_t size = 0;
  for (auto prepared : module.getOps<kernel::PreparedOp>()) {
    auto type = cast<MemRefType>(prepared.getType());
    int64_t element = std::max<int64_t>(1, type.getElementTypeBitWidth() / 8);
    size = std::max<uint64_t>(size, prepared.getOffset() + type.getNumElements() * element);
  }
  return llvm::alignTo(size, SYMC_ALIGN);
}

// Those of a second device lie behind the first one's where they are others.
uint64_t Compiler::preparedBytes() {
  uint64_t own = preparedBytesOf(module());
  return sharesWeights ? own : own + beside->preparedBytes();
}

bool Compiler::prepareInto(uint8_t *memory, uint64_t bytes, llvm::function_ref<void()> release) {
  auto releaseAll = [&] {
    if (release)
      release();
    releaseSources();
  };
  bool ok = stage("prepare", [&] {
    std::vector<std::shared_ptr<const void>> kept;
    std::vector<const void *> data = parameterData(kept);
    if (diagnostics.hasErrors())
      return false;
    codegen::InProcessOptions options;
    options.resourceDir = request.resourceDir;
    if (!report(codegen::runPrepare(program(module(), "prepare_program"), data, memory, options,
                                    releaseAll)))
      return false;
    warnOfInfinite(memory);
    releaseAll();
    return true;
  });
  uint64_t own = preparedBytesOf(module());
  return ok && (sharesWeights || alsoBeside([&](Compiler &other) {
                  return other.prepareInto(memory + own, bytes - own, release);
                }));
}

bool Compiler::prepareWeights(PreparedWeights &weights) {
  weights.size = preparedBytes();
  if (weights.size == 0)
    return true;
  weights.bytes = {static_cast<uint8_t *>(std::aligned_alloc(SYMC_ALIGN, weights.size)), std::free};
  if (!weights.bytes) {
    diagnostics.error(request.model.name(), {},
                      "no memory for " + llvm::Twine(weights.size) + " bytes of prepared weights");
    return false;
  }
  // Bytes between weights are zero, so that equal inputs give equal files.
  std::memset(weights.bytes.get(), 0, weights.size);
  if (!prepareInto(weights.bytes.get(), weights.size))
    return false;
  weights.hash = codegen::hashOfWeights({weights.bytes.get(), weights.size});
  return true;
}
