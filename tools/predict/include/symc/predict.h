/* predict.h: MXNet's C predict API over compiled models. These are the functions of MXNet 1.9.1's
 * mxnet/c_predict_api.h, with its names, types and values, and those of its c_api.h that read what
 * a monitor callback gets; a program that includes MXNet's own headers may leave this one out, and
 * may include both. docs/predict-api.md lists what differs.
 *
 * Every function returns 0, or -1 with a text for MXGetLastError. A handle is used by one thread at
 * a time; different handles by any number of threads at once. A call with a handle that was
 * freed, or never was one, is an error. */
#ifndef SYMC_PREDICT_H
#define SYMC_PREDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t mx_uint;
typedef float mx_float;
typedef void *PredictorHandle;
typedef void *NDListHandle;
typedef void *NDArrayHandle;
/* Gets the name of an array, "conv0_output", the array, which it frees with MXNDArrayFree, and the
 * callback_handle of MXPredSetMonitorCallback. */
typedef void (*PredMonitorCallback)(const char *, NDArrayHandle, void *);

/* What the calling thread's last failing call complained of; "" where none failed. */
const char *MXGetLastError();

/* Compiles a model, or takes it from the cache. `dev_type` is 1, the CPU. Input i has name
 * input_keys[i] and the extents input_shape_data[input_shape_indptr[i]] up to, without,
 * input_shape_data[input_shape_indptr[i + 1]]; names that the model lacks are passed over.
 * Nothing that is passed needs to live longer than the call. */
int MXPredCreate(const char *symbol_json_str, const void *param_bytes, int param_size, int dev_type,
                 int dev_id, uint32_t num_input_nodes, const char **input_keys,
                 const uint32_t *input_shape_indptr, const uint32_t *input_shape_data,
                 PredictorHandle *out);
/* The same with element types of inputs, MXNet's type flags. */
int MXPredCreateEx(const char *symbol_json_str, const void *param_bytes, int param_size,
                   int dev_type, int dev_id, const uint32_t num_input_nodes,
                   const char **input_keys, const uint32_t *input_shape_indptr,
                   const uint32_t *input_shape_data, const uint32_t num_provided_arg_dtypes,
                   const char **provided_arg_dtype_names, const int *provided_arg_dtypes,
                   PredictorHandle *out);
/* The same with outputs of nodes by their names, "fc1" for fc1_output. */
int MXPredCreatePartialOut(const char *symbol_json_str, const void *param_bytes, int param_size,
                           int dev_type, int dev_id, uint32_t num_input_nodes,
                           const char **input_keys, const uint32_t *input_shape_indptr,
                           const uint32_t *input_shape_data, uint32_t num_output_nodes,
                           const char **output_keys, PredictorHandle *out);
/* The same with num_threads handles over one copy of code and weights. */
int MXPredCreateMultiThread(const char *symbol_json_str, const void *param_bytes, int param_size,
                            int dev_type, int dev_id, uint32_t num_input_nodes,
                            const char **input_keys, const uint32_t *input_shape_indptr,
                            const uint32_t *input_shape_data, int num_threads,
                            PredictorHandle *out);
/* Another handle, whose inputs have other shapes; the old one stays what it is. */
int MXPredReshape(uint32_t num_input_nodes, const char **input_keys,
                  const uint32_t *input_shape_indptr, const uint32_t *input_shape_data,
                  PredictorHandle handle, PredictorHandle *out);
/* The extents live until the next call with the handle. */
int MXPredGetOutputShape(PredictorHandle handle, uint32_t index, uint32_t **shape_data,
                         uint32_t *shape_ndim);
int MXPredGetOutputType(PredictorHandle handle, uint32_t out_index, int *out_dtype);
/* Copies `size` elements of the input's type, whatever the pointer's type; all of them. */
int MXPredSetInput(PredictorHandle handle, const char *key, const float *data, uint32_t size);
int MXPredForward(PredictorHandle handle);
/* Counts through the nodes of the model; the outputs are there when *step_left is 0. */
int MXPredPartialForward(PredictorHandle handle, int step, int *step_left);
int MXPredGetOutput(PredictorHandle handle, uint32_t index, float *data, uint32_t size);
int MXPredFree(PredictorHandle handle);
/* Calls back with the outputs of every node in the runs that follow; with monitor_all with what
 * each node reads, too. A NULL callback ends that. */
int MXPredSetMonitorCallback(PredictorHandle handle, PredMonitorCallback callback,
                             void *callback_handle, bool monitor_all);

/* Arrays of a file in memory, as float32. */
int MXNDListCreate(const char *nd_file_bytes, int nd_file_size, NDListHandle *out,
                   uint32_t *out_length);
/* What is returned lives until MXNDListFree, the extents until the next call. */
int MXNDListGet(NDListHandle handle, uint32_t index, const char **out_key, const float **out_data,
                const uint32_t **out_shape, uint32_t *out_ndim);
int MXNDListFree(NDListHandle handle);

/* --- Of MXNet's c_api.h, for what a monitor callback gets ------------------ */

int MXNDArrayGetShape(NDArrayHandle handle, uint32_t *out_dim, const uint32_t **out_pdata);
int MXNDArrayGetDType(NDArrayHandle handle, int *out_dtype);
/* `size` in elements: all of them. */
int MXNDArraySyncCopyToCPU(NDArrayHandle handle, void *data, size_t size);
int MXNDArrayFree(NDArrayHandle handle);

#ifdef __cplusplus
}
#endif

#endif /* SYMC_PREDICT_H */
