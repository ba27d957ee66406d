// CHeader.cpp: see CHeader.h.
#include "codegen/emit/CHeader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace symc::codegen;

// What all headers of models share: the files symc/types.h and symc/spans.h, whole.
static const char typesText[] =
#include "model_types.inc"
    ;
static const char spansText[] =
#include "model_spans.inc"
    ;

static const char createText[] = R"header(
/* Makes a context; `options` may be NULL. On failure *context is NULL. Any thread.
 * Returns SYMC_STATUS_OK (0), or BAD_ARGUMENT, BAD_ALIGNMENT, BAD_MODEL, BAD_ISA, UNSUPPORTED_CPU,
 * OUT_OF_MEMORY, ARENA_TOO_SMALL, BAD_WEIGHTS, NO_THREADS, NO_LIBRARY; of another device than the
 * CPU NO_DRIVER, OLD_DRIVER, NO_DEVICE, BAD_ORDINAL, NO_CODE, NO_DEVICE_MEMORY, DEVICE_LOST,
 * DRIVER_FAILED. */
int32_t @_create(const symc_options *options, symc_context **context);

/* Frees everything that the context owns; NULL is allowed. */
void @_destroy(symc_context *context);
)header";

static const char runText[] = R"header(
/* Runs the model once: one thread at a time for a context. Inputs and outputs in the order
 * above; optional inputs may be left out all together. An output that overlaps another tensor is
 * refused. Returns SYMC_STATUS_OK, or BAD_ARGUMENT, BAD_COUNT, BAD_DTYPE, BAD_SHAPE, BAD_ALIGNMENT,
 * NO_WEIGHTS, BAD_DEVICE (nothing is written then), RUN_FAILED, those of a device, or a kernel's
 * status (outputs are undefined and states unchanged then). */
int32_t @_run(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
@             const symc_tensor *outputs, int32_t n_outputs);

/* The same on pictures. Of an input that was compiled with --preprocess, u8 tensors are pixels,
 * [H, W], [H, W, C] or [N, H, W, C] with 1, 3 or 4 channels (gray, RGB, RGBA; [C, H, W] with the
 * step nchw), or, with --images, [bytes] of one PNG or JPEG file. They become the input as the
 * steps prescribe, in memory that the context keeps. Other tensors are taken as @_run takes
 * them. Returns BAD_PICTURE, OUT_OF_MEMORY, or what @_run does. */
int32_t @_run_image(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
@                   const symc_tensor *outputs, int32_t n_outputs);
)header";

static const char errorText[] = R"header(
/* The sentence of the last failing call on this context, which names the tensor, the
 * dimension and both values. It lives until the next call on the context. */
const char *@_last_error(const symc_context *context);
)header";

static const char extentsText[] = R"header(
/* The extents of all outputs, one after the other, for inputs of these shapes (their data is
 * not read), into extents[0..capacity-1]. Returns SYMC_STATUS_OK, BAD_ARGUMENT, BAD_COUNT, BAD_DTYPE
 * or BAD_SHAPE. */
int32_t @_infer_outputs(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
@                       int64_t *extents, int32_t capacity);

/* The same as the last run gave them: where values decide an extent, a run takes an output of
 * the largest, and its elements stand at the front. Returns SYMC_STATUS_OK or BAD_ARGUMENT. */
int32_t @_run_extents(symc_context *context, int64_t *extents, int32_t capacity);
)header";

static const char statesText[] = R"header(
/* The states of a context: copies one out to value->data or in from it, or gives one (all: name
 * is NULL) the value of the weights again, or no rows to one that grows. The next run reads what
 * the last one left. state_extents writes the extents that one has now, as many as its rank;
 * truncate_state leaves one that grows (all: name is NULL) its first rows. Returns
 * SYMC_STATUS_OK, BAD_ARGUMENT, BAD_NAME, BAD_DTYPE, BAD_SHAPE, BAD_ALIGNMENT, NO_WEIGHTS or
 * BAD_DEVICE. */
int32_t @_get_state(symc_context *context, const char *name, const symc_tensor *value);
int32_t @_set_state(symc_context *context, const char *name, const symc_tensor *value);
int32_t @_state_extents(symc_context *context, const char *name, int64_t *extents,
@                       int32_t capacity);
int32_t @_truncate_state(symc_context *context, const char *name, int64_t rows);
int32_t @_reset_state(symc_context *context, const char *name);

/* Sets the seed of random operators, 0 at first, and begins their numbers anew: the runs that
 * follow draw those of any other context with this seed, whatever its threads. Returns
 * SYMC_STATUS_OK or BAD_ARGUMENT. */
int32_t @_set_seed(symc_context *context, uint64_t seed);
)header";

static const char parametersText[] = R"header(
/* Replaces the weights by prepared forms of raw parameters, and the states by values among
 * them. Returns SYMC_STATUS_OK, BAD_ARGUMENT, BAD_COUNT, BAD_DTYPE, BAD_SHAPE, BAD_ALIGNMENT,
 * BAD_DEVICE, OUT_OF_MEMORY, or NO_PREPARE: compiled without the function that prepares. */
int32_t @_set_parameters(symc_context *context, const symc_tensor *parameters,
@                        int32_t n_parameters);
)header";

static const char statusText[] = R"header(
/* "SYMC_STATUS_BAD_SHAPE", and the sentence of a status. */
const char *@_status_name(int32_t status);
const char *@_status_message(int32_t status);

/* Threads to share between contexts: `threads` of them, the caller's included, or the
 * application's own through parallel_for. Contexts of other models, from other libraries, may use
 * it, too. A pool outlives its contexts. A shared library whose code makes threads stays in memory
 * after dlclose. Returns SYMC_STATUS_OK, BAD_ARGUMENT, OUT_OF_MEMORY or NO_THREADS. */
int32_t @_pool_create(int32_t threads, symc_pool **pool);
int32_t @_pool_wrap(symc_parallel_for_fn parallel_for, void *user, int32_t threads,
@                   symc_pool **pool);
void @_pool_destroy(symc_pool *pool);
)header";

static const char gradientText[] = R"header(
/* The two parts of a run. @_forward computes the outputs without the gradients and keeps what
 * @_backward needs in the context: inputs and outputs may go or change before that runs.
 * @_backward computes the gradients of the last @_forward from those of the outputs that are
 * no losses, and may run again, with others; random operators draw what they drew in
 * @_forward. Inputs and outputs are those that the lists above name for each, in order.
 * Both return what @_run does; @_backward returns NO_FORWARD without @_forward before it, or
 * with @_run, a @_forward that failed or @_set_parameters between. */
int32_t @_forward(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
@                 const symc_tensor *outputs, int32_t n_outputs);
int32_t @_backward(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
@                  const symc_tensor *outputs, int32_t n_outputs);

/* Where processes make the same runs on parts of a batch: nodes that take statistics over all of
 * them (SyncBatchNorm with ndev above 1, in training) call `gather`, on the thread that makes the
 * run, which collects `bytes` bytes of every process in `all`, in the order of ranks, and returns 0,
 * or another number with a sentence in `error`. symc_world_gather (symc/symc.h) is one. */
int32_t @_join_ranks(symc_context *context, int32_t ranks,
@                    int32_t (*gather)(void *user, const void *own, void *all, size_t bytes,
@                                      char *error, size_t error_bytes),
@                    void *user);
)header";

static const char trainingText[] = R"header(
/* One training step: outputs, gradients, update of all parameters. Inputs in the order above, all
 * of them; outputs likewise, or none (n_outputs 0), or with data NULL where nobody needs one.
 * `hyper`: NULL, or rates of this step in the place of those that were compiled or set:
 * symc_hyper_defaults() with some of its numbers set. Every parameter needs a value: those of a
 * parameter file are there, @_initialize draws others. A step that fails changes nothing.
 * SYMC_STATUS_OK, BAD_ARGUMENT, BAD_COUNT, BAD_NAME, BAD_DTYPE, BAD_SHAPE, BAD_ALIGNMENT,
 * NO_WEIGHTS (a parameter has no value), RUN_FAILED or a kernel's status. */
int32_t @_train_step(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
@                    const symc_tensor *outputs, int32_t n_outputs, const symc_hyper *hyper);

/* The same in two calls, with gradients that @_get_gradient shows and @_set_gradient changes
 * between them. @_update returns NO_GRADIENTS where there are none. */
int32_t @_gradients(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
@                   const symc_tensor *outputs, int32_t n_outputs);
int32_t @_update(symc_context *context, const symc_hyper *hyper);

/* Outputs in prediction mode with the parameters and states of now; labels may have data NULL. */
int32_t @_predict(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
@                 const symc_tensor *outputs, int32_t n_outputs);

/* Begins a training anew: values of the parameter file, and drawn ones for parameters that it
 * lacks, by "xavier,magnitude=2" or its kin, or by the initializer that was compiled where it is
 * NULL. BAD_ARGUMENT for a name that ends in none of MXNet's suffixes. */
int32_t @_initialize(symc_context *context, const char *initializer, uint64_t seed);

/* Parameters by name, row-major float32, and auxiliary states. `bytes`: of the whole array.
 * BAD_ARGUMENT, BAD_NAME, BAD_SHAPE. */
int32_t @_parameter_count(void);
const char *@_parameter_name(int32_t index);
uint64_t @_parameter_bytes(int32_t index);
int32_t @_get_parameter(symc_context *context, const char *name, void *data, size_t bytes);
int32_t @_set_parameter(symc_context *context, const char *name, const void *data, size_t bytes);

/* The gradient of a parameter: the sum over the batch, not yet times rescale_grad; and all of them
 * as they lie in memory. */
int32_t @_get_gradient(symc_context *context, const char *name, void *data, size_t bytes);
int32_t @_set_gradient(symc_context *context, const char *name, const void *data, size_t bytes);
float *@_gradient_memory(symc_context *context, size_t *bytes);
/* Who is called while @_gradients computes backward, by the thread that makes the run: `n` numbers of
 * that memory, from number `first` on, are final; n is 0 behind other steps. Sums over processes
 * may begin before backward ends: symc_world_ready (symc/symc.h). NULL, as at first: nobody. */
int32_t @_watch_gradients(symc_context *context,
@                         void (*watcher)(void *user, size_t first, size_t n), void *user);

/* The optimizer: states beside each parameter, updates done, numbers of its own that outlive a step
 * (SYMC_SCHEDULE_NUMBERS of them), hyper-parameters by MXNet's names, number of runs of random
 * operators: what a checkpoint needs. */
int32_t @_optimizer_state_count(const symc_context *context);
int32_t @_get_optimizer_state(symc_context *context, const char *name, int32_t index, void *data,
@                             size_t bytes);
int32_t @_set_optimizer_state(symc_context *context, const char *name, int32_t index,
@                             const void *data, size_t bytes);
int64_t @_get_step(const symc_context *context);
int32_t @_set_step(symc_context *context, int64_t step);
int32_t @_get_schedule(symc_context *context, double *numbers);
int32_t @_set_schedule(symc_context *context, const double *numbers);
int32_t @_get_hyper(symc_context *context, const char *name, double *value);
int32_t @_set_hyper(symc_context *context, const char *name, double value);
uint64_t @_get_iteration(const symc_context *context);
int32_t @_set_iteration(symc_context *context, uint64_t iteration);

/* Where processes share a batch: rows of it in a step of this one, and rows before them; random
 * operators count from there. */
int32_t @_share_rows(symc_context *context, int64_t rows, int64_t first_row);

/* Where processes make the same runs on parts of a batch: nodes that take statistics over all of
 * them (SyncBatchNorm with ndev above 1, in training) call `gather`, on the thread that makes the
 * run, which collects `bytes` bytes of every process in `all`, in the order of ranks, and returns 0,
 * or another number with a sentence in `error`. symc_world_gather (symc/symc.h) is one. */
int32_t @_join_ranks(symc_context *context, int32_t ranks,
@                    int32_t (*gather)(void *user, const void *own, void *all, size_t bytes,
@                                      char *error, size_t error_bytes),
@                    void *user);
)header";

static const char prepareText[] = R"header(
/* Makes prepared weights (@_WEIGHTS_BYTES bytes, aligned to 64) from raw parameters in the
 * order above. Returns SYMC_STATUS_OK, BAD_ARGUMENT, BAD_ALIGNMENT, OUT_OF_MEMORY, or a kernel's
 * status. */
int32_t @_prepare(const symc_tensor *parameters, uint8_t *prepared);
)header";

namespace {

struct ElementType {
  const char *name, *c, *cxx;
  int64_t bytes;
};

// f16 and bf16 have no portable C type: their bits.
ElementType elementType(int32_t dtype) {
  static const ElementType types[] = {{"f32", "float", "float", 4},
                                      {"f64", "double", "double", 8},
                                      {"f16", "uint16_t", "symc::Half", 2},
                                      {"u8", "uint8_t", "uint8_t", 1},
                                      {"i32", "int32_t", "int32_t", 4},
                                      {"i8", "int8_t", "int8_t", 1},
                                      {"i64", "int64_t", "int64_t", 8},
                                      {"bool", "uint8_t", "bool", 1},
                                      {"i16", "int16_t", "int16_t", 2},
                                      {"u16", "uint16_t", "uint16_t", 2},
                                      {"u32", "uint32_t", "uint32_t", 4},
                                      {"u64", "uint64_t", "uint64_t", 8},
                                      {"bf16", "uint16_t", "symc::BFloat16", 2}};
  return types[dtype];
}

class HeaderWriter {
public:
  HeaderWriter(const ModelInfo &model, const WeightsInfo &weights)
      : model(model), weights(weights), os(text) {}
  std::string write();

private:
  void writeSummary();
  void writeTensors(StringRef title, ArrayRef<TensorInfo> tensors);
  void writeConstants();
  void writeGradients();
  /// `last`: one more parameter, "const symc_hyper *hyper", or none.
  void writeArrays(StringRef suffix, StringRef run,
                   function_ref<bool(const TensorInfo &)> isIncluded, StringRef last = "");
  void writeSpans();
  void writeShape(StringRef array, const TensorInfo &tensor);
  /// A template with `@` for the prefix; a line that begins with `@` is a
  /// continuation, indented by the prefix's length.
  void writeText(StringRef text);
  std::string shapeOf(const TensorInfo &tensor);
  std::string parameterName(StringRef name);
  std::string spanExtent(const TensorInfo &tensor, size_t i, bool isInput);

  const ModelInfo &model;
  const WeightsInfo &weights;
  StringSet<> taken;
  std::string text;
  raw_string_ostream os;
};

bool isOfBackward(const TensorInfo &tensor) { return tensor.flags & SYMC_TENSOR_BACKWARD; }

// Names are data: whatever would end the comment is taken apart.
std::string inComment(StringRef name) {
  std::string result;
  for (char c : name) {
    if (c == '/' && !result.empty() && result.back() == '*')
      result += ' ';
    if (c == '*' && !result.empty() && result.back() == '/')
      result += ' ';
    result += isPrint(c) ? c : '?';
  }
  return result;
}

} // namespace

std::string HeaderWriter::shapeOf(const TensorInfo &tensor) {
  std::string result;
  raw_string_ostream shape(result);
  shape << '[';
  interleaveComma(tensor.shape, shape, [&](int64_t extent) {
    if (extent >= 0)
      shape << extent;
    else
      shape << inComment(model.dims[-extent - 1].name);
  });
  shape << ']';
  return result;
}

void HeaderWriter::writeTensors(StringRef title, ArrayRef<TensorInfo> tensors) {
  os << " *\n * " << title << (tensors.empty() ? ": none.\n" : ":\n");
  for (auto [i, tensor] : enumerate(tensors)) {
    os << " *   " << i << "  " << inComment(tensor.name) << "  " << elementType(tensor.dtype).name
       << ' ' << shapeOf(tensor);
    if (tensor.flags & SYMC_TENSOR_OPTIONAL)
      os << "  (optional)";
    if (tensor.flags & SYMC_TENSOR_BACKWARD)
      os << "  (of backward)";
    os << '\n';
  }
}

void HeaderWriter::writeSummary() {
  os << "/* " << model.prefix << ".h: the model '" << model.prefix << "', made by "
     << model.compiler << " for " << model.triple << ".\n";
  writeTensors("Inputs, in order; dense, row-major, extents in elements", model.inputs);
  writeTensors(model.dims.empty() ? "Outputs" : "Outputs, with their largest extents",
               model.outputs);
  if (!model.states.empty()) {
    std::vector<TensorInfo> states;
    for (const StateInfo &state : model.states)
      states.push_back(state.tensor);
    writeTensors("States: each context has its own, which a run changes", states);
  }
  if (!model.dims.empty()) {
    os << " *\n * Sizes that are chosen at run time:\n";
    for (auto [i, dim] : enumerate(model.dims)) {
      if (!model.batches.empty())
        continue;
      auto grows = find_if(model.states, [i = int64_t(i)](const StateInfo &state) {
        return state.rows && state.tensor.shape[state.axis] == -1 - i;
      });
      os << " *   " << inComment(dim.name) << "  " << dim.min << "..";
      if (grows != model.states.end())
        os << grows->rows << ", the length of states that grow\n";
      else
        os << dim.max << '\n';
    }
  }
  if (!model.batches.empty()) {
    os << " *   " << inComment(model.dims[0].name) << "  any sum of the batch sizes ";
    interleaveComma(reverse(model.batches), os);
    os << "; outputs above are those of the largest\n";
  }
  if (!model.prepareSymbol.empty())
    writeTensors("Raw parameters, in order", model.parameters);
  if (model.training) {
    writeTensors("Parameters, which a step changes but those that are frozen", model.parameters);
    os << " *\n * Optimizer: " << model.training->optimizer << "\n";
  }
  os << " *\n * Code, best first:\n";
  for (const VariantInfo &variant : model.variants)
    os << " *   " << variant.isa << ", " << variant.arenaBytes << " bytes of arena a context"
       << (model.dims.empty() || !model.batches.empty() ? "" : ", for the largest sizes") << "\n";
  os << " * Weights: " << weights.bytes << " bytes, ";
  switch (weights.place) {
  case WeightsInfo::None:
    os << "none needed.\n";
    break;
  case WeightsInfo::Embedded:
    os << "embedded.\n";
    break;
  case WeightsInfo::SideFile:
    os << "in the file " << inComment(weights.fileName)
       << " beside the program, or at the path in SYMC_WEIGHTS.\n";
    break;
  case WeightsInfo::Extern:
    os << "supplied by the caller: prepared ones in\n * symc_options.weights, or raw ones by "
       << model.prefix << "_set_parameters.\n";
    break;
  }
  os << " *\n * A program that is linked with the archive or the object needs -lm and, before "
        "glibc 2.34,\n"
        " * -lpthread; the shared library names what it needs itself.\n"
        " *\n * Contexts are independent of each other; code and weights are shared and\n"
        " * read-only. This header is complete by itself; symc/runtime.h and symc/model.hpp may "
        "be\n"
        " * included before or after it. */\n";
}

void HeaderWriter::writeText(StringRef templateText) {
  bool lineStart = true;
  for (char c : templateText) {
    if (c == '@' && lineStart)
      os.indent(model.prefix.size());
    else if (c == '@')
      os << model.prefix;
    else
      os << c;
    lineStart = c == '\n';
  }
}

void HeaderWriter::writeConstants() {
  std::string upper = StringRef(model.prefix).upper();
  os << "\nenum {\n  " << upper << "_N_INPUTS = " << model.inputs.size() << ",\n  " << upper
     << "_N_OUTPUTS = " << model.outputs.size();
  if (model.training)
    os << ",\n  " << upper << "_N_PARAMETERS = " << model.parameters.size();
  os << "\n};\n";
  auto define = [&](const Twine &name, uint64_t value) {
    os << "#define " << upper << '_' << name << " UINT64_C(" << value << ")\n";
  };
  os << "/* Elements of a tensor, at the largest sizes. */\n";
  ArrayRef<TensorInfo> parameters;
  if (model.training)
    parameters = model.parameters;
  for (ArrayRef<TensorInfo> tensors : {ArrayRef(model.inputs), ArrayRef(model.outputs), parameters})
    for (const TensorInfo &tensor : tensors)
      define(StringRef(parameterName(tensor.name)).upper() + "_COUNT",
             tensor.maxBytes / std::max<int64_t>(1, elementType(tensor.dtype).bytes));
  taken.clear();
  os << "/* Bytes of prepared weights. */\n";
  define("WEIGHTS_BYTES", weights.bytes);
  os << "/* Bytes of symc_options.arena: enough for any instruction set, and those of each. */\n";
  int64_t largest = 0;
  for (const VariantInfo &variant : model.variants)
    largest = std::max(largest, variant.arenaBytes);
  define("ARENA_BYTES", largest);
  for (const VariantInfo &variant : model.variants) {
    std::string isa = StringRef(variant.isa).upper();
    llvm::replace(isa, '-', '_');
    define("ARENA_BYTES_" + isa, variant.arenaBytes);
  }
  os << "\n/* The table that generic programs read. */\nextern const symc_model " << model.prefix
     << "_model;\n";
}

std::string HeaderWriter::parameterName(StringRef name) {
  std::string result;
  for (char c : name)
    result += isAlnum(c) ? c : '_';
  if (result.empty() || isDigit(result[0]))
    result = "t_" + result;
  static const char *const reserved =
      " alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl "
      "concept const const_cast constexpr context continue decltype default delete do double "
      "dynamic_cast else enum explicit export extern false float for friend goto if inline "
      "inputs int int16_t int32_t int64_t int8_t long mutable namespace new noexcept not not_eq "
      "nullptr operator or or_eq outputs private protected public register reinterpret_cast "
      "requires restrict return short signed sizeof static static_assert static_cast struct "
      "switch template this thread_local throw true try typedef typeid typename uint16_t "
      "uint32_t uint64_t uint8_t union unsigned using virtual void volatile wchar_t while xor "
      "xor_eq ";
  while (StringRef(reserved).contains(" " + result + " ") || !taken.insert(result).second)
    result += '_';
  return result;
}

// The extents of a tensor, in an array of this name.
void HeaderWriter::writeShape(StringRef array, const TensorInfo &tensor) {
  bool isOpen = llvm::any_of(tensor.shape, [](int64_t extent) { return extent < 0; });
  os << "  " << (isOpen ? "" : "static const ") << "int64_t " << array << "["
     << std::max<size_t>(tensor.shape.size(), 1) << "]";
  if (!isOpen) {
    os << " = {";
    if (tensor.shape.empty())
      os << 1;
    interleaveComma(tensor.shape, os);
    os << '}';
  }
  os << ";\n";
}

// How many tensors each part takes and gives, and where each lies among those of backward.
void HeaderWriter::writeGradients() {
  if (!llvm::any_of(model.outputs, isOfBackward))
    return;
  std::string upper = StringRef(model.prefix).upper();
  os << "\n/* How many tensors each part takes and gives; where backward has each of its own. */\n"
     << "enum {";
  const char *separator = "\n  ";
  auto define = [&](const Twine &name, size_t value) {
    os << separator << upper << '_' << name << " = " << value;
    separator = ",\n  ";
  };
  std::pair<ArrayRef<TensorInfo>, const char *> lists[] = {{model.inputs, "INPUTS"},
                                                           {model.outputs, "OUTPUTS"}};
  for (auto &[tensors, kind] : lists) {
    size_t backward = llvm::count_if(tensors, isOfBackward);
    define(Twine("N_FORWARD_") + kind, tensors.size() - backward);
    define(Twine("N_BACKWARD_") + kind, backward);
  }
  for (auto &[tensors, kind] : lists) {
    size_t index = 0;
    for (const TensorInfo &tensor : tensors)
      if (std::string name = parameterName(tensor.name); isOfBackward(tensor))
        define(StringRef(name).upper() + "_INDEX", index++);
  }
  taken.clear();
  os << "\n};\n";
  writeText(gradientText);
}

// The typed function `suffix`, which calls `run`: arrays and sizes in, arrays out, of those that
// `isIncluded`.
void HeaderWriter::writeArrays(StringRef suffix, StringRef run,
                               function_ref<bool(const TensorInfo &)> isIncluded, StringRef last) {
  std::vector<const TensorInfo *> inputs, outputs;
  for (const TensorInfo &tensor : model.inputs)
    if (!(tensor.flags & SYMC_TENSOR_OPTIONAL) && isIncluded(tensor))
      inputs.push_back(&tensor);
  for (const TensorInfo &tensor : model.outputs)
    if (isIncluded(tensor))
      outputs.push_back(&tensor);
  if (outputs.empty())
    return;
  taken.clear();
  std::vector<std::string> names, sizes;
  const char *separator = ":\n *   ";
  os << "\n/* " << model.prefix << run << " on plain arrays";
  auto list = [&](const TensorInfo &tensor, StringRef kind) {
    names.push_back(parameterName(tensor.name));
    os << separator << names.back() << ": " << kind << ' ' << inComment(tensor.name) << ", "
       << elementType(tensor.dtype).name << ' ' << shapeOf(tensor);
    separator = "\n *   ";
  };
  for (const TensorInfo *tensor : inputs)
    list(*tensor, "input");
  // A size that only optional inputs have is no argument.
  std::vector<bool> isRead(model.dims.size());
  for (const TensorInfo *tensor : inputs)
    for (int64_t extent : tensor->shape)
      if (extent < 0)
        isRead[-extent - 1] = true;
  for (auto [i, dim] : enumerate(model.dims)) {
    std::string name = dim.name;
    llvm::erase(name, ']');
    sizes.push_back(isRead[i] ? parameterName(name) : "");
    if (isRead[i])
      os << separator << sizes.back() << ": size " << inComment(dim.name);
  }
  for (const TensorInfo *tensor : outputs)
    list(*tensor, "output");
  if (!model.dims.empty())
    os << "\n * Outputs have the extents that " << model.prefix << "_run_extents gives afterwards.";
  os << " */\nstatic inline int32_t " << model.prefix << suffix << "(symc_context *context";
  for (auto [i, tensor] : enumerate(inputs))
    os << ", const " << elementType(tensor->dtype).c << " *" << names[i];
  for (const std::string &size : sizes)
    if (!size.empty())
      os << ", int64_t " << size;
  for (auto [i, tensor] : enumerate(outputs))
    os << ", " << elementType(tensor->dtype).c << " *" << names[inputs.size() + i];
  os << (last.empty() ? "" : ", ") << last << ") {\n";
  size_t extents = 0;
  for (auto [i, tensor] : enumerate(inputs))
    writeShape(("inputs_shape" + Twine(i)).str(), *tensor);
  for (auto [i, tensor] : enumerate(outputs)) {
    if (model.dims.empty())
      writeShape(("outputs_shape" + Twine(i)).str(), *tensor);
    extents += tensor->shape.size();
  }
  auto declare = [&](StringRef array, size_t count) {
    os << "  symc_tensor " << array << '[' << std::max<size_t>(count, 1) << "];\n";
  };
  auto set = [&](const Twine &array, const TensorInfo &tensor, StringRef name, const Twine &shape) {
    os << "  " << array << ".data = (void *)" << name << ";\n  " << array << ".shape = " << shape
       << ";\n  " << array << ".rank = " << tensor.shape.size() << ";\n  " << array
       << ".dtype = " << tensor.dtype << ";\n  " << array << ".device = " << array
       << ".ordinal = 0;\n";
  };
  declare("inputs", inputs.size());
  declare("outputs", outputs.size());
  if (!model.dims.empty())
    os << "  int64_t outputs_extents[" << std::max<size_t>(extents, 1) << "];\n  int32_t status;\n";
  for (auto [i, tensor] : enumerate(inputs)) {
    if (llvm::any_of(tensor->shape, [](int64_t extent) { return extent < 0; }))
      for (auto [k, extent] : enumerate(tensor->shape)) {
        os << "  inputs_shape" << i << '[' << k << "] = ";
        if (extent < 0)
          os << sizes[-extent - 1] << ";\n";
        else
          os << extent << ";\n";
      }
    set("inputs[" + Twine(i) + "]", *tensor, names[i], "inputs_shape" + Twine(i));
  }
  if (!model.dims.empty())
    os << "  status = " << model.prefix << "_infer_outputs(context, inputs, " << inputs.size()
       << ", outputs_extents, " << extents << ");\n  if (status != 0)\n    return status;\n";
  size_t at = 0;
  for (auto [i, tensor] : enumerate(outputs)) {
    if (model.dims.empty())
      set("outputs[" + Twine(i) + "]", *tensor, names[inputs.size() + i],
          "outputs_shape" + Twine(i));
    else
      set("outputs[" + Twine(i) + "]", *tensor, names[inputs.size() + i],
          "outputs_extents + " + Twine(at));
    at += tensor->shape.size();
  }
  os << "  return " << model.prefix << run << "(context, inputs, " << inputs.size() << ", outputs, "
     << outputs.size();
  if (!last.empty()) // its name
    os << ", " << last.substr(last.find_last_of(" *") + 1);
  os << ");\n}\n";
}

std::string HeaderWriter::spanExtent(const TensorInfo &tensor, size_t i, bool isInput) {
  int64_t extent = tensor.shape[i];
  constexpr int64_t mostOfRange = INT32_MAX;
  if (!model.batches.empty()) {
    bool isRows =
        isInput ? extent < 0
                : i == 0 && model.rowBytes[model.inputs.size() + (&tensor - model.outputs.data())];
    return isRows ? "symc::Any" : std::to_string(extent);
  }
  int64_t least = 0;
  if (extent < 0) {
    const DimInfo &dim = model.dims[-extent - 1];
    least = dim.min;
    extent = dim.max;
  } else if (isInput || tensor.isOpen.empty() || !tensor.isOpen[i]) {
    return std::to_string(extent);
  }
  if (extent > mostOfRange)
    return "symc::Any";
  return "symc::between(" + std::to_string(least) + ", " + std::to_string(extent) + ")";
}

// What C++ programs pass, for symc/model.hpp.
void HeaderWriter::writeSpans() {
  os << "\n#if defined(__cplusplus) && __cplusplus >= 201703L\n/* What symc/model.hpp passes: "
     << "model.createAs<" << model.prefix << "_inputs, " << model.prefix << "_outputs>(). */\n";
  std::vector<std::string> inputs, outputs;
  auto alias = [&](const TensorInfo &tensor, bool isInput) {
    std::string name = model.prefix + "_" + parameterName(tensor.name) + "_span";
    os << "using " << name << " = symc::Span<" << (isInput ? "const " : "")
       << elementType(tensor.dtype).cxx;
    for (size_t i = 0; i < tensor.shape.size(); ++i)
      os << ", " << spanExtent(tensor, i, isInput);
    os << ">;\n";
    return name;
  };
  taken.clear();
  for (const TensorInfo &tensor : model.inputs)
    if (std::string name = alias(tensor, true); !(tensor.flags & SYMC_TENSOR_OPTIONAL))
      inputs.push_back(name);
  for (const TensorInfo &tensor : model.outputs)
    outputs.push_back(alias(tensor, false));
  os << "using " << model.prefix << "_inputs = symc::Inputs<" << join(inputs, ", ") << ">;\nusing "
     << model.prefix << "_outputs = symc::Outputs<" << join(outputs, ", ")
     << ">;\ninline constexpr symc::GradientFunctions " << model.prefix << "_gradients = {";
  if (llvm::any_of(model.outputs, isOfBackward))
    os << model.prefix << "_forward, " << model.prefix << "_backward};\n#endif\n";
  else
    os << "nullptr, nullptr};\n#endif\n";
}

std::string HeaderWriter::write() {
  writeSummary();
  std::string guard = "SYMC_MODEL_" + StringRef(model.prefix).upper() + "_H";
  os << "#ifndef " << guard << "\n#define " << guard << "\n\n";
  os << typesText << "\n#if SYMC_ABI_VERSION != " << SYMC_ABI_VERSION
     << "u\n#error \"this model has ABI version " << SYMC_ABI_VERSION
     << ", a header that is included before it has another\"\n#endif\n\n"
     << spansText << "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  writeConstants();
  if (model.training) {
    for (const char *part : {createText, errorText, trainingText, statesText, statusText})
      writeText(part);
    auto all = [](const TensorInfo &) { return true; };
    writeArrays("_train_arrays", "_train_step", all, "const symc_hyper *hyper");
    writeArrays("_predict_arrays", "_predict", all);
    os << "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
    return text;
  }
  for (const char *part :
       {createText, runText, errorText, extentsText, statesText, parametersText, statusText})
    writeText(part);
  if (!model.prepareSymbol.empty()) {
    std::string text = prepareText;
    size_t place = text.find("@_WEIGHTS_BYTES");
    text.replace(place, 1, StringRef(model.prefix).upper());
    writeText(text);
  }
  writeGradients();
  writeArrays("_predict", "_run", [](const TensorInfo &) { return true; });
  if (llvm::any_of(model.outputs, isOfBackward)) {
    writeArrays("_forward_arrays", "_forward",
                [](const TensorInfo &one) { return !isOfBackward(one); });
    writeArrays("_backward_arrays", "_backward", isOfBackward);
  }
  os << "\n#ifdef __cplusplus\n}\n#endif\n";
  writeSpans();
  os << "#endif\n";
  return text;
}

std::string symc::codegen::writeHeader(const ModelInfo &model, const WeightsInfo &weights) {
  if (!model.training)
    return HeaderWriter(model, weights).write();
  // What programs see of a trainer: the inputs and outputs of a step.
  ModelInfo seen = model;
  seen.inputs = model.training->inputs;
  seen.outputs.resize(size_t(model.training->nHeads));
  for (VariantInfo &variant : seen.variants)
    variant.hasParts = false;
  return HeaderWriter(seen, weights).write();
}
