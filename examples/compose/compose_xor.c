/* Composes a network, compiles it into this process and runs it: compose_xor. Its two layers tell
 * whether exactly one of two numbers is 1; symc is linked in as a library, libsymc. */
#include <symc/runtime.h>
#include <symc/symc.h>

#include <stdio.h>

static int fail(const char *sentence) {
  fprintf(stderr, "compose_xor: %s\n", sentence);
  return 1;
}

/* relu(x . (1, 1) + 0), relu(x . (1, 1) - 1), of which twice the second is taken from the first. */
static const float weight1[] = {1, 1, 1, 1}, bias1[] = {0, -1}, weight2[] = {1, -2}, bias2[] = {0};
static const int64_t shapes[][2] = {{2, 2}, {2}, {1, 2}, {1}};

/* Frees what it made where it fails. */
static int compose(symc_symbol *net) {
  static const char *const units[] = {"num_hidden"}, *const type[] = {"act_type"};
  static const char *const two[] = {"2"}, *const one[] = {"1"}, *const relu[] = {"relu"};
  symc_symbol made[4] = {0};
  int failed =
      symc_symbol_create_variable("x", &made[0]) ||
      symc_symbol_apply("FullyConnected", 1, units, two, "fc1", 1, NULL, &made[0], &made[1]) ||
      symc_symbol_apply("Activation", 1, type, relu, "relu1", 1, NULL, &made[1], &made[2]) ||
      symc_symbol_apply("FullyConnected", 1, units, one, "fc2", 1, NULL, &made[2], &made[3]);
  for (int i = 0; i < (failed ? 4 : 3); ++i)
    if (made[i])
      symc_symbol_free(made[i]);
  *net = made[3];
  return failed;
}

int main(void) {
  const symc_array arrays[] = {{"fc1_weight", SYMC_F32, 2, shapes[0], weight1},
                               {"fc1_bias", SYMC_F32, 1, shapes[1], bias1},
                               {"fc2_weight", SYMC_F32, 2, shapes[2], weight2},
                               {"fc2_bias", SYMC_F32, 1, shapes[3], bias2}};
  const char *const options[] = {"--shape", "x=4,2"};
  symc_request request = {.struct_bytes = sizeof request,
                          .arrays = arrays,
                          .array_count = 4,
                          .options = options,
                          .option_count = 2};
  symc_loaded loaded;
  const symc_model *model;
  if (compose(&request.symbol))
    return fail(symc_compiler_error());
  if (symc_compile_model(&request, &loaded) || symc_loaded_model(loaded, &model))
    return fail(symc_compiler_error());
  symc_symbol_free(request.symbol);

  float x[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, y[4];
  symc_tensor input = {x, symc_input(model, 0)->shape, 2, SYMC_F32, SYMC_DEVICE_CPU, 0};
  symc_tensor output = {y, symc_output(model, 0)->shape, 2, SYMC_F32, SYMC_DEVICE_CPU, 0};
  char why[256];
  symc_options how = {.error = why, .error_bytes = sizeof why};
  symc_context *context;
  if (symc_create(model, &how, &context))
    return fail(why);
  if (symc_run(context, &input, 1, &output, 1))
    return fail(symc_last_error(context));
  for (int i = 0; i < 4; ++i)
    printf("%g xor %g = %g\n", x[i][0], x[i][1], y[i]);
  symc_destroy(context);
  symc_loaded_free(loaded);
  return 0;
}
