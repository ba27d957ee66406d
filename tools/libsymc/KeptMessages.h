// KeptMessages.h: what a compilation reported, as symc.h's structs.
#ifndef SYMC_TOOLS_LIBSYMC_KEPTMESSAGES_H
#define SYMC_TOOLS_LIBSYMC_KEPTMESSAGES_H

#include "symc/symc.h"
#include "tools/driver/Compiler.h"
#include <deque>

namespace symc::library {

class KeptMessages {
public:
  /// Of the options, or of symc itself.
  void add(symc_severity severity, const std::string &message, const std::string &note);
  void add(const RemarkText &remark);
  void add(const Diagnostics &diagnostics);

  const std::vector<symc_diagnostic> &list() const { return all; }

private:
  const char *keep(std::string text) { return texts.emplace_back(std::move(text)).c_str(); }
  symc_diagnostic structOf(symc_severity severity, const std::string &file, SourcePos pos,
                           const std::string &node, const std::string &message);

  std::deque<std::string> texts;
  std::deque<std::vector<symc_diagnostic>> notes;
  std::vector<symc_diagnostic> all;
};

} // namespace symc::library

#endif // SYMC_TOOLS_LIBSYMC_KEPTMESSAGES_H
