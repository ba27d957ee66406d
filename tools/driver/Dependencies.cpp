// Dependencies.cpp: see Dependencies.h. What make takes was tried with GNU make 4.
#include "tools/driver/Dependencies.h"
#include "tools/driver/Preprocess.h"

using namespace symc;

static std::vector<std::string> inputsOf(const CommandLine &line) {
  std::vector<std::string> inputs;
  if (!line.request.model.graph && !line.request.model.onnx)
    inputs.push_back(line.request.model.symbolFile);
  inputs.insert(inputs.end(), line.request.model.paramsFiles.begin(),
                line.request.model.paramsFiles.end());
  inputs.insert(inputs.end(), line.customOperators.begin(), line.customOperators.end());
  if (!line.labelsFile.empty())
    inputs.push_back(line.labelsFile);
  llvm::append_range(inputs, filesOf(line.preprocess));
  return inputs;
}

// A backslash before an escaped character is itself escaped.
static std::string escape(llvm::StringRef name, bool target) {
  std::string text;
  for (char c : name) {
    size_t slashes = text.size() - llvm::StringRef(text).rtrim('\\').size();
    bool special = llvm::StringRef(target ? " #:*?[%" : " \t#:*?[|").contains(c);
    if (special)
      text.append(slashes + 1, '\\');
    text += c == '$' ? "$$" : std::string(1, c);
  }
  return text;
}

std::string symc::unfitForMake(const CommandLine &line) {
  auto unfit = [](llvm::StringRef name, llvm::StringRef characters) -> std::string {
    size_t at = name.find_first_of(characters);
    if (at == llvm::StringRef::npos)
      return "";
    llvm::StringRef what = name[at] == '\n'   ? "a line break"
                           : name[at] == '\t' ? "a tab"
                                              : name.substr(at, 1);
    return (inQuotes(name) + " has " + what).str();
  };
  if (std::string text = unfit(line.emit.output, "\n;=\t|"); !text.empty())
    return text;
  for (const std::string &input : inputsOf(line))
    if (std::string text = unfit(input, "\n;="); !text.empty())
      return text;
  return "";
}

std::string symc::dependencyRule(const CommandLine &line) {
  std::string text = escape(line.emit.output, /*target=*/true) + ":";
  for (const std::string &input : inputsOf(line))
    text += " " + escape(input, /*target=*/false);
  return text + "\n";
}
