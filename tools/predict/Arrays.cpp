// Arrays.cpp: MXNet's functions of arrays (symc/predict.h): lists that a program loads, such as a
// mean image, and what a callback gets.
#include "tools/predict/Handles.h"

using namespace symc;
using namespace symc::predict;

int MXNDListCreate(const char *nd_file_bytes, int nd_file_size, NDListHandle *out,
                   uint32_t *out_length) {
  return guarded([&]() -> llvm::Error {
    if (!nd_file_bytes || !out || !out_length)
      return nullPointer(!nd_file_bytes ? "nd_file_bytes" : out ? "out_length" : "out");
    if (nd_file_size < 0)
      return mistake("nd_file_size is " + llvm::Twine(nd_file_size) +
                     ": expected a number of bytes");
    Diagnostics diagnostics;
    auto buffer = llvm::MemoryBuffer::getMemBuffer({nd_file_bytes, size_t(nd_file_size)}, "arrays",
                                                   /*RequiresNullTerminator=*/false);
    auto file = params::readArrays(std::move(buffer), "arrays", diagnostics);
    if (!file)
      return mistake(llvm::StringRef(diagnostics.str()).rtrim());
    auto list = std::make_shared<ArrayList>();
    for (const params::Array &array : file->arrays) {
      list->keys.push_back(array.key);
      Array &floats = list->arrays.emplace_back();
      std::vector<char> aligned(array.data, array.data + array.byteCount); // files have no padding
      if (!floats.allocate(SYMC_F32, array.shape))
        return mistake("no memory for array " + inQuotes(array.key));
      int64_t count = array.isNone ? 0 : floats.elementCount();
      if (symc_status status = symc_convert(aligned.data(), int32_t(array.dtype),
                                            floats.bytes.get(), SYMC_F32, count))
        return mistake(symc_status_message(status));
    }
    *out_length = list->arrays.size();
    *out = arrayLists().add(std::move(list));
    return llvm::Error::success();
  });
}

int MXNDListGet(NDListHandle handle, uint32_t index, const char **out_key, const float **out_data,
                const uint32_t **out_shape, uint32_t *out_ndim) {
  return guarded([&]() -> llvm::Error {
    auto list = arrayLists().find(handle);
    if (!list)
      return list.takeError();
    if (!out_key || !out_data || !out_shape || !out_ndim)
      return nullPointer("out_key, out_data, out_shape or out_ndim");
    if (index >= (*list)->arrays.size())
      return mistake("array " + llvm::Twine(index) + " was requested, but the list has " +
                     llvm::Twine((*list)->arrays.size()));
    const Array &array = (*list)->arrays[index];
    (*list)->extents.assign(array.shape.begin(), array.shape.end());
    *out_key = (*list)->keys[index].c_str();
    *out_data = reinterpret_cast<const float *>(array.bytes.get());
    *out_shape = (*list)->extents.data();
    *out_ndim = (*list)->extents.size();
    return llvm::Error::success();
  });
}

int MXNDListFree(NDListHandle handle) {
  return guarded([&] { return handle ? arrayLists().remove(handle) : llvm::Error::success(); });
}

int MXNDArrayGetShape(NDArrayHandle handle, uint32_t *out_dim, const uint32_t **out_pdata) {
  return guarded([&]() -> llvm::Error {
    auto found = handedArrays().find(handle);
    if (!found)
      return found.takeError();
    if (!out_dim || !out_pdata)
      return nullPointer(out_dim ? "out_pdata" : "out_dim");
    HandedArray &handed = **found;
    handed.extents.assign(handed.array.shape.begin(), handed.array.shape.end());
    *out_dim = handed.extents.size();
    *out_pdata = handed.extents.data();
    return llvm::Error::success();
  });
}

int MXNDArrayGetDType(NDArrayHandle handle, int *out_dtype) {
  return guarded([&]() -> llvm::Error {
    auto found = handedArrays().find(handle);
    if (!found)
      return found.takeError();
    if (!out_dtype)
      return nullPointer("out_dtype");
    *out_dtype = (*found)->array.dtype;
    return llvm::Error::success();
  });
}

int MXNDArraySyncCopyToCPU(NDArrayHandle handle, void *data, size_t size) {
  return guarded([&]() -> llvm::Error {
    auto found = handedArrays().find(handle);
    if (!found)
      return found.takeError();
    if (!data && size)
      return nullPointer("data");
    return copyOut((*found)->array, "the array", data, size);
  });
}

int MXNDArrayFree(NDArrayHandle handle) {
  return guarded([&] { return handle ? handedArrays().remove(handle) : llvm::Error::success(); });
}
