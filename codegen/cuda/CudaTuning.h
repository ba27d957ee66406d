// CudaTuning.h: measured forms of convolutions and matrix products on CUDA devices, as lines of a
// tuning file: the architecture that the code was compiled for, the shape, the tile that was
// fastest there and, where the terms of sums are in several parts, how many.
//
//   cuda-sm_90a conv/n8/i64/o256/56x56/k1x1/s1x1/d1x1/l16/e1/f16 wgmma-128x128 us=14.02
//   cuda-sm_90a conv/n8/i512/o512/7x7/k3x3/s1x1/d1x1/l16/e1/f16 tensor-64x64/4 us=21.66
#ifndef SYMC_CODEGEN_CUDA_CUDATUNING_H
#define SYMC_CODEGEN_CUDA_CUDATUNING_H

#include "codegen/cuda/DeviceModel.h"
#include "codegen/target/TuningLines.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace symc::codegen {

/// The entry of a file for a shape, and where; or what a tuner tries.
struct MeasuredForm {
  CudaForm form;                 // its parts are given
  double microseconds = 0;       // of one step, all of its rounds; 0: unknown
  unsigned line = 0, column = 0; // of the form's name
};

class CudaTuning {
public:
  /// Adds a file's lines of CUDA devices; nothing where all of them are understood.
  std::optional<TuningError> parse(llvm::StringRef text);
  /// These lines, sorted; a file has them behind those of CPUs.
  std::string print() const;

  /// `architecture`: "90" or "90a".
  void set(llvm::StringRef architecture, const std::string &key, MeasuredForm form);
  const MeasuredForm *find(llvm::StringRef architecture, const std::string &key) const;
  /// What a program for all of these architectures takes, by shape: the form that was measured on
  /// the last one for which there is any.
  llvm::StringMap<MeasuredForm> formsFor(llvm::ArrayRef<std::string> architectures) const;

  /// "cuda-sm_90a".
  static std::string targetName(llvm::StringRef architecture);

private:
  std::map<std::pair<std::string, std::string>, MeasuredForm> forms; // target, key
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CUDA_CUDATUNING_H
