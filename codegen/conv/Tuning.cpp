// Tuning.cpp: see Tuning.h. The reader is strict: a line for a CPU that it does not
// understand in full is an error with its place, never skipped.
#include "codegen/conv/Tuning.h"

#include "codegen/cpu/TaskCut.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

std::string Tuning::targetName(const TargetDescription &target) {
  return target.name == "native" ? "native:" + target.llvmCpu : target.name;
}

void Tuning::set(const TargetDescription &target, const std::string &key, TuningChoice choice) {
  choices[{targetName(target), key}] = choice;
}

const TuningChoice *Tuning::find(const TargetDescription &target, const std::string &key) const {
  auto found = choices.find({targetName(target), key});
  return found == choices.end() ? nullptr : &found->second;
}

// Three extents from 1 to 64: "2x1x14".
static bool parseTile(llvm::StringRef text, ConvTile &tile) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, 'x');
  int64_t *extents[] = {&tile.blocks, &tile.rows, &tile.columns};
  if (parts.size() != 3)
    return false;
  for (size_t i = 0; i < 3; ++i)
    if (parts[i].getAsInteger(10, *extents[i]) || *extents[i] < 1 || *extents[i] > 64)
      return false;
  return true;
}

std::optional<TuningError> Tuning::parse(llvm::StringRef text) {
  TuningLines lines(text);
  while (lines.next()) {
    if (lines.isForDevice())
      continue;
    llvm::StringRef key;
    if (std::optional<TuningError> bad = lines.readKey(key))
      return bad;
    TuningChoice choice{{}, false};
    llvm::StringRef word = lines.word();
    choice.algorithm = convAlgorithmNamed(word);
    if (!choice.algorithm)
      return lines.wrong("expected " + convAlgorithmNames() + ", found '" + word + "'");
    word = lines.word();
    if (!word.consume_front("tile=") || !parseTile(word, choice.tile))
      return lines.wrong("expected tile=BLOCKSxROWSxCOLUMNS of numbers from 1 to 64, found '" +
                         word + "'");
    if (choice.algorithm == directAlgorithm()) {
      word = lines.word();
      if (!word.consume_front("order=") || (word != "pixels" && word != "groups"))
        return lines.wrong("expected order=pixels or order=groups, found '" + word + "'");
      choice.pixelsOutside = word == "pixels";
    }
    if (std::optional<TuningError> bad = lines.readEnd(choice.microseconds))
      return bad;
    if (!choices.emplace(std::pair(lines.target().str(), key.str()), choice).second)
      return lines.secondChoice(key);
  }
  return lines.error();
}

llvm::Error Tuning::read(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read the tuning file '" + path +
                                   "': " + buffer.getError().message());
  if (std::optional<TuningError> bad = parse((*buffer)->getBuffer()))
    return llvm::createStringError(path + ":" + llvm::Twine(bad->line) + ":" +
                                   llvm::Twine(bad->column) + ": " + bad->message);
  return llvm::Error::success();
}

std::string Tuning::print() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << tuningHeader << "\n";
  for (const auto &[place, choice] : choices) {
    os << place.first << " " << place.second << " " << choice.algorithm->name
       << " tile=" << choice.tile.blocks << "x" << choice.tile.rows << "x" << choice.tile.columns;
    if (choice.algorithm == directAlgorithm())
      os << " order=" << (choice.pixelsOutside ? "pixels" : "groups");
    if (choice.microseconds > 0)
      os << llvm::format(" us=%.2f", choice.microseconds);
    os << "\n";
  }
  return text;
}

const TuningChoice *Tuning::findFor(TunableStep step, const TargetDescription &target) const {
  if (choices.empty() || !step.getRegisterTile().empty())
    return nullptr;
  const TuningChoice *choice = find(target, step.getKey());
  return choice && choice->algorithm->name == step.getAlgorithm() ? choice : nullptr;
}

LogicalResult symc::codegen::chooseTiles(kernel::ProgramOp program, const TargetDescription &target,
                                         const Tuning &tuning) {
  program.walk([&](TunableStep step) {
    if (const TuningChoice *choice = tuning.findFor(step, target))
      step.setChoice(choice->ofStep(), target);
  });
  return chooseUnset(program, target);
}
