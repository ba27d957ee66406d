// CHeader.cpp: see CHeader.h.
#include "codegen/emit/CHeader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace symc::codegen;

// The types that all headers of models share, `@` for the ABI version. A program that includes
// several sees them once; one that also wants symc/runtime.h includes that first.
static const char sharedTypes[] = R"header(
#if !defined(SYMC_RUNTIME_H) && !defined(SYMC_MODEL_TYPES)
#define SYMC_MODEL_TYPES @

/* A dense row-major tensor; owns nothing. */
typedef struct symc_tensor {
  void *data;           /* aligned to its elements; inputs are only read */
  const int64_t *shape; /* rank extents */
  int32_t rank;
  int32_t dtype;        /* SYMC_F32, ... */
  int32_t device;       /* 0: memory of the CPU, 1: of a CUDA device */
  int32_t ordinal;      /* which one; 0 for the CPU */
} symc_tensor;

enum { /* element types */
  SYMC_F32 = 0, SYMC_F64 = 1, SYMC_F16 = 2, SYMC_U8 = 3, SYMC_I32 = 4, SYMC_I8 = 5,
  SYMC_I64 = 6, SYMC_BOOL = 7, SYMC_I16 = 8, SYMC_U16 = 9, SYMC_U32 = 10, SYMC_U64 = 11,
  SYMC_BF16 = 12
};

typedef struct symc_model symc_model;     /* the constant table of a model */
typedef struct symc_context symc_context; /* an independent instance of a model */
typedef struct symc_pool symc_pool;       /* threads that contexts share */

/* Memory hooks, both or none. allocate returns NULL where there is no memory. */
typedef struct symc_allocator {
  void *(*allocate)(void *user, size_t bytes, size_t alignment);
  void (*release)(void *user, void *memory, size_t bytes);
  void *user;
} symc_allocator;

/* All zero means all defaults. arena, weights and pool stay the caller's. */
typedef struct symc_options {
  int32_t threads;          /* 0: the environment's SYMC_THREADS, or 1 */
  int32_t flags;            /* 1: compare the hash of all weights; 2: of none, also not of a side
                               file's; 4: map the side file instead of reading it; 8: a run on
                               another device than the CPU does not wait for its work */
  symc_pool *pool;          /* NULL, or shared threads; then `threads` must be 0 */
  symc_allocator allocator; /* zero: the C library's */
  void *arena;              /* NULL, or working memory, aligned to 64 bytes */
  size_t arena_bytes;
  const void *weights;      /* NULL, or prepared weights, aligned to 64 bytes */
  size_t weights_bytes;
  const char *weights_file; /* NULL, or the side file of weights */
  const char *isa;          /* NULL, or the instruction set to use */
  char *error;              /* NULL, or where a failing create writes its sentence */
  size_t error_bytes;
  const struct symc_device *device; /* NULL, or functions of a device (symc/runtime.h) */
  void *stream;             /* of the device, or NULL */
  int32_t ordinal;          /* which device of its kind */
  int32_t reserved;
  const char *device_name;  /* NULL, or "cpu", "cuda", "cuda:1", instead of SYMC_DEVICE */
} symc_options;

typedef void (*symc_parallel_for_fn)(void *user, void (*body)(void *argument, int64_t index),
                                     void *argument, int64_t count);
#elif defined(SYMC_RUNTIME_H) ? SYMC_ABI_VERSION != @ : SYMC_MODEL_TYPES + 0 != @
#error "this model has ABI version @, a header that is included before it has another"
#endif
)header";

static const char functionTexts[] = R"header(
/* Makes a context; `options` may be NULL. On failure *context is NULL. Any thread.
 * Returns 0, or a status whose sentence @_status_message gives: 1 bad argument, 6 bad
 * alignment, 7 damaged model, 8 unknown instruction set, 9 processor lacks it, 10 out of
 * memory, 11 arena too small, 13 bad weights, 15 no threads, 19 no library; 21 to 26, 28, 29 of
 * another device than the CPU. */
int32_t @_create(const symc_options *options, symc_context **context);

/* Frees everything that the context owns; NULL is allowed. */
void @_destroy(symc_context *context);

/* Runs the model once: one thread at a time for a context. Inputs and outputs in the order
 * above; optional inputs may be left out all together. No output may overlap another tensor.
 * Returns 0, or 1 bad argument, 2 bad count, 4 bad element type, 5 bad shape, 6 bad
 * alignment, 12 no weights, 20 memory of another device (nothing is written then), 18, 26 to 29
 * of a device, or a kernel's status (outputs are undefined and states unchanged then). */
int32_t @_run(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
@             const symc_tensor *outputs, int32_t n_outputs);

/* The sentence of the last failing call on this context, which names the tensor, the
 * dimension and both values. It lives until the next call on the context. */
const char *@_last_error(const symc_context *context);

/* The extents of all outputs, one after the other, for inputs of these shapes (their data is
 * not read), into extents[0..capacity-1]. Returns 0, 1, 2, 4 or 5 as @_run does. */
int32_t @_infer_outputs(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
@                       int64_t *extents, int32_t capacity);

/* The same as the last run gave them: where values decide an extent, a run takes an output of
 * the largest, and its elements stand at the front. Returns 0 or 1. */
int32_t @_run_extents(symc_context *context, int64_t *extents, int32_t capacity);

/* The states of a context: copies one out to value->data or in from it, or gives one (all: name
 * is NULL) the value of the weights again. The next run reads what the last one left. Returns 0,
 * or 1, 4, 5, 6, 12, 20 as @_run does, 3 no such state. */
int32_t @_get_state(symc_context *context, const char *name, const symc_tensor *value);
int32_t @_set_state(symc_context *context, const char *name, const symc_tensor *value);
int32_t @_reset_state(symc_context *context, const char *name);

/* Sets the seed of random operators, 0 at first, and begins their numbers anew: the runs that
 * follow draw those of any other context with this seed, whatever its threads. Returns 0 or 1. */
int32_t @_set_seed(symc_context *context, uint64_t seed);

/* Replaces the weights by prepared forms of raw parameters, and the states by values among
 * them. Returns 0, or 1, 2, 4, 5, 6, 20 as @_run does, 10 out of memory, 14 compiled without
 * the function that prepares. */
int32_t @_set_parameters(symc_context *context, const symc_tensor *parameters,
@                        int32_t n_parameters);

/* The sentence of a status. */
const char *@_status_message(int32_t status);

/* Threads to share between contexts: `threads` of them, the caller's included, or the
 * application's own through parallel_for, which calls body(argument, i) once for each i.
 * Contexts of other models, from other libraries, may use it, too. A pool outlives its
 * contexts. Returns 0, 1, 10 or 15. */
int32_t @_pool_create(int32_t threads, symc_pool **pool);
int32_t @_pool_wrap(symc_parallel_for_fn parallel_for, void *user, int32_t threads,
@                   symc_pool **pool);
void @_pool_destroy(symc_pool *pool);
)header";

static const char prepareText[] = R"header(
/* Makes prepared weights (@_WEIGHTS_BYTES bytes, aligned to 64) from raw parameters in the
 * order above. Returns 0, 1 bad argument, 6 bad alignment, 10 out of memory, or a kernel's
 * status. */
int32_t @_prepare(const symc_tensor *parameters, uint8_t *prepared);
)header";

namespace {

struct ElementType {
  const char *name, *c;
};

// f16 and bf16 have no portable C type: their bits.
ElementType elementType(int32_t dtype) {
  static const ElementType types[] = {{"f32", "float"},    {"f64", "double"},   {"f16", "uint16_t"},
                                      {"u8", "uint8_t"},   {"i32", "int32_t"},  {"i8", "int8_t"},
                                      {"i64", "int64_t"},  {"bool", "uint8_t"}, {"i16", "int16_t"},
                                      {"u16", "uint16_t"}, {"u32", "uint32_t"}, {"u64", "uint64_t"},
                                      {"bf16", "uint16_t"}};
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
  void writePredict();
  /// A template with `@` for the prefix; a line that begins with `@` is a
  /// continuation, indented by the prefix's length.
  void writeText(StringRef text);
  std::string shapeOf(const TensorInfo &tensor);
  std::string parameterName(StringRef name);

  const ModelInfo &model;
  const WeightsInfo &weights;
  StringSet<> taken;
  std::string text;
  raw_string_ostream os;
};

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
    for (const DimInfo &dim : model.dims)
      if (model.batches.empty())
        os << " *   " << inComment(dim.name) << "  " << dim.min << ".." << dim.max << '\n';
  }
  if (!model.batches.empty()) {
    os << " *   " << inComment(model.dims[0].name) << "  any sum of the batch sizes ";
    interleaveComma(reverse(model.batches), os);
    os << "; outputs above are those of the largest\n";
  }
  if (!model.prepareSymbol.empty())
    writeTensors("Raw parameters, in order", model.parameters);
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
        " * read-only. A program that includes symc/runtime.h, too, includes it first. */\n";
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
     << "_N_OUTPUTS = " << model.outputs.size() << "\n};\n#define " << upper << "_WEIGHTS_BYTES "
     << "UINT64_C(" << weights.bytes << ")\n\n/* The table that generic programs read. */\n"
     << "extern const symc_model " << model.prefix << "_model;\n";
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

// The typed function, where every size is static: arrays in, arrays out.
void HeaderWriter::writePredict() {
  if (!model.dims.empty())
    return;
  std::vector<const TensorInfo *> inputs, outputs;
  for (const TensorInfo &tensor : model.inputs)
    if (!(tensor.flags & SYMC_TENSOR_OPTIONAL))
      inputs.push_back(&tensor);
  for (const TensorInfo &tensor : model.outputs)
    outputs.push_back(&tensor);
  if (outputs.empty())
    return;
  std::vector<std::string> names;
  os << "\n/* " << model.prefix << "_run on plain arrays";
  const char *separator = ":\n *   ";
  auto list = [&](const TensorInfo &tensor, StringRef kind) {
    names.push_back(parameterName(tensor.name));
    os << separator << names.back() << ": " << kind << ' ' << inComment(tensor.name) << ", "
       << elementType(tensor.dtype).name << ' ' << shapeOf(tensor);
    separator = "\n *   ";
  };
  for (const TensorInfo *tensor : inputs)
    list(*tensor, "input");
  for (const TensorInfo *tensor : outputs)
    list(*tensor, "output");
  os << " */\nstatic inline int32_t " << model.prefix << "_predict(symc_context *context";
  for (auto [i, tensor] : enumerate(inputs))
    os << ", const " << elementType(tensor->dtype).c << " *" << names[i];
  for (auto [i, tensor] : enumerate(outputs))
    os << ", " << elementType(tensor->dtype).c << " *" << names[inputs.size() + i];
  os << ") {\n";
  auto declare = [&](StringRef array, ArrayRef<const TensorInfo *> tensors) {
    for (auto [i, tensor] : enumerate(tensors)) {
      os << "  static const int64_t " << array << "_shape" << i << "[] = {";
      if (tensor->shape.empty())
        os << 1;
      interleaveComma(tensor->shape, os);
      os << "};\n";
    }
    os << "  symc_tensor " << array << '[' << std::max<size_t>(tensors.size(), 1) << "];\n";
  };
  auto set = [&](StringRef array, ArrayRef<const TensorInfo *> tensors, size_t first) {
    for (auto [i, tensor] : enumerate(tensors))
      os << "  " << array << '[' << i << "].data = (void *)" << names[first + i] << ";\n  " << array
         << '[' << i << "].shape = " << array << "_shape" << i << ";\n  " << array << '[' << i
         << "].rank = " << tensor->shape.size() << ";\n  " << array << '[' << i
         << "].dtype = " << tensor->dtype << ";\n  " << array << '[' << i << "].device = " << array
         << '[' << i << "].ordinal = 0;\n";
  };
  declare("inputs", inputs);
  declare("outputs", outputs);
  set("inputs", inputs, 0);
  set("outputs", outputs, inputs.size());
  os << "  return " << model.prefix << "_run(context, inputs, " << inputs.size() << ", outputs, "
     << outputs.size() << ");\n}\n";
}

std::string HeaderWriter::write() {
  writeSummary();
  std::string guard = "SYMC_MODEL_" + StringRef(model.prefix).upper() + "_H";
  os << "#ifndef " << guard << "\n#define " << guard
     << "\n\n#include <stddef.h>\n#include <stdint.h>\n\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  for (char c : StringRef(sharedTypes))
    c == '@' ? os << SYMC_ABI_VERSION : os << c;
  writeConstants();
  writeText(functionTexts);
  if (!model.prepareSymbol.empty()) {
    std::string text = prepareText;
    size_t place = text.find("@_WEIGHTS_BYTES");
    text.replace(place, 1, StringRef(model.prefix).upper());
    writeText(text);
  }
  writePredict();
  os << "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
  return text;
}

std::string symc::codegen::writeHeader(const ModelInfo &model, const WeightsInfo &weights) {
  return HeaderWriter(model, weights).write();
}
