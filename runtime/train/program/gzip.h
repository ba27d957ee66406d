// gzip.h: files that gzip has packed (RFC 1952), of one member.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_GZIP_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_GZIP_H

#include "../../main/files.h"

namespace symc::train {

bool is_gzip(const uint8_t *data, size_t bytes);
// Unpacks into `out`; checks size and checksum. `name` is the file's, for sentences.
bool gunzip(const char *name, const uint8_t *data, size_t bytes, Bytes &out, Problem &problem);

} // namespace symc::train
#endif
