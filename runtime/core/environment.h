// environment.h: the one place where the runtime reads environment variables.
#ifndef SYMC_RUNTIME_CORE_ENVIRONMENT_H
#define SYMC_RUNTIME_CORE_ENVIRONMENT_H

#include "text.h"

namespace symc {

enum class Variable {
#define SYMC_VARIABLE(name, values, meaning) name,
#include "environment.def"
#undef SYMC_VARIABLE
};

// The variable's value; NULL where it is unset or empty.
const char *environment(Variable variable);

// The value of a variable of others, MXNet's; NULL where it is unset or empty.
const char *environment(const char *name);

// BAD_ARGUMENT with a sentence where a variable whose values are 0 and 1 has another.
symc_status check_switches(Text &error);

} // namespace symc
#endif
