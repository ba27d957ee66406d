// NumberText.cpp: see NumberText.h.
#include "ir/NumberText.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

std::string symc::sg::numberText(double value) {
  if (std::isnan(value))
    return "nan";
  char text[40];
  for (int digits = 6; digits <= 17; ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value)
      break;
  }
  return text;
}
