/* A library with every name of a model 'net', made for an ABI version that there never was. */
#include "symc/abi.h"

const symc_model net_model = {.magic = SYMC_MODEL_MAGIC, .abi_version = 999};
#define NAME(name) int net_##name;
NAME(create)
NAME(destroy) NAME(run) NAME(last_error) NAME(infer_outputs) NAME(run_extents) NAME(get_state)
    NAME(set_state) NAME(reset_state) NAME(set_parameters) NAME(status_message) NAME(pool_create)
        NAME(pool_destroy)
