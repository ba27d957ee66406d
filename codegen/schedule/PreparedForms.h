// PreparedForms.h: the names and places of prepared weights, and further forms of weights
// that a schedule has packed as panels. A form that is asked for is packed in
// @prepare_program beside the panels; panels that nobody reads any more are gone after
// finish().
#ifndef SYMC_CODEGEN_SCHEDULE_PREPAREDFORMS_H
#define SYMC_CODEGEN_SCHEDULE_PREPAREDFORMS_H

#include "codegen/kernel/KernelDialect.h"
#include "codegen/target/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

namespace symc::codegen {

/// ".panels", ".strassen": what tells the forms of one weight apart in the names of
/// kernel.prepared.
std::string suffixOf(kernel::FormAttr form);

/// The name of a weight in another form than the panels of that name.
std::string nameIn(kernel::FormAttr form, llvm::StringRef panels);

/// Gives the prepared weights of a module their places, one behind the other. Fails, with an
/// error, where they take more bytes than there may be.
mlir::LogicalResult placePrepared(mlir::ModuleOp module);

/// Makes weights [O, I, kH, kW] what a step of an algorithm of convolutions reads. Of a form that
/// is no algorithm's it makes nothing, which the check of plans finds: P3, P8.
void packForm(kernel::FormAttr form, mlir::Value source, mlir::Value target,
              mlir::OpBuilder &builder, mlir::Location location);

class PreparedForms {
public:
  /// Of modules of one net, the first of which prepares the weights for all.
  PreparedForms(llvm::ArrayRef<mlir::ModuleOp> modules, const Target &target)
      : modules(modules), target(target) {}

  /// The weight whose panels `panels` reads, in another form.
  mlir::Value request(kernel::WeightOp panels, kernel::FormAttr form, mlir::MemRefType type,
                      mlir::OpBuilder &builder);
  /// Packs what was asked for and drops what is read no more; weights that the first
  /// instruction set does not read lie behind all others. Fails as placePrepared does.
  mlir::LogicalResult finish();

private:
  struct Request {
    std::string panels, symbol;
    kernel::FormAttr form;
    mlir::MemRefType type;
  };
  void pack(const Request &request, kernel::PackPanelsOp panels, kernel::PreparedOp place);

  llvm::ArrayRef<mlir::ModuleOp> modules;
  const Target &target;
  llvm::SmallVector<Request> requests; // in the order of first use
  llvm::StringSet<> requested;         // their symbols
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_PREPAREDFORMS_H
