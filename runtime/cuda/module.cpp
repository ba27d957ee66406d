// module.cpp: see module.h.
#include "module.h"

#include "../core/memory.h"
#include "images.h"

namespace symc::cuda {

// Kernels get more than 48 KiB of shared memory, with what they declare themselves, only where it
// was requested.
static constexpr uint32_t sharedBytesUnasked = 32 << 10;

static symc_status find_functions(const symc_cuda_program &program, symc_cuda_module &made,
                                  Text &error) {
  for (int32_t i = 0; i < program.n_kernels; ++i) {
    CUresult result =
        driver().cuModuleGetFunction(&made.functions[i], made.module, program.kernels[i]);
    if (result != Success) {
      error << "cannot find kernel '" << program.kernels[i]
            << "' in the file's code for CUDA: " << words_of(result);
      return status_of(result);
    }
  }
  for (int32_t i = 0; i < program.n_launches; ++i) {
    const symc_cuda_launch &launch = program.launches[i];
    if (launch.shared_bytes <= sharedBytesUnasked)
      continue;
    CUresult result = driver().cuFuncSetAttribute(made.functions[launch.kernel],
                                                  MaxDynamicSharedBytes, int(launch.shared_bytes));
    if (result != Success) {
      error << "node '" << launch.node << "': the CUDA device refused "
            << int64_t(launch.shared_bytes) << " bytes of shared memory: " << words_of(result);
      return status_of(result);
    }
  }
  return SYMC_STATUS_OK;
}

static symc_status load(const symc_cuda_program &program, const symc_cuda_image &image,
                        symc_cuda_module &made, Text &error) {
  CUresult result = driver().cuModuleLoadData(&made.module, image.bytes);
  if (result != Success) {
    say_image(error << "the CUDA driver refused the file's code for ", image)
        << ": " << words_of(result) << " (the driver is one for ";
    say_version(error, driver().version) << ")";
    return status_of(result);
  }
  symc_status status = find_functions(program, made, error);
  if (status != SYMC_STATUS_OK)
    driver().cuModuleUnload(made.module);
  return status;
}

// Kernels for sm_90a use tensor maps, those of the shim too; others leave theirs alone.
static symc_status find_maps(const symc_cuda_program &program, const symc_cuda_image &image,
                             bool &maps, Text &error) {
  bool takes = image.kind == SYMC_CUDA_HOST_LIBRARY || (image.specific && image.architecture == 90);
  maps = program.maps && takes;
  if (!maps || (driver().cuTensorMapEncodeTiled && driver().cuTensorMapEncodeIm2col))
    return SYMC_STATUS_OK;
  say_image(error << "the file's code for ", image)
      << " needs tensor maps, which CUDA drivers have from CUDA 12.0 on (the driver is one for ";
  say_version(error, driver().version) << ")";
  return SYMC_STATUS_OLD_DRIVER;
}

static symc_status say_no_code(const symc_cuda_program &program, int32_t architecture,
                               Text &error) {
  error << "the CUDA device has architecture sm_" << architecture << ", the file has code for ";
  for (int32_t i = 0; i < program.n_images; ++i)
    say_image(error << (i ? ", " : ""), program.images[i]);
  return SYMC_STATUS_NO_CODE;
}

static size_t bytes_of(const symc_cuda_program &program) {
  return sizeof(symc_cuda_module) + size_t(program.n_kernels) * sizeof(CUfunction);
}

symc_status open_module(const symc_cuda_program &program, int32_t ordinal, int32_t architecture,
                        Text &error) {
  symc_cuda_module *&place = program.modules[ordinal];
  if (place) {
    ++place->users;
    return SYMC_STATUS_OK;
  }
  const symc_cuda_image *image = choose_image(program, architecture);
  if (!image)
    return say_no_code(program, architecture, error);
  symc_cuda_module *made =
      static_cast<symc_cuda_module *>(symc::allocate(nullptr, bytes_of(program), SYMC_ALIGN));
  if (!made) {
    error << "cannot allocate a context";
    return SYMC_STATUS_OUT_OF_MEMORY;
  }
  symc_status status = find_maps(program, *image, made->maps, error);
  if (status == SYMC_STATUS_OK)
    status = load(program, *image, *made, error);
  if (status != SYMC_STATUS_OK) {
    symc::release(nullptr, made, bytes_of(program));
    return status;
  }
  made->users = 1;
  made->waits = image->waits != 0;
  __atomic_store_n(&place, made, __ATOMIC_RELEASE); // runs look without the lock
  return SYMC_STATUS_OK;
}

void close_module(const symc_cuda_program &program, int32_t ordinal) {
  symc_cuda_module *&place = program.modules[ordinal];
  if (--place->users)
    return;
  driver().cuModuleUnload(place->module);
  symc::release(nullptr, place, bytes_of(program));
  __atomic_store_n(&place, static_cast<symc_cuda_module *>(nullptr), __ATOMIC_RELEASE);
}

} // namespace symc::cuda
