// random_test.cpp: random operators. The generator's known answers, what the numbers
// depend on, and each distribution by Kolmogorov and Smirnov's test over a million numbers
// for five seeds (p above 1e-3; for counts the test is on the safe side) and by its mean.
#include "kernels/reference/random.h"
#include "symc/generated/op_params/Image.h"
#include "symc/generated/op_params/Nn.h"
#include "symc/generated/op_params/Random.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <vector>

#define SYMC_KERNEL(mnemonic, dtype, symbol, isa)                                                  \
  extern "C" int32_t symbol(const symc_kernel_args *args);
#include "symc/kernels.def"
#undef SYMC_KERNEL

// What trainers answer of a run's frame (runtime/train).
static struct {
  int64_t rows, first;
} shared;
int64_t symc_shared_rows(const symc_frame *, int64_t *first_row) {
  *first_row = shared.first;
  return shared.rows;
}

namespace {

constexpr int64_t kCount = 1000000;

symc_random_params parameters(int64_t kind) {
  symc_random_params params = {};
  params.kind = kind;
  params.high = params.scale = params.alpha = params.beta = params.lam = params.p = params.mu = 1;
  params.k = 1;
  return params;
}

std::vector<double> draw(const symc_random_params &params, uint64_t seed, uint64_t iteration = 0,
                         uint64_t stream = 5, int64_t count = kCount) {
  std::vector<double> numbers(count);
  symc_tensor output = {numbers.data(), &count, 1, SYMC_F64};
  symc_frame frame = {};
  frame.seed = seed;
  frame.iteration = iteration;
  symc_kernel_args args = {};
  args.outputs = &output;
  args.n_outputs = 1;
  args.params = &params;
  args.frame = &frame;
  args.random_stream = stream;
  EXPECT_EQ(symc_ref_random_f64(&args), 0);
  return numbers;
}

double chance(double distance) { // of a distance at least so large
  double root = std::sqrt(double(kCount)), x = (root + 0.12 + 0.11 / root) * distance, sum = 0;
  for (int j = 1; j < 100; ++j)
    sum += (j % 2 ? 2 : -2) * std::exp(-2.0 * j * j * x * x);
  return x < 0.2 ? 1 : std::min(1.0, std::max(0.0, sum));
}

// `cumulative` is P(X <= x); `isCount` tells that X takes whole numbers.
void check(const symc_random_params &params, bool isCount, double mean,
           const std::function<double(double)> &cumulative) {
  for (uint64_t seed : {1, 2, 3, 4, 5}) {
    std::vector<double> numbers = draw(params, seed);
    double sum = 0, squares = 0, distance = 0;
    for (double x : numbers) {
      sum += x;
      squares += x * x;
    }
    std::sort(numbers.begin(), numbers.end());
    for (int64_t i = 0; i < kCount; ++i) {
      if (isCount && i + 1 < kCount && numbers[i + 1] == numbers[i])
        continue;
      double at = cumulative(numbers[i]);
      distance = std::max(distance, std::fabs(double(i + 1) / kCount - at));
      if (!isCount)
        distance = std::max(distance, std::fabs(at - double(i) / kCount));
    }
    double average = sum / kCount, spread = std::sqrt(squares / kCount - average * average);
    EXPECT_NEAR(average, mean, 5 * spread / std::sqrt(double(kCount))) << "seed " << seed;
    EXPECT_GT(chance(distance), 1e-3) << "seed " << seed << ", distance " << distance;
  }
}

// P(X <= x) of a gamma distribution: the series of the incomplete gamma function.
double gammaCumulative(double shape, double x) {
  if (x <= 0)
    return 0;
  double term = 1 / shape, sum = term;
  for (int n = 1; n < 2000 && term > sum * 1e-16; ++n)
    sum += term *= x / (shape + n);
  return std::min(1.0, sum * std::exp(-x + shape * std::log(x) - std::lgamma(shape)));
}

std::function<double(double)> counts(double first, const std::function<double(int)> &ratio) {
  std::vector<double> sums;
  double chance = first, sum = 0;
  for (int k = 0; k < 4000; ++k) {
    sums.push_back(sum += chance);
    chance *= ratio(k);
  }
  return [sums](double x) { return sums[std::min<size_t>(sums.size() - 1, size_t(x))]; };
}

} // namespace

TEST(Random, PhiloxGivesItsKnownAnswers) {
  symc::ref::Draw zero(0, 0);
  for (uint32_t word : {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u})
    EXPECT_EQ(zero.word(), word);
}

TEST(Random, NumbersDependOnSeedRunNodeAndPlaceAlone) {
  symc_random_params params = parameters(SYMC_RANDOM_KIND_NORMAL);
  std::vector<double> numbers = draw(params, 7, 1, 2, 100);
  EXPECT_EQ(numbers, draw(params, 7, 1, 2, 100));
  std::vector<double> longer = draw(params, 7, 1, 2, 200);
  EXPECT_TRUE(std::equal(numbers.begin(), numbers.end(), longer.begin()));
  EXPECT_NE(numbers, draw(params, 8, 1, 2, 100));
  EXPECT_NE(numbers, draw(params, 7, 2, 2, 100));
  EXPECT_NE(numbers, draw(params, 7, 1, 3, 100));
}

TEST(Random, Uniform) {
  symc_random_params params = parameters(SYMC_RANDOM_KIND_UNIFORM);
  params.low = -2, params.high = 3;
  check(params, false, 0.5, [](double x) { return (x + 2) / 5; });
}

TEST(Random, Normal) {
  symc_random_params params = parameters(SYMC_RANDOM_KIND_NORMAL);
  params.loc = 1, params.scale = 2;
  check(params, false, 1, [](double x) { return 0.5 * std::erfc((1 - x) / 2 / std::sqrt(2.0)); });
}

TEST(Random, Gamma) {
  for (double shape : {0.4, 1.0, 7.5}) {
    symc_random_params params = parameters(SYMC_RANDOM_KIND_GAMMA);
    params.alpha = shape, params.beta = 0.5;
    check(params, false, shape / 2, [&](double x) { return gammaCumulative(shape, 2 * x); });
  }
}

TEST(Random, Exponential) {
  symc_random_params params = parameters(SYMC_RANDOM_KIND_EXPONENTIAL);
  params.lam = 4;
  check(params, false, 0.25, [](double x) { return 1 - std::exp(-4 * x); });
}

TEST(Random, Poisson) {
  for (double mean : {0.7, 9.0, 30.0, 400.0}) {
    symc_random_params params = parameters(SYMC_RANDOM_KIND_POISSON);
    params.lam = mean;
    check(params, true, mean, counts(std::exp(-mean), [&](int k) { return mean / (k + 1); }));
  }
}

TEST(Random, NegativeBinomial) {
  symc_random_params params = parameters(SYMC_RANDOM_KIND_NEGATIVE_BINOMIAL);
  params.k = 3, params.p = 0.4;
  check(params, true, 3 * 0.6 / 0.4,
        counts(std::pow(0.4, 3), [](int k) { return 0.6 * (k + 3) / (k + 1); }));
}

TEST(Random, GeneralizedNegativeBinomial) {
  symc_random_params params = parameters(SYMC_RANDOM_KIND_GENERALIZED_NEGATIVE_BINOMIAL);
  params.mu = 2, params.alpha = 0.3;
  double r = 1 / 0.3, p = 1 / (1 + 0.6);
  check(params, true, 2,
        counts(std::pow(p, r), [&](int k) { return (1 - p) * (k + r) / (k + 1); }));
}

TEST(Random, IntegersStayInRangeAndReachBothEnds) {
  symc_random_int_params params = {};
  params.low = -3, params.high = 4;
  int64_t count = 10000, seen[7] = {};
  std::vector<int32_t> numbers(count);
  symc_tensor output = {numbers.data(), &count, 1, SYMC_I32};
  symc_kernel_args args = {};
  args.outputs = &output;
  args.params = &params;
  ASSERT_EQ(symc_ref_random_int_i32(&args), 0);
  for (int32_t number : numbers) {
    ASSERT_TRUE(number >= -3 && number < 4);
    ++seen[number + 3];
  }
  for (int64_t times : seen)
    EXPECT_NEAR(double(times), count / 7.0, 200);
}

TEST(Random, ShuffleKeepsEveryRow) {
  int64_t shape[] = {500, 2};
  std::vector<int32_t> rows(1000), mixed(1000);
  for (int i = 0; i < 1000; ++i)
    rows[i] = i;
  std::vector<int64_t> scratch(500);
  symc_tensor input = {rows.data(), shape, 2, SYMC_I32},
              output = {mixed.data(), shape, 2, SYMC_I32};
  symc_kernel_args args = {};
  args.inputs = &input;
  args.outputs = &output;
  args.scratch = scratch.data();
  ASSERT_EQ(symc_ref_shuffle_i32(&args), 0);
  EXPECT_NE(rows, mixed);
  for (int i = 0; i < 1000; i += 2)
    EXPECT_EQ(mixed[i] + 1, mixed[i + 1]);
  std::sort(mixed.begin(), mixed.end());
  EXPECT_EQ(rows, mixed);
}

// Every class once in a row; the first of each row follows the distribution of all.
TEST(Random, ZipfianClassesAreDifferentAndSmallOnesAreMore) {
  symc_unique_zipfian_params params = {};
  params.range_max = 100;
  int64_t shape[] = {20000, 5}, first[100] = {};
  std::vector<int64_t> classes(shape[0] * shape[1]), tries(shape[0]), scratch(16);
  symc_tensor outputs[] = {{classes.data(), shape, 2, SYMC_I64},
                           {tries.data(), shape, 1, SYMC_I64}};
  symc_kernel_args args = {};
  args.outputs = outputs;
  args.n_outputs = 2;
  args.params = &params;
  args.scratch = scratch.data();
  ASSERT_EQ(symc_ref_unique_zipfian_i64(&args), 0);
  for (int64_t row = 0; row < shape[0]; ++row) {
    std::vector<int64_t> one(&classes[row * 5], &classes[row * 5] + 5);
    ++first[one[0]];
    ASSERT_GE(tries[row], 5);
    std::sort(one.begin(), one.end());
    ASSERT_TRUE(one[0] >= 0 && one[4] < 100 && std::unique(one.begin(), one.end()) == one.end());
  }
  double distance = 0, sum = 0;
  for (int64_t c = 0; c < 99; ++c)
    distance = std::max(
        distance, std::fabs((sum += first[c]) / shape[0] - std::log(c + 1.5) / std::log(100.0)));
  EXPECT_LT(distance, 1.95 / std::sqrt(double(shape[0]))); // p above 1e-3
}

TEST(Random, PicturesChangeByOneFactorOfTheRangeAndFlipHalfOfTheTime) {
  symc_image_random_adjust_params params = {};
  params.kind = SYMC_IMAGE_RANDOM_ADJUST_KIND_BRIGHTNESS, params.min_factor = 0.5,
  params.max_factor = 1.5;
  symc_image_random_flip_params flip = {};
  flip.axis = -2;
  int64_t shape[] = {1, 2, 3}, flipped = 0, count = 20000;
  float picture[] = {1, 2, 3, 4, 5, 6}, result[6];
  symc_tensor input = {picture, shape, 3, SYMC_F32}, output = {result, shape, 3, SYMC_F32};
  symc_frame frame = {};
  symc_kernel_args args = {};
  args.inputs = &input;
  args.outputs = &output;
  args.frame = &frame;
  std::vector<double> factors(count);
  for (int64_t i = 0; i < count; ++i) {
    frame.iteration = i;
    args.params = &params;
    ASSERT_EQ(symc_ref_image_random_adjust_f32(&args), 0);
    factors[i] = result[0];
    for (int j = 0; j < 6; ++j)
      ASSERT_EQ(result[j], picture[j] * result[0]);
    args.params = &flip;
    ASSERT_EQ(symc_ref_image_random_flip_f32(&args), 0);
    ASSERT_TRUE(result[0] == 1 || (result[0] == 4 && result[3] == 1 && result[5] == 3));
    flipped += result[0] == 4;
  }
  EXPECT_NEAR(double(flipped), count / 2.0, 3.3 * std::sqrt(count / 4.0));
  std::sort(factors.begin(), factors.end());
  double distance = 0;
  for (int64_t i = 0; i < count; ++i)
    distance = std::max(distance, std::fabs(double(i + 1) / count - (factors[i] - 0.5)));
  EXPECT_LT(distance, 1.95 / std::sqrt(double(count)));
}

// Each place comes as often as its chance says; without replacement once in a drawing.
TEST(Random, ChoicesAndOutcomesFollowTheirChances) {
  float chances[] = {0.5f, 0.125f, 0.25f, 0.125f};
  int64_t places = 4, count = 100000, two = 2, seen[4] = {}, pairs[4] = {};
  symc_tensor input = {chances, &places, 1, SYMC_F32};
  std::vector<int64_t> drawn(count);
  symc_tensor output = {drawn.data(), &count, 1, SYMC_I64};
  symc_numpy_choice_params params = {};
  params.has_a = params.replace = params.weighted = 1, params.a = 4;
  symc_frame frame = {};
  std::vector<int64_t> scratch(12);
  symc_kernel_args args = {};
  args.inputs = &input, args.n_inputs = 1, args.outputs = &output, args.n_outputs = 1;
  args.params = &params, args.frame = &frame, args.scratch = scratch.data();
  ASSERT_EQ(symc_ref_numpy_choice_f32(&args), 0);
  for (int64_t place : drawn)
    ++seen[place];
  params.replace = 0;
  output.shape = &two;
  for (frame.iteration = 0; frame.iteration < uint64_t(count); ++frame.iteration) {
    ASSERT_EQ(symc_ref_numpy_choice_f32(&args), 0);
    ASSERT_NE(drawn[0], drawn[1]);
    ++pairs[drawn[0]];
  }
  std::vector<int64_t> times(4);
  symc_numpy_multinomial_params outcomes = {};
  outcomes.n = count;
  output = {times.data(), &places, 1, SYMC_I64};
  args.params = &outcomes;
  ASSERT_EQ(symc_ref_numpy_multinomial_f32(&args), 0);
  for (int k = 0; k < 4; ++k) {
    double spread = 4 * std::sqrt(count * chances[k] * (1 - chances[k]));
    EXPECT_NEAR(double(seen[k]), count * chances[k], spread);
    EXPECT_NEAR(double(pairs[k]), count * chances[k], spread);
    EXPECT_NEAR(double(times[k]), count * chances[k], spread);
  }
}

TEST(Random, ChoicesWithoutReplacementAreOrdersOfAllPlaces) {
  int64_t count = 50;
  std::vector<int64_t> drawn(count), scratch(3 * count);
  symc_tensor output = {drawn.data(), &count, 1, SYMC_I64};
  symc_numpy_choice_params params = {};
  params.has_a = 1, params.a = count;
  symc_kernel_args args = {};
  args.outputs = &output, args.n_outputs = 1, args.params = &params, args.scratch = scratch.data();
  ASSERT_EQ(symc_ref_numpy_choice_i64(&args), 0);
  EXPECT_FALSE(std::is_sorted(drawn.begin(), drawn.end()));
  std::sort(drawn.begin(), drawn.end());
  for (int64_t i = 0; i < count; ++i)
    EXPECT_EQ(drawn[i], i);
}

TEST(Random, DropoutThatAlwaysActsKeepsItsShareAndSharesItsAxes) {
  symc_dropout_params params = {};
  params.p = 0.25, params.mode = SYMC_DROPOUT_MODE_ALWAYS;
  int64_t axis = 1, shape[] = {1000, 10}, kept = 0;
  params.axes = {1, &axis};
  std::vector<float> ones(10000, 1), result(10000);
  symc_tensor input = {ones.data(), shape, 2, SYMC_F32},
              output = {result.data(), shape, 2, SYMC_F32};
  symc_kernel_args args = {};
  args.inputs = &input;
  args.outputs = &output;
  args.params = &params;
  ASSERT_EQ(symc_ref_dropout_f32(&args), 0);
  for (int row = 0; row < 1000; ++row) {
    for (int i = 0; i < 10; ++i)
      ASSERT_EQ(result[row * 10 + i], result[row * 10]);
    kept += result[row * 10] == 1 / 0.75f;
    ASSERT_TRUE(result[row * 10] == 0 || result[row * 10] == 1 / 0.75f);
  }
  EXPECT_NEAR(double(kept), 750, 70);
}

// Rows 2 and 3 of four, drawn by whoever has only these; a result of another number of rows is
// drawn as if nothing were shared.
TEST(Random, ProcessesShareABatch) {
  symc_random_params params = parameters(SYMC_SAMPLE_KIND_NORMAL);
  auto numbers = [&](int64_t rows, int64_t sharedRows, int64_t first) {
    std::vector<double> result(rows * 5);
    int64_t shape[] = {rows, 5};
    symc_tensor output = {result.data(), shape, 2, SYMC_F64};
    symc_frame frame = {};
    frame.seed = 3;
    shared = {sharedRows, first};
    symc_kernel_args args = {};
    args.outputs = &output;
    args.n_outputs = 1;
    args.params = &params;
    args.frame = &frame;
    EXPECT_EQ(symc_ref_random_f64(&args), 0);
    return result;
  };
  std::vector<double> whole = numbers(4, 0, 0), part = numbers(2, 2, 2), other = numbers(4, 2, 2);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 10));
  EXPECT_EQ(other, whole);

  symc_dropout_params dropout = {};
  dropout.mode = SYMC_DROPOUT_MODE_ALWAYS;
  dropout.p = 0.5;
  auto dropped = [&](int64_t rows, int64_t first, std::vector<int64_t> axes) {
    std::vector<float> ones(rows * 8, 1), result(rows * 8);
    int64_t shape[] = {rows, 8};
    symc_tensor input = {ones.data(), shape, 2, SYMC_F32},
                output = {result.data(), shape, 2, SYMC_F32};
    symc_frame frame = {};
    shared = {2, first};
    dropout.axes = {int64_t(axes.size()), axes.data()};
    symc_kernel_args args = {};
    args.inputs = &input;
    args.outputs = &output;
    args.params = &dropout;
    args.frame = &frame;
    EXPECT_EQ(symc_ref_dropout_f32(&args), 0);
    return result;
  };
  for (std::vector<int64_t> axes : {std::vector<int64_t>{}, {1}, {0}}) {
    std::vector<float> all = dropped(4, 0, axes), later = dropped(2, 2, axes);
    EXPECT_TRUE(std::equal(later.begin(), later.end(), all.begin() + 16)) << axes.size();
  }
  shared = {};
}
