// Training.cpp: see Training.h.
//
//   training program: data, labels, parameters -> outputs, gradients        (Compiler of the line)
//   prediction: some of its steps (codegen/plan/PredictionSteps.h), or
//   prediction program: data -> outputs; parameters, states -> its weights  (a second Compiler)
//   weights of the file: prepared ones of the first, then the values that parameter files have
#include "tools/driver/Training.h"

#include "ir/GraphDialect.h"
#include "tools/driver/DrawnWeights.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

using namespace symc;

void symc::readOptimizer(llvm::StringRef text, TrainRequest &request, Complain complain) {
  char sentence[512];
  if (!parse_optimizer(text.str().c_str(), request.optimizer, sentence, sizeof sentence))
    complain(sentence, "symc train --help lists the optimizers");
}

void symc::readInitializer(llvm::StringRef text, TrainRequest &request, Complain complain) {
  char sentence[512];
  request.initializer = text.str();
  if (!text.empty() && !check_initializer(request.initializer.c_str(), sentence, sizeof sentence))
    complain(sentence, "");
}

namespace {
struct OptimizerLine {
  const char *name, *meaning;
  double rate;
};
struct HyperLine {
  const char *optimizer, *name, *meaning, *words;
  double value;
};
} // namespace

static const OptimizerLine optimizerLines[] = {
#define SYMC_OPTIMIZER(id, rate, decay, meaning) {#id, meaning, rate},
#include "runtime/include/symc/optimizers.def"
};
static const HyperLine hyperLines[] = {
#define SYMC_HYPER(id, name, value, least, most, meaning) {#id, #name, meaning, "", value},
#include "runtime/include/symc/optimizers.def"
};

void symc::printOptimizers(llvm::raw_ostream &os) {
  os << "\nOPTIMIZERS:\n"
     << "  each with learning_rate, wd (weight decay, 0), rescale_grad (1 / batch) and "
        "clip_gradient (none)\n";
  for (const OptimizerLine &one : optimizerLines) {
    os << "  " << llvm::left_justify(one.name, 14) << one.meaning << "; learning_rate "
       << llvm::format("%g", one.rate) << "\n";
    for (const HyperLine &hyper : hyperLines)
      if (llvm::StringRef(hyper.optimizer) == one.name)
        os << "    " << llvm::left_justify(hyper.name, 22) << hyper.meaning << "; "
           << llvm::format("%g", hyper.value) << "\n";
  }
}

static const codegen::TensorInfo *tensorNamed(llvm::ArrayRef<codegen::TensorInfo> list,
                                              llvm::StringRef name) {
  for (const codegen::TensorInfo &one : list)
    if (name == one.name)
      return &one;
  return nullptr;
}

// Errors of the prediction program become those of the whole.
bool TrainerParts::report(bool done) {
  if (!done)
    diagnostics.takeErrors(messages);
  return done;
}

bool TrainerParts::plan(codegen::ModelInfo &info) {
  ownBytes = total = training.preparedBytes();
  int64_t heads = llvm::count_if(info.outputs, [](const codegen::TensorInfo &output) {
    return !(output.flags & SYMC_TENSOR_BACKWARD);
  });
  if ((predictedInputs = training.predictedInputs(heads)))
    return describe(info);
  prediction = std::make_unique<Compiler>(training.requestOfPrediction(), messages);
  prediction->onStage = training.onStage;
  prediction->mayGoOn = training.mayGoOn;
  if (!report(prediction->read() && prediction->optimise() && prediction->schedule()))
    return false;
  return describe(info);
}

// Its value, if a source has one, lies behind all prepared weights.
bool TrainerParts::addParameter(codegen::ModelInfo &info, codegen::TensorInfo tensor,
                                codegen::TrainedInfo trained) {
  std::optional<params::ArrayValues> found = training.sourceValue(tensor.name, trained.isState);
  if (!found && trained.isState) { // the training program has what was drawn
    std::unique_ptr<params::WeightSource> drawn = drawWeights(training.module());
    for (size_t i = 0; i < drawn->count(); ++i)
      if (drawn->array(i).name == tensor.name)
        found = drawn->values(i);
  }
  if (found) {
    if (int64_t(found->bytes.size()) != tensor.maxBytes || tensor.dtype != SYMC_F32) {
      diagnostics.error(line.request.model.name(), {},
                        "internal error: the parameter file has '" + tensor.name + "' with " +
                            llvm::Twine(found->bytes.size()) + " bytes, and the graph needs " +
                            llvm::Twine(tensor.maxBytes));
      return false;
    }
    trained.imageOffset = int64_t(total);
    values.push_back({total, found->bytes.size(), std::move(*found)});
    total += llvm::alignTo(uint64_t(tensor.maxBytes), SYMC_ALIGN);
  }
  info.parameters.push_back(std::move(tensor));
  info.training->parameters.push_back(std::move(trained));
  return true;
}

bool TrainerParts::describe(codegen::ModelInfo &info) {
  const TrainingFacts &facts = training.trainingFacts();
  const TrainRequest &request = *line.request.train;
  auto trainer = info.training = std::make_shared<codegen::TrainingInfo>();
  if (prediction) {
    trainer->prediction = std::make_shared<codegen::ModelInfo>(prediction->modelInfo());
    trainer->predictionBytes = prediction->preparedBytes();
  }
  std::vector<codegen::TensorInfo> raw =
      prediction ? trainer->prediction->parameters : std::move(info.parameters);
  info.parameters.clear();
  OptimizerChoice chosen = request.optimizer;
  trainer->optimizer = optimizer_name(chosen.optimizer);
  trainer->initializer = request.initializer;
  info.symbolJson = training.symbolText();
  llvm::raw_string_ostream named(info.optimizerText);
  named << trainer->optimizer;
  for (int32_t i = 0; i < chosen.n_values; ++i)
    if (chosen.given >> i & 1)
      named << "," << optimizer_value_name(chosen.optimizer, i) << "="
            << llvm::format("%.9g", chosen.values[i]);
  if (int32_t rescale = find_optimizer_value(chosen.optimizer, "rescale_grad");
      !(chosen.given >> rescale & 1))
    chosen.values[rescale] = 1.0 / double(facts.batch);
  trainer->values.assign(chosen.values, chosen.values + chosen.n_values);
  // Parameters, in the order of the arguments; then states that no run changes.
  for (const TrainedParameter &parameter : facts.parameters) {
    codegen::TrainedInfo trained;
    trained.role = parameter.role;
    trained.initializer = parameter.initializer;
    trained.lrMult = parameter.lrMult;
    trained.isFixedGamma = parameter.isFixedGamma;
    trained.wdMult =
        parameter.wdMult.value_or(optimizer_decays(chosen.optimizer, parameter.name.c_str()));
    for (auto [i, output] : llvm::enumerate(info.outputs))
      if (!parameter.isFrozen && output.name == "grad:" + parameter.name)
        trained.gradient = int32_t(i);
    const codegen::TensorInfo *tensor = tensorNamed(info.inputs, parameter.name);
    char sentence[512] = "";
    if (tensor && !parameter.isFrozen &&
        !optimizer_takes(chosen.optimizer, tensor->name.c_str(), tensor->shape.data(),
                         int32_t(tensor->shape.size()), chosen.values[1] * trained.wdMult, sentence,
                         sizeof sentence)) {
      diagnostics.error(line.request.model.name(), {}, sentence);
      return false;
    }
    if (!tensor || !addParameter(info, *tensor, std::move(trained)))
      return false;
    info.parameters.back().flags = 0;
  }
  for (auto weight : training.module().getOps<sg::WeightOp>()) {
    llvm::StringRef name = weight.getSymName();
    bool changes =
        llvm::any_of(info.states, [&](const auto &one) { return one.tensor.name == name; });
    const codegen::TensorInfo *tensor = tensorNamed(raw, name);
    if (!weight.getAux() || changes || !tensor)
      continue;
    codegen::TrainedInfo trained;
    trained.isState = true;
    if (!addParameter(info, *tensor, std::move(trained)))
      return false;
  }
  // Where inputs of both programs come from.
  for (const codegen::TensorInfo &output : info.outputs)
    trainer->nHeads += !(output.flags & SYMC_TENSOR_BACKWARD);
  auto indexOf = [](llvm::ArrayRef<codegen::TensorInfo> list, llvm::StringRef name) {
    const codegen::TensorInfo *found = tensorNamed(list, name);
    return found ? int32_t(found - list.data()) : -1;
  };
  auto isRead = [&](size_t number, llvm::StringRef name) {
    if (predictedInputs)
      return predictedInputs->test(number);
    const codegen::TensorInfo *input = tensorNamed(trainer->prediction->inputs, name);
    return input && !(input->flags & SYMC_TENSOR_OPTIONAL);
  };
  for (auto [i, input] : llvm::enumerate(info.inputs)) {
    if (int32_t parameter = indexOf(info.parameters, input.name); parameter >= 0) {
      trainer->sources.push_back({SYMC_FROM_PARAMETER, parameter});
      continue;
    }
    trainer->sources.push_back({SYMC_FROM_CALLER, int32_t(trainer->inputs.size())});
    trainer->inputs.push_back(input);
    if (!isRead(i, input.name))
      trainer->inputs.back().flags |= SYMC_TENSOR_LABEL;
    auto classes = facts.classes.find(input.name);
    trainer->classes.push_back(classes != facts.classes.end() ? classes->second : 0);
  }
  auto sourceOf = [&](const std::string &name) -> symc_source {
    for (auto [i, state] : llvm::enumerate(info.states))
      if (state.tensor.name == name)
        return {SYMC_FROM_STATE, int32_t(i)};
    if (int32_t parameter = indexOf(info.parameters, name); parameter >= 0)
      return {SYMC_FROM_PARAMETER, parameter};
    int32_t input = indexOf(trainer->inputs, name);
    if (input < 0)
      diagnostics.error(line.request.model.name(), {},
                        "internal error: the prediction program reads '" + name +
                            "', which training has not");
    return {SYMC_FROM_CALLER, input};
  };
  if (!prediction)
    return !diagnostics.hasErrors();
  for (const codegen::TensorInfo &input : trainer->prediction->inputs)
    trainer->predictedOf.push_back(sourceOf(input.name));
  for (const codegen::TensorInfo &parameter : trainer->prediction->parameters)
    trainer->preparedOf.push_back(sourceOf(parameter.name));
  return !diagnostics.hasErrors();
}

void TrainerParts::fill(uint8_t *memory, llvm::function_ref<void()> release) {
  for (Value &value : values) {
    std::memcpy(memory + value.offset, value.values.bytes.data(), value.bytes);
    release();
  }
}

bool TrainerParts::addCode(codegen::Code &code) {
  return !prediction || report(prediction->addCode(code));
}
