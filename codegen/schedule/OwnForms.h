// OwnForms.h: which layers get weights in a form of their own for a further instruction set.
// One file holds code for several instruction sets and one set of prepared weights. Each
// instruction set has its own choice of algorithms; where another reads weights in the form
// that the choice needs, it costs nothing. Else it costs the bytes of that form: it has to
// save cycles of the layer, and the forms of all further instruction sets together stay
// within a share of what the first one's weights take, those that save most cycles a byte
// first. Other layers get the best algorithm among those whose weights are there.
#ifndef SYMC_CODEGEN_SCHEDULE_OWNFORMS_H
#define SYMC_CODEGEN_SCHEDULE_OWNFORMS_H

#include "codegen/conv/ConvChoice.h"
#include "codegen/schedule/PreparedForms.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace symc::codegen {

/// One open step of a further instruction set.
struct FormChoice {
  ConvChoice choice;
  std::string about; // the weights, half a sentence; empty where its own choice reads some
                     // that are there
  bool isOwn = true; // its own choice, not the best among those whose weights are there
};

class OwnForms {
public:
  /// The weights that the programs of an instruction set read once their algorithms are chosen.
  void addReadOf(kernel::ProgramOp program);
  /// Of the first instruction set: they set the limit of further forms.
  void limitByRead();

  /// Decides all open convolutions and products of a further instruction set together, but those
  /// whose weights each run packs;
  /// `policies` has one for each program.
  void choose(llvm::ArrayRef<kernel::ProgramOp> programs, llvm::ArrayRef<KernelPolicy> policies);
  const FormChoice &choiceOf(kernel::ConvOp conv) const { return choices.at(conv); }

private:
  /// A step, its own choice and the best whose weights are there, if that is another one.
  struct Open {
    kernel::ConvOp conv;
    ConvChoice own;
    std::optional<ConvChoice> shared;
    std::string weights; // that its own choice reads
    int64_t bytes = 0;   // of these
  };
  Open rate(kernel::ConvOp conv, const KernelPolicy &policy) const;
  void grant(llvm::ArrayRef<Open> open);

  llvm::StringMap<int64_t> read; // bytes by name
  int64_t bytesLeft = 0;
  llvm::DenseMap<mlir::Operation *, FormChoice> choices;
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_OWNFORMS_H
