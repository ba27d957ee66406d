// trainer.cpp: see trainer.h.
#include "trainer.h"

#include "options.h"
#include "training.h"

#include "../../main/process.h"

#include <stdio.h>

namespace symc::train {

int run_trainer(const symc_model &model, const symc_program *program, int argc, char **argv) {
  settle_process();
  Options options;
  Problem problem;
  bool done = options.parse(argc, argv, problem);
  if (done && options.on(Option::Help)) {
    print_help(model.name);
  } else if (done && options.on(Option::Describe)) {
    describe_trainer(model);
  } else if (done) {
    Training training;
    done = training.run(model, program, options, problem);
  }
  done = done && flush_standard_output(problem);
  if (done)
    return Ok;
  fflush(stdout);
  fprintf(stderr, "%s: error: %s\n", model.name, problem.text);
  if (problem.note[0])
    fprintf(stderr, "%s: note: %s\n", model.name, problem.note);
  return problem.exit;
}

} // namespace symc::train
