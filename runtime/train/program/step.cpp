// step.cpp: one update of a training and what is printed of it.
#include "training.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

namespace symc::train {

constexpr unsigned secondsForOthers = 2;

// Where one call is the whole step.
bool Training::stepAtOnce(const Batch &rows, Problem &problem) {
  statistics.beginStep();
  for (int32_t i = 0; i < network.nInputs; ++i)
    inputTensors[i].data = rows.inputs[i];
  hyperValues = symc_hyper_defaults();
  hyperValues.learning_rate = rates.of(progress.updates + 1);
  return !failed(symc_train_step(context, inputTensors, network.nInputs, outputTensors,
                                 network.nOutputs, &hyperValues),
                 problem) &&
         measureStep(rows, 0, network.batch, problem) && endUpdate(problem);
}

// Computes outputs and gradients of part number `part` of the rows.
bool Training::compute(const Batch &rows, int64_t part, Problem &problem) {
  int64_t first = (world.rank() * parts + part) * network.batch;
  statistics.beginStep();
  if (together.isStarted() && failed(symc_share_rows(context, network.batch, first), problem))
    return false;
  for (int32_t i = 0; i < network.nInputs; ++i)
    inputTensors[i].data = rows.inputs[i] + part * network.batch * network.inputs[i].count;
  return !failed(
      symc_gradients(context, inputTensors, network.nInputs, outputTensors, network.nOutputs),
      problem);
}

// Copies auxiliary states aside, or back: backward changes moving statistics.
bool Training::keepStates(bool restore, Problem &problem) {
  uint8_t *at = stateMemory.data;
  for (int32_t i = 0; i < symc_state_count(model); ++i) {
    const symc_tensor_info &info = *symc_state(model, i);
    symc_tensor tensor = {};
    tensor.data = at;
    tensor.shape = info.shape;
    tensor.rank = info.rank;
    tensor.dtype = info.dtype;
    symc_status status = restore ? symc_set_state(context, info.name, &tensor)
                                 : symc_get_state(context, info.name, &tensor);
    if (failed(status, problem))
      return false;
    at += (size_t(info.max_bytes) + 63) & ~size_t(63);
  }
  return true;
}

// The first parameter whose gradient is not finite. Gradients lie in the order of parameters, each
// at a multiple of 64 bytes.
static const char *first_bad(const symc_model *model, const float *gradients) {
  for (int32_t i = 0; i < symc_parameter_count(model); ++i) {
    const symc_tensor_info &info = *symc_parameter(model, i);
    if (!symc_parameter_trains(model, i))
      continue;
    int64_t count = info.max_bytes / int64_t(sizeof(float));
    if (!all_finite(gradients, count))
      return info.name;
    gradients += (count + 15) & ~int64_t(15);
  }
  return "a parameter";
}

// The values of a parameter, unless it is a state.
bool Training::readParameter(int32_t index, Bytes &value, bool &isState, Problem &problem) {
  const symc_tensor_info &info = *symc_parameter(model, index);
  isState = symc_find_state(model, info.name) >= 0;
  return isState ||
         (value.allocate(size_t(info.max_bytes), problem) &&
          !failed(symc_get_parameter(context, info.name, value.data, value.size), problem));
}

// Where such a number was first: in an input of these rows, in a parameter, or at a node between.
// Leaves `what` as it is where nothing is found. Of ranks, those whose numbers became such ones by
// statistics of another wait, so that it can report the node before the training ends.
bool Training::findSource(const Batch &rows, int64_t part, char *what, size_t bytes,
                          Problem &problem) {
  for (int32_t i = 0; i < network.nInputs; ++i) {
    const Input &input = network.inputs[i];
    int64_t count = network.batch * input.count;
    if (!all_finite(rows.inputs[i] + part * count, count)) {
      snprintf(what, bytes, "input '%.150s'", input.name);
      return true;
    }
  }
  Bytes value;
  for (int32_t i = 0; i < symc_parameter_count(model); ++i) {
    bool isState;
    if (!readParameter(i, value, isState, problem))
      return false;
    if (isState)
      continue;
    const symc_tensor_info &info = *symc_parameter(model, i);
    if (!all_finite(reinterpret_cast<const float *>(value.data),
                    int64_t(value.size / sizeof(float)))) {
      snprintf(what, bytes, "parameter '%.150s'", info.name);
      return true;
    }
  }
  int rank = together.isStarted() ? statistics.badRank() : -1;
  if (rank >= 0 && rank != world.rank()) {
    snprintf(what, bytes, "what rank %d gave to the statistics of a normalisation", rank);
    sleep(secondsForOthers);
    return true;
  }
  symc_watch_gradients(context, nullptr, nullptr); // gradients of the run below are no sums
  statistics.replay();
  find_watched_node(context, what, bytes);
  return true;
}

// `summed`: sums over ranks have begun, which may be in the place of this rank's gradients.
bool Training::isFinite(const Batch &rows, int64_t part, bool summed, bool &finite,
                        Problem &problem) {
  finite = true;
  if (nan == NanPolicy::Ignore)
    return true;
  char what[600] = "";
  for (int32_t i = 0; i < network.nOutputs && finite; ++i)
    if (!all_finite(outputs[i], network.outputs[i].count)) {
      finite = false;
      snprintf(what, sizeof what, "output '%.150s'", network.outputs[i].info->name);
    }
  size_t bytes;
  const float *gradients = symc_gradient_memory(context, &bytes);
  if (const char *name = finite && summed ? together.notFinite() : nullptr) {
    finite = false;
    snprintf(what, sizeof what, "the gradient of '%.150s'", name);
  }
  if (finite && !summed && gradients && !all_finite(gradients, int64_t(bytes / sizeof(float)))) {
    finite = false;
    snprintf(what, sizeof what, "the gradient of '%.150s'", first_bad(model, gradients));
  }
  if (finite || nan == NanPolicy::Skip)
    return true;
  if (!findSource(rows, part, what, sizeof what, problem))
    return false;
  bool given = strncmp(what, "input '", 7) == 0;
  if (strncmp(what, "parameter '", 11) == 0 && progress.updates == 0)
    problem.addNote("training began with them: give --pretrained or the compiler a file of finite "
                    "numbers");
  else
    problem.addNote("%s; --nan skip leaves such batches out; the last checkpoint is as it was",
                    given ? "the training data has them" : "a smaller --lr may avoid it");
  return problem.set(RunFailed,
                     "epoch %lld, batch %lld: %s has numbers that are not finite; no parameter has "
                     "changed",
                     (long long)progress.epoch, (long long)progress.batch, what);
}

bool Training::update(Problem &problem) {
  hyperValues = symc_hyper_defaults();
  hyperValues.learning_rate = rates.of(progress.updates + 1);
  if (together.isStarted() ? !together.update(hyperValues, problem)
                           : failed(symc_update(context, &hyperValues), problem))
    return false;
  return endUpdate(problem);
}

// Behind an update: what --freeze names is as before.
bool Training::endUpdate(Problem &problem) {
  const uint8_t *from = frozenMemory.data;
  for (int32_t i = 0; anyFrozen && i < symc_parameter_count(model); ++i) {
    const symc_tensor_info &info = *symc_parameter(model, i);
    if (!frozen[i])
      continue;
    if (failed(symc_set_parameter(context, info.name, from, size_t(info.max_bytes)), problem))
      return false;
    from += (size_t(info.max_bytes) + 63) & ~size_t(63);
  }
  ++progress.updates;
  return true;
}

bool Training::measureStep(const Batch &rows, int64_t part, int64_t counted, Problem &problem) {
  const float *inputs[maxInputs];
  for (int32_t i = 0; i < network.nInputs; ++i)
    inputs[i] = rows.inputs[i] + part * network.batch * network.inputs[i].count;
  double loss = 0;
  bool any = false;
  for (int32_t i = 0; i < network.nOutputs; ++i) {
    double one = loss_of(network, i, outputs[i], inputs, counted);
    if (isfinite(one)) {
      loss += one;
      any = true;
    }
  }
  if (any) {
    lossSum += loss;
    lineLoss += loss;
    ++lossCount;
    ++lineLossCount;
  }
  return measures.update(outputs, inputs, counted, problem);
}

bool Training::step(const Batch &rows, bool &done, Problem &problem) {
  bool guarded = nan != NanPolicy::Ignore && symc_state_count(model) > 0;
  done = true;
  if (fused)
    return stepAtOnce(rows, problem);
  if (guarded && !keepStates(false, problem))
    return false;
  size_t bytes = 0;
  float *gradients = symc_gradient_memory(context, &bytes);
  int64_t count = int64_t(bytes / sizeof(float));
  if (parts > 1 && !sumMemory.data && !sumMemory.allocate(bytes, problem))
    return false;
  float *sums = reinterpret_cast<float *>(sumMemory.data);
  for (int64_t part = 0; part < parts; ++part) {
    bool finite, last = part + 1 == parts, summed = together.isStarted() && last;
    if (summed)
      together.begin(progress.updates + 1, parts > 1 ? sums : nullptr);
    if (!compute(rows, part, problem))
      return false;
    if (!isFinite(rows, part, summed, finite, problem)) {
      Problem other;
      keepStates(guarded, other);
      return false;
    }
    if (!finite) {
      // Other ranks take statistics together with this one, in each part.
      for (++part; part < parts && together.isStarted(); ++part)
        if (!compute(rows, part, problem))
          return false;
      done = false;
      break;
    }
    // As in MXNet, padding counts in training.
    if (!measureStep(rows, part, network.batch, problem))
      return false;
    if (part == 0 && parts > 1)
      memcpy(sums, gradients, bytes);
    for (int64_t i = 0; part > 0 && !summed && i < count; ++i)
      sums[i] += gradients[i];
  }
  if (parts > 1 && done && !together.isStarted())
    memcpy(gradients, sums, bytes);
  if (together.isStarted() && !sumGradients(!done, done, problem))
    return false;
  if (!done)
    return !guarded || keepStates(true, problem);
  return update(problem);
}

// --- What is printed -------------------------------------------------------------

// As MXNet's Speedometer: counts from the batch with number 0 on, and leaves that one out.
bool Training::sayBatch(int64_t epoch, int64_t index, Problem &problem) {
  int64_t period = options->count(Option::DispBatches);
  if (index == 0)
    lineBegun = seconds_now();
  if (lineLossCount && (index + 1) % 4 == 0) {
    history.loss.add(double(epoch) + double(index + 1) / double(counts.batches(epoch)),
                     lineLoss / double(lineLossCount));
    lineLoss = 0;
    lineLossCount = 0;
  }
  if (report.liveIsDue())
    sayLive(epoch, index);
  if (index == 0 || index % period != 0)
    return true;
  double now = seconds_now(), speed = double(period * progress.batchRows) / (now - lineBegun);
  lineBegun = now;
  if (!shareMeasures(problem))
    return false;
  char text[1024] = "";
  size_t used = 0;
  Json json;
  json.text("event", "batch").integer("at-epoch", epoch).integer("batch", index);
  for (int i = 0; i < measures.count() && used < sizeof text; ++i) {
    used += size_t(
        snprintf(text + used, sizeof text - used, "\t%s=%f", measures.name(i), measures.local(i)));
    json.number(measures.name(i), measures.local(i));
  }
  report.print("Epoch[%lld] Batch [%lld-%lld]\tSpeed: %.2f samples/sec%s", (long long)epoch,
               (long long)(index - period), (long long)index, speed, text);
  measures.resetLocal();
  if (allLossCount)
    json.number("loss", allLossSum / double(allLossCount));
  json.number("samples-per-second", speed).integer("updates", progress.updates);
  return report.write(json, problem);
}

void Training::sayLive(int64_t epoch, int64_t index) {
  int64_t batches = counts.batches(epoch), epochs = options->count(Option::NumEpochs);
  double passed = seconds_now() - epochBegun, perBatch = passed / double(index + 1);
  double left = perBatch * double(batches - index - 1) +
                perBatch * double(batches) * double(epochs - epoch - 1);
  char loss[40] = "", text[256];
  if (lossCount)
    snprintf(loss, sizeof loss, "  loss %.4f", lossSum / double(lossCount));
  int64_t seconds = int64_t(left);
  snprintf(text, sizeof text,
           "Epoch %lld/%lld  %lld/%lld  %.0f samples/s  ETA %lld:%02lld  %s %.4f%s",
           (long long)epoch + 1, (long long)epochs, (long long)index + 1, (long long)batches,
           double(progress.batchRows) / perBatch, (long long)(seconds / 60),
           (long long)(seconds % 60), measures.name(0), measures.global(0), loss);
  report.live(text);
}

// MXNet's Monitor: the norm of an array over the root of its size.
static double size_of(const float *values, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += double(values[i]) * double(values[i]);
  return count ? sqrt(sum) / sqrt(double(count)) : 0;
}

bool Training::monitor(int64_t number, Problem &problem) {
  int64_t period = options->count(Option::Monitor);
  if (!period || number % period != 0)
    return true;
  auto line = [&](const char *name, const char *ending, const float *values, int64_t count) {
    char whole[200];
    snprintf(whole, sizeof whole, "%.150s%s", name, ending);
    report.print("Batch: %7lld %30s %.8g", (long long)number, whole, size_of(values, count));
  };
  for (int32_t i = 0; i < network.nOutputs; ++i)
    line(network.outputs[i].info->name, "", outputs[i], network.outputs[i].count);
  Bytes value;
  for (int32_t i = 0; i < symc_parameter_count(model); ++i) {
    bool isState;
    if (!readParameter(i, value, isState, problem))
      return false;
    if (isState)
      continue;
    const symc_tensor_info &info = *symc_parameter(model, i);
    const float *floats = reinterpret_cast<const float *>(value.data);
    line(info.name, "", floats, int64_t(value.size / sizeof(float)));
    if (!symc_parameter_trains(model, i))
      continue;
    if (failed(symc_get_gradient(context, info.name, value.data, value.size), problem))
      return false;
    line(info.name, "_grad", floats, int64_t(value.size / sizeof(float)));
  }
  return true;
}

} // namespace symc::train
