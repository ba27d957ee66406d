//===- FakeCatalog.h - facts about a few operators, for tests -------------===//
//
// Stands in for the op table: enough operators, with MXNet's inputs, hidden
// outputs and auxiliary states, to exercise upgrades and checks of counts.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_TEST_UNIT_FRONTEND_FAKECATALOG_H
#define SYMC_TEST_UNIT_FRONTEND_FAKECATALOG_H

#include "frontend/symbol/OperatorCatalog.h"

namespace symc::test {

class FakeCatalog : public symbol::OperatorCatalog {
public:
  std::optional<symbol::OperatorFacts> lookup(llvm::StringRef op,
                                              const symbol::AttributeMap &attrs) const override {
    using Names = std::vector<std::string>;
    auto count = [&](llvm::StringRef key) {
      unsigned value = 0;
      if (auto text = attrs.get(key))
        text->getAsInteger(10, value);
      return value;
    };
    if (op == "FullyConnected" || op == "Convolution") {
      auto noBias = attrs.get("no_bias");
      bool bias = !noBias || (*noBias != "1" && !noBias->equals_insensitive("true"));
      return facts(op, bias ? Names{"data", "weight", "bias"} : Names{"data", "weight"});
    }
    if (op == "Activation" || op == "argmax" || op == "relu")
      return facts(op, {"data"});
    if (op == "SoftmaxOutput" || op == "Softmax")
      return facts("SoftmaxOutput", {"data", "label"});
    if (op == "BatchNorm")
      return facts(op, {"data", "gamma", "beta", "moving_mean", "moving_var"}, 2, 1, 3);
    if (op == "SliceChannel")
      return facts(op, {"data"}, 0, count("num_outputs"), count("num_outputs"));
    if (op == "Concat") {
      unsigned arguments = count("num_args");
      if (arguments == 0 || arguments > MaxInputs)
        return std::nullopt;
      Names names;
      for (unsigned i = 0; i < arguments; ++i)
        names.push_back("arg" + std::to_string(i));
      return facts(op, names);
    }
    if (op == "_foreach") {
      symbol::OperatorFacts result;
      result.canonicalName = op.str();
      return result;
    }
    return std::nullopt;
  }

  std::optional<std::string> inputInit(llvm::StringRef op, unsigned index,
                                       const symbol::AttributeMap &) const override {
    if (op == "BatchNorm" && index >= 3)
      return index == 3 ? "[\"zero\", {}]" : "[\"one\", {}]";
    return std::nullopt;
  }

private:
  static symbol::OperatorFacts facts(llvm::StringRef name, std::vector<std::string> inputs,
                                     unsigned aux = 0, unsigned visible = 1, unsigned total = 1) {
    symbol::OperatorFacts result;
    result.canonicalName = name.str();
    result.inputs = std::move(inputs);
    result.auxCount = aux;
    result.visibleOutputs = visible;
    result.totalOutputs = total;
    return result;
  }
};

} // namespace symc::test

#endif // SYMC_TEST_UNIT_FRONTEND_FAKECATALOG_H
