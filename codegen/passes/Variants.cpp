// Variants.cpp: see Variants.h.
#include "codegen/passes/Variants.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

void symc::codegen::addVariant(ModuleOp to, const std::string &symbol, StringRef target,
                               StringRef math, ArrayRef<kernel::ProgramOp> programs) {
  OpBuilder builder = OpBuilder::atBlockEnd(to.getBody());
  Location location = kernel::ProgramOp(programs.back()).getLoc();
  auto variant = kernel::VariantOp::create(builder, location, symbol, target, math);
  builder.setInsertionPointToEnd(&variant.getBody().emplaceBlock());
  for (kernel::ProgramOp program : programs)
    builder.clone(*program);
}
