// Tuning.cpp: see Tuning.h. The reader is strict: a line that it does not
// understand in full is an error with its place, never skipped.
#include "codegen/cpu/Tuning.h"

#include "codegen/kernel/WinogradShape.h"
#include "mlir/IR/BuiltinTypes.h"
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

static std::string shapeKey(const ConvLayer &layer, int64_t lanes, bool flat) {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << "conv/n" << layer.images << "/i" << layer.inChannels << "/o" << layer.outChannels << "/"
     << layer.rows << "x" << layer.columns;
  for (auto [letter, pair] : {std::pair('k', ArrayRef(layer.kernel)),
                              std::pair('s', ArrayRef(layer.strides)),
                              std::pair('d', ArrayRef(layer.dilations))})
    os << "/" << letter << pair[0] << "x" << pair[1];
  os << "/l" << lanes << (flat ? "/flat" : "/rows") << "/e" << layer.extras;
  return key;
}

std::string Tuning::keyOf(const ConvLayer &layer) {
  return shapeKey(layer, layer.blocked ? 16 : layer.inChannels, layer.flat && layer.rows != 1);
}

std::string Tuning::keyOf(kernel::WinogradOp op) {
  kernel::WinogradShape shape = kernel::WinogradShape::of(op);
  ConvLayer layer{shape.images, shape.rows, shape.columns, shape.inChannels, shape.outChannels,
                  {3, 3}, {1, 1}, {1, 1}, true, int64_t(op.getExtras().size())};
  if (auto phases = op.getPhases()) {
    layer.inChannels = (*phases)[0];
    for (int d : {0, 1}) {
      layer.strides[d] = (*phases)[1];
      layer.kernel[d] = (*phases)[2 + d];
    }
    layer.blocked = false;
  }
  return keyOf(layer);
}

std::string Tuning::keyOf(kernel::StrassenOp op) {
  kernel::StrassenShape shape = kernel::StrassenShape::of(op);
  ConvLayer layer{shape.images, shape.rows, shape.columns, shape.inChannels, shape.outChannels,
                  {1, 1}, {1, 1}, {1, 1}, true, int64_t(op.getExtras().size())};
  SmallVector<Value> views{op.getData(), op.getOut()};
  llvm::append_range(views, op.getExtras());
  layer.flat = viewsAreFlat(views);
  return keyOf(layer);
}

std::string Tuning::keyOf(kernel::ConvOp op) {
  auto data = cast<MemRefType>(op.getData().getType());
  auto out = cast<MemRefType>(op.getOut().getType());
  if (!data.hasStaticShape() || !out.hasStaticShape())
    return "";
  ArrayRef<int64_t> k = op.getKernel(), s = op.getStrides(), d = op.getDilations();
  ConvLayer layer{out.getDimSize(0), out.getDimSize(2), out.getDimSize(3),
                  int64_t(op.getInChannels()), int64_t(op.getOutChannels()),
                  {k[0], k[1]}, {s[0], s[1]}, {d[0], d[1]}, true, int64_t(op.getExtras().size())};
  return shapeKey(layer, data.getDimSize(4), extentsOf(op).rows != layer.rows);
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
    TuningChoice choice{{}, false, 0};
    llvm::StringRef word = reader.word();
    std::optional<ConvKernel> kernel = convKernelNamed(word);
    if (!kernel)
      return wrong("expected direct, winograd-f2, winograd-f4, winograd-f4-late, winograd-phases or "
                   "strassen, found '" + word + "'");
    choice.kernel = *kernel;
    word = reader.word();
    if (!word.consume_front("tile=") || !parseTile(word, choice.tile))
      return wrong("expected tile=BLOCKSxROWSxCOLUMNS of numbers from 1 to 64, found '" + word + "'");
    if (choice.kernel == ConvKernel::Direct) {
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
    return llvm::createStringError("cannot read the tuning file '" + path + "': " +
                                   buffer.getError().message());
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
    os << place.first << " " << place.second << " " << nameOf(choice.kernel)
       << " tile=" << choice.tile.blocks << "x" << choice.tile.rows << "x" << choice.tile.columns;
    if (choice.kernel == ConvKernel::Direct)
      os << " order=" << (choice.pixelsOutside ? "pixels" : "groups");
    if (choice.microseconds > 0)
      os << llvm::format(" us=%.2f", choice.microseconds);
    os << "\n";
  }
  return text;
}

static constexpr llvm::StringLiteral orderName = "kernel.pixels_outside";

void symc::codegen::setChoice(Operation *op, const TuningChoice &choice) {
  int64_t tile[] = {choice.tile.blocks, choice.tile.rows, choice.tile.columns};
  if (auto winograd = dyn_cast<kernel::WinogradOp>(op))
    return winograd.setTile(tile);
  if (auto strassen = dyn_cast<kernel::StrassenOp>(op))
    return strassen.setTile(tile);
  cast<kernel::ConvOp>(op).setTile(tile);
  op->setAttr(orderName, BoolAttr::get(op->getContext(), choice.pixelsOutside));
}

const TuningChoice *Tuning::findDirect(kernel::ConvOp op, const TargetDescription &target) const {
  const TuningChoice *choice = choices.empty() ? nullptr : find(target, keyOf(op));
  return choice && choice->kernel == ConvKernel::Direct ? choice : nullptr;
}

void Tuning::apply(kernel::ConvOp op, const TargetDescription &target) const {
  const TuningChoice *choice = op.getTile() ? nullptr : findDirect(op, target);
  if (choice)
    setChoice(op, *choice);
  chooseTile(op, target);
}

// The file's tile where it names the op's kernel, else the model's.
template <typename Op>
static void applyTile(const Tuning &tuning, Op op, const TargetDescription &target) {
  bool asked = !op.getTile() && !tuning.empty();
  if (const TuningChoice *choice = asked ? tuning.find(target, Tuning::keyOf(op)) : nullptr)
    if (choice->kernel == kernelOf(op))
      setChoice(op, *choice);
  chooseTile(op, target);
}

void Tuning::apply(kernel::WinogradOp op, const TargetDescription &target) const {
  applyTile(*this, op, target);
}

void Tuning::apply(kernel::StrassenOp op, const TargetDescription &target) const {
  applyTile(*this, op, target);
}

void symc::codegen::chooseTiles(kernel::ProgramOp program, const TargetDescription &target,
                                const Tuning &tuning) {
  program.walk([&](kernel::ConvOp op) { tuning.apply(op, target); });
  program.walk([&](kernel::WinogradOp op) { tuning.apply(op, target); });
  program.walk([&](kernel::StrassenOp op) { tuning.apply(op, target); });
}
