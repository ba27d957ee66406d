// shared_rows.cpp: which rows of a batch that processes share a context has. A run's frame, and the
// copies that loops make of it for their bodies, have no place for them: a frame is known by the
// buffer for its sentence, which is its context's.
#include "../core/shared_rows.h"
#include "training.h"

using namespace symc;

namespace {
Training *sharing; // trainings that share rows
char busy;         // 1 while a thread walks or changes the list

struct Walk {
  Walk() {
    while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE)) {
    }
  }
  ~Walk() { __atomic_clear(&busy, __ATOMIC_RELEASE); }
};
} // namespace

int64_t symc_shared_rows(const symc_frame *frame, int64_t *first_row) {
  Walk walk;
  for (Training *one = sharing; one; one = one->nextSharing)
    if (one->sharingError == frame->error) {
      *first_row = one->firstRow;
      return one->rows;
    }
  return 0;
}

void symc::forget_rows(Training &training) {
  Walk walk;
  for (Training **at = &sharing; *at; at = &(*at)->nextSharing)
    if (*at == &training) {
      *at = training.nextSharing;
      return;
    }
}

symc_status symc_share_rows(symc_context *context, int64_t rows, int64_t first_row) {
  Training *training = training_of(context);
  if (!training)
    return context ? SYMC_STATUS_NO_TRAINING : SYMC_STATUS_BAD_ARGUMENT;
  if (rows < 0 || first_row < 0) {
    Text(context->error, sizeof context->error)
        << "rows and first_row are at least 0, got " << rows << " and " << first_row;
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  forget_rows(*training);
  if (!rows)
    return SYMC_STATUS_OK;
  Walk walk;
  training->rows = rows;
  training->firstRow = first_row;
  training->sharingError = context->frame.error;
  training->nextSharing = sharing;
  sharing = training;
  return SYMC_STATUS_OK;
}
