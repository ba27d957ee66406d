//===- QuotedError.h - inputs whose messages say "internal error" themselves ---===//
#ifndef SYMC_TEST_FUZZ_QUOTEDERROR_H
#define SYMC_TEST_FUZZ_QUOTEDERROR_H

#include <string>

// Whether a message that quotes the input holds the words of an internal error; messages show
// control characters as spaces.
inline bool quotesInternalError(std::string input) {
  for (char &byte : input)
    if (static_cast<unsigned char>(byte) < ' ')
      byte = ' ';
  return input.find("internal error") != std::string::npos;
}

#endif // SYMC_TEST_FUZZ_QUOTEDERROR_H
