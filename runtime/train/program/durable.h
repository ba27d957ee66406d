// durable.h: files that are whole and on the disk, or as they were before, also where the machine
// stops.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_DURABLE_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_DURABLE_H

#include "../../main/files.h"

namespace symc::train {

// Writes `path`.part, has the disk keep it, renames it and has the disk keep the folder; makes
// missing folders. A write that fails removes its .part file; one that was interrupted leaves it to
// the next.
bool write_durably(const char *path, const void *data, size_t bytes, Problem &problem);

} // namespace symc::train
#endif
