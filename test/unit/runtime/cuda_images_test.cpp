// cuda_images_test.cpp: which image of a file a device gets. If these fail, a device runs code that
// is not the best for it, or loads code that it cannot run.
#include "cuda/images.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace symc::cuda;

// "sm_80", "compute_90a", "host_0".
static symc_cuda_image image(std::string name) {
  symc_cuda_image made = {};
  made.kind = name[0] == 's'   ? SYMC_CUDA_CUBIN
              : name[0] == 'c' ? SYMC_CUDA_PTX
                               : SYMC_CUDA_HOST_LIBRARY;
  made.specific = name.back() == 'a';
  made.architecture = std::stoi(name.substr(name.find('_') + 1));
  return made;
}

TEST(CudaImages, ByArchitecture) {
  struct Row {
    std::vector<const char *> file;
    int32_t device;
    const char *chosen;
  } rows[] = {
      {{"sm_80", "sm_86", "compute_80"}, 80, "sm_80"},
      {{"sm_80", "sm_86", "compute_80"}, 86, "sm_86"},
      {{"sm_86", "sm_80", "compute_80"}, 89, "sm_86"},   // a lower minor number
      {{"sm_86", "compute_80"}, 80, "compute_80"},       // a higher one does not run
      {{"sm_80", "compute_80"}, 75, ""},                 // neither does newer PTX
      {{"sm_80", "compute_80"}, 90, "compute_80"},       // another major number
      {{"sm_90a", "sm_90", "compute_80"}, 90, "sm_90a"}, // exactly
      {{"sm_90", "sm_90a", "compute_80"}, 90, "sm_90a"}, // whatever the order
      {{"sm_90a", "compute_80"}, 100, "compute_80"},     // and nowhere else
      {{"sm_90a"}, 100, ""},
      {{"sm_100a", "compute_100a"}, 103, ""},             // nor its PTX
      {{"compute_90a", "compute_80"}, 90, "compute_90a"}, // but there
      {{"compute_80", "compute_86"}, 120, "compute_86"},  // the highest
      {{"sm_120", "sm_100"}, 121, "sm_120"},
      {{"host_0", "sm_80"}, 0, "host_0"},
      {{"host_0"}, 80, ""},
      {{"host_80", "compute_80"}, 80, "compute_80"},
      {{}, 80, ""},
  };
  for (const Row &row : rows) {
    std::vector<symc_cuda_image> images;
    for (const char *name : row.file)
      images.push_back(image(name));
    symc_cuda_program program = {};
    program.images = images.data();
    program.n_images = int32_t(images.size());
    const symc_cuda_image *found = choose_image(program, row.device);
    char name[32] = "";
    symc::Text text(name, sizeof name);
    if (found)
      say_image(text, *found);
    EXPECT_STREQ(name, row.chosen) << "on sm_" << row.device;
  }
}
