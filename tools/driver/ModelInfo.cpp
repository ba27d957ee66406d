// ModelInfo.cpp: what the model table contains of a scheduled program (see Compiler.h):
// inputs, outputs, states, parameters, sizes chosen at run time, variants and batch sizes.
#include "tools/driver/Compiler.h"

#include "codegen/cuda/ProgramText.h"
#include "codegen/emit/CudaTable.h"
#include "codegen/emit/Libraries.h"
#include "codegen/emit/Prepare.h"
#include "codegen/schedule/Schedule.h"
#include "ir/Clips.h"
#include "ir/Parts.h"
#include "ir/RowsInterface.h"
#include "ir/States.h"
#include "mlir/IR/IntegerSet.h"
#include "tools/driver/CustomKernels.h"
#include "tools/driver/Steps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace symc;

static codegen::TensorInfo tensorInfo(StringRef name, Type tensor, bool isInput,
                                      ArrayRef<int64_t> dimMax) {
  codegen::TensorInfo info;
  info.name = name.str();
  info.dtype = sg::flagFromType(sg::elementTypeOf(tensor)).value_or(0);
  info.maxBytes = sg::typeBytes(sg::elementTypeOf(tensor));
  sg::Shape shape = sg::shapeOf(tensor);
  SmallVector<Attribute> largest;
  for (int64_t max : dimMax)
    largest.push_back(IntegerAttr::get(IndexType::get(tensor.getContext()), max));
  for (sg::Dim dim : shape.list()) {
    AffineExpr expr = dim.getExpr();
    SmallVector<Attribute> folded;
    auto map = AffineMap::get(0, dimMax.size(), expr);
    (void)map.constantFold(largest, folded);
    int64_t extent = folded.empty() ? 0 : cast<IntegerAttr>(folded[0]).getInt();
    info.maxBytes *= extent;
    auto symbol = dyn_cast<AffineSymbolExpr>(expr);
    info.isOpen.push_back(!isa<AffineConstantExpr>(expr));
    info.shape.push_back(isInput && symbol ? -static_cast<int64_t>(symbol.getPosition()) - 1
                                           : extent);
  }
  return info;
}

// The conditions of the graph, and which sizes each is about.
static std::vector<codegen::ConditionInfo> conditionsOf(sg::GraphOp graph) {
  std::vector<codegen::ConditionInfo> infos;
  if (!graph.getConditions())
    return infos;
  for (auto [set, sentence] : llvm::zip_equal(*graph.getConditions(), *graph.getSentences())) {
    codegen::ConditionInfo &info = infos.emplace_back();
    info.sentence = cast<StringAttr>(sentence).getValue().str();
    llvm::SmallSetVector<int32_t, 4> sizes;
    cast<IntegerSetAttr>(set).getValue().walkExprs([&](AffineExpr part) {
      if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
        sizes.insert(symbol.getPosition());
    });
    info.sizes.assign(sizes.begin(), sizes.end());
  }
  return infos;
}

int64_t Compiler::arenaBytesOf(ModuleOp module, size_t variant) {
  return kernel::mainPrograms(module)[variant].getArenaBytes().value_or(0);
}

// The type that an argument of @main has in memory, where --precision rounds what the graph has.
static std::optional<int32_t> storedType(ModuleOp module, unsigned argument) {
  for (kernel::ProgramOp program : kernel::mainPrograms(module)) {
    Value memory = program.getBody().front().getArgument(argument);
    Type element = cast<MemRefType>(memory.getType()).getElementType();
    if (kernel::isHalf(element) &&
        sg::elementTypeOf(
            module.lookupSymbol<sg::GraphOp>("main").getBlock().getArgument(argument).getType()) !=
            element)
      return sg::flagFromType(element);
  }
  return std::nullopt;
}

codegen::ModelInfo Compiler::modelInfo() {
  codegen::ModelInfo info;
  info.prefix = request.prefix;
  info.compiler = "symc 0.1.0";
  info.triple = request.triple;
  info.flags = request.flushDenormals ? SYMC_FLUSH_DENORMALS : 0;
  auto graph = module().lookupSymbol<sg::GraphOp>("main");
  ArrayRef<int64_t> dimMax, dimMin;
  if (graph.getDimMax()) {
    dimMax = *graph.getDimMax();
    dimMin = *graph.getDimMin();
    for (size_t i = 0; i < dimMax.size(); ++i) {
      std::string name = "s" + std::to_string(i);
      if (graph.getDimNames())
        name = cast<StringAttr>((*graph.getDimNames())[i]).str();
      info.dims.push_back({name, dimMin[i], dimMax[i]});
    }
    info.outputShapesSymbol = request.prefix + "_run_0_output_shapes";
    info.conditions = conditionsOf(graph);
    if (!info.conditions.empty() || graph->hasAttr(sg::clipsOfGraph))
      info.checkSizesSymbol = request.prefix + "_run_0_check_sizes";
  }
  for (auto [i, argument] : llvm::enumerate(graph.getBlock().getArguments())) {
    if (std::optional<sg::Growth> growth = sg::growthOfArgument(graph, i)) {
      codegen::StateInfo state{
          tensorInfo(graph.getInputName(i), argument.getType(), /*isInput=*/true, dimMax)};
      sg::Shape shape = sg::shapeOf(argument.getType());
      state.tensor.maxBytes = sg::typeBytes(sg::elementTypeOf(argument.getType())) * growth->rows;
      for (auto [axis, extent] : llvm::enumerate(shape.list()))
        if (int64_t(axis) != growth->axis)
          state.tensor.maxBytes *= extent.get();
      state.rows = growth->rows;
      state.axis = static_cast<int32_t>(growth->axis);
      state.stored = storedType(module(), i).value_or(0);
      info.states.push_back(std::move(state));
      continue;
    }
    if (StringRef state = sg::stateOfArgument(graph, i); !state.empty()) {
      auto image = module().lookupSymbol<kernel::PreparedOp>(codegen::preparedState(state));
      info.states.push_back({tensorInfo(graph.getInputName(i), argument.getType(), false, {}),
                             static_cast<int64_t>(image.getOffset())});
      if (sg::partOfArgument(graph, i) == "both")
        info.states.back().tensor.flags |= SYMC_TENSOR_BACKWARD;
      continue;
    }
    info.inputs.push_back(
        tensorInfo(graph.getInputName(i), argument.getType(), /*isInput=*/true, dimMax));
    if (argument.use_empty())
      info.inputs.back().flags |= SYMC_TENSOR_OPTIONAL;
    if (sg::partOfArgument(graph, i) == "backward")
      info.inputs.back().flags |= SYMC_TENSOR_BACKWARD;
  }
  for (auto [i, head] : llvm::enumerate(graph.getBlock().getTerminator()->getOperands()))
    if (sg::stateOfResult(graph, i).empty()) {
      info.outputs.push_back(tensorInfo(graph.getOutputName(i), head.getType(), false, dimMax));
      if (sg::isOfBackward(graph, i))
        info.outputs.back().flags |= SYMC_TENSOR_BACKWARD;
    }
  for (const std::string &id : librariesOf(module()))
    info.libraries.push_back(*codegen::libraryNamed(id));
  addCustomKernels(wholeModule(), info);
  for (sg::WeightOp weight : codegen::prepareInputs(module()))
    info.parameters.push_back(tensorInfo(weight.getSymName(), weight.getType(), false, {}));
  for (auto [i, target] : llvm::enumerate(targets))
    info.variants.push_back({target.name, target.cpuLevel, arenaBytesOf(module(), i),
                             request.prefix + "_run_" + std::to_string(i)});
  for (codegen::VariantInfo &variant : info.variants)
    variant.hasParts = sg::hasBackward(graph);
  if (request.onDevice) {
    kernel::ProgramOp entry = kernel::mainPrograms(module()).front();
    // Steps on the CPU have code of the instruction set whose layouts the program has.
    uint64_t level = request.fallback ? targets.front().cpuLevel : 0;
    codegen::VariantInfo variant{"cuda", level, codegen::cuda::arenaBytesOf(entry, cudaChoices()),
                                 request.prefix + "_run_0"};
    variant.device = SYMC_DEVICE_CUDA;
    for (size_t net = 0; net < nets.size(); ++net)
      variant.programSymbols.push_back(
          codegen::cudaProgramSymbol(batchSymbolOf(variant.runSymbol, net)));
    info.variants = {variant};
  }
  if (!request.batches.empty())
    describeBatches(info);
  if (request.emitPrepare && preparedBytes()) {
    info.prepareSymbol = request.prefix + "_prepare_program";
    info.prepareArenaBytes = program(module(), "prepare_program").getArenaBytes().value_or(0);
  }
  if (beside)
    info.variants.insert(info.variants.begin(), beside->modelInfo().variants.front());
  return info;
}

std::string Compiler::batchSymbolOf(const std::string &run, size_t net) const {
  return request.batches.empty() ? run : run + "_rows" + std::to_string(request.batches[net]);
}

// The number of rows is the one size; inputs and outputs have it where the proof found it.
void Compiler::describeBatches(codegen::ModelInfo &info) {
  info.batches = request.batches;
  int64_t largest = request.batches.front();
  info.dims = {{batchSymbol, request.batches.back(), largest}};
  auto graph = rows->lookupSymbol<sg::GraphOp>("main");
  auto add = [&](codegen::TensorInfo &tensor, Value value, bool isInput) {
    bool hasRows = sg::rowAxisOf(value.getType()).value_or(sg::kNoRows) == 0;
    info.rowBytes.push_back(hasRows ? tensor.maxBytes / largest : 0);
    if (hasRows && isInput)
      tensor.shape[0] = -1;
  };
  for (auto [input, value] : llvm::zip_equal(info.inputs, graph.getBlock().getArguments()))
    add(input, value, true);
  for (auto [output, value] :
       llvm::zip_equal(info.outputs, graph.getBlock().getTerminator()->getOperands()))
    add(output, value, false);
  for (auto [number, variant] : llvm::enumerate(info.variants))
    for (size_t i = 0; i < nets.size(); ++i) {
      variant.batchSymbols.push_back(batchSymbolOf(variant.runSymbol, i));
      kernel::ProgramOp entry = kernel::mainPrograms(nets[i])[number];
      variant.arenaBytes = std::max(
          variant.arenaBytes, request.onDevice ? codegen::cuda::arenaBytesOf(entry, cudaChoices())
                                               : arenaBytesOf(nets[i], number));
    }
}

std::vector<BatchFacts> Compiler::batchFacts() {
  std::vector<BatchFacts> facts;
  for (auto [size, net] : llvm::zip(request.batches, nets)) {
    std::optional<APFloat> cost = kernel::mainPrograms(net).front().getAlgorithmCost();
    facts.push_back({size, arenaBytesOf(net), cost ? cost->convertToDouble() : 1});
  }
  return facts;
}
