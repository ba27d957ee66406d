// fuzz_npy.cpp: any bytes through the readers of arrays and archives of a compiled
// program. They refuse or read, and never take memory that the file does not fill.
#include "runtime/main/npy.h"
#include "runtime/main/zip.h"

using namespace symc;

static void readArray(const uint8_t *data, size_t size) {
  Array array;
  Problem problem;
  if (!read_npy("fuzz", data, size, array, problem)) {
    if (!problem.text[0])
      __builtin_trap(); // refused without a sentence
    return;
  }
  // What was read can be written and has the bytes that it claims.
  symc_tensor tensor = {array.bytes.data, array.shape, array.rank, array.dtype, SYMC_DEVICE_CPU, 0};
  char header[npyHeaderBytes];
  int64_t bytes = symc_dtype_bytes(array.dtype);
  if (write_npy_header(tensor, header) > npyHeaderBytes ||
      count_elements(array.shape, array.rank, bytes) * bytes != int64_t(array.bytes.size))
    __builtin_trap();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!is_zip(data, size)) {
    readArray(data, size);
    return 0;
  }
  Zip zip;
  Problem problem;
  if (!zip.open("fuzz", data, size, problem))
    return 0;
  Zip::Member member;
  while (zip.next(member, problem)) {
    Bytes bytes;
    if (zip.extract(member, bytes, problem))
      readArray(bytes.data, bytes.size);
  }
  return 0;
}
