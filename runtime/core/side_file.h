// side_file.h: a model's weights in a file beside it.
#ifndef SYMC_RUNTIME_CORE_SIDE_FILE_H
#define SYMC_RUNTIME_CORE_SIDE_FILE_H

#include "context.h"

namespace symc {

// Finds the file as the options, the environment and the model specify, and reads or maps it. On
// failure writes a sentence and leaves nothing open.
symc_status open_side_file(const symc_model &model, const symc_options &options, Text &error,
                           Weights &weights);
// Gives back the mapping, or this user's part of the copy that contexts share.
void close_side_file(Weights &weights);

} // namespace symc
#endif
