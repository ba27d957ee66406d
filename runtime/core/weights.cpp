// weights.cpp: finds a model's prepared weights: supplied by the caller, embedded in the file, or
// in a side file.
#include "environment.h"
#include "hash.h"
#include "memory.h"
#include "side_file.h"

#include <string.h>

namespace symc {

static symc_status find_weights(const symc_model &model, const symc_options &options, Text &error,
                                Weights &weights) {
  if (options.weights) {
    if (options.weights_bytes != model.weights_bytes) {
      error << "supplied weights: expected " << int64_t(model.weights_bytes) << " bytes, got "
            << int64_t(options.weights_bytes);
      return SYMC_STATUS_BAD_WEIGHTS;
    }
    if (uintptr_t(options.weights) % SYMC_ALIGN) {
      error << "supplied weights: expected memory aligned to " << SYMC_ALIGN << " bytes";
      return SYMC_STATUS_BAD_ALIGNMENT;
    }
    weights.data = static_cast<const uint8_t *>(options.weights);
    weights.from = WeightsFrom::Supplied;
  } else if (options.weights_file || (!model.weights && model.weights_file)) {
    return open_side_file(model, options, error, weights);
  } else if (model.weights || model.weights_bytes == 0) {
    weights.data = model.weights;
    weights.from = WeightsFrom::Embedded;
  }
  return SYMC_STATUS_OK;
}

symc_status open_weights(const symc_model &model, const symc_options &options, Text &error,
                         Weights &weights) {
  symc_status status = find_weights(model, options, error, weights);
  if (status != SYMC_STATUS_OK || !weights.data)
    return status;
  if ((options.flags & SYMC_VERIFY_WEIGHTS) && !weights.verified) {
    uint64_t hash = WeightsHash(weights.data, size_t(model.weights_bytes)).finish();
    if (hash != model.weights_hash) {
      (error << "weights: expected the hash ").hex(model.weights_hash) << ", got ";
      error.hex(hash);
      close_weights(&options.allocator, model.weights_bytes, weights);
      return SYMC_STATUS_BAD_WEIGHTS;
    }
  }
  const char *huge = environment(Variable::SYMC_HUGEPAGES);
  bool copied = weights.owned || weights.shared || weights.from == WeightsFrom::Supplied;
  if (huge && strcmp(huge, "1") == 0 && !copied) {
    void *copy = allocate_large(&options.allocator, size_t(model.weights_bytes), true);
    if (!copy) {
      error << "weights: cannot allocate " << int64_t(model.weights_bytes)
            << " bytes for the copy of SYMC_HUGEPAGES=1";
      close_weights(&options.allocator, model.weights_bytes, weights);
      return SYMC_STATUS_OUT_OF_MEMORY;
    }
    memcpy(copy, weights.data, size_t(model.weights_bytes));
    close_side_file(weights);
    weights.owned = copy;
    weights.data = static_cast<const uint8_t *>(copy);
  }
  return SYMC_STATUS_OK;
}

void close_weights(const symc_allocator *hooks, uint64_t bytes, Weights &weights) {
  close_side_file(weights);
  release(hooks, weights.owned, size_t(bytes));
  weights = Weights();
}

} // namespace symc
