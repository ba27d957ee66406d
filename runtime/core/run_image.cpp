// run_image.cpp: a run on pictures: what is given as pixels or as files becomes inputs in memory of
// the context, by the functions that the model brings along, and symc_run does the rest.
#include "check.h"
#include "memory.h"

using namespace symc;

namespace {
// The memory of one call: the tensors and pictures of all inputs, and the data of those that are
// made of pictures.
struct Room {
  symc_tensor *tensors;
  symc_picture *pictures;
  uint8_t *data;
};
} // namespace

static constexpr size_t align(size_t bytes) {
  return (bytes + SYMC_ALIGN - 1) & ~size_t(SYMC_ALIGN - 1);
}

static size_t bytes_of_lists(int32_t inputs) {
  return align(size_t(inputs) * sizeof(symc_tensor)) + align(size_t(inputs) * sizeof(symc_picture));
}

// Memory of so many bytes, with what the first `kept` of them held.
static symc_status reserve(symc_context &context, size_t bytes, size_t kept, Text &error) {
  if (bytes <= context.picturesBytes)
    return SYMC_STATUS_OK;
  void *larger = allocate(&context.allocator, bytes, SYMC_ALIGN);
  if (!larger) {
    error << "cannot allocate " << int64_t(bytes) << " bytes for inputs made of pictures";
    return SYMC_STATUS_OUT_OF_MEMORY;
  }
  if (kept)
    __builtin_memcpy(larger, context.pictures, kept);
  release(&context.allocator, context.pictures, context.picturesBytes);
  context.pictures = larger;
  context.picturesBytes = bytes;
  return SYMC_STATUS_OK;
}

static Room room_of(const symc_context &context, int32_t inputs) {
  uint8_t *memory = static_cast<uint8_t *>(context.pictures);
  return {reinterpret_cast<symc_tensor *>(memory),
          reinterpret_cast<symc_picture *>(memory + align(size_t(inputs) * sizeof(symc_tensor))),
          memory + bytes_of_lists(inputs)};
}

static bool is_picture(const symc_model &model, int32_t index, const symc_tensor &tensor) {
  return model.pictures->inputs[index].enabled && tensor.dtype == SYMC_U8 &&
         tensor.device == SYMC_DEVICE_CPU && tensor.data && tensor.shape && tensor.rank >= 1 &&
         tensor.rank <= SYMC_MAX_RANK;
}

// Bytes of an input made of a picture; -1 where they are too many to count.
static int64_t bytes_of(const symc_tensor_info &input, const symc_picture &picture) {
  int64_t bytes = symc_dtype_bytes(input.dtype);
  for (int32_t i = 0; i < input.rank; ++i)
    if (__builtin_mul_overflow(bytes, picture.shape[i], &bytes))
      return -1;
  return bytes > INT64_MAX / 4 ? -1 : int64_t(align(size_t(bytes)));
}

static symc_status refuse(Text &error, const symc_tensor_info &input, const char *sentence,
                          int32_t status) {
  error << "argument '" << input.name << "': " << sentence;
  return symc_status(status);
}

// Makes inputs of all pictures among those given: first the sizes of all, then their values.
static symc_status make_inputs(symc_context &context, const symc_tensor *given, int32_t n,
                               Text &error) {
  const symc_model &model = *context.model;
  List list = input_list(context);
  size_t lists = bytes_of_lists(model.n_inputs), bytes = lists;
  char sentence[256] = "";
  symc_status status = reserve(context, lists, 0, error);
  if (status != SYMC_STATUS_OK)
    return status;
  Room room = room_of(context, model.n_inputs);
  Selection sizes(list, given, n);
  int32_t used = 0;
  for (int32_t i = 0; i < model.n_inputs; ++i) {
    const symc_tensor *tensor = sizes.next(i);
    const symc_tensor_info &input = model.inputs[i];
    if (!tensor && n != model.n_inputs)
      continue; // left out of the list
    symc_tensor &made = room.tensors[used++];
    made = tensor ? *tensor : symc_tensor{};
    if (!tensor || !is_picture(model, i, *tensor))
      continue;
    symc_picture &picture = room.pictures[i];
    int32_t opened = model.pictures->open(model.pictures, i, &input, tensor, &picture, sentence,
                                          sizeof sentence);
    if (opened != SYMC_STATUS_OK)
      return refuse(error, input, sentence, opened);
    int64_t needed = bytes_of(input, picture);
    if (needed < 0)
      return refuse(error, input, "a picture of too many pixels", SYMC_STATUS_BAD_PICTURE);
    bytes += size_t(needed);
  }
  status = reserve(context, bytes, lists, error);
  if (status != SYMC_STATUS_OK)
    return status;
  room = room_of(context, model.n_inputs);
  Selection values(list, given, n);
  used = 0;
  for (int32_t i = 0; i < model.n_inputs; ++i) {
    const symc_tensor *tensor = values.next(i);
    const symc_tensor_info &input = model.inputs[i];
    if (!tensor && n != model.n_inputs)
      continue;
    symc_tensor &made = room.tensors[used++];
    if (!tensor || !is_picture(model, i, *tensor))
      continue;
    const symc_picture &picture = room.pictures[i];
    int32_t filled = model.pictures->fill(model.pictures, i, &input, &picture, room.data, sentence,
                                          sizeof sentence);
    if (filled != SYMC_STATUS_OK)
      return refuse(error, input, sentence, filled);
    made = {room.data, picture.shape, input.rank, input.dtype, SYMC_DEVICE_CPU, 0};
    room.data += bytes_of(input, picture);
  }
  return SYMC_STATUS_OK;
}

symc_status symc_run_image(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
                           const symc_tensor *outputs, int32_t n_outputs) {
  if (!context)
    return SYMC_STATUS_BAD_ARGUMENT;
  context->error[0] = 0;
  Text error(context->error, sizeof context->error);
  if (!context->model->pictures) {
    error << "no input takes pictures: the model was compiled without --preprocess";
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  List list = input_list(*context);
  symc_status status = Selection(list, inputs, n_inputs).check(error);
  if (status == SYMC_STATUS_OK)
    status = make_inputs(*context, inputs, n_inputs, error);
  if (status != SYMC_STATUS_OK)
    return status;
  return symc_run(context, room_of(*context, context->model->n_inputs).tensors, n_inputs, outputs,
                  n_outputs);
}
