// Tuning.cpp: see Tuning.h. The reader is strict: a line that it does not
// understand in full is an error with its place, never skipped.
#include "codegen/conv/Tuning.h"

#include "codegen/cpu/TaskCut.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static constexpr llvm::StringLiteral header = "symc tuning 1";

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

namespace {
/// Takes words off a line and remembers where they stood.
struct LineReader {
  llvm::StringRef line;
  size_t place = 0;
  size_t wordAt = 0;

  llvm::StringRef word() {
    place = line.find_first_not_of(" \t\r", place);
    if (place == llvm::StringRef::npos)
      place = line.size();
    wordAt = place;
    place = std::min(line.find_first_of(" \t\r", place), line.size());
    return line.slice(wordAt, place);
  }
};
} // namespace

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
  unsigned number = 0;
  bool started = false;
  while (!text.empty()) {
    LineReader reader;
    std::tie(reader.line, text) = text.split('\n');
    ++number;
    auto wrong = [&](const llvm::Twine &message) {
      return TuningError{number, unsigned(reader.wordAt + 1), message.str()};
    };
    if (!started) {
      if (reader.line.trim() != header)
        return wrong("a tuning file begins with '" + header + "', found '" +
                     reader.line.take_front(40).trim() + "'");
      started = true;
      continue;
    }
    llvm::StringRef target = reader.word();
    if (target.empty() || target.starts_with("#"))
      continue;
    llvm::StringRef key = reader.word();
    if (!key.starts_with("conv/"))
      return wrong("expected a shape that begins with 'conv/', found '" + key + "'");
    TuningChoice choice{{}, false};
    llvm::StringRef word = reader.word();
    choice.algorithm = convAlgorithmNamed(word);
    if (!choice.algorithm)
      return wrong("expected " + convAlgorithmNames() + ", found '" + word + "'");
    word = reader.word();
    if (!word.consume_front("tile=") || !parseTile(word, choice.tile))
      return wrong("expected tile=BLOCKSxROWSxCOLUMNS of numbers from 1 to 64, found '" + word +
                   "'");
    if (choice.algorithm == directAlgorithm()) {
      word = reader.word();
      if (!word.consume_front("order=") || (word != "pixels" && word != "groups"))
        return wrong("expected order=pixels or order=groups, found '" + word + "'");
      choice.pixelsOutside = word == "pixels";
    }
    word = reader.word();
    if (!word.empty()) {
      if (!word.consume_front("us=") || word.getAsDouble(choice.microseconds))
        return wrong("expected us=NUMBER or the end of the line, found '" + word + "'");
      if (llvm::StringRef more = reader.word(); !more.empty())
        return wrong("expected the end of the line, found '" + more + "'");
    }
    if (!choices.emplace(std::pair(target.str(), key.str()), choice).second) {
      reader.wordAt = 0;
      return wrong("a second choice for '" + key + "' on '" + target + "'");
    }
  }
  if (!started)
    return TuningError{1, 1, ("a tuning file begins with '" + header + "', found nothing").str()};
  return std::nullopt;
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
  os << header << "\n";
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
