// KernelWriter.cpp: see KernelWriter.h.
#include "codegen/cuda/KernelWriter.h"

#include "codegen/cuda/CudaTypes.h"
#include "codegen/plan/ViewPlace.h"
#include "ir/CheckedSize.h"
#include "ir/Interval.h"
#include "runtime/include/symc/abi.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace symc::codegen::cuda {

// So many are counted in int, with room for a step beyond the last.
constexpr int64_t mostNarrow = int64_t(1) << 30;
// More blocks than this wait for each other on any device.
constexpr int64_t mostBlocks = int64_t(1) << 16;

KernelWriter::KernelWriter(ProgramScope &scope, std::string node) : scope(scope) {
  launch.node = std::move(node);
  grid(1, 1, 1, threads);
}

std::string KernelWriter::parameter(CudaArgument argument, const std::string &name) {
  auto same = [&](const CudaArgument &other) {
    return other.kind == argument.kind && other.index == argument.index;
  };
  if (llvm::none_of(launch.arguments, same)) {
    launch.arguments.push_back(argument);
    bool isStatus = argument.kind == CudaArgument::Status;
    bool isNatural = argument.kind > CudaArgument::Status;
    parameters.push_back((isStatus    ? "unsigned long long *"
                          : isNatural ? "unsigned long long "
                                      : "long long ") +
                         name);
  }
  return name;
}

std::optional<ReferenceKernel> KernelWriter::needReference(StringRef operation) {
  std::optional<ReferenceKernel> kernel;
  if (scope.references)
    kernel = scope.references->kernelOf(operation);
  if (kernel && !llvm::is_contained(scope.referenceFiles, kernel->file))
    scope.referenceFiles.push_back(kernel->file);
  return kernel;
}

static std::string number(int64_t value) {
  return std::to_string(value) + (llvm::isInt<32>(value) ? "" : "ll");
}

std::string times(const std::string &text, int64_t by) {
  return by == 1 ? text : text + " * " + number(by);
}

std::string KernelWriter::size(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return number(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    int32_t index = symbol.getPosition();
    return parameter({CudaArgument::Size, index}, "s" + std::to_string(index));
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::string left = size(binary.getLHS()), right = size(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return "(" + left + " + " + right + ")";
  case AffineExprKind::Mul:
    return left + " * " + right;
  case AffineExprKind::Mod:
    return "floor_mod(" + left + ", " + right + ")";
  case AffineExprKind::FloorDiv:
    return "floor_div(" + left + ", " + right + ")";
  default:
    return "-floor_div(-(" + left + "), " + right + ")";
  }
}

AffineExpr KernelWriter::count(ArrayRef<AffineExpr> sizes) {
  AffineExpr product = getAffineConstantExpr(1, scope.program.getContext());
  for (AffineExpr each : sizes)
    product = product * each;
  return product;
}

int64_t KernelWriter::largest(AffineExpr expr) {
  return sg::intervalOf(expr, kernel::symbolRanges(scope.program)).max;
}

FailureOr<View> KernelWriter::view(Value operand, const std::string &name) {
  FailureOr<kernel::ViewOrigin> origin = kernel::traceView(operand);
  if (failed(origin))
    return failure();
  return view(*origin, operand, name);
}

FailureOr<View> KernelWriter::view(const kernel::ViewOrigin &origin, Value operand,
                                   const std::string &name) {
  FailureOr<ViewPlace> place = placeOf(origin, scope.program, scope.symbols);
  if (failed(place))
    return failure();
  int64_t bytes = place->byteOffset, width = kernel::elementBytes(origin.elementType);
  auto constant = dyn_cast<AffineConstantExpr>(origin.offset);
  if (constant)
    bytes += constant.getValue() * width;
  CudaArgument argument = {CudaArgument::Arena, bytes};
  if (place->space == ViewPlace::Weights)
    argument.kind = CudaArgument::Weights;
  else if (place->space == ViewPlace::Argument)
    argument = {CudaArgument::Io, place->argument};
  bool weights = argument.kind == CudaArgument::Weights;
  std::string type = ((weights ? "const " : "") + storageType(origin.elementType) + " *").str();
  // Of an argument the bytes are not the launch's, but the kernel's.
  int64_t first = argument.kind == CudaArgument::Io ? bytes / width : 0;
  std::string base = constant && !first ? name : name + "_base";
  launch.arguments.push_back(argument);
  parameters.push_back(type + base);
  if (base != name)
    line(type + "const " + name + " = " + base + " + " +
         (constant ? number(first) : size(origin.offset)) + ";");
  int64_t alignment = place->alignment;
  if (place->space == ViewPlace::Argument && scope.choices.vectors)
    alignment = llvm::MinAlign(SYMC_ALIGN, width * origin.offset.getLargestKnownDivisor());
  View view{name, origin.elementType, origin.sizes, origin.strides, alignment};
  if (constant && argument.kind != CudaArgument::Io)
    view.memory = argument;
  return view;
}

// Whether an int counts the elements from the first one of a view to the last.
static bool isNear(const View &view, KernelWriter &writer) {
  sg::CheckedSize reach = 0;
  for (auto [size, stride] : llvm::zip(view.sizes, view.strides)) {
    int64_t extent = writer.largest(size), each = writer.largest(stride);
    reach += sg::CheckedSize(std::max<int64_t>(extent, 1)) * std::abs(each);
  }
  return reach < mostNarrow;
}

std::string KernelWriter::element(const View &view, ArrayRef<std::string> indices) {
  assert(indices.size() == view.strides.size() && "an index for each dimension");
  bool near = isNear(view, *this);
  std::string place;
  for (auto [index, stride] : llvm::zip(indices, view.strides)) {
    if (index == "0" || stride == getAffineConstantExpr(0, stride.getContext()))
      continue;
    std::string by = size(stride);
    place += (place.empty() ? "" : " + ") + (near ? index : "(long long)(" + index + ")") +
             (by == "1" ? "" : " * " + by);
  }
  return view.pointer + "[" + (place.empty() ? "0" : place) + "]";
}

std::string KernelWriter::load(const View &view, ArrayRef<std::string> indices) {
  return loaded(view.elementType, element(view, indices));
}

void KernelWriter::store(const View &view, ArrayRef<std::string> indices,
                         const std::string &value) {
  line(element(view, indices) + " = " + stored(view.elementType, value) + ";");
}

void KernelWriter::line(const Twine &text) {
  lines += std::string(2 * depth, ' ') + text.str() + "\n";
}

void KernelWriter::open(const Twine &text) {
  line(text + " {");
  ++depth;
}

void KernelWriter::close() {
  --depth;
  line("}");
}

StringRef KernelWriter::indexType(AffineExpr largestSize) {
  return largest(largestSize) < mostNarrow ? "int" : "long long";
}

SmallVector<std::string> KernelWriter::split(const std::string &from, ArrayRef<AffineExpr> sizes) {
  SmallVector<std::string> indices(sizes.size());
  std::string rest = from;
  StringRef type = indexType(count(sizes));
  for (size_t i = sizes.size(); i-- > 0;) {
    std::string extent = size(sizes[i]);
    if (extent == "1") {
      indices[i] = "0";
      continue;
    }
    bool last = llvm::all_of(sizes.take_front(i), [](AffineExpr each) {
      return each == getAffineConstantExpr(1, each.getContext());
    });
    if (last) {
      indices[i] = rest;
      rest = "0";
      continue;
    }
    bool constant = isa<AffineConstantExpr>(sizes[i]);
    std::string by = constant ? extent : ("(" + type + ")(" + extent + ")").str();
    indices[i] = fresh("i");
    std::string next = fresh("r");
    line("const " + type + " " + indices[i] + " = " + rest + " % " + by + ", " + next + " = " +
         rest + " / " + by + ";");
    rest = next;
  }
  return indices;
}

SmallVector<std::string> KernelWriter::walk(ArrayRef<AffineExpr> sizes, int64_t step) {
  AffineExpr all = count(sizes);
  int64_t most = std::max<int64_t>(1, largest(all) / step);
  grid(std::min(mostBlocks, int64_t(llvm::divideCeil(most, threads))), 1, 1, threads);
  StringRef type = indexType(all);
  std::string at = fresh("at");
  std::string width = std::to_string(threads) + (type == "int" ? "" : "ll");
  std::string first = "blockIdx.x * " + width + " + threadIdx.x";
  if (step > 1)
    first = "(" + first + ") * " + std::to_string(step);
  open("for (" + type + " " + at + " = " + first + "; " + at + " < " + size(all) + "; " + at +
       " += gridDim.x * " + times(width, step) + ")");
  return split(at, sizes);
}

void KernelWriter::map(CudaTensorMap map, const std::string &name) {
  launch.arguments.push_back({CudaArgument::Map, int64_t(launch.maps.size())});
  launch.maps.push_back(map);
  parameters.push_back("const __grid_constant__ TensorMap " + name);
}

std::string KernelWriter::partialSums(StringRef type) {
  launch.arguments.push_back({CudaArgument::Arena, scope.partialSums});
  parameters.push_back((type + " *partial").str());
  return "partial";
}

const MeasuredForm *CudaChoices::formOf(const std::string &key) const {
  auto found = tile || parts || key.empty() ? forms.end() : forms.find(key);
  return found == forms.end() ? nullptr : &found->second;
}

LogicalResult KernelWriter::checkForm(const CudaConvolution &problem) {
  const MeasuredForm *measured = scope.choices.formOf(problem.key);
  if (!measured || suits(*measured->form.tile, problem))
    return success();
  if (!scope.refusedForms.insert({problem.key, true}).second)
    return failure();
  SmallVector<StringRef> names;
  for (const CudaTile &tile : cudaTiles())
    if (suits(tile, problem))
      names.push_back(tile.name);
  auto error = emitError(FileLineColLoc::get(scope.program.getContext(), scope.choices.formsFile,
                                             measured->line, measured->column));
  error << "'" << nameOf(measured->form) << "' does not suit '" << problem.key << "' of node '"
        << launch.node << "'";
  error.attachNote() << "tiles that do are " << llvm::join(names, ", ");
  return failure();
}

std::string KernelWriter::counters() {
  launch.arguments.push_back({CudaArgument::Arena, scope.counters});
  parameters.push_back("unsigned *counters");
  return "counters";
}

void KernelWriter::clearCounters(int64_t count) {
  std::string name = counters();
  open("if (blockIdx.x + blockIdx.y + blockIdx.z == 0)");
  line("for (int i = threadIdx.x; i < " + std::to_string(count) + "; i += blockDim.x)");
  line("  " + name + "[i] = 0;");
  close();
}

const CudaTile &KernelWriter::chooseTile(const CudaConvolution &problem) {
  const CudaChoices &choices = scope.choices;
  const MeasuredForm *measured = choices.formOf(problem.key);
  const CudaTile *wanted = measured ? measured->form.tile : choices.tile;
  const CudaTile &tile =
      wanted && suits(*wanted, problem) ? *wanted : chooseCudaTile(choices.devices, problem);
  launch.form = nameOf(CudaForm{&tile, problem.parts});
  launch.measured = measured ? measured->microseconds : 0;
  launch.shape = problem.key;
  if (choices.tuned && !problem.key.empty())
    launch.candidates = cudaCandidates(*choices.tuned, problem, tile, choices.groups);
  for (const CudaTile *other : cudaTilesFor(problem)) {
    double all = 0;
    for (const CudaDevice *device : choices.devices)
      all += estimateConvolution(*device, problem, *other);
    launch.reason += (launch.reason.empty() ? "" : ", ") + std::string(other->name) +
                     llvm::formatv(" {0:f1} us", all / choices.devices.size()).str();
  }
  return tile;
}

void KernelWriter::grid(int64_t x, int64_t y, int64_t z, int64_t threadsOfBlock) {
  threads = threadsOfBlock;
  launch.grid[0] = x, launch.grid[1] = y, launch.grid[2] = z;
  launch.block[0] = threads, launch.block[1] = launch.block[2] = 1;
}

std::string KernelWriter::text(StringRef name) const {
  std::string bounds = std::to_string(threads);
  if (heldBlocks)
    bounds += ", " + std::to_string(heldBlocks);
  return "extern \"C\" __global__ void __launch_bounds__(" + bounds + ") " + name.str() + "(" +
         llvm::join(parameters, ", ") + ") {\n  follow();\n" + lines + "}\n";
}

} // namespace symc::codegen::cuda
