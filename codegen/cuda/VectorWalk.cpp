// VectorWalk.cpp: see VectorWalk.h.
#include "codegen/cuda/VectorWalk.h"

#include "codegen/cuda/CudaTypes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace symc::codegen::cuda {

constexpr int64_t width = 4; // of a vector, in elements

static bool isConstant(AffineExpr expr, int64_t value) {
  return expr == getAffineConstantExpr(value, expr.getContext());
}

static bool isMultiple(AffineExpr expr) { return expr.getLargestKnownDivisor() % width == 0; }

bool hasVectors(const View &view) {
  int64_t bytes = kernel::elementBytes(view.elementType);
  if (view.strides.empty() || bytes > 4 || view.alignment % (width * bytes) != 0 ||
      !isConstant(view.strides.back(), 1))
    return false;
  for (auto [size, stride] : llvm::drop_end(llvm::zip(view.sizes, view.strides)))
    if (!isConstant(size, 1) && !isMultiple(stride))
      return false;
  return true;
}

VectorWalk::VectorWalk(KernelWriter &writer, ArrayRef<AffineExpr> sizes, ArrayRef<View> views)
    : w(&writer) {
  auto fits = [](const View &view) {
    return hasVectors(view) || isConstant(view.strides.back(), 0);
  };
  if (!sizes.empty() && isMultiple(sizes.back()) && llvm::all_of(views, fits) &&
      (w->choices().vectors || w->largest(w->count(sizes)) >= fewestVectorElements))
    lanes = width;
}

void VectorWalk::declare(StringRef type, const std::string &name, const std::string &value) {
  std::string all = value;
  if (isVector())
    all = "{" + llvm::join(SmallVector<std::string>(lanes, value), ", ") + "}";
  w->line(type + " " + name + (isVector() ? "[" + Twine(lanes) + "] = " : " = ") + all + ";");
}

VectorWalk::Access VectorWalk::fetch(const View &view, ArrayRef<std::string> at, StringRef array) {
  Access access{view, SmallVector<std::string, 0>(at), ""};
  if (!isVector())
    return access;
  if (isConstant(view.strides.back(), 0)) { // one for all lanes
    access.name = w->fresh("e");
    w->line("const " + storageType(view.elementType) + " " + access.name + " = " +
            w->element(view, at) + ";");
  } else if (hasVectors(view)) {
    access.name = array.empty() ? w->fresh("e") : array.str();
    access.isArray = true;
    if (array.empty())
      w->line(storageType(view.elementType) + " " + access.name + "[" + Twine(lanes) + "];");
    w->line("load4(" + access.name + ", &" + w->element(view, at) + ");");
  }
  return access;
}

VectorWalk::Access VectorWalk::target(const View &view, ArrayRef<std::string> at) {
  Access access{view, SmallVector<std::string, 0>(at), ""};
  if (isVector() && hasVectors(view)) {
    access.name = w->fresh("r");
    access.isArray = true;
    w->line(storageType(view.elementType) + " " + access.name + "[" + Twine(lanes) + "];");
  }
  return access;
}

void VectorWalk::openLanes() {
  if (!isVector())
    return;
  w->line("#pragma unroll");
  w->open("for (int lane = 0; lane < " + Twine(lanes) + "; ++lane)");
}

void VectorWalk::closeLanes() {
  if (isVector())
    w->close();
}

SmallVector<std::string> VectorWalk::indices(const Access &access) const {
  SmallVector<std::string> at(access.at.begin(), access.at.end());
  if (!at.empty())
    at.back() = index(at.back());
  return at;
}

std::string VectorWalk::raw(const Access &access) {
  if (access.name.empty())
    return w->element(access.view, indices(access));
  return access.isArray ? own(access.name) : access.name;
}

std::string VectorWalk::value(const Access &access, StringRef name) {
  std::string result = name.empty() ? w->fresh("e") : name.str();
  w->line("const " + valueType(access.view.elementType) + " " + result + " = " +
          loaded(access.view.elementType, raw(access)) + ";");
  return result;
}

void VectorWalk::set(const Access &access, const std::string &value) {
  setRaw(access, stored(access.view.elementType, value));
}

void VectorWalk::setRaw(const Access &access, const std::string &text) {
  w->line(raw(access) + " = " + text + ";");
}

void VectorWalk::flush(const Access &access) {
  if (access.isArray)
    w->line("store4(&" + w->element(access.view, access.at) + ", " + access.name + ");");
}

StringRef vectorFunctions() {
  return R"(// Four neighbours as one access.
template <typename T> struct Four;
template <> struct Four<float> { typedef float4 type; };
template <> struct Four<int> { typedef int4 type; };
template <> struct Four<short> { typedef short4 type; };
template <> struct Four<unsigned short> { typedef uint2 type; }; // pairs, for fewer registers
template <> struct Four<signed char> { typedef char4 type; };
template <> struct Four<bool> { typedef uchar4 type; };
template <typename T, typename F>
static __device__ __forceinline__ void unpack4(T (&x)[4], const F &four) {
  x[0] = four.x, x[1] = four.y, x[2] = four.z, x[3] = four.w;
}
static __device__ __forceinline__ void unpack4(unsigned short (&x)[4], const uint2 &four) {
  x[0] = (unsigned short)four.x, x[1] = (unsigned short)(four.x >> 16);
  x[2] = (unsigned short)four.y, x[3] = (unsigned short)(four.y >> 16);
}
template <typename T, typename F>
static __device__ __forceinline__ void pack4(F &four, const T (&x)[4]) {
  four.x = x[0], four.y = x[1], four.z = x[2], four.w = x[3];
}
static __device__ __forceinline__ void pack4(uint2 &four, const unsigned short (&x)[4]) {
  four.x = x[0] | (unsigned)x[1] << 16, four.y = x[2] | (unsigned)x[3] << 16;
}
template <typename T>
static __device__ __forceinline__ typename Four<T>::type fetch4(const T *place) {
  return *reinterpret_cast<const typename Four<T>::type *>(place);
}
template <typename T>
static __device__ __forceinline__ void load4(T (&x)[4], const T *place) {
  unpack4(x, fetch4(place));
}
template <typename T>
static __device__ __forceinline__ void store4(T *place, const T (&x)[4]) {
  typename Four<T>::type four;
  pack4(four, x);
  *reinterpret_cast<typename Four<T>::type *>(place) = four;
}
)";
}

} // namespace symc::codegen::cuda
