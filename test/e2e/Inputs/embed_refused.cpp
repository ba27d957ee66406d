// Mistakes that symc/model.hpp refuses to compile, by number, and without one a program that loads
// the library argv[1] as a model of the prefix 'net'.
#include "symc/model.hpp"

#include <cstdio>

#if MISTAKE == 1
symc::Span<char, 4> *letters = nullptr;
static_assert(sizeof *letters);
#elif MISTAKE == 3
static_assert(sizeof(symc::Span<float, 1, 1, 1, 1, 1, 1, 1, 1, 1>));
#elif MISTAKE == 4
static_assert(sizeof(symc::Outputs<symc::Span<const float, 4>>));
#elif MISTAKE == 5
auto mistake(float *data) { return symc::Span<float, symc::Any, 4>::over(data, 8, 2, 4); }
#elif MISTAKE == 6
auto mistake(symc::Context &context, symc::Span<const float, 4> value) {
  return context.getState("mean", value);
}
#elif MISTAKE == 7
using Net = symc::TypedContext<symc::Inputs<symc::Span<const float, 8>>,
                               symc::Outputs<symc::Span<float, 2>>>;
auto mistake(Net &net, std::array<float, 7> &in, std::array<float, 2> &out) {
  return net.run(in, out);
}
#elif MISTAKE == 8
static_assert(sizeof(symc::Span<float, symc::between(8, 1)>));
#elif MISTAKE == 9
symc::Span<const float, symc::between(1, 8)> mistake(symc::Span<float, symc::between(0, 8)> wider) {
  return wider;
}
#endif

int main(int, char **argv) {
  std::puts(symc::Model::load(argv[1], "net").status().sentence().c_str());
}
