// failure.cpp: what generated code adds to the failure of a step that called a kernel: the node's
// name. Kernels have the reasons, the code that calls them has the nodes.
#include "text.h"

using namespace symc;

void symc_name_failure(const symc_frame *frame, int32_t status, const char *node) {
  if (!frame->error || frame->error_bytes <= 0)
    return;
  char reason[512];
  Text copy(reason, sizeof reason);
  copy << (frame->error[0] ? frame->error : symc_status_message(status));
  Text(frame->error, size_t(frame->error_bytes)) << "node '" << node << "': " << reason;
}
