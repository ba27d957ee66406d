// train_momentum.c: a momentum for a trainer that was compiled without one, and the gradient of a
// frozen parameter.
#include "net.h"

#include <stdio.h>

int main(void) {
  symc_context *context;
  if (net_create(NULL, &context))
    return 1;
  int32_t status = net_set_hyper(context, "momentum", 0.9);
  printf("%s: %s\n", net_status_name(status) + 12, net_last_error(context));
  float bias[2];
  status = net_get_gradient(context, "fc2_bias", bias, sizeof bias);
  printf("%s: %s\n", net_status_name(status) + 12, net_last_error(context));
  net_destroy(context);
  return 0;
}
