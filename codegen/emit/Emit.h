// Emit.h: the last stage: code and weights become files. Every file appears
// whole, under its own name, or not at all; two calls with the same arguments
// write the same bytes.
#ifndef SYMC_CODEGEN_EMIT_EMIT_H
#define SYMC_CODEGEN_EMIT_EMIT_H

#include "codegen/emit/Code.h"
#include "codegen/emit/ModelInfo.h"
#include "codegen/emit/Weights.h"

namespace symc::codegen {

enum class EmitKind {
  Executable, // a program: runtime/main over the model
  Shared,     // a library with the functions of the header, and symc_main_model
  Archive,    // the same functions for a static link; all else is local
  Object,     // one relocatable file of the same content
  Assembly,   // code only, as text; embedded weights stay an undefined symbol
  LLVM        // the optimised LLVM IR, as text; likewise
};

/// Bytes of machine code by variant (without kernels of a lesser one that it calls), of other code
/// (runtime, reference kernels, program), and of constants without weights. Code of a model only:
/// what a linked program takes from objects of the runtime and libc is not in it.
struct CodeBytes {
  std::vector<int64_t> variants;
  std::vector<std::vector<int64_t>> batches; // of each variant, by batch size; part of the above
  int64_t others = 0, constants = 0;
};

struct EmitOptions {
  EmitKind kind = EmitKind::Executable;
  std::string output;             // a path; "-" is standard output for Assembly and LLVM
  std::string header;             // the path of the C header, or empty
  std::string resourceDir;        // share/symc
  bool images = true;             // an executable reads PNG and JPEG
  bool opTable = false;           // link every kernel of the runtime, for programs that register
  CodeBytes *codeBytes = nullptr; // filled in where code becomes an object
};

/// Writes the files. model.triple chooses the C library: an executable for a
/// musl triple is a static PIE, for a gnu triple a dynamic one; Shared needs gnu.
/// `code` holds the functions that `model` names and is spent afterwards.
/// `weights`: sealed, or null; then `place` is None or Extern.
llvm::Error emit(const EmitOptions &options, const ModelInfo &model, Code &code,
                 WeightsFile *weights, WeightsInfo::Place place = WeightsInfo::None,
                 uint64_t externBytes = 0);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_EMIT_H
