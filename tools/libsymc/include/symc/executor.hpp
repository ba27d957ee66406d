// executor.hpp: symbols bound to arrays, in C++17: what symc/symbol.hpp's bind and simpleBind
// return. An Executor computes the outputs of its symbol from arrays, and the gradients of a loss
// into others, by code that is compiled into the process.
//
//   symc::Executor executor = net.simpleBind({{"data", symc::Array({64, 784})}, ...});
//   executor.forward(true);
//   executor.backward();
//   for (size_t i = 0; i < executor.arguments().size(); ++i)
//     ... executor.gradients()[i] into executor.arguments()[i]
//
// Names are those of MXNet's C++ package in this header's style: arg_arrays is arguments(),
// grad_dict() is gradientsByName(). A mistake throws symc::Error. One thread at a time uses an
// Executor.
#ifndef SYMC_EXECUTOR_HPP
#define SYMC_EXECUTOR_HPP

#include "symc/symbol.hpp"

namespace symc {

/// A symbol and its arrays. Any array may change between calls.
class Executor {
public:
  /// Compiles for training. `options`: of symc_request, such as "--target-cpu=native".
  Executor(const Symbol &symbol, ExecutorArrays given, std::vector<std::string> options = {})
      : symbol(symbol), arrays(std::move(given)), options(std::move(options)),
        argumentNames(symbol.arguments()), stateNames(symbol.auxiliaryStates()),
        outputNames(symbol.outputs()) {
    size_t count = argumentNames.size();
    arrays.gradients.resize(count);
    arrays.requests.resize(count, GradReq::Null);
    if (arrays.arguments.size() != count || arrays.states.size() != stateNames.size() ||
        arrays.gradients.size() != count || arrays.requests.size() != count)
      throw Error("an executor needs " + std::to_string(count) + " arguments and " +
                  std::to_string(stateNames.size()) + " auxiliary states, found " +
                  std::to_string(arrays.arguments.size()) + " and " +
                  std::to_string(arrays.states.size()));
    for (size_t i = 0; i < count; ++i) {
      const Array &argument = arrays.arguments[i], &gradient = arrays.gradients[i];
      if (argument.isNone())
        throw Error("argument '" + argumentNames[i] + "' has no array");
      if (gradient.isNone())
        arrays.requests[i] = GradReq::Null;
      else if (arrays.requests[i] != GradReq::Null &&
               (gradient.shape() != argument.shape() ||
                gradient.dtypeNumber() != argument.dtypeNumber()))
        throw Error("the gradient of '" + argumentNames[i] +
                    "' has another shape or element type than its argument");
    }
    for (size_t i = 0; i < stateNames.size(); ++i)
      if (arrays.states[i].isNone())
        throw Error("auxiliary state '" + stateNames[i] + "' has no array");
    training = std::make_unique<Program>(*this, true);
    for (int32_t i = 0; i < training->model->n_outputs; ++i) {
      const symc_tensor_info &info = training->model->outputs[i];
      if (!(info.flags & SYMC_TENSOR_BACKWARD))
        made.push_back(Array::ofType(Shape(info.shape, info.shape + info.rank), info.dtype));
    }
  }

  /// The outputs: as in training, after which backward may run, or as in prediction, whose code is
  /// compiled when it is first needed.
  void forward(bool isTrain) {
    if (!isTrain && !prediction)
      prediction = std::make_unique<Program>(*this, false);
    Program &program = isTrain ? *training : *prediction;
    program.giveParameters(*this);
    program.giveStates(*this);
    std::vector<symc_tensor> in, out;
    for (int32_t i = 0; i < program.model->n_inputs; ++i)
      if (!(program.model->inputs[i].flags & SYMC_TENSOR_BACKWARD))
        in.push_back(argument(program.model->inputs[i].name).tensor());
    for (const Array &output : made)
      out.push_back(output.tensor());
    auto run = isTrain && program.hasBackward() ? symc_forward : symc_run;
    program.check(
        run(program.context, in.data(), int32_t(in.size()), out.data(), int32_t(out.size())));
    program.takeStates(*this);
  }

  /// The gradients of the last forward(true), from those of the outputs: one array for each output,
  /// none for losses, which need none.
  void backward(const std::vector<Array> &outputGradients = {}) {
    Program &program = *training;
    if (!program.hasBackward())
      return;
    std::vector<symc_tensor> in, out;
    std::vector<std::pair<Array, Array>> added; // what was computed, and where it goes
    for (int32_t i = 0; i < program.model->n_inputs; ++i) {
      const symc_tensor_info &info = program.model->inputs[i];
      std::string name = info.name;
      if (!(info.flags & SYMC_TENSOR_BACKWARD))
        continue;
      if (name.compare(0, 10, "head_grad:") == 0) {
        size_t index = find(outputNames, name.substr(10));
        if (index >= outputGradients.size() || outputGradients[index].isNone())
          throw Error("output '" + outputNames[index] +
                      "' is no loss: backward needs its gradient");
        in.push_back(outputGradients[index].tensor());
      } else {
        in.push_back(arrays.gradients[find(argumentNames, name.substr(5))].tensor());
      }
    }
    for (int32_t i = 0; i < program.model->n_outputs; ++i) {
      const symc_tensor_info &info = program.model->outputs[i];
      if (!(info.flags & SYMC_TENSOR_BACKWARD))
        continue;
      size_t index = find(argumentNames, std::string(info.name).substr(5));
      const Array &gradient = arrays.gradients[index];
      if (arrays.requests[index] == GradReq::Add)
        added.emplace_back(gradient.clone(), gradient);
      out.push_back(
          (arrays.requests[index] == GradReq::Add ? added.back().first : gradient).tensor());
    }
    if (!program.known.empty()) // else there was no forward
      program.giveStates(*this);
    program.check(symc_backward(program.context, in.data(), int32_t(in.size()), out.data(),
                                int32_t(out.size())));
    for (auto &[computed, gradient] : added)
      gradient.copyFrom(computed);
    program.takeStates(*this);
  }

  /// Of random operators: the runs that follow begin their numbers anew.
  void setSeed(uint64_t seed) {
    for (Program *program : {training.get(), prediction.get()})
      if (program)
        program->check(symc_set_seed(program->context, seed));
    lastSeed = seed;
  }

  /// In the order of the symbol's lists. Outputs keep their memory from run to run.
  const std::vector<Array> &outputs() const { return made; }
  const std::vector<Array> &arguments() const { return arrays.arguments; }
  const std::vector<Array> &gradients() const { return arrays.gradients; }
  const std::vector<Array> &states() const { return arrays.states; }
  ArrayMap outputsByName() const { return byName(outputNames, made); }
  ArrayMap argumentsByName() const { return byName(argumentNames, arrays.arguments); }
  /// Without arguments that have no gradient.
  ArrayMap gradientsByName() const { return byName(argumentNames, arrays.gradients); }
  ArrayMap statesByName() const { return byName(stateNames, arrays.states); }

private:
  // The code of training, or of prediction, and its context. Arguments are inputs, auxiliary states
  // are states of the context or parameters.
  struct Program {
    Program(const Executor &executor, bool isTraining) {
      std::vector<std::string> words = executor.options;
      std::vector<const char *> names, all;
      std::vector<int32_t> ranks;
      Shape extents;
      if (isTraining)
        words.push_back("--gradients=all");
      for (size_t i = 0; i < executor.argumentNames.size(); ++i) {
        const std::string &name = executor.argumentNames[i];
        const Array &array = executor.arrays.arguments[i];
        names.push_back(name.c_str());
        ranks.push_back(int32_t(array.shape().size()));
        extents.insert(extents.end(), array.shape().begin(), array.shape().end());
        words.push_back("--dtype=" + name + "=" + array.dtype());
        GradReq request = executor.arrays.requests[i];
        if (isTraining && request != GradReq::Write)
          words.push_back("--grad-req=" + name + (request == GradReq::Add ? "=add" : "=null"));
      }
      words.insert(words.end(), {"--random-weights", "--weights=extern"});
      for (const std::string &word : words)
        all.push_back(word.c_str());
      symc_request request = {};
      request.struct_bytes = sizeof request;
      request.symbol = executor.symbol.number();
      request.shape_count = names.size();
      request.shape_names = names.data();
      request.ranks = ranks.data();
      request.extents = extents.data();
      request.option_count = all.size();
      request.options = all.data();
      symc::check(symc_compile_model(&request, &loaded));
      if (symc_loaded_model(loaded, &model) == 0)
        makeContext(executor.lastSeed);
    }
    Program(const Program &) = delete;
    Program &operator=(const Program &) = delete;
    ~Program() {
      symc_destroy(context);
      symc_loaded_free(loaded);
    }

    void makeContext(uint64_t seed) {
      char why[512] = "";
      symc_options settings = {};
      settings.error = why;
      settings.error_bytes = sizeof why;
      if (symc_create(model, &settings, &context) != SYMC_STATUS_OK) {
        symc_loaded_free(loaded);
        throw Error(why);
      }
      symc_set_seed(context, seed);
    }
    void check(symc_status status) const {
      if (status != SYMC_STATUS_OK)
        throw Error(symc_last_error(context));
    }
    bool hasBackward() const { return model->n_variants && model->variants[0].backward; }

    // Auxiliary states that no run of this program changes, where they are others than those that
    // the context has.
    void giveParameters(const Executor &executor) {
      bool changed = false;
      for (int32_t i = 0; i < model->n_parameters; ++i)
        changed |= known.empty() || (symc_find_state(model, model->parameters[i].name) < 0 &&
                                     isOther(executor, model->parameters[i].name));
      if (!changed)
        return;
      std::vector<symc_tensor> parameters;
      for (int32_t i = 0; i < model->n_parameters; ++i)
        parameters.push_back(executor.state(model->parameters[i].name).tensor());
      check(symc_set_parameters(context, parameters.data(), int32_t(parameters.size())));
      for (int32_t i = 0; i < model->n_parameters; ++i)
        remember(executor, model->parameters[i].name);
    }
    // The others, likewise.
    void giveStates(const Executor &executor) {
      for (int32_t i = 0; i < model->n_states; ++i)
        if (isOther(executor, model->states[i].tensor.name)) {
          symc_tensor value = executor.state(model->states[i].tensor.name).tensor();
          check(symc_set_state(context, model->states[i].tensor.name, &value));
          remember(executor, model->states[i].tensor.name);
        }
    }
    void takeStates(const Executor &executor) {
      for (int32_t i = 0; i < model->n_states; ++i) {
        symc_tensor value = executor.state(model->states[i].tensor.name).tensor();
        check(symc_get_state(context, model->states[i].tensor.name, &value));
        remember(executor, model->states[i].tensor.name);
      }
    }
    bool isOther(const Executor &executor, const char *name) const {
      const Array &now = executor.state(name);
      auto found = known.find(name);
      return found == known.end() ||
             std::memcmp(found->second.data<void>(), now.data<void>(), now.bytes()) != 0;
    }
    void remember(const Executor &executor, const char *name) {
      const Array &now = executor.state(name);
      auto found = known.find(name);
      if (found == known.end())
        known.emplace(name, now.clone());
      else
        found->second.copyFrom(now);
    }

    symc_loaded loaded = 0;
    const symc_model *model = nullptr;
    symc_context *context = nullptr;
    ArrayMap known; // states and parameters as the context has them
  };

  static size_t find(const std::vector<std::string> &names, const std::string &name) {
    return size_t(std::find(names.begin(), names.end(), name) - names.begin());
  }
  const Array &argument(const std::string &name) const {
    return arrays.arguments.at(find(argumentNames, name));
  }
  const Array &state(const std::string &name) const {
    return arrays.states.at(find(stateNames, name));
  }
  static ArrayMap byName(const std::vector<std::string> &names, const std::vector<Array> &all) {
    ArrayMap map;
    for (size_t i = 0; i < names.size(); ++i)
      if (!all[i].isNone())
        map.emplace(names[i], all[i]);
    return map;
  }

  Symbol symbol;
  ExecutorArrays arrays;
  std::vector<std::string> options, argumentNames, stateNames, outputNames;
  std::vector<Array> made;
  std::unique_ptr<Program> training, prediction;
  uint64_t lastSeed = 0;
};

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

inline Executor Symbol::bind(ExecutorArrays arrays, std::vector<std::string> options) const {
  return Executor(*this, std::move(arrays), std::move(options));
}

inline ExecutorArrays Symbol::inferExecutorArrays(const ArrayMap &given, const ArrayMap &gradients,
                                                  const std::map<std::string, GradReq> &requests,
                                                  const ArrayMap &states,
                                                  Initializer initializer) const {
  if (!initializer)
    initializer = Gaussian();
  std::map<std::string, Shape> shapes;
  Attributes types;
  for (const auto &[name, array] : given) {
    shapes[name] = array.shape();
    types[name] = array.dtype();
  }
  Inferred<Shape> inferred = inferShapes(shapes);
  Inferred<std::string> inferredTypes = inferTypes(types);
  auto take = [&](const std::string &name, const ArrayMap &arrays, const Shape &shape,
                  const std::string &type, bool initialise) {
    if (auto found = arrays.find(name); found != arrays.end())
      return found->second;
    if (shape.empty() || std::find(shape.begin(), shape.end(), 0) != shape.end())
      throw Error("the shape of '" + name + "' does not follow from the arrays that are given");
    Array made(shape, type.empty() ? "float32" : type);
    if (initialise)
      initializer(name, made);
    return made;
  };
  auto endsWith = [](const std::string &name, const std::string &end) {
    return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
  };
  ExecutorArrays all;
  std::vector<std::string> names = arguments(), stateNames = auxiliaryStates();
  for (size_t i = 0; i < names.size(); ++i) {
    all.arguments.push_back(
        take(names[i], given, inferred.arguments[i], inferredTypes.arguments[i], true));
    const Array &argument = all.arguments.back();
    auto request = requests.find(names[i]);
    bool isInput = endsWith(names[i], "data") || endsWith(names[i], "label");
    all.requests.push_back(request != requests.end() ? request->second
                           : isInput                 ? GradReq::Null
                                                     : GradReq::Write);
    all.gradients.push_back(take(names[i], gradients, argument.shape(), argument.dtype(), false));
  }
  for (size_t i = 0; i < stateNames.size(); ++i)
    all.states.push_back(
        take(stateNames[i], states, inferred.states[i], inferredTypes.states[i], true));
  for (const ArrayMap *arrays : {&given, &gradients})
    for (const auto &[name, array] : *arrays)
      if (std::find(names.begin(), names.end(), name) == names.end())
        throw Error("the symbol has no argument '" + name + "'");
  for (const auto &[name, array] : states)
    if (std::find(stateNames.begin(), stateNames.end(), name) == stateNames.end())
      throw Error("the symbol has no auxiliary state '" + name + "'");
  return all;
}

inline Executor Symbol::simpleBind(const ArrayMap &given, const ArrayMap &gradients,
                                   const std::map<std::string, GradReq> &requests,
                                   const ArrayMap &states, Initializer initializer,
                                   std::vector<std::string> options) const {
  return bind(inferExecutorArrays(given, gradients, requests, states, std::move(initializer)),
              std::move(options));
}

} // namespace symc

#endif // SYMC_EXECUTOR_HPP
