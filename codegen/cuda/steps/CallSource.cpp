// CallSource.cpp: kernel.call: the runtime's reference kernel, compiled for the device, on the
// threads that its loops are made for (runtime/kernels/reference/threads.h). A kernel that states
// nothing of them runs on one thread: slow, and right. Those without a kernel are HostSteps.cpp's.
#include "codegen/cuda/CudaStep.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace symc::codegen::cuda {

namespace {

class CallSource {
public:
  CallSource(kernel::CallOp op, KernelWriter &writer) : op(op), w(writer) {}
  LogicalResult write();

private:
  /// Declares an array of tensors; its name, or "nullptr".
  FailureOr<std::string> tensors(ValueRange operands, ArrayRef<int64_t> dtypes, StringRef name);
  /// As many threads as the largest output has elements: no kernel has more parts than that.
  std::string parameters();
  void launch(KernelThreads threads);

  kernel::CallOp op;
  KernelWriter &w;
  int64_t largestOutput = 1; // elements
};

} // namespace

static std::string bitsOf(double value) {
  return "0x" + llvm::utohexstr(llvm::bit_cast<uint64_t>(value)) + "ull";
}

static std::string number(int64_t value) {
  return value == INT64_MIN ? std::string("INT64_MIN") : std::to_string(value) + "ll";
}

FailureOr<std::string> CallSource::tensors(ValueRange operands, ArrayRef<int64_t> dtypes,
                                           StringRef name) {
  if (operands.empty())
    return std::string("nullptr");
  SmallVector<std::string> rows;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    std::string pointer = (name.drop_back() + Twine(i)).str();
    FailureOr<View> view = w.view(operand, pointer);
    if (failed(view))
      return failure();
    std::string extents = pointer + "_extents", list;
    if (name == "outs")
      largestOutput = std::max(largestOutput, w.largest(w.count(view->sizes)));
    for (AffineExpr size : view->sizes)
      list += (list.empty() ? "" : ", ") + w.size(size);
    w.line("const int64_t " + extents + "[] = {" + (list.empty() ? "0" : list) + "};");
    rows.push_back("{(void *)" + pointer + ", " + extents + ", " +
                   std::to_string(view->sizes.size()) + ", " + std::to_string(dtypes[i]) +
                   ", 0, 0}");
  }
  w.line("const symc_tensor " + name + "[] = {" + llvm::join(rows, ", ") + "};");
  return name.str();
}

// The slots of symc_<op>_params, 8 bytes each; a list takes two, its length and its place.
std::string CallSource::parameters() {
  SmallVector<std::string> slots;
  auto place = [&](const Twine &type, const std::string &values) {
    std::string name = w.fresh("list");
    w.line("const " + type + " " + name + "[] = {" + values + "};");
    slots.push_back("(uint64_t)" + name);
  };
  auto list = [&](const Twine &type, auto values, auto text) {
    slots.push_back(std::to_string(values.size()));
    SmallVector<std::string> all = llvm::map_to_vector(values, text);
    if (all.empty())
      slots.push_back("0");
    else
      place(type, llvm::join(all, ", "));
  };
  for (Attribute param : op.getParams()) {
    if (auto integer = dyn_cast<IntegerAttr>(param)) {
      bool isUnsigned = integer.getType().isUnsignedInteger();
      slots.push_back("(uint64_t)" + number(isUnsigned ? int64_t(integer.getUInt())
                                                       : integer.getValue().getSExtValue()));
    } else if (auto real = dyn_cast<FloatAttr>(param)) {
      slots.push_back(bitsOf(real.getValueAsDouble()));
    } else if (auto integers = dyn_cast<DenseI64ArrayAttr>(param)) {
      list("int64_t", integers.asArrayRef(), number);
    } else if (auto reals = dyn_cast<DenseF64ArrayAttr>(param)) {
      list("uint64_t", reals.asArrayRef(), bitsOf);
    } else {
      std::string text;
      for (char c : cast<StringAttr>(param).getValue())
        text += std::to_string(int(c)) + ", ";
      place("char", text + "0");
    }
  }
  if (slots.empty())
    return "nullptr";
  w.line("const uint64_t params[] = {" + llvm::join(slots, ", ") + "};");
  return "params";
}

void CallSource::launch(KernelThreads threads) {
  // kMostBlockThreads of threads.h: no kernel works with more.
  constexpr int64_t blockThreads = 256, mostBlocks = 4096, mostRowBlocks = 1024;
  switch (threads) {
  case KernelThreads::One:
    remark::missed(op.getLoc(), remark::RemarkOpts::name("one-thread").category("cuda"))
        << ("node '" + kernel::nodesOf(op.getLoc()) +
            "' runs on one thread of the device: its kernel " + op.getSymbol() +
            " has no parallel form")
               .str();
    return w.grid(1, 1, 1, 1);
  case KernelThreads::Grid:
    return w.grid(std::min<int64_t>(mostBlocks, llvm::divideCeil(largestOutput, blockThreads)), 1,
                  1, blockThreads);
  case KernelThreads::Blocks:
    return w.grid(std::min(mostRowBlocks, largestOutput), 1, 1, blockThreads);
  case KernelThreads::Block:
    return w.grid(1, 1, 1, blockThreads);
  }
}

LogicalResult CallSource::write() {
  std::optional<ReferenceKernel> reference = w.needReference(op.getOp()); // whyNoKernel has looked
  size_t inputs = op.getIns().size();
  FailureOr<std::string> ins = tensors(op.getIns(), op.getDtypes(), "ins"),
                         outs = tensors(op.getOuts(), op.getDtypes().drop_front(inputs), "outs");
  if (failed(ins) || failed(outs))
    return failure();
  std::string scratch = "nullptr";
  if (op.getScratch()) {
    FailureOr<View> view = w.view(op.getScratch(), "scratch");
    if (failed(view))
      return failure();
    scratch = view->pointer;
  }
  std::string params = parameters(), stream = "0";
  w.line("symc_frame frame = {};");
  if (op.getStream()) {
    stream = std::to_string(*op.getStream());
    w.line("frame.seed = " + w.seed() + ";");
    w.line("frame.iteration = " + w.iteration() + ";");
  }
  w.line("const symc_kernel_args args = {" + *ins + ", " + *outs + ", " + params + ", " + scratch +
         ", " + std::to_string(op.getScratchBytes()) + ", " + std::to_string(inputs) + ", " +
         std::to_string(op.getOuts().size()) + ", &frame, nullptr, " + stream + "};");
  w.line("if (const int code = of_" + reference->file + "::" + op.getSymbol() + "(&args))");
  w.line("  atomicCAS(" + w.status() + ", 0ull, " + w.launchNumber() + " << 32 | code);");
  launch(reference->threads);
  return success();
}

static LogicalResult writeCall(kernel::CallOp op, KernelWriter &writer) {
  return CallSource(op, writer).write();
}

void registerCallSource(DialectRegistry &registry) {
  addSource<kernel::CallOp, writeCall>(registry);
}

} // namespace symc::codegen::cuda
