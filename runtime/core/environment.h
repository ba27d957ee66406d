// environment.h: the one place where the runtime reads environment variables.
#ifndef SYMC_RUNTIME_CORE_ENVIRONMENT_H
#define SYMC_RUNTIME_CORE_ENVIRONMENT_H

namespace symc {

enum class Variable {
#define SYMC_VARIABLE(name, values, meaning) name,
#include "environment.def"
#undef SYMC_VARIABLE
};

// The variable's value; NULL where it is unset or empty.
const char *environment(Variable variable);

} // namespace symc
#endif
