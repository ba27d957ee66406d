// Predict.cpp: MXNet's functions of predictors (symc/predict.h) over Predictor.h: what C gives is
// checked here and becomes C++.
#include "tools/predict/Handles.h"

using namespace symc;
using namespace symc::predict;

namespace {
/// What the ways to create a predictor have in common.
struct Creation {
  const char *json;
  const void *bytes;
  int byteCount;
  int deviceType;
  uint32_t inputCount;
  const char **keys;
  const uint32_t *places, *extents;
};
} // namespace

static llvm::Error readShapes(uint32_t count, const char **keys, const uint32_t *places,
                              const uint32_t *extents, Shapes &shapes) {
  if (count == 0)
    return llvm::Error::success();
  if (!keys)
    return nullPointer("input_keys");
  if (!places)
    return nullPointer("input_shape_indptr");
  for (uint32_t i = 0; i < count; ++i) {
    if (!keys[i])
      return nullPointer("input_keys[i]");
    if (places[i] > places[i + 1] || places[i + 1] - places[i] > SYMC_MAX_RANK)
      return mistake("input_shape_indptr gives input " + inQuotes(keys[i]) + " the extents " +
                     llvm::Twine(places[i]) + " up to " + llvm::Twine(places[i + 1]) +
                     ": expected 0 to " + llvm::Twine(SYMC_MAX_RANK) + " of them");
    if (!extents && places[i] != places[i + 1])
      return nullPointer("input_shape_data");
    shapes[keys[i]].assign(extents + places[i], extents + places[i + 1]);
  }
  return llvm::Error::success();
}

static llvm::Error checkDevice(int type) {
  switch (type) {
  case 1: // cpu
  case 3: // cpu_pinned
  case 5: // cpu_shared
    return llvm::Error::success();
  case 2:
    return mistake("dev_type 2 is a GPU, and models are compiled for the CPU alone: pass 1");
  default:
    return mistake("dev_type " + llvm::Twine(type) + " is no device: pass 1, the CPU");
  }
}

static llvm::Expected<std::unique_ptr<Predictor>>
create(const Creation &given, std::map<std::string, int> types, std::vector<std::string> outputs) {
  if (!given.json)
    return nullPointer("symbol_json_str");
  if (!given.bytes && given.byteCount)
    return nullPointer("param_bytes");
  if (given.byteCount < 0)
    return mistake("param_size is " + llvm::Twine(given.byteCount) +
                   ": expected a number of bytes");
  if (llvm::Error error = checkDevice(given.deviceType))
    return std::move(error);
  Shapes shapes;
  if (llvm::Error error =
          readShapes(given.inputCount, given.keys, given.places, given.extents, shapes))
    return std::move(error);
  auto source =
      Source::create(given.json, {static_cast<const char *>(given.bytes), size_t(given.byteCount)});
  if (!source)
    return mistake("no memory for array " + inQuotes("parameters"));
  return Predictor::create(std::move(source), shapes, std::move(types), std::move(outputs));
}

static int createOne(const Creation &given, std::map<std::string, int> types,
                     std::vector<std::string> outputs, PredictorHandle *out) {
  return guarded([&]() -> llvm::Error {
    if (!out)
      return nullPointer("out");
    auto made = create(given, std::move(types), std::move(outputs));
    if (!made)
      return made.takeError();
    *out = predictors().add(std::move(*made));
    return llvm::Error::success();
  });
}

// Calls `work` with the predictor, which nobody else uses meanwhile.
static int withPredictor(PredictorHandle handle,
                         llvm::function_ref<llvm::Error(Predictor &)> work) {
  return guarded([&]() -> llvm::Error {
    auto found = predictors().find(handle);
    if (!found)
      return found.takeError();
    std::lock_guard<std::recursive_mutex> lock((*found)->mutex);
    return work(**found);
  });
}

//===----------------------------------------------------------------------===//
// The API
//===----------------------------------------------------------------------===//

const char *MXGetLastError() { return lastError(); }

int MXPredCreate(const char *symbol_json_str, const void *param_bytes, int param_size, int dev_type,
                 int dev_id, uint32_t num_input_nodes, const char **input_keys,
                 const uint32_t *input_shape_indptr, const uint32_t *input_shape_data,
                 PredictorHandle *out) {
  return createOne({symbol_json_str, param_bytes, param_size, dev_type, num_input_nodes, input_keys,
                    input_shape_indptr, input_shape_data},
                   {}, {}, out);
}

int MXPredCreateEx(const char *symbol_json_str, const void *param_bytes, int param_size,
                   int dev_type, int dev_id, const uint32_t num_input_nodes,
                   const char **input_keys, const uint32_t *input_shape_indptr,
                   const uint32_t *input_shape_data, const uint32_t num_provided_arg_dtypes,
                   const char **provided_arg_dtype_names, const int *provided_arg_dtypes,
                   PredictorHandle *out) {
  std::map<std::string, int> types;
  int status = guarded([&]() -> llvm::Error {
    if (num_provided_arg_dtypes && (!provided_arg_dtype_names || !provided_arg_dtypes))
      return nullPointer("provided_arg_dtype_names or provided_arg_dtypes");
    for (uint32_t i = 0; i < num_provided_arg_dtypes; ++i) {
      if (!provided_arg_dtype_names[i])
        return nullPointer("provided_arg_dtype_names[i]");
      if (symc_dtype_bytes(provided_arg_dtypes[i]) == 0)
        return mistake("type " + llvm::Twine(provided_arg_dtypes[i]) + " of " +
                       inQuotes(provided_arg_dtype_names[i]) + " is none of MXNet's type flags");
      types[provided_arg_dtype_names[i]] = provided_arg_dtypes[i];
    }
    return llvm::Error::success();
  });
  return status ? status
                : createOne({symbol_json_str, param_bytes, param_size, dev_type, num_input_nodes,
                             input_keys, input_shape_indptr, input_shape_data},
                            std::move(types), {}, out);
}

int MXPredCreatePartialOut(const char *symbol_json_str, const void *param_bytes, int param_size,
                           int dev_type, int dev_id, uint32_t num_input_nodes,
                           const char **input_keys, const uint32_t *input_shape_indptr,
                           const uint32_t *input_shape_data, uint32_t num_output_nodes,
                           const char **output_keys, PredictorHandle *out) {
  std::vector<std::string> outputs;
  int status = guarded([&]() -> llvm::Error {
    for (uint32_t i = 0; i < num_output_nodes; ++i) {
      if (!output_keys || !output_keys[i])
        return nullPointer("output_keys");
      outputs.push_back(output_keys[i]);
    }
    return llvm::Error::success();
  });
  return status ? status
                : createOne({symbol_json_str, param_bytes, param_size, dev_type, num_input_nodes,
                             input_keys, input_shape_indptr, input_shape_data},
                            {}, std::move(outputs), out);
}

int MXPredCreateMultiThread(const char *symbol_json_str, const void *param_bytes, int param_size,
                            int dev_type, int dev_id, uint32_t num_input_nodes,
                            const char **input_keys, const uint32_t *input_shape_indptr,
                            const uint32_t *input_shape_data, int num_threads,
                            PredictorHandle *out) {
  return guarded([&]() -> llvm::Error {
    if (!out)
      return nullPointer("out");
    if (num_threads < 1)
      return mistake("num_threads is " + llvm::Twine(num_threads) + ": expected 1 or more");
    auto first = create({symbol_json_str, param_bytes, param_size, dev_type, num_input_nodes,
                         input_keys, input_shape_indptr, input_shape_data},
                        {}, {});
    if (!first)
      return first.takeError();
    std::vector<std::shared_ptr<Predictor>> made;
    made.push_back(std::move(*first));
    while (made.size() < size_t(num_threads)) {
      auto another = made.front()->share();
      if (!another)
        return another.takeError();
      made.push_back(std::move(*another));
    }
    for (auto [i, predictor] : llvm::enumerate(made))
      out[i] = predictors().add(predictor);
    return llvm::Error::success();
  });
}

int MXPredReshape(uint32_t num_input_nodes, const char **input_keys,
                  const uint32_t *input_shape_indptr, const uint32_t *input_shape_data,
                  PredictorHandle handle, PredictorHandle *out) {
  return withPredictor(handle, [&](Predictor &predictor) -> llvm::Error {
    if (!out)
      return nullPointer("out");
    Shapes changes;
    if (llvm::Error error =
            readShapes(num_input_nodes, input_keys, input_shape_indptr, input_shape_data, changes))
      return error;
    auto made = predictor.reshape(changes);
    if (!made)
      return made.takeError();
    *out = predictors().add(std::move(*made));
    return llvm::Error::success();
  });
}

int MXPredGetOutputShape(PredictorHandle handle, uint32_t index, uint32_t **shape_data,
                         uint32_t *shape_ndim) {
  return withPredictor(handle, [&](Predictor &predictor) -> llvm::Error {
    if (!shape_data || !shape_ndim)
      return nullPointer(shape_data ? "shape_ndim" : "shape_data");
    auto output = predictor.output(index);
    if (!output)
      return output.takeError();
    predictor.extents.assign((*output)->shape.begin(), (*output)->shape.end());
    *shape_data = predictor.extents.data();
    *shape_ndim = predictor.extents.size();
    return llvm::Error::success();
  });
}

int MXPredGetOutputType(PredictorHandle handle, uint32_t out_index, int *out_dtype) {
  return withPredictor(handle, [&](Predictor &predictor) -> llvm::Error {
    if (!out_dtype)
      return nullPointer("out_dtype");
    auto output = predictor.output(out_index);
    if (!output)
      return output.takeError();
    *out_dtype = (*output)->dtype;
    return llvm::Error::success();
  });
}

int MXPredSetInput(PredictorHandle handle, const char *key, const float *data, uint32_t size) {
  return withPredictor(handle, [&](Predictor &predictor) -> llvm::Error {
    if (!key)
      return nullPointer("key");
    if (!data && size)
      return nullPointer("data");
    return predictor.setInput(key, data, size);
  });
}

int MXPredForward(PredictorHandle handle) {
  return withPredictor(handle, [](Predictor &predictor) { return predictor.forward(); });
}

int MXPredPartialForward(PredictorHandle handle, int step, int *step_left) {
  return withPredictor(handle, [&](Predictor &predictor) -> llvm::Error {
    if (!step_left)
      return nullPointer("step_left");
    auto left = predictor.partialForward(step);
    if (!left)
      return left.takeError();
    *step_left = *left;
    return llvm::Error::success();
  });
}

int MXPredGetOutput(PredictorHandle handle, uint32_t index, float *data, uint32_t size) {
  return withPredictor(handle, [&](Predictor &predictor) -> llvm::Error {
    if (!data && size)
      return nullPointer("data");
    auto output = predictor.output(index);
    if (!output)
      return output.takeError();
    return copyOut(**output, "output " + std::to_string(index), data, size);
  });
}

int MXPredFree(PredictorHandle handle) {
  return guarded([&] { return handle ? predictors().remove(handle) : llvm::Error::success(); });
}

int MXPredSetMonitorCallback(PredictorHandle handle, PredMonitorCallback callback,
                             void *callback_handle, bool monitor_all) {
  return withPredictor(handle, [&](Predictor &predictor) {
    predictor.setMonitor(callback, callback_handle, monitor_all);
    return llvm::Error::success();
  });
}
