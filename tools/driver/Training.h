// Training.h: symc train: its options, and the second program and tables of a trainer.
#ifndef SYMC_TOOLS_DRIVER_TRAINING_H
#define SYMC_TOOLS_DRIVER_TRAINING_H

#include "tools/driver/CompileOptions.h"
#include "tools/driver/Emission.h"

namespace symc {

/// Reads "sgd,momentum=0.9,wd=1e-4" into the request; complains of each mistake.
void readOptimizer(llvm::StringRef text, TrainRequest &request, Complain complain);

/// The same of "xavier,magnitude=2"; nothing of an empty text.
void readInitializer(llvm::StringRef text, TrainRequest &request, Complain complain);

/// The optimizers and their hyper-parameters, for a page of help.
void printOptimizers(llvm::raw_ostream &os);

/// The parts of a trainer beside the training program, which is scheduled.
class TrainerParts {
public:
  TrainerParts(const CommandLine &line, Compiler &training, Diagnostics &diagnostics)
      : line(line), training(training), diagnostics(diagnostics) {}

  /// Has the training program's steps predict, or compiles a prediction program up to its schedule,
  /// and adds to `info` what the table of a trainer contains. False after an error, which is in the
  /// diagnostics.
  bool plan(codegen::ModelInfo &info);
  /// Bytes behind the prepared weights of the training program: values of the parameter files.
  uint64_t bytes() const { return total - ownBytes; }
  /// Writes them. `memory`: where the training program's begin.
  void fill(uint8_t *memory, llvm::function_ref<void()> release);
  /// Adds the code of a prediction program.
  bool addCode(codegen::Code &code);

private:
  bool report(bool done);
  bool describe(codegen::ModelInfo &info);
  bool addParameter(codegen::ModelInfo &info, codegen::TensorInfo tensor,
                    codegen::TrainedInfo trained);

  const CommandLine &line;
  Compiler &training;
  Diagnostics &diagnostics;
  Diagnostics messages; // of the prediction program: those of the training program are the same
  std::unique_ptr<Compiler> prediction;                // null: the training program's steps predict
  std::optional<llvm::SmallBitVector> predictedInputs; // of the training program; without that
  struct Value {
    uint64_t offset, bytes;
    params::ArrayValues values;
  };
  std::vector<Value> values;
  uint64_t ownBytes = 0, total = 0;
};

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_TRAINING_H
