// create.cpp: makes and ends contexts. Every resource is taken in one order and, when
// a later one fails, given back by symc_destroy, which accepts a half-made context.
#include "context.h"
#include "environment.h"
#include "memory.h"
#include "pool.h"
#include "ranks.h"

#include <string.h>

namespace symc {

static symc_status check_model(const symc_model *model, Text &error) {
  if (!model) {
    error << "model is NULL";
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  if (model->magic != SYMC_MODEL_MAGIC) {
    error << "the model table does not begin with the mark of a model";
    return SYMC_STATUS_BAD_MODEL;
  }
  if (model->abi_version != SYMC_ABI_VERSION) {
    error << "model '" << model->name << "': expected ABI version " << int64_t(SYMC_ABI_VERSION)
          << ", got " << int64_t(model->abi_version);
    return SYMC_STATUS_BAD_MODEL;
  }
  return SYMC_STATUS_OK;
}

// The number in SYMC_THREADS; -1 for anything that is no number of threads.
static int32_t threads_of(const char *text) {
  int32_t number = 0;
  for (const char *c = text; *c; ++c) {
    if (*c < '0' || *c > '9' || number > maxThreads)
      return -1;
    number = number * 10 + (*c - '0');
  }
  return number == 0 ? processor_count() : number > maxThreads ? -1 : number;
}

static symc_status open_pool(const symc_options &options, Text &error, symc_context &context) {
  context.frame.pool = options.pool;
  if (options.pool && options.threads) {
    error << "options.threads: expected 0 beside a pool, got " << options.threads;
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  if (options.pool && options.pool->abi_version != SYMC_ABI_VERSION) {
    error << "options.pool: expected a pool of ABI version " << int64_t(SYMC_ABI_VERSION)
          << ", got " << int64_t(options.pool->abi_version);
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  if (options.pool)
    return SYMC_STATUS_OK;
  int32_t threads = options.threads;
  const char *text = environment(Variable::SYMC_THREADS);
  if (!threads && text) {
    threads = threads_of(text);
    if (threads < 0) {
      error << "SYMC_THREADS: expected 0.." << maxThreads << ", got '" << text << "'";
      return SYMC_STATUS_BAD_ARGUMENT;
    }
  }
  if (threads < 0 || threads > maxThreads) {
    error << "options.threads: expected 0.." << maxThreads << ", got " << threads;
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  if (threads < 2)
    return SYMC_STATUS_OK;
  symc_status status = symc_pool_create(threads, &context.ownPool);
  if (status != SYMC_STATUS_OK)
    error << "cannot start " << threads << " threads";
  context.frame.pool = context.ownPool;
  return status;
}

static symc_status open_libraries(const symc_model &model, Text &error) {
  for (int32_t i = 0; i < model.n_libraries; ++i) {
    const symc_library &library = model.libraries[i];
    if (library.open(&library) == SYMC_STATUS_OK)
      continue;
    error << "model '" << model.name << "' calls " << library.name << ", but no library among ";
    for (int32_t k = 0; k < library.n_files; ++k)
      error << (k ? ", " : "") << library.files[k];
    error << " can be opened and has all " << library.n_symbols << " functions that it needs";
    return SYMC_STATUS_NO_LIBRARY;
  }
  return SYMC_STATUS_OK;
}

static bool asks_for(Variable variable) {
  const char *text = environment(variable);
  return text && strcmp(text, "1") == 0;
}

static symc_status open_arena(const symc_options &options, Text &error, symc_context &context) {
  int64_t needed = context.variant->arena_bytes;
  if (options.arena) {
    if (options.arena_bytes < uint64_t(needed)) {
      error << "supplied arena: expected at least " << needed << " bytes, got "
            << int64_t(options.arena_bytes);
      return SYMC_STATUS_ARENA_TOO_SMALL;
    }
    if (uintptr_t(options.arena) % SYMC_ALIGN) {
      error << "supplied arena: expected memory aligned to " << SYMC_ALIGN << " bytes";
      return SYMC_STATUS_BAD_ALIGNMENT;
    }
    context.frame.arena = static_cast<uint8_t *>(options.arena);
    return SYMC_STATUS_OK;
  }
  context.ownArenaBytes = size_t(needed);
  symc_status status =
      allocate_on_device(context, context.ownArenaBytes, "arena", error, &context.ownArena);
  context.frame.arena = static_cast<uint8_t *>(context.ownArena);
  if (context.ownArena && context.variant->device == SYMC_DEVICE_CPU &&
      asks_for(Variable::SYMC_PREFAULT))
    prefault_writable(context.ownArena, context.ownArenaBytes);
  return status;
}

static symc_status check_flags(const symc_options &options, Text &error) {
  constexpr int32_t both = SYMC_VERIFY_WEIGHTS | SYMC_TRUST_WEIGHTS;
  if (options.flags & ~SYMC_ALL_FLAGS)
    error << "options.flags: expected a sum of SYMC_VERIFY_WEIGHTS and the other flags, which are "
             "below "
          << SYMC_ALL_FLAGS + 1 << ", got " << options.flags;
  else if ((options.flags & both) == both)
    error << "options.flags: SYMC_VERIFY_WEIGHTS and SYMC_TRUST_WEIGHTS exclude each other";
  else
    return SYMC_STATUS_OK;
  return SYMC_STATUS_BAD_ARGUMENT;
}

static symc_context *make_context(const symc_model &model, const symc_options &options) {
  size_t extents = 0;
  size_t io = size_t(model.n_inputs) + size_t(model.n_outputs) + 2 * size_t(model.n_states);
  for (int32_t i = 0; i < model.n_outputs; ++i)
    extents += size_t(model.outputs[i].rank);
  size_t given = size_t(model.n_inputs) + size_t(model.n_outputs);
  size_t words = io + given + size_t(model.n_dims) + extents + 2 * size_t(model.n_states);
  size_t bytes = sizeof(symc_context) + words * 8;
  void *block = allocate(&options.allocator, bytes, SYMC_ALIGN);
  if (!block)
    return nullptr;
  memset(block, 0, bytes);
  symc_context *context = static_cast<symc_context *>(block);
  context->bytes = bytes;
  context->model = &model;
  context->allocator = options.allocator;
  context->io = reinterpret_cast<void **>(context + 1);
  context->ends = reinterpret_cast<uint64_t *>(context->io + io);
  context->dims = reinterpret_cast<int64_t *>(context->ends + given);
  context->extents = context->dims + model.n_dims;
  context->nExtents = int32_t(extents);
  context->lengths = context->extents + extents + model.n_states;
  context->flags = options.flags | int32_t(model.flags);
  if (asks_for(Variable::SYMC_FLUSH_DENORMALS))
    context->flags |= SYMC_FLUSH_DENORMALS;
  context->frame.io = context->io;
  context->frame.dims = context->dims;
  context->frame.stream = options.stream;
  context->frame.error = context->error;
  context->frame.error_bytes = int32_t(sizeof context->error);
  return context;
}

static symc_status fill_context(const symc_options &options, Text &error, symc_context &context) {
  symc_status status = check_switches(error);
  if (status != SYMC_STATUS_OK)
    return status;
  Chosen chosen;
  status = open_variant(*context.model, Wanted(options), error, chosen);
  if (status != SYMC_STATUS_OK)
    return status;
  context.variant = chosen.variant;
  context.device = chosen.device;
  context.work = chosen.work;
  context.ordinal = context.frame.ordinal = chosen.ordinal;
  DeviceScope scope(context);
  status = scope.check(error);
  if (status == SYMC_STATUS_OK)
    status = open_libraries(*context.model, error);
  if (status == SYMC_STATUS_OK)
    status = open_weights(*context.model, options, error, context.weights);
  if (status == SYMC_STATUS_OK)
    status = upload_weights(error, context);
  if (status == SYMC_STATUS_OK && context.weights.data && asks_for(Variable::SYMC_PREFAULT))
    prefault_readable(context.weights.data, size_t(context.model->weights_bytes));
  if (status == SYMC_STATUS_OK)
    status = open_arena(options, error, context);
  if (status == SYMC_STATUS_OK)
    status = open_states(error, context);
  if (status == SYMC_STATUS_OK)
    status = open_pool(options, error, context);
  if (status == SYMC_STATUS_OK && context.work)
    status = context.work->open_runs(error, context);
  if (status == SYMC_STATUS_OK && context.model->training)
    status = context.model->training->work->open(error, context);
  return status;
}

static void close_device(symc_context &context) {
  {
    DeviceScope scope(context);
    Text nowhere(nullptr, 0);
    if (context.variant->device != SYMC_DEVICE_CPU && scope.check(nowhere) == SYMC_STATUS_OK)
      context.device->synchronize(context.frame.stream); // runs may still use the memory
    if (context.work)
      context.work->release_runs(context);
    release_on_device(context, context.ownStates, context.ownStatesBytes);
    release_on_device(context, context.ownArena, context.ownArenaBytes);
    if (context.work) {
      context.work->release_weights(context);
      context.work->release_staging(context);
    }
  }
  close_variant({context.variant, context.device, context.work, context.ordinal});
}

} // namespace symc

symc_status symc_create(const symc_model *model, const symc_options *options,
                        symc_context **result) {
  static const symc_options defaults = {};
  const symc_options &given = options ? *options : defaults;
  symc::Text error(given.error, given.error_bytes);
  if (!result) {
    error << "context is NULL";
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  *result = nullptr;
  symc_status status = symc::check_model(model, error);
  if (status != SYMC_STATUS_OK)
    return status;
  if (!given.allocator.allocate != !given.allocator.release) {
    error << "options.allocator: expected both functions or none, got one";
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  status = symc::check_flags(given, error);
  if (status != SYMC_STATUS_OK)
    return status;
  symc_context *context = symc::make_context(*model, given);
  if (!context) {
    error << "cannot allocate a context";
    return SYMC_STATUS_OUT_OF_MEMORY;
  }
  status = symc::fill_context(given, error, *context);
  if (status == SYMC_STATUS_OK)
    *result = context;
  else
    symc_destroy(context);
  return status;
}

void symc_destroy(symc_context *context) {
  if (!context)
    return;
  symc_allocator hooks = context->allocator;
  symc::leave_ranks(*context);
  if (context->model->training)
    context->model->training->work->close(*context);
  symc_pool_destroy(context->ownPool);
  if (context->device)
    symc::close_device(*context);
  symc::release(&hooks, context->pictures, context->picturesBytes);
  symc::release(&hooks, context->leftOut, context->leftOutBytes);
  symc::close_weights(&hooks, context->model->weights_bytes, context->weights);
  symc::release(&hooks, context, context->bytes);
}
