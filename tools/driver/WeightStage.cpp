// WeightStage.cpp: the values of parameters -> prepared weights, by running @prepare in
// this process (see Compiler.h).
#include "tools/driver/Compiler.h"

#include "codegen/emit/Prepare.h"
#include "codegen/schedule/Schedule.h"
#include "tools/driver/WeightValues.h"

#include "llvm/Support/xxhash.h"
#include <cstdlib>

using namespace mlir;
using namespace symc;

// Raw values of @prepare's inputs; copies where a file's bytes are not aligned
// to their elements or the values are drawn.
std::vector<const void *> Compiler::parameterData(std::vector<std::vector<char>> &owned) {
  std::vector<const void *> data;
  for (sg::WeightOp weight : codegen::prepareInputs(module())) {
    auto type = cast<RankedTensorType>(weight.getType());
    int64_t element = sg::typeBytes(type.getElementType());
    if (weight.getRandom()) {
      owned.push_back(drawWeight(weight));
      data.push_back(owned.back().data());
      continue;
    }
    const params::Array *array = nullptr;
    for (const params::ArrayFile &file : files)
      if (file.path == weight.getFile().value_or(""))
        for (params::ParamKind kind :
             {weight.getAux() ? params::ParamKind::Aux : params::ParamKind::Arg,
              params::ParamKind::Arg, params::ParamKind::Aux, params::ParamKind::None})
          if (!array)
            array = file.find(kind, weight.getSymName());
    if (!array) {
      diagnostics.error(request.symbolFile, {},
                        "internal error: no value for weight '" + weight.getSymName() + "'");
      return {};
    }
    if (std::optional<Type> stored = weight.getStored()) {
      owned.push_back(convertWeight(array->data, *stored, type));
      data.push_back(owned.back().data());
    } else if (reinterpret_cast<uintptr_t>(array->data) % element == 0) {
      data.push_back(array->data);
    } else {
      owned.emplace_back(array->data, array->data + array->byteCount);
      data.push_back(owned.back().data());
    }
  }
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

uint64_t Compiler::preparedBytes() { return preparedBytesOf(module()); }

bool Compiler::prepareInto(uint8_t *memory, uint64_t bytes, llvm::function_ref<void()> release) {
  auto releaseAll = [&] {
    if (release)
      release();
    for (const params::ArrayFile &file : files)
      file.releasePages();
  };
  return stage("prepare", [&] {
    std::vector<std::vector<char>> owned;
    std::vector<const void *> data = parameterData(owned);
    if (diagnostics.hasErrors())
      return false;
    codegen::InProcessOptions options;
    options.resourceDir = request.resourceDir;
    return report(codegen::runPrepare(program(module(), "prepare_program"), data, memory, options,
                                      releaseAll)) &&
           (releaseAll(), true);
  });
}

bool Compiler::prepareWeights(PreparedWeights &weights) {
  weights.size = preparedBytes();
  if (weights.size == 0)
    return true;
  weights.bytes = {static_cast<uint8_t *>(std::aligned_alloc(SYMC_ALIGN, weights.size)), std::free};
  if (!weights.bytes) {
    diagnostics.error(request.symbolFile, {},
                      "no memory for " + llvm::Twine(weights.size) + " bytes of prepared weights");
    return false;
  }
  // Bytes between weights are zero, so that equal inputs give equal files.
  std::memset(weights.bytes.get(), 0, weights.size);
  if (!prepareInto(weights.bytes.get(), weights.size))
    return false;
  weights.hash = llvm::xxh3_64bits(ArrayRef<uint8_t>(weights.bytes.get(), weights.size));
  return true;
}
