/* A library with every name of a model 'net', made for an ABI version that there never was. */
#include "symc/abi.h"

const symc_model net_model = {.magic = SYMC_MODEL_MAGIC, .abi_version = 999};
int net_create, net_destroy, net_run, net_last_error, net_infer_outputs, net_run_extents;
int net_get_state, net_set_state, net_reset_state, net_set_parameters, net_status_message;
int net_pool_create, net_pool_destroy, net_set_seed;
