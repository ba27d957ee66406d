// Differences.cpp: see Differences.h.
//
// Where an operator has a corner (relu at 0, two equal maxima), MXNet's gradient is that of one
// side or of neither. A case whose own inputs lie there is compared at inputs beside them.
#include "tools/conformance/Differences.h"

#include "frontend/json/SymbolReader.h"
#include "tools/conformance/LossFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>
#include <random>

using namespace symc;
using namespace symc::conformance;

static bool isFloat(params::DType dtype) {
  return llvm::is_contained({params::DType::F16, params::DType::F32, params::DType::F64}, dtype);
}

std::string WideCase::read(llvm::StringRef folder) {
  if (auto problem = stored.read(folder, ""))
    return *problem;
  Diagnostics diagnostics;
  if (stored.mode != "train")
    return "no case of training";
  if (!stored.readArrays(diagnostics))
    return diagnostics.all().front().message;
  graph = json::readSymbolFile(stored.symbol, diagnostics, {nullptr, false});
  if (!graph)
    return diagnostics.all().front().message;
  for (auto &entry : stored.arrays) {
    const params::Array &array = *entry.getValue();
    std::vector<char> bytes(array.data, array.data + array.byteCount);
    if (isFloat(array.dtype)) {
      std::vector<double> &values = given[entry.getKey().str()];
      values.resize(array.elementCount());
      symc_convert(bytes.data(), static_cast<int32_t>(array.dtype), values.data(), SYMC_F64,
                   array.elementCount());
    } else {
      others[entry.getKey().str()] = std::move(bytes);
    }
  }
  return "";
}

namespace {

using Values = std::vector<std::vector<double>>;

/// The program of a case, run with floats that change.
class Program {
public:
  Program(const symc_model &model, const WideCase &wide) : model(model), wide(wide) {
    for (int32_t i = 0; i < model.n_inputs; ++i) {
      const symc_tensor_info &info = model.inputs[i];
      const params::Array *stored = wide.stored.findInput(info.name);
      inputs.emplace_back(info.max_bytes + 1);
      values.emplace_back();
      if (!stored)
        continue; // labels that the case left at zero
      auto found = wide.given.find(stored->key);
      if (found != wide.given.end())
        values.back() = found->second;
      else if (auto other = wide.others.find(stored->key); other != wide.others.end())
        memcpy(inputs.back().data(), other->second.data(),
               std::min(other->second.size(), inputs.back().size()));
    }
    for (int32_t i = 0; i < model.n_outputs; ++i)
      outputs.emplace_back(model.outputs[i].max_bytes + 1);
  }

  /// The sentence of what fails, or "". Each run draws the same random numbers.
  std::string run() {
    char error[512] = "";
    symc_options options = {};
    options.error = error;
    options.error_bytes = sizeof error;
    symc_context *context = nullptr;
    if (symc_create(&model, &options, &context))
      return std::string("create: ") + error;
    std::vector<symc_tensor> in, out;
    for (int32_t i = 0; i < model.n_inputs; ++i) {
      const symc_tensor_info &info = model.inputs[i];
      if (!values[i].empty())
        symc_convert(values[i].data(), SYMC_F64, inputs[i].data(), info.dtype, values[i].size());
      in.push_back({inputs[i].data(), info.shape, info.rank, info.dtype, SYMC_DEVICE_CPU, 0});
    }
    for (int32_t i = 0; i < model.n_outputs; ++i) {
      const symc_tensor_info &info = model.outputs[i];
      out.push_back({outputs[i].data(), info.shape, info.rank, info.dtype, SYMC_DEVICE_CPU, 0});
    }
    std::string problem;
    if (symc_run(context, in.data(), in.size(), out.data(), out.size()))
      problem = std::string("run: ") + symc_last_error(context);
    states.clear();
    for (int32_t i = 0; problem.empty() && i < model.n_states; ++i) {
      const symc_tensor_info &info = model.states[i].tensor;
      std::vector<char> bytes(info.max_bytes + 1);
      symc_tensor state{bytes.data(), info.shape, info.rank, info.dtype, SYMC_DEVICE_CPU, 0};
      if (symc_get_state(context, info.name, &state))
        problem = std::string("state: ") + symc_last_error(context);
      states.push_back(toDoubles(bytes, info));
    }
    symc_destroy(context);
    return problem;
  }

  std::vector<double> output(int32_t i) const { return toDoubles(outputs[i], model.outputs[i]); }
  /// The sum of each output times the gradient that it is given, and of what losses are of.
  double loss() const {
    double sum = 0;
    for (int32_t k = 0; k < model.n_outputs; ++k) {
      const symc_tensor_info &info = model.outputs[k];
      if (llvm::StringRef(info.name).starts_with("grad:"))
        continue;
      std::string name = std::string("head_grad:") + info.name;
      for (int32_t i = 0; i < model.n_inputs; ++i)
        if (name == model.inputs[i].name)
          for (auto [y, dy] : llvm::zip_equal(output(k), values[i]))
            sum += y * dy;
      const symbol::Node &head = wide.graph->nodes[wide.graph->heads[k].node];
      std::vector<double> y = output(k);
      if (std::optional<double> own =
              lossOf(head, {y, labelOf(head), llvm::ArrayRef(info.shape, info.rank)}))
        sum += *own;
    }
    return sum;
  }

  const symc_model &model;
  const WideCase &wide;
  Values values; // of inputs that hold floats
  Values states;

private:
  llvm::ArrayRef<double> labelOf(const symbol::Node &head) const {
    if (head.inputs.size() > 1)
      for (int32_t i = 0; i < model.n_inputs; ++i)
        if (wide.graph->nodes[head.inputs[1].node].name == model.inputs[i].name)
          return values[i];
    return {};
  }

  static std::vector<double> toDoubles(const std::vector<char> &bytes,
                                       const symc_tensor_info &info) {
    std::vector<double> all(info.max_bytes / symc_dtype_bytes(info.dtype));
    symc_convert(bytes.data(), info.dtype, all.data(), SYMC_F64, all.size());
    return all;
  }
  std::vector<std::vector<char>> inputs, outputs;
};

bool areWhole(llvm::ArrayRef<double> values) {
  return llvm::all_of(values, [](double x) { return x == std::floor(x); });
}

bool areZero(llvm::ArrayRef<double> values) {
  return llvm::all_of(values, [](double x) { return x == 0; });
}

std::string compareValues(llvm::StringRef name, llvm::ArrayRef<double> x, const WideCase &wide,
                          const std::string &key) {
  auto found = wide.given.find(key);
  if (found == wide.given.end())
    return "";
  auto [rtol, atol] = wide.stored.toleranceOf(llvm::Twine(key));
  for (auto [i, pair] : llvm::enumerate(llvm::zip_longest(x, found->second))) {
    double got = std::get<0>(pair).value_or(NAN), want = std::get<1>(pair).value_or(INFINITY);
    if (got == want || (std::isnan(got) && std::isnan(want)))
      continue;
    if (!(std::fabs(got - want) <= atol + rtol * std::fabs(want)))
      return llvm::formatv("{0}: element {1} is {2}, expected {3}", name, i, got, want);
  }
  return "";
}

/// Gradients and differences at one point.
class Point {
public:
  Point(Program &program, std::mt19937_64 &random, llvm::ArrayRef<std::string> symmetric)
      : program(program), random(random), symmetric(symmetric) {}

  /// Arguments whose gradient is none of a difference; the sentence of what fails, or "".
  std::string compare(std::vector<std::string> &unlike, std::vector<std::string> &compared) {
    const symc_model &model = program.model;
    if (std::string problem = program.run(); !problem.empty())
      return problem;
    std::map<int32_t, std::vector<double>> gradients; // by input
    for (int32_t k = 0; k < model.n_outputs; ++k)
      if (llvm::StringRef name = model.outputs[k].name; name.consume_front("grad:"))
        for (int32_t i = 0; i < model.n_inputs; ++i)
          if (name == model.inputs[i].name && !program.values[i].empty())
            gradients[i] = program.output(k);
    for (auto &[i, gradient] : gradients) {
      // What a gradient is added to is no part of it.
      std::string name = model.inputs[i].name;
      if (auto before = program.wide.given.find("grad_before:" + name);
          before != program.wide.given.end())
        for (auto [value, old] : llvm::zip_equal(gradient, before->second))
          value -= old;
      if (areZero(gradient) && areWhole(program.values[i]))
        continue; // an index, a label, a length
      if (!llvm::all_of(gradient, [](double x) { return std::isfinite(x); }) || !isWide())
        continue;
      compared.push_back(name);
      for (int direction = 0; direction < 2; ++direction)
        if (!isSlope(i, gradient)) {
          unlike.push_back(name);
          break;
        }
    }
    return "";
  }

private:
  // Whether all floats of the program are f64, so that differences mean something.
  bool isWide() const {
    const symc_model &model = program.model;
    auto hasFew = [](const symc_tensor_info &info) {
      return info.dtype == SYMC_F32 || info.dtype == SYMC_F16 || info.dtype == SYMC_BF16;
    };
    return llvm::none_of(llvm::ArrayRef(model.inputs, model.n_inputs), hasFew) &&
           llvm::none_of(llvm::ArrayRef(model.outputs, model.n_outputs), hasFew);
  }

  // Whether the gradient of input `i` is that of a difference along a direction. It is not where
  // the program refuses values beside those of the case, as a region that no longer has an extent.
  bool isSlope(int32_t i, llvm::ArrayRef<double> gradient) {
    bool refused = false;
    std::normal_distribution<double> normal;
    std::vector<double> direction, x = program.values[i];
    double expected = 0, size = 0;
    while (direction.size() < x.size())
      direction.push_back(normal(random));
    const symc_tensor_info &info = program.model.inputs[i];
    if (llvm::is_contained(symmetric, info.name))
      makeSymmetric(direction, info.shape[info.rank - 1]);
    for (auto [g, d] : llvm::zip_equal(gradient, direction)) {
      expected += g * d;
      size += std::fabs(g * d);
    }
    auto at = [&](double step) {
      for (size_t e = 0; e < x.size(); ++e)
        program.values[i][e] = x[e] + step * direction[e];
      refused = refused || !program.run().empty();
      return program.loss();
    };
    bool is = false;
    // A wrong gradient is far from each of these; large steps meet corners, small ones rounding.
    for (double step : {1e-4, 1e-5, 1e-6}) {
      double wide = (at(step) - at(-step)) / (2 * step);
      double narrow = (at(step / 2) - at(-step / 2)) / step;
      double slope = (4 * narrow - wide) / 3;
      is |= std::fabs(slope - expected) <= 1e-6 * (size + std::fabs(slope)) + 1e-9;
      if (is || refused)
        break;
    }
    program.values[i] = x;
    return is && !refused;
  }

  static void makeSymmetric(std::vector<double> &values, size_t n) {
    for (size_t e = 0; e < values.size(); ++e) {
      size_t row = e / n % n, column = e % n;
      if (row < column)
        values[e] = values[e - row * n - column + column * n + row];
    }
  }

  Program &program;
  std::mt19937_64 &random;
  llvm::ArrayRef<std::string> symmetric;
};

} // namespace

std::string symc::conformance::compareStored(const symc_model &model, const WideCase &wide) {
  Program program(model, wide);
  if (std::string problem = program.run(); !problem.empty())
    return problem;
  for (int32_t i = 0; i < model.n_outputs; ++i) {
    std::string name = model.outputs[i].name;
    bool isGradient = llvm::StringRef(name).starts_with("grad:");
    std::string problem = compareValues(name, program.output(i), wide,
                                        isGradient ? name : "out:" + std::to_string(i));
    if (!problem.empty())
      return problem;
  }
  for (int32_t i = 0; i < model.n_states; ++i) {
    std::string name = model.states[i].tensor.name;
    if (std::string problem = compareValues(name, program.states[i], wide, "aux_out:" + name);
        !problem.empty())
      return problem;
  }
  return "";
}

Compared symc::conformance::compareDifferences(const symc_model &model, const WideCase &wide,
                                               llvm::ArrayRef<std::string> symmetric) {
  Compared all;
  std::mt19937_64 random(42);
  Program program(model, wide);
  all.problem = Point(program, random, symmetric).compare(all.unlike, all.arguments);
  // Beside the case's own inputs, where these lie at a corner.
  for (int moved = 0; moved < 2 && all.problem.empty() && !all.unlike.empty(); ++moved) {
    Program beside(model, wide);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int32_t i = 0; i < model.n_inputs; ++i)
      if (llvm::is_contained(all.arguments, model.inputs[i].name))
        for (double &x : beside.values[i])
          x += 0.01 * uniform(random);
    Compared found;
    if (Point(beside, random, symmetric).compare(found.unlike, found.arguments).empty())
      all = std::move(found); // else the program refuses values there
  }
  return all;
}
