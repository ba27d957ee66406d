// Messages.cpp: see Messages.h.
#include "tools/driver/Messages.h"

#include "codegen/kernel/StepInterfaces.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace symc;

// The file position inside a location: of the node, or of the last fused node.
static FileLineColLoc findPosition(Location location) {
  if (auto file = dyn_cast<FileLineColLoc>(location))
    return file;
  if (auto name = dyn_cast<NameLoc>(location))
    return findPosition(name.getChildLoc());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : llvm::reverse(fused.getLocations()))
      if (FileLineColLoc found = findPosition(part))
        return found;
  return {};
}

std::unique_ptr<ScopedDiagnosticHandler>
symc::forwardDiagnostics(MLIRContext &context, Diagnostics &diagnostics, StringRef file) {
  std::string fallback = file.str();
  return std::make_unique<ScopedDiagnosticHandler>(
      &context, [&diagnostics, fallback](mlir::Diagnostic &message) {
        auto place = [&](Location location) -> std::pair<std::string, SourcePos> {
          if (FileLineColLoc found = findPosition(location))
            return {found.getFilename().str(), SourcePos{found.getLine(), found.getColumn(), 0}};
          return {fallback, SourcePos{}};
        };
        auto [path, position] = place(message.getLocation());
        if (message.getSeverity() == DiagnosticSeverity::Remark)
          return success();
        symc::Diagnostic &mine = message.getSeverity() == DiagnosticSeverity::Error
                                     ? diagnostics.error(path, position, message.str())
                                     : diagnostics.warning(path, position, message.str());
        mine.node = kernel::nodesOf(message.getLocation());
        for (mlir::Diagnostic &note : message.getNotes())
          mine.note(place(note.getLocation()).second, note.str());
        return success();
      });
}

namespace {

/// One line for each remark. What a remark inserts as text follows one another;
/// other arguments (metrics) are `key=value`.
class RemarkLines : public remark::detail::MLIRRemarkStreamerBase {
public:
  RemarkLines(StringRef file, std::function<void(const RemarkText &)> notify)
      : file(file), notify(std::move(notify)) {}

  void streamOptimizationRemark(const remark::detail::Remark &message) override {
    RemarkText text{message.getRemarkType() == llvm::remarks::Type::Passed,
                    file,
                    kernel::nodesOf(message.getLocation()),
                    file,
                    {},
                    ""};
    if (FileLineColLoc found = findPosition(message.getLocation())) {
      text.file = found.getFilename().str();
      text.pos = {found.getLine(), found.getColumn(), 0};
      text.line =
          text.file + ":" + std::to_string(text.pos.line) + ":" + std::to_string(text.pos.column);
    }
    llvm::raw_string_ostream os(text.message);
    os << message.getRemarkTypeString().lower() << ":";
    for (const remark::detail::Remark::Arg &part : message.getArgs())
      os << " " << (part.key == "Remark" ? "" : part.key + "=") << part.val;
    os << " [" << message.getCategoryName() << "]";
    text.line += ": remark: " + text.message;
    notify(text);
  }

private:
  std::string file;
  std::function<void(const RemarkText &)> notify;
};

} // namespace

void symc::forwardRemarks(MLIRContext &context, RemarkKinds kinds, StringRef file,
                          std::function<void(const RemarkText &)> notify) {
  remark::RemarkCategories categories;
  if (kinds.passed)
    categories.passed = ".*";
  if (kinds.missed)
    categories.missed = ".*";
  (void)remark::enableOptimizationRemarks(
      context, std::make_unique<RemarkLines>(file, std::move(notify)),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories);
}
