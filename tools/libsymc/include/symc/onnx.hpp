// onnx.hpp: ONNX models that a program has in memory, compiled into its process, in C++17.
//
//   symc::OnnxModel net(bytes, {"--size", "batch=1"});
//   symc::Model model = symc::Model::of(net.table()); // symc/model.hpp
//
// A mistake throws symc::Error with what symc prints.
#ifndef SYMC_ONNX_HPP
#define SYMC_ONNX_HPP

#include "symc/array.hpp"
#include <string_view>
#include <utility>

namespace symc {

/// A compiled model. Its table stays readable; contexts that symc_create() made of it go on
/// when it ends.
class OnnxModel {
public:
  /// `bytes`: the model with all of its weights, which is only read, and not afterwards.
  /// `options`: of symc_request. `name`: what messages call it.
  explicit OnnxModel(std::string_view bytes, const std::vector<std::string> &options = {},
                     const std::string &name = "model") {
    std::vector<const char *> words;
    for (const std::string &option : options)
      words.push_back(option.c_str());
    symc_request request = {};
    request.struct_bytes = sizeof request;
    request.onnx = bytes.data() ? bytes.data() : "";
    request.onnx_bytes = bytes.size();
    request.name = name.c_str();
    request.option_count = words.size();
    request.options = words.data();
    if (symc_compile_model(&request, &loaded) || symc_loaded_model(loaded, &model))
      throw Error(symc_compiler_error());
  }
  OnnxModel(OnnxModel &&other) noexcept
      : loaded(std::exchange(other.loaded, 0)), model(other.model) {}
  OnnxModel &operator=(OnnxModel &&other) noexcept {
    std::swap(loaded, other.loaded);
    std::swap(model, other.model);
    return *this;
  }
  ~OnnxModel() {
    if (loaded)
      symc_loaded_free(loaded);
  }

  const symc_model &table() const { return *model; }

private:
  symc_loaded loaded = 0;
  const symc_model *model = nullptr;
};

} // namespace symc

#endif // SYMC_ONNX_HPP
