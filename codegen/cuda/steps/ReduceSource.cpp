// ReduceSource.cpp: kernel.reduce in two ways.
//
// Rows whose elements lie side by side have a block each: thread t of T takes elements t, t + T
// ..., and the T parts are combined in halves through shared memory. Other rows lie side by side
// themselves: each has a thread, which adds blocks of 64 elements, then those. Neither order
// depends on the device.
#include "codegen/cuda/BodyText.h"
#include "codegen/cuda/CudaStep.h"
#include "codegen/cuda/CudaTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace symc::codegen::cuda {

namespace {

/// One result of a pass while it grows: a value, and of argmax and argmin the place.
struct Growing {
  StringRef combiner;
  SmallVector<Type> types;
  std::string name; // of the value; the place is name + "_place"
  bool places() const { return combiner.starts_with("arg"); }
  std::string place() const { return name + "_place"; }
};

class ReduceSource {
public:
  ReduceSource(kernel::ReduceOp op, KernelWriter &writer) : op(op), w(writer) {}
  LogicalResult write();

private:
  LogicalResult findViews();
  LogicalResult writePass(unsigned number);
  LogicalResult writeRowOuts();
  LogicalResult writeElements();
  void openElements();
  void declare(const Growing &growing, bool again);
  void combine(const Growing &x, const std::string &value, const std::string &place, bool anyOrder);
  void combineBlock(const Growing &growing);
  /// Names of a region's first arguments: position, count, inputs, what was saved, results.
  FailureOr<SmallVector<std::string>> run(Region &region, const std::string &position, bool saved,
                                          ArrayRef<std::string> reduced);
  AffineExpr elements() { return w.count(ArrayRef(whole.front().sizes).drop_front(op.getKept())); }

  kernel::ReduceOp op;
  KernelWriter &w;
  SmallVector<View> whole, rows; // ins and outs, row_outs
  std::optional<View> lengths;
  SmallVector<Growing> results;
  SmallVector<std::string> kept, reduced; // indices
  bool byBlock = false;
  int64_t threads = 256;
};

} // namespace

static std::string identity(const Growing &growing) {
  Type type = growing.types[0];
  StringRef kind = growing.combiner;
  if (kind == "sum" || kind == "prod")
    return kind == "sum" ? "0" : "1";
  bool largest = kind.starts_with("max") || kind == "argmax";
  Builder b(type.getContext());
  if (auto real = dyn_cast<FloatType>(type))
    return literal(b.getFloatAttr(real, APFloat::getInf(real.getFloatSemantics(), largest)));
  unsigned width = type.getIntOrFloatBitWidth();
  return literal(b.getIntegerAttr(type, largest ? APInt::getSignedMinValue(width)
                                                : APInt::getSignedMaxValue(width)));
}

void ReduceSource::declare(const Growing &growing, bool again) {
  auto type = [&](unsigned i) { return again ? "" : (valueType(growing.types[i]) + " ").str(); };
  w.line(type(0) + growing.name + " = " + identity(growing) + ";");
  if (growing.places())
    w.line(type(1) + growing.place() + " = 0;");
}

// `x` becomes x with a later value, or one of any place in the row.
void ReduceSource::combine(const Growing &x, const std::string &value, const std::string &place,
                           bool anyOrder) {
  StringRef kind = x.combiner;
  Type type = x.types[0];
  bool real = isa<FloatType>(type);
  std::string name = x.name;
  if (kind == "sum" || kind == "prod") {
    w.line(name + " = " + rounded(type, name + (kind == "sum" ? " + " : " * ") + value) + ";");
    return;
  }
  if (kind == "maxnum") {
    w.line(name + " = " + value + " > " + name + " ? " + value + " : " + name + ";");
    return;
  }
  StringRef beats = kind.ends_with("max") ? ">" : "<", loses = kind.ends_with("max") ? "<=" : ">=";
  if (!x.places()) {
    if (!real)
      w.line(name + " = " + value + " " + beats + " " + name + " ? " + value + " : " + name + ";");
    else // a NaN stays
      w.line(name + " = " + name + " " + beats + " " + value + " || " + name + " != " + name +
             " ? " + name + " : " + value + ";");
    return;
  }
  std::string better =
      real ? "!(" + value + " " + loses.str() + " " + name + ") && " + name + " == " + name
           : value + " " + beats.str() + " " + name;
  if (anyOrder) {
    std::string same = real ? "(" + value + " == " + name + " || (" + value + " != " + value +
                                  " && " + name + " != " + name + "))"
                            : value + " == " + name;
    better = "(" + better + ") || (" + same + " && " + place + " < " + x.place() + ")";
  }
  w.open("if (" + better + ")");
  w.line(name + " = " + value + ";");
  w.line(x.place() + " = " + place + ";");
  w.close();
}

// What the threads of a block have becomes one, which all of them get.
void ReduceSource::combineBlock(const Growing &growing) {
  std::string parts = growing.name + "_parts", places = growing.place() + "s";
  w.line(parts + "[threadIdx.x] = " + growing.name + ";");
  if (growing.places())
    w.line(places + "[threadIdx.x] = " + growing.place() + ";");
  w.line("__syncthreads();");
  w.open("for (int half = " + std::to_string(threads / 2) + "; half > 0; half /= 2)");
  w.open("if (threadIdx.x < half)");
  std::string other = parts + "[threadIdx.x + half]";
  combine(growing, other, places + "[threadIdx.x + half]", true);
  w.line(parts + "[threadIdx.x] = " + growing.name + ";");
  if (growing.places())
    w.line(places + "[threadIdx.x] = " + growing.place() + ";");
  w.close();
  w.line("__syncthreads();");
  w.close();
  w.line(growing.name + " = " + parts + "[0];");
  if (growing.places())
    w.line(growing.place() + " = " + places + "[0];");
  w.line("__syncthreads();");
}

LogicalResult ReduceSource::findViews() {
  auto find = [&](ValueRange operands, StringRef stem, SmallVector<View> &into) {
    for (auto [i, operand] : llvm::enumerate(operands)) {
      FailureOr<View> view = w.view(operand, (stem + Twine(i)).str());
      if (failed(view))
        return failure();
      into.push_back(*view);
    }
    return success();
  };
  if (failed(find(op.getIns(), "x", whole)) || failed(find(op.getOuts(), "y", whole)) ||
      failed(find(op.getRowOuts(), "row", rows)))
    return failure();
  if (op.getLengths()) {
    FailureOr<View> view = w.view(op.getLengths(), "lengths");
    if (failed(view))
      return failure();
    lengths = *view;
  }
  for (auto [k, region] : llvm::enumerate(op.getPasses())) {
    TypeRange types = region.front().getTerminator()->getOperandTypes();
    StringRef combiner = cast<StringAttr>(op.getCombiners()[k]).getValue();
    results.push_back({combiner,
                       SmallVector<Type>(types.take_front(combiner.starts_with("arg") ? 2 : 1)),
                       "result" + std::to_string(k)});
  }
  return success();
}

// A walk over the elements of the row.
void ReduceSource::openElements() {
  std::string count = w.size(elements()), first = byBlock ? "threadIdx.x" : "0";
  w.open("for (int e = " + first + "; e < " + count +
         "; e += " + (byBlock ? std::to_string(threads) : "1") + ")");
  reduced = w.split("e", ArrayRef(whole.front().sizes).drop_front(op.getKept()));
}

FailureOr<SmallVector<std::string>> ReduceSource::run(Region &region, const std::string &position,
                                                      bool saved, ArrayRef<std::string> at) {
  Block &block = region.front();
  SmallVector<std::string> place(kept), arguments{position, "(int)(" + w.size(elements()) + ")"};
  llvm::append_range(place, at);
  for (unsigned i = 0; i < op.getIns().size(); ++i) {
    arguments.push_back("0");
    if (block.getArgument(2 + i).use_empty())
      continue;
    arguments.back() = w.fresh("e");
    w.line("const " + valueType(whole[i].elementType) + " " + arguments.back() + " = " +
           w.load(whole[i], place) + ";");
  }
  if (saved)
    arguments.push_back(w.load(whole[op.getIns().size()], place));
  for (const Growing &result : results) {
    if (arguments.size() == block.getNumArguments())
      break;
    arguments.push_back(result.name);
    if (result.places())
      arguments.push_back(result.place());
  }
  return writeBody(w, region, arguments);
}

LogicalResult ReduceSource::writePass(unsigned number) {
  const Growing &result = results[number];
  bool saves = op.getSaves() == number, saved = op.getSaves() && *op.getSaves() < number;
  declare(result, false);
  Growing inner = result;
  if (!byBlock) { // blocks of 64
    inner.name += "_block";
    declare(inner, false);
  }
  openElements();
  if (lengths)
    w.open("if (e < length)");
  FailureOr<SmallVector<std::string>> values = run(op.getPasses()[number], "e", saved, reduced);
  if (failed(values))
    return failure();
  combine(inner, (*values)[0], result.places() ? (*values)[1] : "", false);
  if (saves) {
    SmallVector<std::string> place(kept);
    llvm::append_range(place, reduced);
    w.store(whole[op.getIns().size()], place, values->back());
  }
  if (lengths)
    w.close();
  if (!byBlock) {
    w.open("if ((e & 63) == 63)");
    combine(result, inner.name, inner.place(), false);
    declare(inner, true);
    w.close();
  }
  w.close();
  if (byBlock)
    combineBlock(result);
  else
    combine(result, inner.name, inner.place(), false);
  return success();
}

LogicalResult ReduceSource::writeRowOuts() {
  if (rows.empty())
    return success();
  if (byBlock)
    w.open("if (threadIdx.x == 0)");
  SmallVector<std::string> zeros(whole.front().sizes.size() - op.getKept(), "0");
  FailureOr<SmallVector<std::string>> values = run(op.getRows(), "0", false, zeros);
  if (failed(values))
    return failure();
  for (auto [view, value] : llvm::zip_equal(rows, *values))
    w.store(view, kept, value);
  if (byBlock) {
    w.close();
    w.line("__syncthreads();");
  }
  return success();
}

LogicalResult ReduceSource::writeElements() {
  ArrayRef<View> outs = ArrayRef(whole).drop_front(op.getIns().size());
  if (outs.empty())
    return success();
  openElements();
  SmallVector<std::string> place(kept);
  llvm::append_range(place, reduced);
  if (lengths) {
    w.open("if (e >= length)");
    for (const View &view : outs)
      w.store(view, place, "0");
    w.line("continue;");
    w.close();
  }
  FailureOr<SmallVector<std::string>> values =
      run(op.getElements(), "e", op.getSaves().has_value(), reduced);
  if (failed(values))
    return failure();
  for (auto [view, value] : llvm::zip_equal(outs, *values))
    w.store(view, place, value);
  w.close();
  return success();
}

LogicalResult ReduceSource::write() {
  if (failed(findViews()))
    return failure();
  auto one = getAffineConstantExpr(1, op.getContext());
  byBlock = whole.front().strides.back() == one;
  ArrayRef<AffineExpr> keptSizes = ArrayRef(whole.front().sizes).take_front(op.getKept());
  if (w.largest(elements()) >= int64_t(1) << 30)
    return op.emitOpError("has no code on a CUDA device for rows of more than 2^30 elements");
  if (byBlock) {
    int64_t most = std::max<int64_t>(1, w.largest(elements()));
    threads = std::clamp<int64_t>(int64_t(llvm::PowerOf2Ceil(most)), 32, 256);
    for (const Growing &result : results) {
      std::string count = "[" + std::to_string(threads) + "];";
      w.line("__shared__ " + valueType(result.types[0]) + " " + result.name + "_parts" + count);
      if (result.places())
        w.line("__shared__ " + valueType(result.types[1]) + " " + result.place() + "s" + count);
    }
    AffineExpr count = w.count(keptSizes);
    StringRef type = w.indexType(count);
    w.open("for (" + type + " row = blockIdx.x; row < " + w.size(count) + "; row += gridDim.x)");
    kept = w.split("row", keptSizes);
    int64_t blocks = std::clamp<int64_t>(w.largest(count), 1, 1 << 16);
    w.grid(blocks, 1, 1, threads);
  } else {
    kept = w.walk(keptSizes);
  }
  if (lengths)
    w.line("const long long length = " + w.load(*lengths, kept) + ";");
  for (unsigned k = 0; k < results.size(); ++k)
    if (failed(writePass(k)))
      return failure();
  if (failed(writeRowOuts()) || failed(writeElements()))
    return failure();
  w.close();
  return success();
}

static LogicalResult writeReduce(kernel::ReduceOp op, KernelWriter &writer) {
  return ReduceSource(op, writer).write();
}

// Results of rows may be statistics, which 16 bits do not hold.
static bool takesHalves(kernel::ReduceOp op, OpOperand &operand) {
  return llvm::is_contained(op.getIns(), operand.get()) ||
         llvm::is_contained(op.getOuts(), operand.get());
}

void registerReduceSource(DialectRegistry &registry) {
  addSource<kernel::ReduceOp, writeReduce, takesHalves>(registry);
}

} // namespace symc::codegen::cuda
