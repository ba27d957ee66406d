// control.cpp: kernels of loops and choices. What they run is compiled: each body is a
// function like the model's own, with an arena at the end of the scratch. A body gets
// addresses of its inputs and outputs; data is taken and results are gathered in place,
// and what is carried from iteration to iteration changes between two places.
#include "symc/generated/op_params/Control.h"
#include "walk.h"

using namespace symc::ref;

namespace {

int64_t aligned(int64_t bytes) { return (bytes + SYMC_ALIGN - 1) / SYMC_ALIGN * SYMC_ALIGN; }
int64_t bytes_of(const symc_tensor &tensor) {
  return count_of(tensor) * symc_dtype_bytes(tensor.dtype);
}
// Bytes of one element of the first axis.
int64_t element_bytes(const symc_tensor &tensor) {
  return tensor.shape[0] ? bytes_of(tensor) / tensor.shape[0] : 0;
}
char *at(const symc_tensor &tensor, int64_t bytes) {
  return static_cast<char *>(tensor.data) + bytes;
}

// Scratch, taken from the front; the bodies' arena is behind it.
struct Scratch {
  char *next, *arena;

  explicit Scratch(const symc_kernel_args *args, int32_t bodies)
      : next(static_cast<char *>(args->scratch)) {
    int64_t most = 0;
    for (int32_t i = 0; i < bodies; ++i)
      most = args->bodies[i].arena_bytes > most ? args->bodies[i].arena_bytes : most;
    arena = next + args->scratch_bytes - aligned(most);
  }
  template <class T> T *take(int64_t bytes) {
    char *place = next;
    next += aligned(bytes);
    return reinterpret_cast<T *>(place);
  }
};

// Runs a body; random operators in it draw other numbers at each iteration. The gradient of a loop
// runs each one under its number again.
int32_t run_body(const symc_kernel_args *args, int32_t body, char *arena, void **io,
                 int64_t iteration) {
  symc_frame frame = *args->frame;
  frame.arena = reinterpret_cast<uint8_t *>(arena);
  frame.io = io;
  frame.iteration = (frame.iteration ^ (uint64_t(iteration) + 1)) * 0x9e3779b97f4a7c15u;
  return args->bodies[body].run(&frame);
}

bool is_set(const void *data, int32_t dtype) {
  int64_t extent = 1;
  symc_tensor tensor = {const_cast<void *>(data), &extent, 1, dtype, SYMC_DEVICE_CPU, 0};
  bool set = false;
  with_element(dtype, [&](auto element) {
    using E = decltype(element);
    set = E::load(data_of<E>(tensor)[0]) != 0;
  });
  return set;
}

int32_t foreach (const symc_kernel_args *args) {
  const auto &params = params_of<symc_foreach_params>(args);
  const symc_body &body = args->bodies[0];
  int64_t n_data = params.in_data_locs.n, n_states = params.in_state_locs.n;
  int64_t gathered = params.num_out_data, steps = n_data ? args->inputs[0].shape[0] : 0;
  for (int64_t i = 1; i < n_data; ++i)
    if (args->inputs[i].shape[0] != steps)
      return refuse(Refusal::STEPS);
  if (params.counted) {
    int64_t count = index_at(args->inputs[args->n_inputs - 1], 0);
    if (count < 0 || (n_data && count > steps))
      return refuse(Refusal::STEPS);
    steps = count;
    for (int64_t i = 0; i < gathered; ++i) {
      if (count > args->outputs[i].shape[0])
        return refuse(Refusal::STEPS);
      int64_t written = steps * element_bytes(args->outputs[i]);
      clear_bytes(at(args->outputs[i], written), bytes_of(args->outputs[i]) - written);
    }
  }
  const symc_tensor *states = args->inputs + n_data, *results = args->outputs + gathered;
  Scratch scratch(args, 1);
  void **io = scratch.take<void *>(8 * (body.n_inputs + body.n_outputs));
  for (int64_t i = 0; i < params.remain_locs.n; ++i)
    io[params.remain_locs.v[i]] = states[n_states + i].data;
  for (int64_t i = 0; i < n_states; ++i)
    io[params.in_state_locs.v[i]] = states[i].data;
  char *spare = scratch.next;
  for (int64_t done = 0; done < steps; ++done) {
    int64_t t = params.backwards ? steps - 1 - done : done;
    for (int64_t i = 0; i < n_data; ++i)
      io[params.in_data_locs.v[i]] = at(args->inputs[i], t * element_bytes(args->inputs[i]));
    for (int64_t i = 0; i < gathered; ++i)
      io[body.n_inputs + i] = at(args->outputs[i], t * element_bytes(args->outputs[i]));
    char *place = spare; // the last iteration writes the results
    for (int64_t i = 0; i < n_states; ++i) {
      io[body.n_inputs + gathered + i] = (steps - 1 - done) % 2 ? place : results[i].data;
      place += aligned(bytes_of(results[i]));
    }
    if (int32_t status = run_body(args, 0, scratch.arena, io, t))
      return status;
    for (int64_t i = 0; i < n_states; ++i)
      io[params.in_state_locs.v[i]] = io[body.n_inputs + gathered + i];
  }
  for (int64_t i = 0; steps == 0 && i < n_states; ++i)
    copy_elements(states[i], results[i]);
  return SYMC_STATUS_OK;
}

// The address of operand `operand`, which is the current one of a loop variable.
void *current(const symc_kernel_args *args, const symc_while_loop_params &params, int64_t operand,
              void **variables) {
  for (int64_t i = 0; i < params.func_var_locs.n; ++i)
    if (params.func_input_locs.v[params.func_var_locs.v[i]] == operand)
      return variables[i];
  return args->inputs[operand].data;
}

int32_t while_loop(const symc_kernel_args *args) {
  const auto &params = params_of<symc_while_loop_params>(args);
  const symc_body &body = args->bodies[1];
  int64_t n_variables = params.func_var_locs.n, gathered = params.num_out_data;
  const symc_tensor *results = args->outputs + gathered;
  Scratch scratch(args, 2);
  void **inputs = scratch.take<void *>(8 * (args->bodies[0].n_inputs + 1));
  void **io = scratch.take<void *>(8 * (body.n_inputs + body.n_outputs));
  void **variables = scratch.take<void *>(8 * n_variables);
  void *condition = scratch.take<void>(8);
  for (int64_t i = 0; i < n_variables; ++i)
    variables[i] = args->inputs[params.func_input_locs.v[params.func_var_locs.v[i]]].data;
  for (int64_t i = 0; i < gathered; ++i)
    __builtin_memset(args->outputs[i].data, 0, size_t(bytes_of(args->outputs[i])));
  char *spare = scratch.next;
  for (int64_t t = 0; t < params.max_iterations; ++t) {
    for (int32_t i = 0; i < args->bodies[0].n_inputs; ++i)
      inputs[i] = current(args, params, params.cond_input_locs.v[i], variables);
    inputs[args->bodies[0].n_inputs] = condition;
    if (int32_t status = run_body(args, 0, scratch.arena, inputs, ~t))
      return status;
    if (!is_set(condition, args->bodies[0].first_dtype))
      break;
    for (int32_t i = 0; i < body.n_inputs; ++i)
      io[i] = current(args, params, params.func_input_locs.v[i], variables);
    for (int64_t i = 0; i < gathered; ++i)
      io[body.n_inputs + i] = at(args->outputs[i], t * element_bytes(args->outputs[i]));
    char *place = spare;
    for (int64_t i = 0; i < n_variables; ++i) {
      io[body.n_inputs + gathered + i] = t % 2 ? place : results[i].data;
      place += aligned(bytes_of(results[i]));
    }
    if (int32_t status = run_body(args, 1, scratch.arena, io, t))
      return status;
    for (int64_t i = 0; i < n_variables; ++i)
      variables[i] = io[body.n_inputs + gathered + i];
  }
  for (int64_t i = 0; i < n_variables; ++i)
    if (variables[i] != results[i].data)
      __builtin_memcpy(results[i].data, variables[i], size_t(bytes_of(results[i])));
  return SYMC_STATUS_OK;
}

int32_t cond(const symc_kernel_args *args) {
  const auto &params = params_of<symc_cond_params>(args);
  Scratch scratch(args, 3);
  const symc_i64s locations[] = {params.cond_input_locs, params.then_input_locs,
                                 params.else_input_locs};
  void *condition = scratch.take<void>(8);
  for (int32_t body = 0;;) {
    int32_t inputs = args->bodies[body].n_inputs;
    void **io = scratch.take<void *>(8 * (inputs + args->bodies[body].n_outputs));
    for (int32_t i = 0; i < inputs; ++i)
      io[i] = args->inputs[locations[body].v[i]].data;
    for (int32_t i = 0; i < args->bodies[body].n_outputs; ++i)
      io[inputs + i] = body ? args->outputs[i].data : condition;
    int32_t status = run_body(args, body, scratch.arena, io, body);
    if (body || status)
      return status;
    body = is_set(condition, args->bodies[0].first_dtype) ? 1 : 2;
  }
}

} // namespace

SYMC_REFERENCE_ANY(foreach, foreach)
SYMC_REFERENCE_ANY(while_loop, while_loop)
SYMC_REFERENCE_ANY(cond, cond)
