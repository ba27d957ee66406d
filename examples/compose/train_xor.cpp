// train_xor.cpp: composes a network, binds it to arrays and trains it by gradient descent, as
// programs over MXNet's C++ package do. 'exclusive or' is learned after some hundred steps.
#include <symc/symbol.hpp>

#include <cmath>
#include <cstdio>

int main() {
  try {
    symc::Symbol data = symc::Symbol::variable("data");
    symc::Symbol hidden =
        symc::Symbol::apply("FullyConnected", {{"num_hidden", "8"}}, "fc1", {data});
    hidden = symc::Symbol::apply("Activation", {{"act_type", "tanh"}}, "tanh1", {hidden});
    symc::Symbol net =
        symc::Symbol::apply("FullyConnected", {{"num_hidden", "2"}}, "fc2", {hidden});
    net = symc::Symbol::apply("SoftmaxOutput", {}, "softmax", {net});

    // What is not given gets an array, weights normally distributed numbers.
    symc::Array corners({4, 2}, {0, 0, 0, 1, 1, 0, 1, 1}), labels({4}, {0, 1, 1, 0});
    symc::Executor executor = net.simpleBind({{"data", corners}, {"softmax_label", labels}}, {}, {},
                                             {}, symc::Gaussian(0, 0.7));

    auto gradients = executor.gradientsByName();
    for (int step = 0; step <= 300; ++step) {
      executor.forward(true);
      if (step % 100 == 0) {
        double loss = 0;
        for (int i = 0; i < 4; ++i)
          loss -= std::log(executor.outputs()[0][2 * i + int(labels[i])]) / 4;
        std::printf("step %d: loss %.2f\n", step, loss);
      }
      executor.backward(); // softmax is a loss; other outputs need a gradient
      for (auto &[name, weights] : executor.argumentsByName())
        if (name != "data" && name != "softmax_label")
          for (size_t i = 0; i < weights.size(); ++i)
            weights[i] -= 0.1f * gradients.at(name)[i];
    }

    executor.forward(false); // as in prediction
    for (int i = 0; i < 4; ++i)
      std::printf("%.0f xor %.0f = %d\n", corners[2 * i], corners[2 * i + 1],
                  executor.outputs()[0][2 * i + 1] > 0.5f);
  } catch (const symc::Error &error) {
    std::fprintf(stderr, "train_xor: %s\n", error.what());
    return 1;
  }
  return 0;
}
