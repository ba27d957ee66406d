// model.hpp: compiled models in C++17: contexts, pools and libraries that end with their scope, and
// spans whose element type and extents are compared by the compiler where both sides name them, by
// the runtime where not. Header-only over the C functions of a model (or of symc/runtime.h, for
// models by their table), whose rules on threads and lifetimes hold here, too.
//
//   #include <symc/model.hpp>
//   #include "digits.h" // in any order
//
//   symc::Model model = SYMC_MODEL(digits);
//   // symc::Inputs<symc::Span<const float, 1, 1, 28, 28>>, symc::Outputs<symc::Span<float, 1, 10>>
//   auto digits = model.createAs<digits_inputs, digits_outputs>();
//   if (!digits)
//     return report(digits.status().sentence());
//   std::array<float, 784> pixels = ...;
//   std::array<float, 10> answers;
//   symc::Status status = digits->run(pixels, answers);
//
// No exception is thrown here: what can fail returns a Status or a Result. With SYMC_EXCEPTIONS
// defined, symc::orThrow(...) makes a symc::Error of either. Only a failure allocates memory, for
// its sentence.
#ifndef SYMC_MODEL_HPP
#define SYMC_MODEL_HPP

#include "symc/runtime.h"
#include "symc/spans.h"
#include "symc/status.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace symc {
inline namespace embedding {

// --- Spans ---------------------------------------------------------------------

namespace detail {
// What an extent of a type leaves open: one number, those of between(), or any (spans.h).
constexpr bool isRange(int64_t extent) { return extent <= -2; }
constexpr int64_t leastOf(int64_t extent) {
  return extent >= 0 ? extent : isRange(extent) ? (-2 - extent) >> 31 : 0;
}
constexpr int64_t mostOf(int64_t extent) {
  return extent >= 0       ? extent
         : isRange(extent) ? (-2 - extent) & ((int64_t(1) << 31) - 1)
                           : INT64_MAX;
}
// Whether all that `from` leaves open is open in `to`, too.
constexpr bool isWithin(int64_t from, int64_t to) {
  return leastOf(to) <= leastOf(from) && mostOf(from) <= mostOf(to);
}

template <int64_t... Extents> constexpr bool allFixed = ((Extents >= 0) && ...);
template <int64_t... Extents>
constexpr int64_t countOf = (int64_t(1) * ... * (Extents < 0 ? 0 : Extents));

// Whether a span of type From is one of type To as far as the types show.
template <class From, class To> struct Fits : std::false_type {};
template <class U, int64_t... F, class T, int64_t... E> struct Fits<Span<U, F...>, Span<T, E...>> {
  static constexpr bool test() {
    if constexpr (sizeof...(F) != sizeof...(E))
      return false;
    else
      return std::is_convertible_v<U(*)[], T(*)[]> && (isWithin(F, E) && ...);
  }
  static constexpr bool value = test();
};

// "f32 [1..8, 10]", as messages of the runtime write shapes; "any" where a type leaves it open.
inline std::string typeText(int32_t dtype, const int64_t *extents, int32_t rank,
                            const symc_model *model = nullptr) {
  std::string text = std::string(dtypeName(dtype)) + " [";
  for (int32_t i = 0; i < rank; ++i) {
    text += i ? ", " : "";
    if (extents[i] >= 0) {
      text += std::to_string(extents[i]);
    } else if (!model && isRange(extents[i])) {
      text += std::to_string(leastOf(extents[i])) + ".." + std::to_string(mostOf(extents[i]));
    } else if (!model) {
      text += "any";
    } else {
      const symc_dim_info &size = model->dims[-(extents[i] + 1)];
      text +=
          model->batches ? size.name : std::to_string(size.min) + ".." + std::to_string(size.max);
    }
  }
  return text + "]";
}
} // namespace detail

// Elements of a dense row-major tensor that somebody else owns. Two spans whose types contradict
// each other, and an array of another length, do not compile.
template <class T, int64_t... Extents> class Span {
  static_assert(dtypeOf<T> >= 0, "no element type of models is this type");
  static_assert(((detail::leastOf(Extents) <= detail::mostOf(Extents)) && ...),
                "an extent is 0 or more, symc::Any, or symc::between(least, most)");
  static_assert(sizeof...(Extents) <= SYMC_MAX_RANK, "models have tensors of rank 8 at most");

public:
  static constexpr int32_t rank = sizeof...(Extents);
  static constexpr int32_t dtype = dtypeOf<T>;
  static constexpr bool isFixed = detail::allFixed<Extents...>;
  static constexpr bool isConst = std::is_const_v<T>;
  // The extents of the type; one more where the rank is 0, which has none.
  static constexpr int64_t typeExtents[] = {Extents..., 0};

  // Arrays of as many elements as the extents give.
  template <class U, size_t N,
            class = std::enable_if_t<std::is_convertible_v<U (*)[], T (*)[]> && isFixed &&
                                     int64_t(N) == detail::countOf<Extents...>>>
  Span(U (&array)[N]) : Span(array, std::array<int64_t, rank + 1>{Extents...}) {}
  template <class U, size_t N,
            class = std::enable_if_t<std::is_convertible_v<U (*)[], T (*)[]> && isFixed &&
                                     int64_t(N) == detail::countOf<Extents...>>>
  Span(std::array<U, N> &array) : Span(array.data(), std::array<int64_t, rank + 1>{Extents...}) {}
  template <class U, size_t N,
            class = std::enable_if_t<std::is_convertible_v<const U (*)[], T (*)[]> && isFixed &&
                                     int64_t(N) == detail::countOf<Extents...>>>
  Span(const std::array<U, N> &array)
      : Span(array.data(), std::array<int64_t, rank + 1>{Extents...}) {}
  // Spans that fit.
  template <class U, int64_t... F,
            class = std::enable_if_t<detail::Fits<Span<U, F...>, Span>::value>>
  Span(const Span<U, F...> &other) : Span(other.data(), other.extents()) {}

  // `count` elements; `free` are the extents that the type leaves open, in order.
  template <class... N> static Result<Span> over(T *data, size_t count, N... free) {
    static_assert(sizeof...(N) == ((Extents < 0 ? 1 : 0) + ... + 0),
                  "one extent for each that is symc::Any or symc::between");
    const int64_t given[] = {int64_t(free)..., 0};
    Span span(data, std::array<int64_t, rank + 1>{Extents...});
    int64_t elements = 1;
    size_t next = 0;
    bool fits = true;
    for (int32_t i = 0; i < rank; ++i) {
      if (typeExtents[i] < 0)
        span.lengths[i] = given[next++];
      fits = fits && span.lengths[i] >= detail::leastOf(typeExtents[i]) &&
             span.lengths[i] <= detail::mostOf(typeExtents[i]) &&
             !__builtin_mul_overflow(elements, span.lengths[i], &elements);
    }
    if (!fits || uint64_t(elements) != count) {
      std::string requested = detail::typeText(dtype, span.lengths.data(), rank);
      std::string type = detail::typeText(dtype, typeExtents, rank);
      return Status(SYMC_STATUS_BAD_SHAPE,
                    "a span over " + std::to_string(count) + " elements cannot be " + requested +
                        (((detail::isRange(Extents) || ...)) ? ", one of " + type : ""));
    }
    return span;
  }
  // A vector or another container of adjacent elements.
  template <class C, class... N>
  static auto over(C &container, N... free)
      -> decltype(over(container.data(), container.size(), free...)) {
    return over(container.data(), container.size(), free...);
  }

  T *data() const { return elements; }
  int64_t extent(int32_t i) const { return lengths[i]; }
  // rank extents, and a 0 behind them.
  const std::array<int64_t, rank + 1> &extents() const { return lengths; }
  int64_t count() const {
    int64_t product = 1;
    for (int32_t i = 0; i < rank; ++i)
      product *= lengths[i];
    return product;
  }
  T &operator[](int64_t i) const { return elements[i]; }
  T *begin() const { return elements; }
  T *end() const { return elements + count(); }
  // For the C functions; good as long as the span.
  symc_tensor tensor() const {
    return {const_cast<std::remove_const_t<T> *>(elements), lengths.data(), rank, dtype, 0, 0};
  }

private:
  template <class U, int64_t... F> friend class Span;
  Span(T *data, const std::array<int64_t, rank + 1> &extents) : elements(data), lengths(extents) {}

  T *elements;
  std::array<int64_t, rank + 1> lengths;
};

// All inputs, or those that are not optional, in the model's order; all outputs. Of spans as values
// (symc::Inputs(a, b)) or as types of what a context takes (createAs).
template <class... S> struct Inputs {
  explicit Inputs(const S &...spans) : spans(spans...) {}
  std::tuple<S...> spans;
};
template <class... S> struct Outputs {
  static_assert((!S::isConst && ...), "an output is written; its span has no const elements");
  explicit Outputs(const S &...spans) : spans(spans...) {}
  std::tuple<S...> spans;
};

// --- Models --------------------------------------------------------------------

// The C functions of a model, as its header declares them.
struct Functions {
  const symc_model *table;
  int32_t (*create)(const symc_options *, symc_context **);
  void (*destroy)(symc_context *);
  int32_t (*run)(symc_context *, const symc_tensor *, int32_t, const symc_tensor *, int32_t);
  int32_t (*runImage)(symc_context *, const symc_tensor *, int32_t, const symc_tensor *, int32_t);
  const char *(*lastError)(const symc_context *);
  int32_t (*inferOutputs)(symc_context *, const symc_tensor *, int32_t, int64_t *, int32_t);
  int32_t (*runExtents)(symc_context *, int64_t *, int32_t);
  int32_t (*getState)(symc_context *, const char *, const symc_tensor *);
  int32_t (*setState)(symc_context *, const char *, const symc_tensor *);
  int32_t (*stateExtents)(symc_context *, const char *, int64_t *, int32_t);
  int32_t (*truncateState)(symc_context *, const char *, int64_t);
  int32_t (*resetState)(symc_context *, const char *);
  int32_t (*setSeed)(symc_context *, uint64_t);
  int32_t (*setParameters)(symc_context *, const symc_tensor *, int32_t);
  const char *(*statusMessage)(int32_t);
  int32_t (*poolCreate)(int32_t, symc_pool **);
  void (*poolDestroy)(symc_pool *);
  GradientFunctions gradients;
  // Of symc/runtime.h alone, else NULL.
  int32_t (*createOf)(const symc_model *, const symc_options *, symc_context **) = nullptr;
};

// The model that is linked under this prefix; its header is included.
#define SYMC_MODEL(prefix)                                                                         \
  ::symc::Model(::symc::Functions{                                                                 \
      &prefix##_model, prefix##_create, prefix##_destroy, prefix##_run, prefix##_run_image,        \
      prefix##_last_error, prefix##_infer_outputs, prefix##_run_extents, prefix##_get_state,       \
      prefix##_set_state, prefix##_state_extents, prefix##_truncate_state, prefix##_reset_state,   \
      prefix##_set_seed, prefix##_set_parameters, prefix##_status_message, prefix##_pool_create,   \
      prefix##_pool_destroy, prefix##_gradients})

// Threads that contexts share; outlives them (symc_options.pool).
class Pool {
public:
  Pool(Pool &&other) noexcept : pool(std::exchange(other.pool, nullptr)), destroy(other.destroy) {}
  Pool &operator=(Pool &&other) noexcept {
    std::swap(pool, other.pool);
    std::swap(destroy, other.destroy);
    return *this;
  }
  ~Pool() {
    if (pool)
      destroy(pool);
  }
  symc_pool *handle() const { return pool; }

private:
  friend class Model;
  Pool(symc_pool *pool, void (*destroy)(symc_pool *)) : pool(pool), destroy(destroy) {}
  symc_pool *pool;
  void (*destroy)(symc_pool *);
};

// A gradient, by the name of the output or argument of which it is one.
struct Named {
  template <class T, int64_t... E>
  Named(std::string name, const Span<T, E...> &span)
      : name(std::move(name)), tensor(span.tensor()) {}
  Named(std::string name, const symc_tensor &tensor) : name(std::move(name)), tensor(tensor) {}
  std::string name;
  symc_tensor tensor; // as long as the span
};

// One independent instance of a model. One thread at a time calls it.
class Context {
public:
  Context(Context &&other) noexcept
      : functions(other.functions), context(std::exchange(other.context, nullptr)) {}
  Context &operator=(Context &&other) noexcept {
    std::swap(functions, other.functions);
    std::swap(context, other.context);
    return *this;
  }
  ~Context() {
    if (context)
      functions.destroy(context);
  }

  // Runs the model once; the runtime compares types and extents with the model's.
  Status run(const symc_tensor *inputs, int32_t inputCount, const symc_tensor *outputs,
             int32_t outputCount) {
    return statusOf(functions.run(context, inputs, inputCount, outputs, outputCount));
  }
  template <class... I, class... O>
  Status run(const Inputs<I...> &inputs, const Outputs<O...> &outputs) {
    auto in = tensors(inputs.spans);
    auto out = tensors(outputs.spans);
    return run(in.data(), int32_t(sizeof...(I)), out.data(), int32_t(sizeof...(O)));
  }
  // The same on pictures: spans of uint8_t, [H, W], [H, W, C] or [N, H, W, C], or [bytes] of a PNG
  // or JPEG file, for inputs that were compiled with --preprocess; others as run takes them.
  template <class... I, class... O>
  Status runImage(const Inputs<I...> &inputs, const Outputs<O...> &outputs) {
    auto in = tensors(inputs.spans);
    auto out = tensors(outputs.spans);
    return statusOf(functions.runImage(context, in.data(), int32_t(sizeof...(I)), out.data(),
                                       int32_t(sizeof...(O))));
  }

  // The two parts of a run with gradients. forward takes the inputs, and gives the outputs, that
  // are not backward's; backward may run later, again or not at all (symc/runtime.h).
  Status forward(const symc_tensor *inputs, int32_t inputCount, const symc_tensor *outputs,
                 int32_t outputCount) {
    if (!functions.gradients.forward)
      return withoutGradients();
    return statusOf(functions.gradients.forward(context, inputs, inputCount, outputs, outputCount));
  }
  template <class... I, class... O>
  Status forward(const Inputs<I...> &inputs, const Outputs<O...> &outputs) {
    auto in = tensors(inputs.spans);
    auto out = tensors(outputs.spans);
    return forward(in.data(), int32_t(sizeof...(I)), out.data(), int32_t(sizeof...(O)));
  }
  Status backward(const symc_tensor *inputs, int32_t inputCount, const symc_tensor *outputs,
                  int32_t outputCount) {
    if (!functions.gradients.backward)
      return withoutGradients();
    return statusOf(
        functions.gradients.backward(context, inputs, inputCount, outputs, outputCount));
  }
  template <class... I, class... O>
  Status backward(const Inputs<I...> &inputs, const Outputs<O...> &outputs) {
    auto in = tensors(inputs.spans);
    auto out = tensors(outputs.spans);
    return backward(in.data(), int32_t(sizeof...(I)), out.data(), int32_t(sizeof...(O)));
  }
  // The same by names. `given`: the gradients of outputs that are no losses, by output, and what
  // gradients are added to, by argument; `wanted`: gradients, by argument; others are left out.
  // Allocates room for as many tensors as backward has.
  Status backward(const std::vector<Named> &given, const std::vector<Named> &wanted) {
    if (!functions.gradients.backward)
      return withoutGradients();
    const symc_model &model = *functions.table;
    std::vector<symc_tensor> in, out;
    if (Status status = place(model.inputs, model.n_inputs, given, true, in); !status)
      return status;
    if (Status status = place(model.outputs, model.n_outputs, wanted, false, out); !status)
      return status;
    return backward(in.data(), int32_t(in.size()), out.data(), int32_t(out.size()));
  }

  // The extents of all outputs, one after the other, for inputs of these shapes.
  Status inferOutputs(const symc_tensor *inputs, int32_t count, int64_t *extents,
                      int32_t capacity) {
    return statusOf(functions.inferOutputs(context, inputs, count, extents, capacity));
  }
  template <class... I>
  Status inferOutputs(const Inputs<I...> &inputs, int64_t *extents, int32_t capacity) {
    auto in = tensors(inputs.spans);
    return inferOutputs(in.data(), int32_t(sizeof...(I)), extents, capacity);
  }
  // Those that the last run gave them.
  Status runExtents(int64_t *extents, int32_t capacity) {
    return statusOf(functions.runExtents(context, extents, capacity));
  }

  template <class T, int64_t... E> Status getState(const char *name, const Span<T, E...> &value) {
    static_assert(!std::is_const_v<T>, "the state is written to the span");
    symc_tensor tensor = value.tensor();
    return statusOf(functions.getState(context, name, &tensor));
  }
  template <class T, int64_t... E> Status setState(const char *name, const Span<T, E...> &value) {
    symc_tensor tensor = value.tensor();
    return statusOf(functions.setState(context, name, &tensor));
  }
  // The extents that a state has now, as many as its rank.
  Status stateExtents(const char *name, int64_t *extents, int32_t capacity) {
    return statusOf(functions.stateExtents(context, name, extents, capacity));
  }
  // Leaves a state that grows (nullptr: all of them) its first rows.
  Status truncateState(const char *name, int64_t rows) {
    return statusOf(functions.truncateState(context, name, rows));
  }
  // One, or all where there is no name, as the weights have them, or without rows.
  Status resetState(const char *name = nullptr) {
    return statusOf(functions.resetState(context, name));
  }
  Status setParameters(const symc_tensor *parameters, int32_t count) {
    return statusOf(functions.setParameters(context, parameters, count));
  }
  // Of random operators, whose numbers begin anew.
  Status setSeed(uint64_t seed) { return statusOf(functions.setSeed(context, seed)); }
  symc_context *handle() const { return context; }

private:
  friend class Model;
  Context(const Functions &functions, symc_context *context)
      : functions(functions), context(context) {}

  Status statusOf(int32_t status) const {
    if (status == SYMC_STATUS_OK)
      return {};
    const char *sentence = functions.lastError(context);
    return Status(status, sentence && *sentence ? sentence : functions.statusMessage(status));
  }
  static Status withoutGradients() {
    return Status(SYMC_STATUS_NO_GRADIENTS, "the model was compiled without gradients");
  }
  // Puts tensors in the order of the infos that are backward's.
  static Status place(const symc_tensor_info *infos, int32_t count, const std::vector<Named> &named,
                      bool isInput, std::vector<symc_tensor> &tensors) {
    std::vector<bool> used(named.size());
    for (int32_t i = 0; i < count; ++i) {
      if (!(infos[i].flags & SYMC_TENSOR_BACKWARD))
        continue;
      std::string whole = infos[i].name, own = whole.substr(whole.find(':') + 1);
      size_t n = 0;
      while (n < named.size() && (used[n] || (named[n].name != own && named[n].name != whole)))
        ++n;
      tensors.push_back({});
      if (n < named.size()) {
        tensors.back() = named[n].tensor;
        used[n] = true;
      } else if (isInput && !(infos[i].flags & SYMC_TENSOR_OPTIONAL)) {
        return Status(SYMC_STATUS_BAD_ARGUMENT,
                      whole[0] == 'h' ? "output '" + own + "' is no loss: its gradient is needed"
                                      : "what the gradient of '" + own + "' is added to is needed");
      }
    }
    for (size_t n = 0; n < named.size(); ++n)
      if (!used[n])
        return Status(SYMC_STATUS_BAD_NAME, std::string("the model ") +
                                                (isInput ? "takes" : "computes") +
                                                " no gradient of '" + named[n].name + "'");
    return {};
  }
  // One more than there are, since C++ has no empty arrays.
  template <class... S>
  static std::array<symc_tensor, sizeof...(S) + 1> tensors(const std::tuple<S...> &spans) {
    return std::apply(
        [](const S &...span) {
          return std::array<symc_tensor, sizeof...(S) + 1>{span.tensor()..., symc_tensor{}};
        },
        spans);
  }

  Functions functions;
  symc_context *context;
};

// A context whose inputs and outputs have these types: the model was compared with them when the
// context was made, and the compiler compares what a call passes.
template <class In, class Out> class TypedContext;
template <class... I, class... O> class TypedContext<Inputs<I...>, Outputs<O...>> {
public:
  Status run(const I &...inputs, const O &...outputs) {
    return context.run(Inputs<I...>(inputs...), Outputs<O...>(outputs...));
  }
  Context &untyped() { return context; }

private:
  friend class Model;
  explicit TypedContext(Context context) : context(std::move(context)) {}
  Context context;
};

// A model: linked in (SYMC_MODEL), from a shared library (load), or of its table (of).
class Model {
public:
  explicit Model(const Functions &functions) : functions(functions) {}
  Model(Model &&other) noexcept
      : functions(other.functions), library(std::exchange(other.library, nullptr)) {}
  Model &operator=(Model &&other) noexcept {
    std::swap(functions, other.functions);
    std::swap(library, other.library);
    return *this;
  }
  ~Model() {
    if (library)
      dlclose(library);
  }

  // By the functions of symc/runtime.h, which the program links (symc::runtime, -lsymc_runtime).
  static Model of(const symc_model &table) {
    return Model(Functions{
        &table,
        nullptr,
        symc_destroy,
        [](symc_context *context, const symc_tensor *in, int32_t nIn, const symc_tensor *out,
           int32_t nOut) -> int32_t { return symc_run(context, in, nIn, out, nOut); },
        [](symc_context *context, const symc_tensor *in, int32_t nIn, const symc_tensor *out,
           int32_t nOut) -> int32_t { return symc_run_image(context, in, nIn, out, nOut); },
        symc_last_error,
        [](symc_context *context, const symc_tensor *in, int32_t nIn, int64_t *extents,
           int32_t capacity) -> int32_t {
          return symc_infer_outputs(context, in, nIn, extents, capacity);
        },
        [](symc_context *context, int64_t *extents, int32_t capacity) -> int32_t {
          return symc_run_extents(context, extents, capacity);
        },
        [](symc_context *context, const char *name, const symc_tensor *value) -> int32_t {
          return symc_get_state(context, name, value);
        },
        [](symc_context *context, const char *name, const symc_tensor *value) -> int32_t {
          return symc_set_state(context, name, value);
        },
        [](symc_context *context, const char *name, int64_t *extents, int32_t capacity) -> int32_t {
          return symc_state_extents(context, name, extents, capacity);
        },
        [](symc_context *context, const char *name, int64_t rows) -> int32_t {
          return symc_truncate_state(context, name, rows);
        },
        [](symc_context *context, const char *name) -> int32_t {
          return symc_reset_state(context, name);
        },
        [](symc_context *context, uint64_t seed) -> int32_t {
          return symc_set_seed(context, seed);
        },
        [](symc_context *context, const symc_tensor *parameters, int32_t n) -> int32_t {
          return symc_set_parameters(context, parameters, n);
        },
        symc_status_message,
        [](int32_t threads, symc_pool **pool) -> int32_t {
          return symc_pool_create(threads, pool);
        },
        symc_pool_destroy,
        {[](symc_context *context, const symc_tensor *in, int32_t nIn, const symc_tensor *out,
            int32_t nOut) -> int32_t { return symc_forward(context, in, nIn, out, nOut); },
         [](symc_context *context, const symc_tensor *in, int32_t nIn, const symc_tensor *out,
            int32_t nOut) -> int32_t { return symc_backward(context, in, nIn, out, nOut); }},
        [](const symc_model *model, const symc_options *options,
           symc_context **context) -> int32_t { return symc_create(model, options, context); }});
  }

  // The library that symc -shared wrote, opened at run time; `path` as dlopen takes it. Contexts
  // and pools end before the model does, which unloads the library, unless it made threads: then
  // its code stays. A file that was replaced while its model is in memory is refused.
  static Result<Model> load(const char *path, const std::string &prefix);

  const symc_model &table() const { return *functions.table; }

  Result<Context> create(symc_options options = {}) const {
    char why[512] = "";
    if (!options.error) {
      options.error = why;
      options.error_bytes = sizeof why;
    }
    symc_context *context = nullptr;
    int32_t status = functions.create ? functions.create(&options, &context)
                                      : functions.createOf(functions.table, &options, &context);
    if (status != SYMC_STATUS_OK)
      return Status(status, options.error_bytes && *options.error
                                ? options.error
                                : functions.statusMessage(status));
    return Context(functions, context);
  }

  // A context with types: fails where the model has others. In and Out are Inputs<...>,
  // Outputs<...>.
  template <class In, class Out>
  Result<TypedContext<In, Out>> createAs(const symc_options &options = {}) const {
    Result<Context> context = create(options);
    if (!context)
      return context.status();
    if (Status status = compare(*context, static_cast<In *>(nullptr), static_cast<Out *>(nullptr));
        !status)
      return status;
    return TypedContext<In, Out>(*std::move(context));
  }

  // `threads` of them, the caller's included.
  Result<Pool> createPool(int32_t threads) const {
    symc_pool *pool = nullptr;
    int32_t status = functions.poolCreate(threads, &pool);
    if (status != SYMC_STATUS_OK)
      return Status(status, functions.statusMessage(status));
    return Pool(pool, functions.poolDestroy);
  }

private:
  // What a span's type requires of a tensor.
  struct Type {
    int32_t dtype, rank;
    const int64_t *extents;
  };
  template <class S> static Type typeOf() { return {S::dtype, S::rank, S::typeExtents}; }

  // Compares a type with a tensor of the model: its extents, or those that `bound` names, or none
  // where they are known at run time only.
  Status compareTensor(const char *kind, const symc_tensor_info &info, const Type &type,
                       const int64_t *bound, bool extentsToo = true) const {
    const symc_model &model = table();
    int32_t bad = -1;
    if (extentsToo && info.rank == type.rank)
      for (int32_t i = 0; i < info.rank && bad < 0; ++i) {
        int64_t has = bound ? bound[i] : info.shape[i], needed = type.extents[i];
        if (needed == Any)
          continue;
        bool fits = has >= 0 ? detail::isWithin(has, needed)
                             : detail::leastOf(needed) >= sizeAt(has).min &&
                                   (model.batches || detail::mostOf(needed) <= sizeAt(has).max);
        if (!fits)
          bad = i;
      }
    bool sameDtype = info.dtype == type.dtype;
    if (sameDtype && info.rank == type.rank && bad < 0)
      return {};
    std::string text = std::string(kind) + " '" + info.name + "': the model has " +
                       detail::typeText(info.dtype, bound ? bound : info.shape, info.rank, &model) +
                       ", the program's type is " +
                       detail::typeText(type.dtype, type.extents, type.rank);
    if (sameDtype && bad >= 0)
      text += " (dimension " + std::to_string(bad) + ")";
    return Status(sameDtype ? SYMC_STATUS_BAD_SHAPE : SYMC_STATUS_BAD_DTYPE, text);
  }
  const symc_dim_info &sizeAt(int64_t extent) const { return table().dims[-(extent + 1)]; }

  template <class... I, class... O>
  Status compare(Context &context, Inputs<I...> *, Outputs<O...> *) const {
    const symc_model &model = table();
    const Type in[] = {typeOf<I>()..., {}}, out[] = {typeOf<O>()..., {}};
    const int32_t nIn = sizeof...(I), nOut = sizeof...(O);
    int32_t needed = 0, extentCount = 0;
    for (int32_t i = 0; i < model.n_inputs; ++i)
      needed += model.inputs[i].flags & SYMC_TENSOR_OPTIONAL ? 0 : 1;
    if ((nIn != needed && nIn != model.n_inputs) || nOut != model.n_outputs)
      return Status(SYMC_STATUS_BAD_COUNT,
                    "the model has " + std::to_string(needed) +
                        " inputs that are not optional and " + std::to_string(model.n_outputs) +
                        " outputs, the program's types are " + std::to_string(nIn) + " and " +
                        std::to_string(nOut));
    for (int32_t i = 0, next = 0; i < model.n_inputs; ++i) {
      if (nIn != model.n_inputs && (model.inputs[i].flags & SYMC_TENSOR_OPTIONAL))
        continue;
      if (Status status = compareTensor("input", model.inputs[i], in[next++], nullptr); !status)
        return status;
    }
    // Outputs of a model with open sizes have extents where those of all inputs are known.
    constexpr bool known = (I::isFixed && ...);
    for (int32_t i = 0; i < nOut; ++i)
      extentCount += model.outputs[i].rank;
    constexpr int32_t capacity = (O::rank + ... + 1);
    int64_t extents[capacity];
    bool inferred = known && model.n_dims > 0 && extentCount < capacity;
    if (inferred) {
      symc_tensor tensors[nIn + 1];
      for (int32_t i = 0; i < nIn; ++i)
        tensors[i] = {nullptr, in[i].extents, in[i].rank, in[i].dtype, 0, 0};
      if (Status status = context.inferOutputs(tensors, nIn, extents, capacity); !status)
        return status;
    }
    for (int32_t i = 0, at = 0; i < nOut; at += model.outputs[i++].rank) {
      if (Status status =
              compareTensor("output", model.outputs[i], out[i], inferred ? extents + at : nullptr,
                            inferred || model.n_dims == 0);
          !status)
        return status;
    }
    return {};
  }

  Functions functions;
  void *library = nullptr;
};

namespace detail {
// The file of a library as it was when the process loaded it.
struct LoadedFile {
  const void *table; // of the model, which lies in it
  dev_t device;
  ino_t inode;
  off_t bytes;
  int64_t seconds, nanoseconds; // of its last change
};

// False where the library of `table` was loaded before from a file that is another one now.
inline bool isCurrent(const void *table, bool wasLoaded) {
  static std::mutex lock;
  static std::vector<LoadedFile> files;
  Dl_info info;
  struct stat status;
  if (!dladdr(table, &info) || stat(info.dli_fname, &status) != 0)
    return true; // it has no file: nothing can have replaced it
  LoadedFile file{table,
                  status.st_dev,
                  status.st_ino,
                  status.st_size,
                  int64_t(status.st_mtim.tv_sec),
                  int64_t(status.st_mtim.tv_nsec)};
  std::lock_guard<std::mutex> guard(lock);
  for (LoadedFile &known : files)
    if (known.table == table) {
      if (!wasLoaded)
        known = file;
      return known.device == file.device && known.inode == file.inode &&
             known.bytes == file.bytes && known.seconds == file.seconds &&
             known.nanoseconds == file.nanoseconds;
    }
  files.push_back(file);
  return true;
}
} // namespace detail

inline Result<Model> Model::load(const char *path, const std::string &prefix) {
  void *before = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (before)
    dlclose(before);
  if (!library)
    return Status(SYMC_STATUS_NO_LIBRARY, dlerror());
  Model model{Functions{}};
  model.library = library; // closed where a function is missing
  Functions &f = model.functions;
  std::string missing;
  auto find = [&](const char *name, auto &place) {
    std::string symbol = prefix + "_" + name;
    void *address = dlsym(library, symbol.c_str());
    if (!address && missing.empty())
      missing = symbol;
    place = reinterpret_cast<std::remove_reference_t<decltype(place)>>(address);
  };
  find("model", f.table);
  if (f.table && (f.table->magic != SYMC_MODEL_MAGIC || f.table->abi_version != SYMC_ABI_VERSION))
    return Status(SYMC_STATUS_BAD_MODEL, std::string("'") + path + "' has ABI version " +
                                             std::to_string(f.table->abi_version) +
                                             ", symc/model.hpp has " +
                                             std::to_string(SYMC_ABI_VERSION));
  find("create", f.create);
  find("destroy", f.destroy);
  find("run", f.run);
  find("run_image", f.runImage);
  find("last_error", f.lastError);
  find("infer_outputs", f.inferOutputs);
  find("run_extents", f.runExtents);
  find("get_state", f.getState);
  find("set_state", f.setState);
  find("state_extents", f.stateExtents);
  find("truncate_state", f.truncateState);
  find("reset_state", f.resetState);
  find("set_seed", f.setSeed);
  find("set_parameters", f.setParameters);
  find("status_message", f.statusMessage);
  find("pool_create", f.poolCreate);
  find("pool_destroy", f.poolDestroy);
  if (f.table && f.table->n_variants && f.table->variants[0].backward) {
    find("forward", f.gradients.forward);
    find("backward", f.gradients.backward);
  }
  if (!missing.empty())
    return Status(SYMC_STATUS_BAD_MODEL, std::string("'") + path + "' has no '" + missing +
                                             "', which a model of the prefix '" + prefix + "' has");
  if (!detail::isCurrent(f.table, before))
    return Status(SYMC_STATUS_BAD_MODEL,
                  std::string("'") + path +
                      "' has changed since the process loaded it, and the model that it held is "
                      "still in memory: another one has it open, or it made threads; a file of "
                      "another name is loaded beside it");
  return model;
}

} // namespace embedding
} // namespace symc

#include "symc/trainer.hpp" // symc::Trainer
#endif
