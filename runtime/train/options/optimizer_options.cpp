// optimizer_options.cpp: see symc/optimizer_options.h. The table of the .def file is taken apart
// when this is compiled.
#include "symc/optimizer_options.h"
#include "option_rows.h"

#include <string.h>

using namespace symc::choices;

namespace {

enum Decay { ByWeight, ByWeightAndGamma };
enum OptimizerNumber {
#define SYMC_OPTIMIZER(id, rate, decay, meaning) number_of_##id,
#include "symc/optimizers.def"
  optimizer_count
};

struct Row {
  double rate;
  Decay decay;
};
constexpr Row rows[] = {
#define SYMC_OPTIMIZER(id, rate, decay, meaning) {rate, decay},
#include "symc/optimizers.def"
};

constexpr const char *names[] = {
#define SYMC_OPTIMIZER(id, rate, decay, meaning) #id,
#include "symc/optimizers.def"
};
constexpr Note aliases[] = {
#define SYMC_OPTIMIZER_ALIAS(id, name) {#id, #name, nullptr},
#include "symc/optimizers.def"
};
constexpr Note words[] = {
#define SYMC_HYPER_WORDS(id, name, words) {#id, #name, words},
#include "symc/optimizers.def"
};
constexpr Note wholes[] = {
#define SYMC_HYPER_WHOLE(id, name) {#id, #name, nullptr},
#include "symc/optimizers.def"
};
constexpr OwnOption owned[] = {
#define SYMC_HYPER(id, name, value, least, most, meaning)                                          \
  own_option(words, wholes, #id, #name, value, least, most, #least " to " #most),
#include "symc/optimizers.def"
};
constexpr auto gathered = gather(names, aliases, owned);
constexpr auto linked = link(gathered);

// What every optimizer has; the rate's default is its own.
constexpr Option shared[] = {
    {"learning_rate", "lr", Form::Number, 0, 0, 1e30, "0 to 1e30", nullptr},
    {"wd", "weight_decay", Form::Number, 0, 0, 1e30, "0 to 1e30", nullptr},
    {"rescale_grad", nullptr, Form::Number, 1, -1e30, 1e30, "-1e30 to 1e30", nullptr},
    {"clip_gradient", nullptr, Form::Optional, -1, 0, 1e30, "0 to 1e30", nullptr},
};

constexpr char ignored[] =
#define SYMC_HYPER_IGNORED(name) "," #name
#include "symc/optimizers.def"
    ;
constexpr Table table = {
    "optimizer", linked.kinds, optimizer_count, shared, sizeof shared / sizeof *shared,
    ignored + 1};

bool ends_in(const char *name, const char *end) {
  size_t length = strlen(name), n = strlen(end);
  return length >= n && !strcmp(name + length - n, end);
}
bool is_number(int32_t optimizer) { return optimizer >= 0 && optimizer < optimizer_count; }

} // namespace

namespace symc {

bool parse_optimizer(const char *text, OptimizerChoice &choice, char *error, size_t error_bytes) {
  Sentence sentence(error, error_bytes);
  choice = {};
  Parsed parsed = {0, 0, choice.values, kMostOptimizerValues};
  if (!parse(table, text, parsed, sentence))
    return false;
  choice.optimizer = parsed.kind;
  choice.n_values = table.option_count(parsed.kind);
  choice.given = parsed.given;
  if (!(parsed.given & 1))
    choice.values[0] = rows[parsed.kind].rate;
  return true;
}

const char *optimizer_name(int32_t optimizer) {
  return is_number(optimizer) ? names[optimizer] : nullptr;
}

const char *optimizer_value_name(int32_t optimizer, int32_t i) {
  return is_number(optimizer) && i >= 0 && i < table.option_count(optimizer)
             ? table.option(optimizer, i).name
             : nullptr;
}

int32_t find_optimizer_value(int32_t optimizer, const char *name) {
  return is_number(optimizer) ? table.find_option(optimizer, {name, strlen(name)}, nullptr) : -1;
}

double optimizer_decays(int32_t optimizer, const char *parameter) {
  return ends_in(parameter, "_weight") ||
         (rows[optimizer].decay == ByWeightAndGamma && ends_in(parameter, "_gamma"));
}

bool optimizer_takes(int32_t optimizer, const char *parameter, const int64_t *shape, int32_t rank,
                     double decay, char *error, size_t error_bytes) {
  Sentence sentence(error, error_bytes);
  if (optimizer != number_of_groupadagrad)
    return true;
  if (rank != 2) {
    sentence << "optimizer 'groupadagrad' updates matrices, parameter '" << parameter
             << "' has shape [";
    for (int32_t i = 0; i < rank; ++i)
      sentence << (i ? ", " : "") << shape[i];
    sentence << "]";
    return false;
  }
  if (decay != 0)
    sentence << "optimizer 'groupadagrad' has no weight decay, parameter '" << parameter
             << "' has one; __wd_mult__ = 0 leaves it out";
  return decay == 0;
}

} // namespace symc
