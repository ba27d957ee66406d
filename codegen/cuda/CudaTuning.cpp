// CudaTuning.cpp: see CudaTuning.h.
#include "codegen/cuda/CudaTuning.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace symc::codegen;
using llvm::StringRef;

std::string CudaTuning::targetName(StringRef architecture) {
  return ("cuda-sm_" + architecture).str();
}

void CudaTuning::set(StringRef architecture, const std::string &key, MeasuredForm form) {
  forms[{targetName(architecture), key}] = form;
}

const MeasuredForm *CudaTuning::find(StringRef architecture, const std::string &key) const {
  auto found = forms.find({targetName(architecture), key});
  return found == forms.end() ? nullptr : &found->second;
}

llvm::StringMap<MeasuredForm>
CudaTuning::formsFor(llvm::ArrayRef<std::string> architectures) const {
  llvm::StringMap<MeasuredForm> result;
  for (const std::string &architecture : architectures)
    for (const auto &[place, form] : forms)
      if (place.first == targetName(architecture))
        result[place.second] = form;
  return result;
}

static bool isTarget(StringRef name) {
  name.consume_back("a");
  return name.consume_front("cuda-sm_") && name.size() >= 2 && llvm::all_of(name, llvm::isDigit);
}

std::optional<TuningError> CudaTuning::parse(StringRef text) {
  TuningLines lines(text);
  while (lines.next()) {
    if (!lines.isForDevice())
      continue;
    if (!isTarget(lines.target()))
      return lines.wrong("expected an architecture as cuda-sm_90, found '" + lines.target() + "'");
    StringRef key;
    if (std::optional<TuningError> bad = lines.readKey(key))
      return bad;
    StringRef word = lines.word();
    std::optional<CudaForm> form = cudaFormNamed(word);
    if (!form || form->tile->isRow())
      return lines.wrong("expected " + cudaTileNames() +
                         ", with terms in 3 parts 64x64/3, found '" + word + "'");
    MeasuredForm measured = {*form, 0, lines.line(), lines.column()};
    measured.form.parts = std::max<int64_t>(1, form->parts);
    if (std::optional<TuningError> bad = lines.readEnd(measured.microseconds))
      return bad;
    if (!forms.emplace(std::pair(lines.target().str(), key.str()), measured).second)
      return lines.secondChoice(key);
  }
  return lines.error();
}

std::string CudaTuning::print() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const auto &[place, measured] : forms) {
    os << place.first << " " << place.second << " " << nameOf(measured.form);
    if (measured.microseconds > 0)
      os << llvm::format(" us=%.2f", measured.microseconds);
    os << "\n";
  }
  return text;
}
