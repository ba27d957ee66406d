// Weights.h: the file that prepared weights are computed into: an object file
// for the link, or the side file itself. Its bytes are mapped, so that weights
// pass through no buffer and no IR, whatever their size.
#ifndef SYMC_CODEGEN_EMIT_WEIGHTS_H
#define SYMC_CODEGEN_EMIT_WEIGHTS_H

#include "codegen/emit/ModelInfo.h"
#include "codegen/emit/OutputFile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>

namespace symc::codegen {

/// Weights over this stay outside of code files: 32-bit distances end there.
constexpr uint64_t largestEmbeddedWeights = uint64_t(2) << 30;

/// The hash that models have of their prepared weights (SYMC_WEIGHTS_PIECE_BYTES); `afterPiece`
/// is called where the bytes so far are not looked at again.
uint64_t hashOfWeights(llvm::ArrayRef<uint8_t> bytes,
                       llvm::function_ref<void()> afterPiece = nullptr);

class WeightsFile {
public:
  /// An object file that defines weightsSymbol(model), without a name, in the
  /// folder of `output`.
  static llvm::Expected<std::unique_ptr<WeightsFile>>
  embedded(const ModelInfo &model, uint64_t bytes, llvm::StringRef output);
  /// The side file at `path`, which the program looks for under its file name,
  /// beside itself.
  static llvm::Expected<std::unique_ptr<WeightsFile>> sideFile(llvm::StringRef path,
                                                               uint64_t bytes);
  ~WeightsFile();

  /// `bytes` of zeros to fill in, aligned to 4096; until seal.
  uint8_t *data() { return mapping + dataOffset; }
  /// Lets go of the pages that hold the bytes so far; the file keeps them.
  void release();
  /// Hashes the bytes, writes what surrounds them and unmaps. Once.
  llvm::Error seal();
  const WeightsInfo &info() const { return facts; }
  /// Embedded weights only, after seal. The object file's path, for an archive or
  /// another object file.
  std::string objectPath() const { return unnamed->path(); }
  /// For programs and libraries, whose link need not read and write the bytes:
  /// an object file that leaves a hole for them, and what writes the linked file
  /// anew, with the bytes in the hole. Errors name `output`.
  llvm::Expected<UnnamedFile> placeholder() const;
  llvm::Error fill(llvm::StringRef linked, llvm::StringRef output) const;
  /// Gives the side file its name. Nothing for embedded weights.
  llvm::Error commit();

private:
  WeightsFile() = default;
  llvm::Error map(int descriptor, uint64_t total, llvm::StringRef path);

  WeightsInfo facts;
  std::string symbol, name;
  uint16_t machine = 0;
  std::optional<UnnamedFile> unnamed;
  std::optional<OutputFile> side;
  uint8_t *mapping = nullptr;
  uint64_t mappedBytes = 0, dataOffset = 0;
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_WEIGHTS_H
