// NumberText.h: a number as messages write it.
#ifndef SYMC_IR_NUMBERTEXT_H
#define SYMC_IR_NUMBERTEXT_H

#include <string>

namespace symc::sg {

/// The shortest text that reads back exactly; `inf`, `-inf` and `nan`.
std::string numberText(double value);

} // namespace symc::sg

#endif // SYMC_IR_NUMBERTEXT_H
