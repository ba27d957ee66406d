// OperatorNames.cpp: see OperatorNames.h.
#include "ir/OperatorNames.h"

#include "ir/CustomOperators.h"
#include "ir/OpTable.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace symc::sg;

// Whether the node has what the name stands for: "fn=mul". An attribute that a node does not have
// is the default.
static bool hasPresets(Operation *op, const OpName &name) {
  return llvm::all_of(name.presets, [&](StringRef preset) {
    auto [key, text] = preset.split('=');
    const ParamInfo *param = name.info->findParam(key);
    if (!param)
      return true;
    std::string unused;
    Attribute own = op->getAttr(key);
    if (!own && param->defaultText)
      own = parseParam(*param, param->defaultText, op->getContext(), unused);
    return own == parseParam(*param, text, op->getContext(), unused);
  });
}

std::string symc::sg::mxnetNameOf(Operation *op) {
  if (auto written = op->getAttrOfType<StringAttr>("sg.op"))
    return written.str();
  const OpName *best = nullptr; // of two that fit, the one with more presets
  for (const OpName &name : allOpNames())
    if (name.info == infoOf(op) && name.name == name.canonical && hasPresets(op, name) &&
        (!best || name.presets.size() > best->presets.size()))
      best = &name;
  return best ? best->name.str() : std::string();
}
