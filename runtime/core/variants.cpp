// variants.cpp: which code of a file a context runs. Variants stand best first: those of other
// devices, then those of the CPU by instruction set. Of what nobody requested by name, a variant
// counts that the processor has the instructions for, or whose device and driver are there.
#include "context.h"
#include "environment.h"

#include <string.h>

namespace symc {

Wanted::Wanted(const symc_options &options) {
  isa = options.isa ? options.isa : environment(Variable::SYMC_ISA);
  isaFrom = options.isa ? "options.isa" : "SYMC_ISA";
  device = options.device_name ? options.device_name : environment(Variable::SYMC_DEVICE);
  deviceFrom = options.device_name ? "options.device_name" : "SYMC_DEVICE";
  functions = options.device;
  ordinal = options.ordinal;
}

static const symc_device *functions_of(const symc_variant &variant, const Wanted &wanted) {
  return wanted.functions    ? wanted.functions
         : variant.functions ? variant.functions
                             : symc_find_device(variant.device);
}

// That of the row or, where an application has put another in its place, of the model's.
static const DeviceWork *work_of(const symc_variant &variant, const symc_device *functions) {
  if (variant.device == SYMC_DEVICE_CPU)
    return nullptr;
  const void *work = functions && functions->work ? functions->work
                     : variant.functions          ? variant.functions->work
                                                  : nullptr;
  return static_cast<const DeviceWork *>(work);
}

static const char *device_name(const symc_variant &variant) {
  const symc_device *row = variant.functions ? variant.functions : symc_find_device(variant.device);
  return row ? row->name : "";
}

namespace {
// "cuda:1": a name, and a number or -1.
struct DeviceName {
  const char *text;
  size_t length;
  int32_t ordinal = -1;

  symc_status read(const char *given, const char *from, Text &error);
  bool is(const char *name) const {
    return !text || (strncmp(name, text, length) == 0 && !name[length]);
  }
};
} // namespace

symc_status DeviceName::read(const char *given, const char *from, Text &error) {
  text = given;
  const char *colon = given ? strchr(given, ':') : nullptr;
  length = colon ? size_t(colon - given) : given ? strlen(given) : 0;
  if (!colon)
    return SYMC_STATUS_OK;
  int32_t number = 0;
  const char *c = colon + 1;
  for (; *c >= '0' && *c <= '9' && number < 1000; ++c)
    number = number * 10 + (*c - '0');
  if (*c || c == colon + 1) {
    error << from << ": expected a device's number behind ':', got '" << given << "'";
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  ordinal = number;
  return SYMC_STATUS_OK;
}

static void list_variants(const symc_model &model, Text &error) {
  for (int32_t i = 0; i < model.n_variants; ++i)
    error << (i ? ", " : "") << model.variants[i].isa;
}

// Each device's name once.
static void list_devices(const symc_model &model, Text &error) {
  for (int32_t i = 0; i < model.n_variants; ++i) {
    int32_t first = 0;
    while (model.variants[first].device != model.variants[i].device)
      ++first;
    if (first == i)
      error << (i ? ", " : "") << device_name(model.variants[i]);
  }
}

static bool has_code_for_cpu(const symc_model &model) {
  for (int32_t i = 0; i < model.n_variants; ++i)
    if (model.variants[i].device == SYMC_DEVICE_CPU &&
        model.variants[i].cpu_level <= uint64_t(symc_cpu_level()) &&
        symc_cpu_permits(int32_t(model.variants[i].cpu_level)))
      return true;
  return false;
}

static symc_status open(const Chosen &chosen, char *error, size_t bytes) {
  const symc_variant &variant = *chosen.variant;
  if (variant.device == SYMC_DEVICE_CPU || !chosen.device->open)
    return SYMC_STATUS_OK;
  return chosen.device->open(chosen.ordinal, variant.programs, variant.n_programs, error, bytes);
}

static symc_status choose(const symc_model &model, const Wanted &wanted, bool opens, Text &error,
                          Chosen &chosen) {
  DeviceName device;
  symc_status status = device.read(wanted.device, wanted.deviceFrom, error);
  if (status != SYMC_STATUS_OK)
    return status;
  const char *isa = wanted.isa;
  int32_t ordinal = device.ordinal >= 0 ? device.ordinal : wanted.ordinal;
  bool requested = isa || device.text || ordinal != 0, found = false, refused = false;
  uint64_t level = uint64_t(symc_cpu_level());
  for (int32_t i = 0; i < model.n_variants; ++i) {
    const symc_variant &candidate = model.variants[i];
    if (!device.is(device_name(candidate)))
      continue;
    found = true;
    if (isa && strcmp(isa, candidate.isa) != 0)
      continue;
    const symc_device *functions = functions_of(candidate, wanted);
    const DeviceWork *work = work_of(candidate, functions);
    bool elsewhere = candidate.device != SYMC_DEVICE_CPU;
    if (!functions || (elsewhere && !work)) {
      if (!isa)
        continue;
      error << wanted.isaFrom << ": '" << isa << "' was requested, this runtime has no device "
            << candidate.device;
      return SYMC_STATUS_UNSUPPORTED_CPU;
    }
    if (candidate.cpu_level > level) {
      if (!isa)
        continue;
      error << wanted.isaFrom << ": '" << isa << "' was requested, this processor has "
            << symc_cpu_level_name(int32_t(level));
      return SYMC_STATUS_UNSUPPORTED_CPU;
    }
    if (!elsewhere && !symc_cpu_permits(int32_t(candidate.cpu_level))) {
      refused = true;
      if (!isa)
        continue;
      error << wanted.isaFrom << ": '" << isa
            << "' was requested, the system refuses its registers to this process";
      return SYMC_STATUS_UNSUPPORTED_CPU;
    }
    if (!elsewhere && device.ordinal > 0) {
      error << wanted.deviceFrom << ": '" << device.text
            << "' was requested, a machine is one device of that kind, " << device_name(candidate)
            << ":0";
      return SYMC_STATUS_BAD_ORDINAL;
    }
    bool mayFail = elsewhere && !requested && has_code_for_cpu(model);
    if (mayFail && !opens)
      continue;
    chosen = {&candidate, functions, work, ordinal};
    char why[512] = "";
    status = opens ? open(chosen, why, sizeof why) : SYMC_STATUS_OK;
    if (status == SYMC_STATUS_OK)
      return status;
    if (mayFail && (status == SYMC_STATUS_NO_DRIVER || status == SYMC_STATUS_NO_DEVICE))
      continue;
    error << (why[0] ? why : symc_status_message(status));
    return status;
  }
  if (!found) {
    error << wanted.deviceFrom << ": '" << device.text << "' was requested, the file has code for ";
    list_devices(model, error);
    return SYMC_STATUS_NO_CODE;
  }
  if (isa) {
    error << wanted.isaFrom << ": '" << isa << "' was requested, the file has ";
    list_variants(model, error);
    return SYMC_STATUS_BAD_ISA;
  }
  error << "the code needs ";
  list_variants(model, error);
  error << ", this processor has " << symc_cpu_level_name(int32_t(level));
  if (refused)
    error << ", whose registers the system refuses to this process";
  return SYMC_STATUS_UNSUPPORTED_CPU;
}

symc_status choose_variant(const symc_model &model, const Wanted &wanted, Text &error,
                           Chosen &chosen) {
  return choose(model, wanted, /*opens=*/false, error, chosen);
}

symc_status open_variant(const symc_model &model, const Wanted &wanted, Text &error,
                         Chosen &chosen) {
  return choose(model, wanted, /*opens=*/true, error, chosen);
}

void close_variant(const Chosen &chosen) {
  const symc_variant &variant = *chosen.variant;
  if (variant.device != SYMC_DEVICE_CPU && chosen.device->close)
    chosen.device->close(chosen.ordinal, variant.programs, variant.n_programs);
}

} // namespace symc
