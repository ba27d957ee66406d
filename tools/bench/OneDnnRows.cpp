// OneDnnRows.cpp: layers by oneDNN, with the layouts and the algorithm that it chooses itself,
// and bias, residual and ReLU as post-operations. Without oneDNN at configure time
// (SYMC_HAVE_ONEDNN), there are no rows and the version states that.
#include "tools/bench/KernelRows.h"

using namespace symc::bench;

#ifdef SYMC_HAVE_ONEDNN
#include <dlfcn.h>
#include <dnnl.hpp>

using namespace dnnl;
using Tag = memory::format_tag;

namespace {

class Primitive final : public Contender {
public:
  explicit Primitive(const Layer &l) : stream(engine) {
    // Distributions build it with OpenMP, which has read its environment long before main.
    if (auto setThreads =
            reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_num_threads")))
      setThreads(1);
    primitive_attr attributes;
    post_ops after;
    if (l.residual)
      after.append_sum(1.0f);
    if (l.relu)
      after.append_eltwise(1.0f, algorithm::eltwise_relu, 0.0f, 0.0f);
    attributes.set_post_ops(after);
    memory::dims data = {l.batch, l.in, l.rows, l.columns}, bias = {l.out};
    memory::dims out = {l.batch, l.out, l.outRows(), l.outColumns()};
    memory::dims weights = {l.out, l.in, l.kernelRows, l.kernelColumns};
    if (l.depthwise)
      weights = {l.out / l.group, l.group, l.group, l.kernelRows, l.kernelColumns};
    if (l.matrix) {
      data = {l.batch, l.in};
      out = {l.batch, l.out};
      weights = {l.out, l.in};
      inner_product_forward::desc desc(prop_kind::forward_inference, any(data), any(weights),
                                       any(bias), any(out));
      prepare<inner_product_forward>({desc, attributes, engine});
      return;
    }
    memory::dims strides = {l.stride, l.stride}, dilation = {l.dilation - 1, l.dilation - 1},
                 pad = {l.padRows, l.padColumns};
    convolution_forward::desc desc(prop_kind::forward_inference, algorithm::convolution_auto,
                                   any(data), any(weights), any(bias), any(out), strides, dilation,
                                   pad, pad);
    prepare<convolution_forward>({desc, attributes, engine});
  }

  void run() override {
    work.execute(stream, operands);
    stream.wait();
  }

private:
  static memory::desc any(const memory::dims &sizes) {
    return {sizes, memory::data_type::f32, Tag::any};
  }

  template <typename Kind> void prepare(const typename Kind::primitive_desc &desc) {
    auto filled = [&](const memory::desc &layout) {
      memory m(layout, engine);
      auto *values = static_cast<float *>(m.get_data_handle());
      std::fill(values, values + layout.get_size() / sizeof(float), 0.5f);
      return m;
    };
    operands = {{DNNL_ARG_SRC, filled(desc.src_desc())},
                {DNNL_ARG_WEIGHTS, filled(desc.weights_desc())},
                {DNNL_ARG_BIAS, filled(desc.bias_desc())},
                {DNNL_ARG_DST, filled(desc.dst_desc())}};
    work = Kind(desc);
  }

  dnnl::engine engine{engine::kind::cpu, 0};
  dnnl::stream stream;
  primitive work;
  std::unordered_map<int, memory> operands;
};

} // namespace

std::string symc::bench::oneDnnVersion() {
  const dnnl_version_t *v = dnnl_version();
  return "oneDNN " + std::to_string(v->major) + "." + std::to_string(v->minor) + "." +
         std::to_string(v->patch);
}

bool symc::bench::oneDnnTakes(const Layer &) { return true; }
std::unique_ptr<Contender> symc::bench::oneDnnContender(const Layer &layer) {
  return std::make_unique<Primitive>(layer);
}

#else

std::string symc::bench::oneDnnVersion() {
  return "oneDNN: not built in; install libdnnl-dev and configure again";
}
bool symc::bench::oneDnnTakes(const Layer &) { return false; }
std::unique_ptr<Contender> symc::bench::oneDnnContender(const Layer &) { return nullptr; }

#endif
