// initializer_options.h: an initialiser as text, "xavier,magnitude=2" or as MXNet writes it,
// ["xavier", {"magnitude": 2}]; initializers.def has the names.
#ifndef SYMC_RUNTIME_TRAIN_OPTIONS_INITIALIZER_OPTIONS_H
#define SYMC_RUNTIME_TRAIN_OPTIONS_INITIALIZER_OPTIONS_H

#include "option_text.h"

namespace symc {

enum class Initial {
#define SYMC_INITIALIZER(id, meaning) id,
#include "symc/initializers.def"
  count
};

struct InitializerChoice {
  Initial kind;
  double values[8];    // of its options, in the order of initializers.def
  choices::Piece list; // of constant, the array in the place of a number; else empty
  char inner[512];     // of fusedrnn, the initialiser of layers as text; else empty
};

// False with a sentence. The text must outlive the choice.
bool parse_initializer(const char *text, InitializerChoice &choice, char *error,
                       size_t error_bytes);

} // namespace symc
#endif
