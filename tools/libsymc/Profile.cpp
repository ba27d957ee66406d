// Profile.cpp: the times of a model's steps by node, as symc-run prints them and as JSON.
#include "Library.h"
#include "tools/driver/ProfileTable.h"
#include "llvm/Support/JSON.h"

using namespace symc;
using namespace symc::library;

// Calls `write` with the rows and a stream to the text that is given back.
static int give(const char *steps, const char *isa, size_t count, const double *milliseconds,
                size_t top, const char **text, llvm::StringRef name,
                llvm::function_ref<void(llvm::ArrayRef<ProfileRow>, llvm::raw_ostream &)> write) {
  if (!steps || !isa || (!milliseconds && count) || !text)
    return failNull(!steps ? "steps" : !isa ? "isa" : !text ? name : "milliseconds");
  if (checkCount(count, "steps"))
    return -1;
  std::vector<ProfileRow> rows =
      profileRows(readSteps(steps, isa), llvm::ArrayRef(milliseconds, count), top);
  Returned &back = returned();
  back.text.clear();
  llvm::raw_string_ostream os(back.text);
  write(rows, os);
  *text = back.text.c_str();
  return 0;
}

extern "C" int symc_profile_table(const char *steps, const char *isa, size_t count,
                                  const double *milliseconds, size_t top, const char **table) {
  return give(
      steps, isa, count, milliseconds, top, table, "table",
      [](llvm::ArrayRef<ProfileRow> rows, llvm::raw_ostream &os) { os << profileTable(rows); });
}

extern "C" int symc_profile_rows(const char *steps, const char *isa, size_t count,
                                 const double *milliseconds, size_t top, const char **json) {
  return give(steps, isa, count, milliseconds, top, json, "json",
              [](llvm::ArrayRef<ProfileRow> rows, llvm::raw_ostream &os) {
                llvm::json::OStream out(os);
                out.array([&] {
                  for (const ProfileRow &row : rows)
                    out.object([&] {
                      out.attribute("node", row.nodes);
                      out.attribute("kernel", row.kernel);
                      out.attribute("milliseconds", row.milliseconds);
                      out.attribute("flops", row.flops);
                      out.attribute("bytes", row.bytes);
                      out.attribute("steps", row.steps);
                    });
                });
              });
}
