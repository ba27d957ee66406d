// GraphDialect.cpp: registration of the sg dialect and the structure
// operations' printing, parsing and folding. Families are registered in Families.cpp.
#include "ir/GraphDialect.h"
#include "ir/Clips.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace symc::sg;

#include "ir/GraphDialect.cpp.inc"
#include "ir/GraphInterfaces.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/GraphTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/GraphAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "ir/GraphOps.cpp.inc"

void SGDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/GraphTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/GraphAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/GraphOps.cpp.inc"
      >();
  addFamilies();
}

ParseResult GraphOp::parse(OpAsmParser &parser, OperationState &result) {
  auto build = [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
                  function_interface_impl::VariadicFlag,
                  std::string &) { return builder.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), build,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void GraphOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false,
                                           getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                           getResAttrsAttrName());
}

LogicalResult GraphOp::verify() {
  ArrayRef<int64_t> least = getDimMin().value_or(ArrayRef<int64_t>());
  ArrayRef<int64_t> most = getDimMax().value_or(ArrayRef<int64_t>());
  if (least.size() != most.size())
    return emitOpError("has ") << least.size() << " minima and " << most.size()
                               << " maxima of symbolic sizes";
  for (size_t i = 0; i < least.size(); ++i)
    if (least[i] > most[i])
      return emitOpError("has a symbolic size s") << i << " from " << least[i] << " to " << most[i];
  if (Attribute clips = (*this)->getAttr(clipsOfGraph))
    if (std::string mistake = badClips(clips, most.size()); !mistake.empty())
      return emitOpError() << mistake;
  return success();
}

StringRef GraphOp::getInputName(unsigned i) {
  auto name = getArgAttrOfType<StringAttr>(i, "sg.name");
  return name ? name.getValue() : StringRef();
}

StringRef GraphOp::getOutputName(unsigned i) {
  auto name = getResultAttrOfType<StringAttr>(i, "sg.name");
  return name ? name.getValue() : StringRef();
}

void GraphOp::updateType() {
  Block &block = getBlock();
  setFunctionType(FunctionType::get(getContext(), block.getArgumentTypes(),
                                    block.getTerminator()->getOperandTypes()));
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }
