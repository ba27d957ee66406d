// trainer.hpp: compiled trainers (symc train) in C++17, over the C functions of a trainer's header
// or library. Rules of symc/model.hpp hold here; arrays are vectors, or pointers with a count.
//
//   auto trainer = symc::Trainer::load("./libnet.so", "net");  // or SYMC_TRAINER(net)
//   if (!trainer || !trainer->initialize(7))
//     ...
//   std::vector<float> data(64 * 784), label(64), answers(64 * 10);
//   symc::Status status = trainer->step({data, label}, {answers});
#ifndef SYMC_TRAINER_HPP
#define SYMC_TRAINER_HPP

#include "symc/model.hpp"
#include "symc/train.h"

namespace symc {
inline namespace embedding {

// The C functions of a trainer, as its header declares them.
struct TrainerFunctions {
  const symc_model *table;
  int32_t (*create)(const symc_options *, symc_context **);
  void (*destroy)(symc_context *);
  const char *(*lastError)(const symc_context *);
  const char *(*statusMessage)(int32_t);
  int32_t (*setSeed)(symc_context *, uint64_t);
  int32_t (*trainStep)(symc_context *, const symc_tensor *, int32_t, const symc_tensor *, int32_t,
                       const symc_hyper *);
  int32_t (*gradients)(symc_context *, const symc_tensor *, int32_t, const symc_tensor *, int32_t);
  int32_t (*update)(symc_context *, const symc_hyper *);
  int32_t (*predict)(symc_context *, const symc_tensor *, int32_t, const symc_tensor *, int32_t);
  int32_t (*initialize)(symc_context *, const char *, uint64_t);
  int32_t (*getParameter)(symc_context *, const char *, void *, size_t);
  int32_t (*setParameter)(symc_context *, const char *, const void *, size_t);
  int32_t (*getGradient)(symc_context *, const char *, void *, size_t);
  int32_t (*setGradient)(symc_context *, const char *, const void *, size_t);
  int32_t (*stateCount)(const symc_context *);
  int32_t (*getState)(symc_context *, const char *, int32_t, void *, size_t);
  int32_t (*setState)(symc_context *, const char *, int32_t, const void *, size_t);
  int64_t (*getStep)(const symc_context *);
  int32_t (*setStep)(symc_context *, int64_t);
  int32_t (*getHyper)(symc_context *, const char *, double *);
  int32_t (*setHyper)(symc_context *, const char *, double);
};

// The trainer that is linked under this prefix; its header is included. Then create().
#define SYMC_TRAINER(prefix)                                                                       \
  ::symc::TrainerFunctions {                                                                       \
    &prefix##_model, prefix##_create, prefix##_destroy, prefix##_last_error,                       \
        prefix##_status_message, prefix##_set_seed, prefix##_train_step, prefix##_gradients,       \
        prefix##_update, prefix##_predict, prefix##_initialize, prefix##_get_parameter,            \
        prefix##_set_parameter, prefix##_get_gradient, prefix##_set_gradient,                      \
        prefix##_optimizer_state_count, prefix##_get_optimizer_state,                              \
        prefix##_set_optimizer_state, prefix##_get_step, prefix##_set_step, prefix##_get_hyper,    \
        prefix##_set_hyper                                                                         \
  }

// Elements in a row, of whatever shape the trainer has for them; nothing for one that is left out.
struct Elements {
  Elements() = default;
  Elements(std::nullptr_t) {}
  template <class T>
  Elements(const std::vector<T> &values)
      : data(const_cast<T *>(values.data())), count(int64_t(values.size())), dtype(dtypeOf<T>) {}
  template <class T, size_t N>
  Elements(const std::array<T, N> &values)
      : data(const_cast<T *>(values.data())), count(int64_t(N)), dtype(dtypeOf<T>) {}
  template <class T>
  Elements(T *values, int64_t count)
      : data(const_cast<std::remove_const_t<T> *>(values)), count(count), dtype(dtypeOf<T>) {}
  void *data = nullptr;
  int64_t count = 0;
  int32_t dtype = -1;
};

// A training: parameters, states of the optimizer, auxiliary states. One thread at a time calls it.
class Trainer {
public:
  Trainer(Trainer &&other) noexcept
      : library(std::move(other.library)), functions(other.functions),
        context(std::exchange(other.context, nullptr)) {}
  Trainer &operator=(Trainer &&other) noexcept {
    std::swap(library, other.library);
    std::swap(functions, other.functions);
    std::swap(context, other.context);
    return *this;
  }
  ~Trainer() {
    if (context)
      functions.destroy(context);
  }

  // One of a library that `symc train -shared` wrote, which stays loaded as long.
  static Result<Trainer> load(const char *path, const std::string &prefix,
                              const symc_options &options = {});
  // One that is linked in: create(SYMC_TRAINER(net)).
  static Result<Trainer> create(const TrainerFunctions &functions, symc_options options = {}) {
    char why[512] = "";
    if (!options.error) {
      options.error = why;
      options.error_bytes = sizeof why;
    }
    symc_context *context = nullptr;
    int32_t status = functions.create(&options, &context);
    if (status != SYMC_STATUS_OK)
      return Status(status, options.error_bytes && *options.error
                                ? options.error
                                : functions.statusMessage(status));
    return Trainer(functions, context);
  }

  // Begins anew: values of the file, and drawn ones by "xavier,magnitude=2" or what was compiled.
  Status initialize(uint64_t seed = 0, const char *initializer = nullptr) {
    return statusOf(functions.initialize(context, initializer, seed));
  }
  // Of random operators.
  Status setSeed(uint64_t seed) { return statusOf(functions.setSeed(context, seed)); }

  // One step; inputs and outputs in the order of the header, outputs also none. `hyper`: rates of
  // this step, symc_hyper_defaults() with some numbers set.
  Status step(const std::vector<Elements> &inputs, const std::vector<Elements> &outputs = {},
              const symc_hyper *hyper = nullptr) {
    std::vector<symc_tensor> in, out;
    if (Status status = tensors(inputs, outputs, in, out); !status)
      return status;
    return statusOf(functions.trainStep(context, in.data(), int32_t(in.size()), out.data(),
                                        int32_t(out.size()), hyper));
  }
  // Its two halves.
  Status gradients(const std::vector<Elements> &inputs, const std::vector<Elements> &outputs = {}) {
    std::vector<symc_tensor> in, out;
    if (Status status = tensors(inputs, outputs, in, out); !status)
      return status;
    return statusOf(functions.gradients(context, in.data(), int32_t(in.size()), out.data(),
                                        int32_t(out.size())));
  }
  Status update(const symc_hyper *hyper = nullptr) {
    return statusOf(functions.update(context, hyper));
  }
  // Outputs in prediction mode; a label may be nullptr.
  Status predict(const std::vector<Elements> &inputs, const std::vector<Elements> &outputs) {
    std::vector<symc_tensor> in, out;
    if (Status status = tensors(inputs, outputs, in, out); !status)
      return status;
    return statusOf(
        functions.predict(context, in.data(), int32_t(in.size()), out.data(), int32_t(out.size())));
  }

  // Names of all parameters; then those of auxiliary states.
  std::vector<std::string> parameterNames() const {
    std::vector<std::string> names;
    for (int32_t i = 0; i < functions.table->n_parameters; ++i)
      names.push_back(functions.table->parameters[i].name);
    return names;
  }
  std::vector<std::string> stateNames() const {
    std::vector<std::string> names;
    for (int32_t i = 0; i < functions.table->n_states; ++i)
      names.push_back(functions.table->states[i].tensor.name);
    return names;
  }
  // The shape of a parameter or an auxiliary state; empty for another name.
  std::vector<int64_t> shape(const std::string &name) const {
    const symc_tensor_info *info = find(name);
    return info ? std::vector<int64_t>(info->shape, info->shape + info->rank)
                : std::vector<int64_t>();
  }
  // A parameter or an auxiliary state, row-major; its gradient; a state of the optimizer.
  Result<std::vector<float>> parameter(const std::string &name) const {
    std::vector<float> values = room(name);
    return taken(functions.getParameter(context, name.c_str(), values.data(), bytes(values)),
                 values);
  }
  Status setParameter(const std::string &name, const std::vector<float> &values) {
    return statusOf(functions.setParameter(context, name.c_str(), values.data(), bytes(values)));
  }
  Result<std::vector<float>> gradient(const std::string &name) const {
    std::vector<float> values = room(name);
    return taken(functions.getGradient(context, name.c_str(), values.data(), bytes(values)),
                 values);
  }
  Status setGradient(const std::string &name, const std::vector<float> &values) {
    return statusOf(functions.setGradient(context, name.c_str(), values.data(), bytes(values)));
  }
  int32_t optimizerStateCount() const { return functions.stateCount(context); }
  Result<std::vector<float>> optimizerState(const std::string &name, int32_t index) const {
    std::vector<float> values = room(name);
    return taken(functions.getState(context, name.c_str(), index, values.data(), bytes(values)),
                 values);
  }
  Status setOptimizerState(const std::string &name, int32_t index,
                           const std::vector<float> &values) {
    return statusOf(functions.setState(context, name.c_str(), index, values.data(), bytes(values)));
  }

  // Updates done.
  int64_t stepCount() const { return functions.getStep(context); }
  Status setStepCount(int64_t count) { return statusOf(functions.setStep(context, count)); }
  // Hyper-parameters by MXNet's names.
  Result<double> hyper(const std::string &name) const {
    double value = 0;
    if (Status status = statusOf(functions.getHyper(context, name.c_str(), &value)); !status)
      return status;
    return value;
  }
  Status setHyper(const std::string &name, double value) {
    return statusOf(functions.setHyper(context, name.c_str(), value));
  }

  const symc_model &table() const { return *functions.table; }
  symc_context *handle() const { return context; }

private:
  Trainer(const TrainerFunctions &functions, symc_context *context)
      : functions(functions), context(context) {}

  Status statusOf(int32_t status) const {
    if (status == SYMC_STATUS_OK)
      return {};
    const char *sentence = functions.lastError(context);
    return Status(status, sentence && *sentence ? sentence : functions.statusMessage(status));
  }
  Result<std::vector<float>> taken(int32_t status, std::vector<float> &values) const {
    if (Status why = statusOf(status); !why)
      return why;
    return std::move(values);
  }
  const symc_tensor_info *find(const std::string &name) const {
    const symc_model &model = *functions.table;
    for (int32_t i = 0; i < model.n_parameters; ++i)
      if (name == model.parameters[i].name)
        return &model.parameters[i];
    for (int32_t i = 0; i < model.n_states; ++i)
      if (name == model.states[i].tensor.name)
        return &model.states[i].tensor;
    return nullptr;
  }
  // One element for a name that the functions will refuse.
  std::vector<float> room(const std::string &name) const {
    const symc_tensor_info *info = find(name);
    return std::vector<float>(info ? size_t(info->max_bytes) / sizeof(float) : 1);
  }
  static size_t bytes(const std::vector<float> &values) { return values.size() * sizeof(float); }

  // Gives elements the shapes of the table; what does not have as many is refused here.
  Status place(const char *kind, const symc_tensor_info *infos, int32_t count,
               const std::vector<Elements> &given, std::vector<symc_tensor> &tensors) const {
    for (size_t i = 0; i < given.size(); ++i) {
      if (i >= size_t(count)) { // the function counts them
        tensors.push_back({});
        continue;
      }
      const symc_tensor_info &info = infos[i];
      int64_t needed = 1;
      for (int32_t d = 0; d < info.rank; ++d)
        needed *= info.shape[d];
      if (given[i].data && (given[i].count != needed || given[i].dtype != info.dtype))
        return Status(given[i].dtype != info.dtype ? SYMC_STATUS_BAD_DTYPE : SYMC_STATUS_BAD_SHAPE,
                      std::string(kind) + " '" + info.name + "': expected " +
                          std::to_string(needed) + " elements of " + detail::dtypeName(info.dtype) +
                          ", got " + std::to_string(given[i].count) + " of " +
                          detail::dtypeName(given[i].dtype));
      tensors.push_back({given[i].data, info.shape, info.rank, info.dtype, 0, 0});
    }
    return {};
  }
  Status tensors(const std::vector<Elements> &inputs, const std::vector<Elements> &outputs,
                 std::vector<symc_tensor> &in, std::vector<symc_tensor> &out) const {
    const symc_training &training = *functions.table->training;
    if (Status status = place("argument", training.inputs, training.n_inputs, inputs, in); !status)
      return status;
    return place("output", functions.table->outputs, training.n_heads, outputs, out);
  }

  std::optional<Model> library;
  TrainerFunctions functions;
  symc_context *context;
};

inline Result<Trainer> Trainer::load(const char *path, const std::string &prefix,
                                     const symc_options &options) {
  Result<Model> model = Model::load(path, prefix);
  if (!model)
    return model.status();
  if (!model->table().training)
    return Status(SYMC_STATUS_NO_TRAINING,
                  std::string("'") + path + "' was not compiled by symc train");
  TrainerFunctions f = {};
  std::string missing;
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL); // once more, for its symbols
  auto find = [&](const char *name, auto &place) {
    std::string symbol = prefix + "_" + name;
    void *address = library ? dlsym(library, symbol.c_str()) : nullptr;
    if (!address && missing.empty())
      missing = symbol;
    place = reinterpret_cast<std::remove_reference_t<decltype(place)>>(address);
  };
  find("model", f.table);
  find("create", f.create);
  find("destroy", f.destroy);
  find("last_error", f.lastError);
  find("status_message", f.statusMessage);
  find("set_seed", f.setSeed);
  find("train_step", f.trainStep);
  find("gradients", f.gradients);
  find("update", f.update);
  find("predict", f.predict);
  find("initialize", f.initialize);
  find("get_parameter", f.getParameter);
  find("set_parameter", f.setParameter);
  find("get_gradient", f.getGradient);
  find("set_gradient", f.setGradient);
  find("optimizer_state_count", f.stateCount);
  find("get_optimizer_state", f.getState);
  find("set_optimizer_state", f.setState);
  find("get_step", f.getStep);
  find("set_step", f.setStep);
  find("get_hyper", f.getHyper);
  find("set_hyper", f.setHyper);
  if (library)
    dlclose(library);
  if (!missing.empty())
    return Status(SYMC_STATUS_BAD_MODEL, std::string("'") + path + "' has no '" + missing +
                                             "', which a model of the prefix '" + prefix + "' has");
  Result<Trainer> trainer = create(f, options);
  if (trainer)
    trainer->library.emplace(*std::move(model));
  return trainer;
}

} // namespace embedding
} // namespace symc
#endif
