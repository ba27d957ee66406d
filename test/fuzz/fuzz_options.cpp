// fuzz_options.cpp: any text as an optimizer, an initialiser, an attribute __init__ and a metric of
// a trainer. Each is refused with a sentence, which is cut where its buffer ends, or read.
#include "runtime/train/initializers.h"
#include "runtime/train/program/metric.h"
#include "symc/optimizer_options.h"

#include <string>

// Whether the sentence is there where the text was refused, and there alone.
static void check(bool taken, const char *error) {
  if (taken == (error[0] != 0))
    __builtin_trap();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // A heap block that ends behind the text.
  std::string text(reinterpret_cast<const char *>(data), size);
  text.shrink_to_fit();
  char error[48];
  symc::OptimizerChoice choice;
  check(symc::parse_optimizer(text.c_str(), choice, error, sizeof error), error);
  check(symc::check_initializer(text.c_str(), error, sizeof error), error);
  symc::train::Metric metric;
  check(metric.start(text.c_str(), error, sizeof error), error);

  float values[4 * 60];
  const int64_t matrix[] = {4, 60}, vector[] = {4 * 60};
  for (bool flat : {false, true})
    for (bool asAttribute : {false, true}) {
      symc::InitialArray array = {"x_weight", flat ? vector : matrix, flat ? 1 : 2,
                                  asAttribute ? text.c_str() : nullptr, values};
      symc_status status = symc::initialize_array(array, asAttribute ? nullptr : text.c_str(), size,
                                                  error, sizeof error);
      check(status == SYMC_STATUS_OK, error);
      if (status !=
          symc::check_initial(array, asAttribute ? nullptr : text.c_str(), error, sizeof error))
        __builtin_trap(); // what is looked at is what is done
    }
  return 0;
}
