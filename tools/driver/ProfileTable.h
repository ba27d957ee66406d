// ProfileTable.h: the times of a run's steps by node, largest first: the table of symc-run
// --profile, of symc_profile_table in C and C++, and of Python.
#ifndef SYMC_TOOLS_DRIVER_PROFILETABLE_H
#define SYMC_TOOLS_DRIVER_PROFILETABLE_H

#include "tools/driver/Steps.h"

namespace symc {

/// What computes a node, or several that are one: its steps, and the fills and copies that serve
/// them.
struct ProfileRow {
  std::string nodes;
  std::string kernel;                 // of the step that took longest
  std::string why;                    // the reason for it
  double milliseconds = 0, least = 0; // `least`: what the machine would allow; 0 if unknown
  int64_t flops = 0, bytes = 0;       // 0 if unknown
  int64_t steps = 0;
};

/// The rows of steps and their times, largest first; after `top` of them (0: all) one for the
/// others together. `least`: of each step, or none.
std::vector<ProfileRow> profileRows(llvm::ArrayRef<StepDescription> steps,
                                    llvm::ArrayRef<double> milliseconds, size_t top,
                                    llvm::ArrayRef<double> least = {});

/// The rows as a table, with a line of headings and one of sums.
std::string profileTable(llvm::ArrayRef<ProfileRow> rows);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_PROFILETABLE_H
