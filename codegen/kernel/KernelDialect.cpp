// KernelDialect.cpp: registration of the kernel dialect and the verifier of programs.
// What a step verifies, and what its interfaces return, stands in a file of its own.
#include "codegen/kernel/KernelDialect.h"
#include "codegen/kernel/AttentionOps.h"
#include "codegen/kernel/DepthwiseBytes.h"
#include "codegen/kernel/Groups.h"
#include "codegen/kernel/RowsOps.h"
#include "codegen/kernel/ValueBuffers.h"
#include "ir/Clips.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace symc::kernel;

#include "codegen/kernel/KernelDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "codegen/kernel/KernelAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "codegen/kernel/KernelOps.cpp.inc"

void KernelDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "codegen/kernel/KernelOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "codegen/kernel/RowsOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "codegen/kernel/AttentionOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "codegen/kernel/KernelAttrs.cpp.inc"
      >();
}

// What a pass decides of a step stands in its declared attributes: a name with the dialect's prefix
// would be carried along, and read by some lowering, without anything that verifies it.
LogicalResult KernelDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == layoutsName) {
    auto layouts = dyn_cast<ArrayAttr>(attribute.getValue());
    size_t values = op->getNumResults();
    if (values == 0 && op->getNumRegions() == 1)
      values = op->getRegion(0).getNumArguments(); // of a graph
    if (!layouts || layouts.size() != values || !llvm::all_of(layouts, llvm::IsaPred<LayoutAttr>))
      return op->emitOpError(layoutsName)
             << " needs a #kernel.layout for each of " << values << " values";
    return success();
  }
  if (attribute.getName() == placesName) {
    auto places = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    if (!places || places.size() != int64_t(op->getNumOperands()) ||
        llvm::any_of(places.asArrayRef(), [](int64_t channel) { return channel < -1; }))
      return op->emitOpError(placesName)
             << " needs a channel or -1 for each of " << op->getNumOperands() << " operands";
    return success();
  }
  // A program verifies them itself: here its own attributes, by which sizes are counted, may
  // still be missing.
  if (attribute.getName() == sg::clipsOfProgram)
    return isa<ProgramOp>(op) ? success()
                              : LogicalResult(op->emitOpError("has clips, which a program has"));
  if (attribute.getName() == narrowName) {
    if (!isa<UnitAttr>(attribute.getValue()) || !isa<StepInterface>(op))
      return op->emitOpError(narrowName) << " is a unit attribute of a step";
    return success();
  }
  if (attribute.getName() == predictingName) {
    if (!isa<UnitAttr>(attribute.getValue()) || !isa<CopyOp>(op))
      return op->emitOpError(predictingName) << " is a unit attribute of kernel.copy";
    return success();
  }
  if (attribute.getName() == shiftedName) {
    if (!isa<UnitAttr>(attribute.getValue()) || !isa<DepthwiseOp>(op))
      return op->emitOpError(shiftedName) << " is a unit attribute of kernel.depthwise";
    return success();
  }
  if (attribute.getName() == groupsName) {
    auto numbers = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    if (!isa<ConvOp, PackPanelsOp>(op) || !numbers || numbers.size() != 2 || numbers[0] < 1 ||
        numbers[1] < 1)
      return op->emitOpError(groupsName)
             << " is a number of groups and one of parts, of a convolution or its weights";
    return success();
  }
  return op->emitOpError("has the attribute '")
         << attribute.getName().getValue() << "', which no operation declares";
}

// Sets over the program's sizes, each with its sentence.
static LogicalResult verifyConditions(ProgramOp program, unsigned sizes) {
  ArrayAttr sets = program.getConditionsAttr(), sentences = program.getSentencesAttr();
  size_t count = sets ? sets.size() : 0;
  if (count != (sentences ? sentences.size() : 0))
    return program.emitOpError("has ") << count << " conditions, but another number of sentences";
  for (size_t i = 0; i < count; ++i) {
    auto set = dyn_cast<IntegerSetAttr>(sets[i]);
    if (!set || set.getValue().getNumDims() || set.getValue().getNumSymbols() > sizes)
      return program.emitOpError("condition ")
             << i << " is no set over the " << sizes << " symbolic sizes";
  }
  return success();
}

// A part for each input and output, and one place where forward ends.
static LogicalResult verifyParts(ProgramOp program) {
  auto ends = program.getBody().front().getOps<ForwardEndOp>();
  size_t count = std::distance(ends.begin(), ends.end());
  if (!program.getParts() && count > 0)
    return program.emitOpError("ends forward, but has no parts");
  if (count > 1)
    return program.emitOpError("ends forward ") << count << " times";
  if (!program.getParts())
    return success();
  size_t arguments = program.getNumInputs() + program.getNumOutputs();
  if (program.getParts()->size() != arguments)
    return program.emitOpError("has ")
           << arguments << " inputs and outputs, but " << program.getParts()->size() << " parts";
  for (StringRef part : program.getParts()->getAsValueRange<StringAttr>())
    if (part != "forward" && part != "backward" && part != "both")
      return program.emitOpError("has the part '")
             << part << "', which is none of forward, backward and both";
  return success();
}

// Inputs, outputs, sizes; a range for each size, a shape for each output.
LogicalResult ProgramOp::verify() {
  Block &block = getBody().front();
  int64_t sizes =
      llvm::count_if(block.getArgumentTypes(), [](Type type) { return type.isIndex(); });
  int64_t expected = getNumInputs() + getNumOutputs() + sizes;
  if ((int64_t)block.getNumArguments() != expected)
    return emitOpError("has ") << block.getNumArguments() << " arguments, but its inputs, outputs "
                               << "and sizes are " << expected;
  if (!llvm::all_of(getSizes(), [](Value size) { return size.getType().isIndex(); }))
    return emitOpError("has a size in front of another argument; sizes are its last ones");
  int64_t low = getDimMin() ? getDimMin()->size() : 0, high = getDimMax() ? getDimMax()->size() : 0;
  if (low != sizes || high != sizes)
    return emitOpError("has ") << sizes << " symbolic sizes, but " << low << " minima and " << high
                               << " maxima";
  if (getOutputShapes() && (int64_t)getOutputShapes()->size() != (int64_t)getNumOutputs())
    return emitOpError("has ") << getNumOutputs() << " outputs, but " << getOutputShapes()->size()
                               << " shapes";
  if (getInputShapes() && (int64_t)getInputShapes()->size() != (int64_t)getNumInputs())
    return emitOpError("has ") << getNumInputs() << " inputs, but " << getInputShapes()->size()
                               << " shapes";
  if (Attribute clips = (*this)->getAttr(sg::clipsOfProgram))
    if (std::string mistake = sg::badClips(clips, sizes); !mistake.empty())
      return emitOpError() << mistake;
  if (failed(verifyParts(*this)))
    return failure();
  return verifyConditions(*this, sizes);
}

AffineMap ProgramOp::shapeOfArgument(int64_t number) {
  int64_t inputs = getNumInputs();
  std::optional<ArrayAttr> shapes = number < inputs ? getInputShapes() : getOutputShapes();
  size_t place = number < inputs ? number : number - inputs;
  if (!shapes || place >= shapes->size())
    return {};
  return cast<AffineMapAttr>((*shapes)[place]).getValue();
}

ForwardEndOp ProgramOp::getForwardEnd() {
  auto ends = getBody().front().getOps<ForwardEndOp>();
  return ends.empty() ? ForwardEndOp() : *ends.begin();
}

bool ProgramOp::isArgumentOf(Value value, StringRef part) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !getParts() || argument.getArgNumber() >= getParts()->size())
    return false;
  return cast<StringAttr>((*getParts())[argument.getArgNumber()]).getValue() == part;
}

ProgramOp VariantOp::getEntry() {
  ProgramOp entry;
  for (auto program : getBody().getOps<ProgramOp>())
    entry = program; // those that it calls come first
  return entry;
}

ModuleOp VariantOp::getFunctions() {
  auto modules = getBody().getOps<ModuleOp>();
  return modules.empty() ? ModuleOp() : *modules.begin();
}

SmallVector<ProgramOp> symc::kernel::mainPrograms(ModuleOp module) {
  SmallVector<ProgramOp> programs;
  for (auto variant : module.getOps<VariantOp>())
    if (ProgramOp entry = variant.getEntry(); entry.getSymName() == "main_program")
      programs.push_back(entry);
  if (auto shared = module.lookupSymbol<ProgramOp>("main_program"))
    programs.push_back(shared);
  return programs;
}

LogicalResult VariantOp::verify() {
  if (!getEntry())
    return emitOpError("needs a program");
  return success();
}
