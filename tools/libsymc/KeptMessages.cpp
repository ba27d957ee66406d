// KeptMessages.cpp: see KeptMessages.h.
#include "KeptMessages.h"

using namespace symc;
using namespace symc::library;

// Messages of the importer name their node in their text alone: "... node 'conv0' ...".
static std::string nodeNamedBy(llvm::StringRef message) {
  constexpr llvm::StringLiteral before = "node '";
  size_t at = message.find(before);
  if (at == llvm::StringRef::npos)
    return "";
  llvm::StringRef rest = message.drop_front(at + before.size());
  size_t end = rest.find('\'');
  return end == llvm::StringRef::npos ? "" : rest.take_front(end).str();
}

symc_diagnostic KeptMessages::structOf(symc_severity severity, const std::string &file,
                                       SourcePos pos, const std::string &node,
                                       const std::string &message) {
  return {severity, pos.line, pos.line ? pos.column : 0, keep(file), keep(node), keep(message),
          0,        nullptr};
}

void KeptMessages::add(symc_severity severity, const std::string &message,
                       const std::string &note) {
  symc_diagnostic kept = structOf(severity, "", {}, nodeNamedBy(message), message);
  if (!note.empty()) {
    notes.push_back({structOf(SYMC_SEVERITY_NOTE, "", {}, "", note)});
    kept.note_count = 1;
    kept.notes = notes.back().data();
  }
  all.push_back(kept);
}

void KeptMessages::add(const RemarkText &remark) {
  all.push_back(
      structOf(SYMC_SEVERITY_REMARK, remark.file, remark.pos, remark.nodes, remark.message));
}

void KeptMessages::add(const Diagnostics &diagnostics) {
  for (const Diagnostic &one : diagnostics.all()) {
    symc_diagnostic kept = structOf(
        one.severity == Diagnostic::Severity::Error ? SYMC_SEVERITY_ERROR : SYMC_SEVERITY_WARNING,
        one.file, one.pos, one.node.empty() ? nodeNamedBy(one.message) : one.node, one.message);
    std::vector<symc_diagnostic> &list = notes.emplace_back();
    for (const Diagnostic &note : one.notes)
      list.push_back(structOf(SYMC_SEVERITY_NOTE, note.file, note.pos, "", note.message));
    kept.note_count = list.size();
    kept.notes = list.data();
    all.push_back(kept);
  }
}
