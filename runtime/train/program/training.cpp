// training.cpp: a training from its options to its last checkpoint. What can be refused is refused
// before anything is computed.
#include "training.h"

#include "../../core/environment.h"

#include <stdlib.h>
#include <string.h>

namespace symc::train {

Training::~Training() {
  trainFeed.stop();
  validationFeed.stop();
  symc_destroy(context);
  free(outputs);
  free(inputTensors);
  free(outputTensors);
  free(frozen);
}

bool Training::failed(symc_status status, Problem &problem) {
  if (status == SYMC_STATUS_OK)
    return false;
  problem.set(RunFailed, "%s", symc_last_error(context));
  return true;
}

bool Training::hasHyper(const char *name) const {
  for (int32_t i = 0; i < symc_hyper_count(model); ++i)
    if (strcmp(symc_hyper_name(model, i), name) == 0)
      return true;
  return false;
}

double Training::hyper(const char *name) const {
  double value = 0;
  symc_get_hyper(context, name, &value);
  return value;
}

bool Training::isNamed(const char *name) const {
  const char *at = program && program->optimizer ? program->optimizer : "";
  size_t length = strlen(name);
  while ((at = strchr(at, ','))) {
    ++at;
    if (strncmp(at, name, length) == 0 && at[length] == '=')
      return true;
  }
  return false;
}

void Training::finish() {
  if (!report.onTerminal())
    return;
  const char *language = environment("LC_ALL");
  language = language ? language : environment("LC_CTYPE");
  language = language ? language : environment("LANG");
  bool dots = language && (strcasestr(language, "utf-8") || strcasestr(language, "utf8"));
  int wide = report.columns() - 14;
  draw_chart(history.loss, "loss", wide > 72 ? 72 : wide, dots, stderr);
}

bool Training::run(const symc_model &of, const symc_program *with, const Options &given,
                   Problem &problem) {
  model = &of;
  program = with;
  options = &given;
  progress.seed = uint64_t(given.count(Option::Seed));
  if (!network.start(of, problem) || !checkFixed(problem) || !chooseStore(problem) ||
      !measures.start(given.text(Option::Metric), given.count(Option::TopK),
                      given.text(Option::Loss), network, problem) ||
      !openData(problem))
    return false;
  if (given.count(Option::TestIo))
    return testIo(problem);
  if (!openContext(problem) || !chooseRates(problem) || !beginParameters(problem))
    return false;
  // The seed may be the checkpoint's.
  trainSource.request.pictures.seed = progress.seed;
  int64_t epochs = given.count(Option::NumEpochs);
  history.metric = measures.name(0);
  trainOrder.reseed(progress.seed);
  if (!compareRanks(problem) || !compareParameters("before the first update", problem) ||
      !beginTogether(problem))
    return false;
  if ((world.rank() == 0 && !report.open(given.text(Option::Log), problem)) || !sayStart(problem))
    return false;
  if (firstEpoch >= epochs) {
    report.print("%s: note: epoch %lld is done, --num-epochs is %lld: nothing is left to train",
                 model->name, (long long)firstEpoch, (long long)epochs);
    return true;
  }
  if (!trainFeed.start(trainSource, trainOrder, firstEpoch, progress.batch, epochs,
                       readerThreads(trainSource), problem) ||
      (validates && !validationFeed.start(validationSource, validationOrder, firstEpoch, 0, epochs,
                                          readerThreads(validationSource), problem)))
    return false;
  for (int64_t epoch = firstEpoch; epoch < epochs; ++epoch)
    if (!trainEpoch(epoch, problem) || !validate(epoch, problem) || !endEpoch(epoch, problem))
      return false;
  finish();
  return true;
}

} // namespace symc::train
