// ReduceCombine.cpp: see ReduceCombine.h. Shuffles join the lanes of a warp, shared memory the
// warps of a block; the order is that of ReduceSource.cpp.
#include "codegen/cuda/steps/ReduceCombine.h"

#include "codegen/cuda/CudaTypes.h"

using namespace mlir;

namespace symc::codegen::cuda {

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

void declare(KernelWriter &w, const Growing &growing, bool again) {
  auto type = [&](unsigned i) { return again ? "" : (valueType(growing.types[i]) + " ").str(); };
  w.line(type(0) + growing.name + " = " + identity(growing) + ";");
  if (growing.places())
    w.line(type(1) + growing.place() + " = 0;");
}

void combine(KernelWriter &w, const Growing &x, const std::string &value, const std::string &place,
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

// Of a value with fewer than 4 bytes an int is moved.
static std::string shuffled(StringRef function, Type type, const std::string &name, StringRef by) {
  StringRef value = valueType(type);
  bool narrow = value == "bool" || value == "signed char" || value == "short";
  return ((narrow ? "(" + value + ")" : Twine("")) + "__" + function + "_sync(0xffffffffu, " +
          (narrow ? "(int)" : "") + name + ", " + by + ")")
      .str();
}

// Lane l gets what lanes l + by, l + by / 2 ... l + last have.
static void combineLanes(KernelWriter &w, const Growing &x, int64_t by, int64_t last) {
  w.line("#pragma unroll");
  w.open("for (int by = " + Twine(by) + "; by >= " + Twine(last) + "; by /= 2)");
  w.line("const " + valueType(x.types[0]) +
         " other = " + shuffled("shfl_down", x.types[0], x.name, "by") + ";");
  if (x.places())
    w.line("const " + valueType(x.types[1]) +
           " other_place = " + shuffled("shfl_down", x.types[1], x.place(), "by") + ";");
  combine(w, x, "other", "other_place", true);
  w.close();
}

void declareShared(KernelWriter &w, const Growing &x, const RowTeam &team) {
  if (!team.hasWarps())
    return;
  std::string extents = "[" + std::to_string(team.warps()) + "]";
  if (team.shape == RowTeam::Columns)
    extents += "[" + std::to_string(RowTeam::columns) + "]";
  w.line("__shared__ " + valueType(x.types[0]) + " " + x.name + "_warps" + extents + ";");
  if (x.places())
    w.line("__shared__ " + valueType(x.types[1]) + " " + x.place() + "s" + extents + ";");
}

void combineThreads(KernelWriter &w, const Growing &x, const RowTeam &team, bool forAll) {
  bool columns = team.shape == RowTeam::Columns;
  combineLanes(w, x, RowTeam::warp / 2, columns ? RowTeam::columns : 1);
  std::string parts = x.name + "_warps", places = x.place() + "s";
  auto move = [&](const std::string &at, bool toShared) {
    std::string value = parts + at, place = places + at;
    w.line(toShared ? value + " = " + x.name + ";" : x.name + " = " + value + ";");
    if (x.places())
      w.line(toShared ? place + " = " + x.place() + ";" : x.place() + " = " + place + ";");
  };
  std::string column = columns ? "[threadIdx.x % 8]" : "";
  if (team.hasWarps()) {
    w.open("if (threadIdx.x % 32 " + std::string(columns ? "< 8" : "== 0") + ")");
    move("[threadIdx.x / 32]" + column, true);
    w.close();
    w.line("__syncthreads();");
  }
  if (columns) {
    move("[0]" + column, false);
    w.open("for (int warp = 1; warp < " + Twine(team.warps()) + "; ++warp)");
    w.line("const " + valueType(x.types[0]) + " other = " + parts + "[warp]" + column + ";");
    combine(w, x, "other", places + "[warp]" + column, true);
    w.close();
    return;
  }
  if (team.hasWarps()) {
    move("[thread % " + std::to_string(team.warps()) + "]", false);
    combineLanes(w, x, team.warps() / 2, 1);
  }
  if (!forAll)
    return;
  w.line(x.name + " = " + shuffled("shfl", x.types[0], x.name, "0") + ";");
  if (x.places())
    w.line(x.place() + " = " + shuffled("shfl", x.types[1], x.place(), "0") + ";");
}

} // namespace symc::codegen::cuda
