/* symc.h: the compiler as a C library: operators, symbols that a program composes by MXNet's rules,
 * inference of shapes and element types, and compilation to files, to memory and into the process.
 * Rules that hold for every function:
 *   - it returns 0, or -1 after a mistake; symc_compiler_error() then describes it, and nothing has
 *     changed;
 *   - a symbol is a number that stays good until symc_symbol_free(), a loaded model one until
 *     symc_loaded_free(); a number that is none, 0 and freed ones among them, is a mistake like any
 *     other. Pointers must not be NULL unless the text allows it; strings are UTF-8 and
 *     zero-terminated; counts above 2^20 and ranks above 64 are mistakes;
 *   - what an out parameter points to belongs to the library and stays as it is until the same
 *     thread calls a function of this header again;
 *   - any thread may call at any time; calls wait for each other, but for compilations, which run
 *     side by side and wait only while they link. No exception crosses a call, nothing is printed,
 *     no signal's handler is changed, and the process goes on after every mistake. It ends where
 *     LLVM ends it: without memory or threads, or by a fault of LLVM's own.
 * The names of MXNet's functions for the same are in parentheses. */
#ifndef SYMC_SYMC_H
#define SYMC_SYMC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SYMC_PUBLIC __attribute__((visibility("default")))
#else
#define SYMC_PUBLIC
#endif

typedef uint64_t symc_symbol;

/* What the last call of this thread that returned -1 complained of; "" without one
 * (MXGetLastError). Positions in files are as on the command line, with line and column. */
SYMC_PUBLIC const char *symc_compiler_error(void);
/* "0.1.0". */
SYMC_PUBLIC const char *symc_compiler_version(void);

/* Variables of MXNet that are set in this process and have an equal here which is not (the table is
 * in docs/generated/runtime-reference.md): a sentence for each, one a line; "" for none. Nothing
 * here reads or reports them by itself. */
SYMC_PUBLIC const char *symc_compiler_environment(void);

/* --- Operators ----------------------------------------------------------- */

/* All names of operators, aliases among them, in order (MXListAllOpNames). */
SYMC_PUBLIC int symc_list_operators(size_t *count, const char *const **names);
/* All of them as JSON (MXSymbolGetAtomicSymbolInfo): {"Convolution": {"name": the one of which it
 * is an alias, "summary", "description", "inputs": [{"name", "kind": "single" | "optional" |
 * "variadic", "auxiliary"}], "outputs": the same, "counter": the parameter that counts a variadic
 * input or "", "draws": whether a node may draw random numbers, "updates": inputs that a run gives
 * new values, "presets": parameters that the name fixes, "parameters": [{"name", "kind",
 * "default", "optional", "min", "max", "values", "doc"}]}, ...}. */
SYMC_PUBLIC int symc_operator_table(const char **json);

/* Adds the operators of a shared library (symc/custom_op.h) to the table of this process, for good
 * (MXLoadLib). The same library once more is no mistake. */
SYMC_PUBLIC int symc_load_operators(const char *path);
/* The same with operators whose descriptions and kernels are in this process's memory, and stay
 * there (symc/custom_op.h). Models with such operators are compiled by symc_compile_model() alone:
 * no file holds their kernels. */
struct symc_op_library;
SYMC_PUBLIC int symc_add_operators(const struct symc_op_library *library);

/* --- Profiles ------------------------------------------------------------ */

/* The times of a run's steps by node, largest first, with fills and copies in the row of the step
 * that they serve: the table of symc-run --profile. `steps` is the text symc_probe_steps of a
 * library that was compiled with --probes, `isa` the variant that ran, `milliseconds` the times of
 * its `count` steps, in order, of which each is between the two calls of symc_probe_hook. After
 * `top` rows (0: all) one has the sums of the others. */
SYMC_PUBLIC int symc_profile_table(const char *steps, const char *isa, size_t count,
                                   const double *milliseconds, size_t top, const char **table);
/* The rows as JSON: [{"node", "kernel": of the step that took longest, "milliseconds", "flops" and
 * "bytes": 0 where a size is open, "steps": their number}, ...]. */
SYMC_PUBLIC int symc_profile_rows(const char *steps, const char *isa, size_t count,
                                  const double *milliseconds, size_t top, const char **json);

/* --- Several processes --------------------------------------------------- */

/* Joins the processes that mpirun or srun started beside this one, by the library of MPI that the
 * launcher's variables or SYMC_MPI name; where nothing was started the process is alone. A mistake
 * where the launcher started several and the library has one. All functions of this part are
 * called from one thread, by all processes in the same order; each waits for the others no longer
 * than `timeout_seconds`, and afterwards none of them can be called but symc_world_abort(). A
 * second start is a mistake. */
SYMC_PUBLIC int symc_world_start(double timeout_seconds);
/* Which of the processes this is, from 0 on, and how many there are. */
SYMC_PUBLIC int symc_world_rank(int32_t *rank, int32_t *size);
/* The sums over all processes, in the place of `values`, added in the order of ranks: bits depend
 * on the number of processes alone. */
SYMC_PUBLIC int symc_world_sum(float *values, size_t count);
/* Announces that symc_world_sum will be called with these `values` and `count`, which are still
 * being made. symc_world_ready, called by the thread that calls the others, reports that `count` of
 * them from `first` on are final, and moves what is under way; with `count` 0 it does that alone,
 * and outside of such a sum nothing. As the watcher of a trainer's gradients
 * (symc_watch_gradients), with `user` NULL, it lets sums begin while backward runs, with the same
 * bits. The first sum of so many numbers only shows in which order they become final. */
SYMC_PUBLIC int symc_world_begin_sum(float *values, size_t count);
SYMC_PUBLIC void symc_world_ready(void *user, size_t first, size_t count);
/* Of the last sum that was announced: its parts, and how many of them had gone out when
 * symc_world_sum was called. */
SYMC_PUBLIC int symc_world_overlap(int64_t *parts, int64_t *early);
/* `bytes` bytes of all processes in `all`, in the order of ranks; 0, or a mistake, whose sentence
 * is in `error`, too. What symc_join_ranks and its kin take, with `user` NULL. */
SYMC_PUBLIC int32_t symc_world_gather(void *user, const void *own, void *all, size_t bytes,
                                      char *error, size_t error_bytes);
/* Waits until all processes are here. */
SYMC_PUBLIC int symc_world_barrier(void);
/* Ends MPI in peace, or all processes with this status. */
SYMC_PUBLIC int symc_world_finish(void);
SYMC_PUBLIC int symc_world_abort(int32_t status);

/* --- Updates of parameters ------------------------------------------------ */

enum { SYMC_UPDATE_STATES = 4, SYMC_UPDATE_SCHEDULE = 4 };

/* A parameter that an optimizer changes. Its arrays are float32, do not overlap each other, and
 * have `count` elements; the state of groupadagrad has `rows`. */
typedef struct symc_updated_parameter {
  const char *name; /* by its ending lars finds what has no ratio of norms */
  float *weight;
  const float *gradient;
  float *states[SYMC_UPDATE_STATES]; /* in MXNet's order, NULL behind the last; those that `values`
                                        need at least */
  int64_t count, rows;               /* its elements; its first extent */
  int64_t step;                      /* 1 in its first update */
  const double *values; /* as symc_update_values names them: rate and decay with its multipliers */
} symc_updated_parameter;

/* The options of an optimizer of compiled trainers ("sgd", "adam", ...) in the order in which
 * symc_updated_parameter takes them: learning_rate, wd, rescale_grad, clip_gradient (none where it
 * is not positive), then its own, whose values are from `least` to `most`. Words count from 0 in
 * the order of docs/generated/runtime-reference.md; where -1 is the least, it stands for none. */
SYMC_PUBLIC int symc_update_values(const char *optimizer, size_t *count, const char *const **names,
                                   const double **least, const double **most);
/* One update of each parameter, in their order, with the bits of a compiled trainer's. `schedule`:
 * numbers that outlive an update, SYMC_UPDATE_SCHEDULE of them, in the first one zeros, of nadam 1
 * and zeros. `seed`: what sgld draws from, with a parameter's place and step. A mistake is found
 * before anything changes. Calls on different arrays do not wait for each other. */
SYMC_PUBLIC int symc_update_parameters(const char *optimizer, size_t count,
                                       const symc_updated_parameter *parameters, double *schedule,
                                       uint64_t seed);

/* --- Pictures ------------------------------------------------------------ */

/* The pixels of a PNG or JPEG file in memory, JPEG by libjpeg-turbo where its library is here (or
 * that of SYMC_TURBOJPEG), else as compiled models decode it: height * width * channels bytes, rows
 * from the top, with channels 1 (gray), 3 (red, green, blue) or 4 (and opacity).
 * symc_picture_free() frees them; NULL is nothing to free. Any thread may call. */
SYMC_PUBLIC int symc_picture_decode(const void *file, size_t bytes, int32_t channels,
                                    int32_t *width, int32_t *height, uint8_t **pixels);
SYMC_PUBLIC void symc_picture_free(uint8_t *pixels);
/* Another size of height * width * channels bytes, into `made`. `method` is OpenCV's number: 0 the
 * nearest pixel, 1 linear, 2 cubic, 3 area, 4 Lanczos, 9 cubic where the picture grows, area where
 * it shrinks. */
SYMC_PUBLIC int symc_picture_resize(const uint8_t *pixels, int32_t height, int32_t width,
                                    int32_t channels, int32_t new_height, int32_t new_width,
                                    int32_t method, uint8_t *made);
/* One input of training, channels * height * width numbers, of a PNG or JPEG file: what MXNet's
 * ImageRecordIter does to it, by the names of its options (resize, rand_crop, rand_mirror, mean_r,
 * brightness and so on). What is drawn follows from the option seed, `pass` and `record`. */
SYMC_PUBLIC int symc_picture_augment(const void *file, size_t bytes, size_t n_options,
                                     const char *const *names, const double *values,
                                     int32_t channels, int32_t height, int32_t width, uint64_t pass,
                                     uint64_t record, float *made);
/* A JPEG file of height * width * channels bytes, 1 (gray, written as equal colours) or 3, for
 * symc_picture_free(). `quality` is 1 to 100. */
SYMC_PUBLIC int symc_picture_encode(const uint8_t *pixels, int32_t height, int32_t width,
                                    int32_t channels, int32_t quality, uint8_t **file,
                                    size_t *bytes);

/* --- Symbols ------------------------------------------------------------- */

/* (MXSymbolCreateVariable) */
SYMC_PUBLIC int symc_symbol_create_variable(const char *name, symc_symbol *made);
/* An operator that waits for its inputs (MXSymbolCreateAtomicSymbol). Attributes for
 * training, such as lr_mult, are kept as __lr_mult__. */
SYMC_PUBLIC int symc_symbol_create(const char *op, size_t count, const char *const *keys,
                                   const char *const *values, symc_symbol *made);
/* Gives a symbol its name and inputs (MXSymbolCompose). Inputs whose key is NULL, or all of them
 * where `keys` is NULL, are given by position. What waits for inputs gets variables for those that
 * are left; in any other symbol the variables that keys name are replaced. `name` may be NULL. */
SYMC_PUBLIC int symc_symbol_compose(symc_symbol symbol, const char *name, size_t count,
                                    const char *const *keys, const symc_symbol *inputs);
/* The two above as one, for what composes many nodes. */
SYMC_PUBLIC int symc_symbol_apply(const char *op, size_t attribute_count,
                                  const char *const *attribute_keys, const char *const *values,
                                  const char *name, size_t count, const char *const *keys,
                                  const symc_symbol *inputs, symc_symbol *made);
/* Gives an operator that waits for its inputs the graphs that it runs: of _foreach its body, of
 * _while_loop its condition and body, of _cond its condition and both branches (MXSymbolCompose
 * takes them as the first inputs). They are copied. */
SYMC_PUBLIC int symc_symbol_set_subgraphs(symc_symbol symbol, size_t count,
                                          const symc_symbol *graphs);
/* Makes a subgraph of a symbol (MXSymbolCutSubgraph): nodes with the first output's value of the
 * attribute `key` stay; what they read of others becomes variables that are named after those
 * outputs, which `made` has, each once. */
SYMC_PUBLIC int symc_symbol_cut(symc_symbol symbol, const char *key, symc_symbol *made);
/* The outputs of all of them (MXSymbolCreateGroup). */
SYMC_PUBLIC int symc_symbol_create_group(size_t count, const symc_symbol *symbols,
                                         symc_symbol *made);
/* One output (MXSymbolGetOutput); their number (MXSymbolGetNumOutputs). */
SYMC_PUBLIC int symc_symbol_output(symc_symbol symbol, size_t index, symc_symbol *made);
SYMC_PUBLIC int symc_symbol_output_count(symc_symbol symbol, size_t *count);
/* (MXSymbolGetInternals, MXSymbolGetChildren, MXSymbolCopy). Children of variables are no outputs
 * at all. */
SYMC_PUBLIC int symc_symbol_internals(symc_symbol symbol, symc_symbol *made);
SYMC_PUBLIC int symc_symbol_children(symc_symbol symbol, symc_symbol *made);
SYMC_PUBLIC int symc_symbol_copy(symc_symbol symbol, symc_symbol *made);
/* (MXSymbolFree) */
SYMC_PUBLIC int symc_symbol_free(symc_symbol symbol);

/* The name of the one node that all outputs are of, or NULL (MXSymbolGetName). */
SYMC_PUBLIC int symc_symbol_name(symc_symbol symbol, const char **name);
/* Of that node, NULL where there is none (MXSymbolGetAttr, MXSymbolSetAttr). */
SYMC_PUBLIC int symc_symbol_attribute(symc_symbol symbol, const char *key, const char **value);
SYMC_PUBLIC int symc_symbol_set_attribute(symc_symbol symbol, const char *key, const char *value);
/* Node, key and value of each attribute, one behind the other: of all nodes if `deep` is not 0
 * (MXSymbolListAttr), else of the one node of the outputs (MXSymbolListAttrShallow). */
SYMC_PUBLIC int symc_symbol_attributes(symc_symbol symbol, int deep, size_t *count,
                                       const char *const **texts);

typedef enum symc_names {
  SYMC_NAMES_ARGUMENTS = 0, /* MXSymbolListArguments */
  SYMC_NAMES_OUTPUTS = 1,   /* MXSymbolListOutputs */
  SYMC_NAMES_STATES = 2,    /* MXSymbolListAuxiliaryStates */
  SYMC_NAMES_INPUTS = 3,    /* arguments and states in the graph's order */
  SYMC_NAMES_UNREAD = 4     /* those of the inputs that prediction does not read, such as labels */
} symc_names;
/* `of` is a symc_names. */
SYMC_PUBLIC int symc_symbol_list(symc_symbol symbol, int of, size_t *count,
                                 const char *const **names);

/* The file's text (MXSymbolSaveToJSON); from a text (MXSymbolCreateFromJSON) or a file
 * (MXSymbolCreateFromFile) of any version of MXNet. */
SYMC_PUBLIC int symc_symbol_to_json(symc_symbol symbol, const char **json);
SYMC_PUBLIC int symc_symbol_from_json(const char *json, size_t bytes, symc_symbol *made);
SYMC_PUBLIC int symc_symbol_from_file(const char *path, symc_symbol *made);
/* What the last of these two that succeeded in this thread warned of, such as bytes behind the end
 * of the graph, which are ignored; "" where of nothing. Valid until the next of them. */
SYMC_PUBLIC const char *symc_symbol_warnings(void);

/* --- Inference ----------------------------------------------------------- */

/* A shape: `rank` extents from `extents` on, an extent of 0 is unknown; rank -1 where nothing is
 * known. */
typedef struct symc_shape {
  int32_t rank;
  const int64_t *extents;
} symc_shape;
typedef struct symc_shapes {
  size_t argument_count, output_count, state_count;
  const symc_shape *arguments, *outputs, *states; /* in the order of symc_symbol_list */
  int complete;                                   /* whether all of them are known */
} symc_shapes;
/* From shapes of `count` inputs by name, whose extents lie one behind the other
 * (MXSymbolInferShape, MXSymbolInferShapePartial: which differ only in what they do where
 * `complete` is 0). Shapes that contradict each other are a mistake. Names that are no inputs are
 * passed over. */
SYMC_PUBLIC int symc_symbol_infer_shape(symc_symbol symbol, size_t count, const char *const *names,
                                        const int32_t *ranks, const int64_t *extents,
                                        symc_shapes *shapes);

typedef struct symc_types {
  size_t argument_count, output_count, state_count;
  const char *const *arguments, *const *outputs, *const *states; /* "float32", "" if unknown */
  int complete;
} symc_types;
/* The same for element types by MXNet's names (MXSymbolInferType, MXSymbolInferTypePartial). */
SYMC_PUBLIC int symc_symbol_infer_type(symc_symbol symbol, size_t count, const char *const *names,
                                       const char *const *types, symc_types *found);

/* --- Compilation --------------------------------------------------------- */

/* An array in memory. */
typedef struct symc_array {
  const char *name;     /* of a variable; may open with "arg:" or "aux:", as in a file */
  int32_t dtype;        /* symc_dtype of symc/abi.h, which is MXNet's number: 0 is float32 */
  int32_t rank;         /* 0..8 */
  const int64_t *shape; /* rank extents */
  const void *data;     /* row-major, at any address; NULL only where there are no elements */
} symc_array;

/* What is compiled, and how. All zero but struct_bytes is a beginning. The library only reads what
 * is pointed to, and not after the call has returned. */
typedef struct symc_request {
  size_t struct_bytes; /* sizeof(symc_request) */
  /* The graph: one of the four. */
  symc_symbol symbol;
  const char *json; /* the text of a symbol file, json_bytes long */
  size_t json_bytes;
  const char *symbol_file; /* or an ONNX model, which has its weights itself */
  const void *onnx;        /* an ONNX model with all of its weights, onnx_bytes long */
  size_t onnx_bytes;
  /* What messages call a graph that is no file's, and of C names the prefix where no option gives
   * it; NULL: the symbol's name, or "symbol", or of an ONNX model "model". */
  const char *name;
  /* Weights: files of parameters, then arrays in memory. */
  size_t params_count;
  const char *const *params_files;
  size_t array_count;
  const symc_array *arrays;
  /* Shapes of inputs by name, whose extents lie one behind the other; 0 is an extent that
   * inference finds. The option --shape has the same meaning. */
  size_t shape_count;
  const char *const *shape_names;
  const int32_t *ranks;
  const int64_t *extents;
  /* As the command line spells them ("--target-cpu", "native", "-shared", ...; symc --help), but
   * those under INFORMATION other than --remarks. */
  size_t option_count;
  const char *const *options;
  /* NULL, or called on the thread that compiles when a stage begins ("read", "infer", ...), and
   * again within those that take long; anything but 0 cancels, which is a mistake like any other:
   * "compiling was cancelled", and no file stays. It may call functions of this header. */
  int (*progress)(void *user, const char *stage);
  void *user;
} symc_request;

/* Compiles to the file that -o names, with the header and side file that options name. Files
 * appear whole or not at all. Only regular files are written. */
SYMC_PUBLIC int symc_compile_file(const symc_request *request);

/* What stays until the same thread compiles again. */
typedef struct symc_compiled {
  const void *bytes; /* of the output file */
  size_t byte_count;
  const char *header; /* the C header of a library or an object, else "" */
} symc_compiled;
/* The same to memory: the kind by -shared, -c, --emit=archive ... (default: a program). Options
 * that name files are mistakes. The linker works in a folder of its own among the system's
 * temporary ones (TMPDIR), which is gone when the call returns. */
SYMC_PUBLIC int symc_compile_bytes(const symc_request *request, symc_compiled *compiled);

typedef uint64_t symc_loaded;
struct symc_model; /* symc/abi.h */
/* The same into this process, for the best instruction set that runs here unless --target-cpu names
 * others. Options about output files are mistakes; --weights=extern leaves the weights to
 * symc_set_parameters(). With --gradients symc_forward() and symc_backward() run it. The functions
 * of symc/runtime.h, which this library exports, describe and run it: symc_create() makes contexts
 * of symc_loaded_model(). Inputs and outputs lie in the caller's memory and are not copied. */
SYMC_PUBLIC int symc_compile_model(const symc_request *request, symc_loaded *made);
/* The same, kept in the cache of compiled models (symc cache, $SYMC_CACHE_DIR, $SYMC_CACHE_LIMIT):
 * a request that a process of this user has made before is loaded from there, without diagnostics.
 * Requests without parameters, without operators of libraries, and with the options --shape,
 * --dtype, --random-weights, --target-cpu, --math, --weights, --gradients and --grad-req only are
 * kept; others, and all where there is no cache, are compiled each time. */
SYMC_PUBLIC int symc_compile_kept(const symc_request *request, symc_loaded *made);
/* The model's table, which belongs to the library and may be read for ever: a freed model has no
 * inputs and outputs, and symc_create() refuses it. */
SYMC_PUBLIC int symc_loaded_model(symc_loaded loaded, const struct symc_model **model);
/* Contexts of the model go on; code and weights go with the last of them. */
SYMC_PUBLIC int symc_loaded_free(symc_loaded loaded);

typedef enum symc_severity {
  SYMC_SEVERITY_ERROR = 0,
  SYMC_SEVERITY_WARNING = 1,
  SYMC_SEVERITY_REMARK = 2, /* of --remarks, and what symc prints about a model by itself */
  SYMC_SEVERITY_NOTE = 3
} symc_severity;
typedef struct symc_diagnostic {
  symc_severity severity;
  uint32_t line, column; /* from 1 in the symbol file or text; 0: the file as a whole */
  const char *file;      /* or what the request calls the graph; "" for options */
  const char *node;      /* that it is about, of fused ones "conv0+relu0", or "" */
  const char *message;
  size_t note_count;
  const struct symc_diagnostic *notes;
} symc_diagnostic;
/* What the last compilation of this thread reported, failed or not; until it compiles again. After
 * a failure symc_compiler_error() has the errors among them as the command line prints them. */
SYMC_PUBLIC int symc_compile_diagnostics(size_t *count, const symc_diagnostic **diagnostics);

#ifdef __cplusplus
}
#endif

#endif /* SYMC_SYMC_H */
