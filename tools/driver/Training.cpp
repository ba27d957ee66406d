// Training.cpp: see Training.h.
//
//   training program: data, labels, parameters -> outputs, gradients     (Compiler of the line)
//   prediction program: data, parameters, states -> outputs              (a second Compiler)
//   weights of the file: prepared ones of both, then the values that parameter files have
#include "tools/driver/Training.h"

#include "frontend/import/Attributes.h"
#include "ir/GraphDialect.h"
#include "tools/driver/DrawnWeights.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace symc;

namespace {
/// Names that an optimizer decays.
enum Decay { ByWeightAndGamma, ByWeight };
struct OptimizerInfo {
  const char *name, *meaning;
  double rate;
  Decay decay;
};
struct HyperInfo {
  const char *optimizer, *name, *meaning;
  double value, least, most;
};
} // namespace

static const OptimizerInfo optimizers[] = {
#define SYMC_OPTIMIZER(id, rate, decay, meaning) {#id, meaning, rate, decay},
#include "runtime/include/symc/optimizers.def"
};
static const HyperInfo hypers[] = {
#define SYMC_HYPER(id, name, value, least, most, meaning) {#id, #name, meaning, value, least, most},
#include "runtime/include/symc/optimizers.def"
};

static const OptimizerInfo *optimizerNamed(llvm::StringRef name) {
  for (const OptimizerInfo &one : optimizers)
    if (name == one.name)
      return &one;
  return nullptr;
}

// Those that all optimizers have, in the order of their values; then an optimizer's own.
static std::vector<HyperInfo> hypersOf(llvm::StringRef optimizer) {
  const OptimizerInfo &info = *optimizerNamed(optimizer);
  std::vector<HyperInfo> all = {
      {"", "learning_rate", "the rate", info.rate, 0, HUGE_VAL},
      {"", "wd", "weight decay, of names that end in _weight or _gamma", 0, 0, HUGE_VAL},
      {"", "rescale_grad", "what gradients are multiplied by; 1 / batch", NAN, -HUGE_VAL, HUGE_VAL},
      {"", "clip_gradient", "bound of a gradient's elements; none", -1, -HUGE_VAL, HUGE_VAL}};
  for (const HyperInfo &hyper : hypers)
    if (optimizer == hyper.optimizer)
      all.push_back(hyper);
  return all;
}

static std::string textOf(double value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("%g", value);
  return text;
}

template <typename List> static std::vector<std::string> namesOf(const List &list) {
  std::vector<std::string> names;
  for (const auto &one : list)
    names.push_back(one.name);
  return names;
}

// "did you mean 'sgd'?", or all there are.
static std::string advice(llvm::StringRef name, const std::vector<std::string> &names,
                          llvm::StringRef what) {
  std::string nearest =
      importer::nearestName(name.lower(), names, std::max<size_t>(2, name.size() / 2));
  return nearest.empty() ? (what + " are " + llvm::join(names, ", ")).str()
                         : "did you mean '" + nearest + "'?";
}

void symc::readOptimizer(llvm::StringRef text, TrainRequest &request, Complain complain) {
  auto [name, rest] = text.split(',');
  request.optimizer = name.trim().lower();
  const OptimizerInfo *info = optimizerNamed(request.optimizer);
  if (!info) {
    complain("unknown optimizer '" + name + "'", advice(name, namesOf(optimizers), "optimizers"));
    request.optimizer = "sgd";
    return;
  }
  std::vector<HyperInfo> known = hypersOf(request.optimizer);
  for (llvm::StringRef part : llvm::split(rest, ',')) {
    if (rest.empty())
      break;
    llvm::StringRef key = part.split('=').first.trim(), value = part.split('=').second;
    auto found = llvm::find_if(known, [&](const HyperInfo &one) { return key == one.name; });
    if (found == known.end()) {
      complain("optimizer '" + request.optimizer + "' has no hyper-parameter '" + key + "'",
               advice(key, namesOf(known), "its hyper-parameters"));
      continue;
    }
    double number = value == "true" || value == "True";
    bool isNumber =
        number || value == "false" || value == "False" || !value.trim().getAsDouble(number);
    if (!isNumber || !std::isfinite(number)) {
      complain("hyper-parameter '" + key + "' needs a number, found '" + value + "'",
               "write --optimizer " + request.optimizer + "," + key + "=" +
                   textOf(std::isfinite(found->value) ? found->value : 1));
      continue;
    }
    if (number < found->least || number > found->most) {
      complain("hyper-parameter '" + key + "' of '" + request.optimizer + "' takes " +
                   (std::isinf(found->most) ? "at least " + textOf(found->least)
                                            : textOf(found->least) + ".." + textOf(found->most)) +
                   ", found " + value,
               "");
      continue;
    }
    if (!request.values.try_emplace(key.str(), number).second)
      complain("--optimizer gives '" + key + "' twice", "give it once");
  }
}

void symc::printOptimizers(llvm::raw_ostream &os) {
  os << "\nOPTIMIZERS:\n"
     << "  each with learning_rate, wd (weight decay, 0), rescale_grad (1 / batch) and "
        "clip_gradient (none)\n";
  for (const OptimizerInfo &one : optimizers) {
    os << "  " << llvm::left_justify(one.name, 12) << one.meaning << "; learning_rate "
       << textOf(one.rate) << "\n";
    for (const HyperInfo &hyper : hypers)
      if (llvm::StringRef(hyper.optimizer) == one.name)
        os << "    " << llvm::left_justify(hyper.name, 22) << hyper.meaning << "; "
           << textOf(hyper.value) << "\n";
  }
}

// MXNet's rule: what is no weight (or gamma) has no decay, unless an attribute says so.
static double wdMultOf(const TrainedParameter &parameter, Decay decay) {
  llvm::StringRef name = parameter.name;
  bool decays =
      name.ends_with("_weight") || (decay == ByWeightAndGamma && name.ends_with("_gamma"));
  return parameter.wdMult.value_or(decays ? 1 : 0);
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
  prediction = std::make_unique<Compiler>(training.requestOfPrediction(), messages);
  prediction->onStage = training.onStage;
  prediction->mayGoOn = training.mayGoOn;
  if (!report(prediction->read() && prediction->optimise() && prediction->schedule()))
    return false;
  ownBytes = training.preparedBytes();
  predictionAt = ownBytes;
  total = predictionAt + prediction->preparedBytes();
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
                        "the parameter file has '" + tensor.name + "' with " +
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
  info.parameters.clear();
  trainer->prediction = std::make_shared<codegen::ModelInfo>(prediction->modelInfo());
  trainer->predictionWeights = int64_t(predictionAt);
  trainer->predictionBytes = total - predictionAt;
  trainer->optimizer = request.optimizer;
  trainer->initializer = request.initializer;
  for (const HyperInfo &hyper : hypersOf(request.optimizer)) {
    auto given = request.values.find(hyper.name);
    trainer->values.push_back(given != request.values.end() ? given->second
                              : std::isnan(hyper.value)     ? 1.0 / double(facts.batch)
                                                            : hyper.value);
  }
  // Parameters, in the order of the arguments; then states that no run changes.
  for (const TrainedParameter &parameter : facts.parameters) {
    codegen::TrainedInfo trained;
    trained.role = parameter.role;
    trained.initializer = parameter.initializer;
    trained.lrMult = parameter.lrMult;
    trained.wdMult = wdMultOf(parameter, optimizerNamed(request.optimizer)->decay);
    for (auto [i, output] : llvm::enumerate(info.outputs))
      if (!parameter.isFrozen && output.name == "grad:" + parameter.name)
        trained.gradient = int32_t(i);
    const codegen::TensorInfo *tensor = tensorNamed(info.inputs, parameter.name);
    if (!tensor || !addParameter(info, *tensor, std::move(trained)))
      return false;
    info.parameters.back().flags = 0;
  }
  for (auto weight : training.module().getOps<sg::WeightOp>()) {
    llvm::StringRef name = weight.getSymName();
    bool changes =
        llvm::any_of(info.states, [&](const auto &one) { return one.tensor.name == name; });
    const codegen::TensorInfo *tensor = tensorNamed(trainer->prediction->inputs, name);
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
  for (codegen::TensorInfo &input : info.inputs) {
    if (int32_t parameter = indexOf(info.parameters, input.name); parameter >= 0) {
      trainer->sources.push_back({SYMC_FROM_PARAMETER, parameter});
      continue;
    }
    trainer->sources.push_back({SYMC_FROM_CALLER, int32_t(trainer->inputs.size())});
    trainer->inputs.push_back(input);
    auto classes = facts.classes.find(input.name);
    trainer->classes.push_back(classes != facts.classes.end() ? classes->second : 0);
  }
  for (const codegen::TensorInfo &input : trainer->prediction->inputs) {
    symc_source source = {SYMC_FROM_CALLER, indexOf(trainer->inputs, input.name)};
    if (int32_t parameter = indexOf(info.parameters, input.name); parameter >= 0)
      source = {SYMC_FROM_PARAMETER, parameter};
    for (auto [i, state] : llvm::enumerate(info.states))
      if (state.tensor.name == input.name)
        source = {SYMC_FROM_STATE, int32_t(i)};
    if (source.index < 0) {
      diagnostics.error(line.request.model.name(), {},
                        "internal error: the prediction program reads '" + input.name +
                            "', which training has not");
      return false;
    }
    trainer->predictedOf.push_back(source);
  }
  return true;
}

bool TrainerParts::fill(uint8_t *memory, llvm::function_ref<void()> release) {
  if (uint64_t bytes = prediction->preparedBytes();
      bytes && !report(prediction->prepareInto(memory + predictionAt, bytes, release)))
    return false;
  for (Value &value : values) {
    std::memcpy(memory + value.offset, value.values.bytes.data(), value.bytes);
    release();
  }
  return true;
}

bool TrainerParts::addCode(codegen::Code &code) { return report(prediction->addCode(code)); }
