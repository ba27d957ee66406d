// images.cpp: see images.h.
#include "images.h"

namespace symc::cuda {

static bool fits(const symc_cuda_image &image, int32_t architecture) {
  if (image.specific || image.kind == SYMC_CUDA_HOST_LIBRARY)
    return image.architecture == architecture;
  bool sameMajor = image.architecture / 10 == architecture / 10;
  return image.architecture <= architecture && (sameMajor || image.kind == SYMC_CUDA_PTX);
}

static bool is_better(const symc_cuda_image &image, const symc_cuda_image &other) {
  if (image.kind != other.kind)
    return image.kind < other.kind;
  if (image.architecture != other.architecture)
    return image.architecture > other.architecture;
  return image.specific > other.specific;
}

const symc_cuda_image *choose_image(const symc_cuda_program &program, int32_t architecture) {
  const symc_cuda_image *best = nullptr;
  for (int32_t i = 0; i < program.n_images; ++i) {
    const symc_cuda_image &image = program.images[i];
    if (fits(image, architecture) && (!best || is_better(image, *best)))
      best = &image;
  }
  return best;
}

Text &say_image(Text &text, const symc_cuda_image &image) {
  const char *prefixes[] = {"sm_", "compute_", "host_"};
  return text << prefixes[image.kind] << image.architecture << (image.specific ? "a" : "");
}

} // namespace symc::cuda
