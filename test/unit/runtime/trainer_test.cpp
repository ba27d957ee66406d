// trainer_test.cpp: the program of a trainer from its words to its log, its checkpoints and its
// exit code, around the classifier of fake_trainer.h.
#include "trainer_fixture.h"

#include "train/program/network.h"

#include <cmath>
#include <sys/resource.h>

TEST_F(Trainer, LearnsAndSpeaksAsMxnetDoes) {
  ASSERT_EQ(run(with({"--num-epochs", "3", "--disp-batches", "2", "--data-val", data, "--label-val",
                      labels, "--log", folder / "log"})),
            0)
      << err;
  EXPECT_NE(err.find("\nEpoch[0] Batch [0-2]\tSpeed: "), std::string::npos) << err;
  EXPECT_NE(err.find(" samples/sec\taccuracy="), std::string::npos);
  EXPECT_NE(err.find("\nEpoch[1] Batch [2-4]\tSpeed: "), std::string::npos);
  EXPECT_NE(err.find("\nEpoch[2] Train-accuracy=1.000000\nEpoch[2] Time cost="), std::string::npos);
  EXPECT_NE(err.find("\nEpoch[2] Validation-accuracy=1.000000\n"), std::string::npos) << err;
  EXPECT_EQ(out, "");
  std::string log = readFile(folder / "log");
  EXPECT_EQ(log.rfind("{\"event\": \"start\", ", 0), 0u) << log;
  EXPECT_NE(log.find("\n{\"epoch\": 2, \"train-accuracy\": 1, \"validation-accuracy\": 1, "),
            std::string::npos)
      << log;
  EXPECT_NE(log.find("\n{\"event\": \"batch\", \"at-epoch\": 1, \"batch\": 2, \"accuracy\": "),
            std::string::npos);
}

// The 22 rows are 6 batches; the last two rows of an epoch are the first two of the next pass,
// whose epoch begins behind them and has five batches (MXNet's round_batch).
TEST_F(Trainer, OrdersAreFunctionsOfSeedAndEpoch) {
  ASSERT_EQ(run(with({"--num-epochs", "2"})), 0) << err;
  auto first = fakeTraining.batches;
  ASSERT_EQ(first.size(), 11u);
  reset();
  ASSERT_EQ(run(with({"--num-epochs", "2", "--data-nthreads", "5", "--threads", "2"})), 0);
  EXPECT_EQ(fakeTraining.batches, first);
  reset();
  ASSERT_EQ(run(with({"--num-epochs", "2", "--seed", "1"})), 0);
  EXPECT_NE(fakeTraining.batches, first);
  reset();
  ASSERT_EQ(run(with({"--num-epochs", "1", "--no-shuffle"})), 0);
  EXPECT_FLOAT_EQ(fakeTraining.batches[0][0], 1.0f); // row 0, of class 0
  EXPECT_FLOAT_EQ(fakeTraining.batches[5][16], fakeTraining.batches[0][0]);
}

TEST_F(Trainer, AMultipleOfTheBatchAddsGradientsUp) {
  ASSERT_EQ(run(with({"--num-epochs", "1", "--batch-size", "8", "--no-shuffle", "--wd", "0"})), 0)
      << err;
  EXPECT_EQ(fakeTraining.batches.size(), 6u);
  EXPECT_EQ(fakeTraining.rates.size(), 3u);
  EXPECT_DOUBLE_EQ(fakeTraining.rescale, 1.0 / 8);
  EXPECT_EQ(
      errorOf(with({"--batch-size", "6"}), 2),
      "--batch-size: expected 4, which was compiled, or a multiple, got 6\nfake: note: compile "
      "another trainer: symc train SYMBOL.json --shape data=6,8 --optimizer "
      "sgd,momentum=0.9,learning_rate=0.25 -o trainer");
}

TEST_F(Trainer, RatesFollowFitPy) {
  // 6 updates an epoch by the number of examples, of which each epoch has 6, 5 or 6.
  ASSERT_EQ(run(with({"--num-epochs", "3", "--lr", "0.5", "--lr-factor", "0.1", "--lr-step-epochs",
                      "1,2"})),
            0)
      << err;
  EXPECT_DOUBLE_EQ(fakeTraining.rates[5], 0.5);
  EXPECT_DOUBLE_EQ(fakeTraining.rates[6], 0.05);
  EXPECT_DOUBLE_EQ(fakeTraining.rates[11], 0.05);
  EXPECT_DOUBLE_EQ(fakeTraining.rates[12], 0.5 * 0.1 * 0.1);
  reset();
  ASSERT_EQ(run(with({"--num-epochs", "2", "--lr", "0.5", "--warmup-epochs", "1"})), 0);
  EXPECT_DOUBLE_EQ(fakeTraining.rates[0], 0.5 / 6);
  EXPECT_DOUBLE_EQ(fakeTraining.rates[5], 0.5);
  reset();
  ASSERT_EQ(run(with({"--num-epochs", "2", "--lr", "0.5", "--lr-step-epochs", "pow2"})), 0);
  EXPECT_DOUBLE_EQ(fakeTraining.rates[5], 0.5 * 0.25);
  reset();
  ASSERT_EQ(run(with({"--num-epochs", "2", "--lr", "0.5", "--lr-step-epochs", "cosine"})), 0);
  EXPECT_NEAR(fakeTraining.rates[5], 0.25, 1e-12);
  // What symc train named wins over fit.py's 0.1; a word of the command line over both.
  reset();
  ASSERT_EQ(run(with({"--num-epochs", "1"})), 0);
  EXPECT_DOUBLE_EQ(fakeTraining.rates[0], 0.25);
  EXPECT_DOUBLE_EQ(fakeTraining.decay, 0.0001);
  EXPECT_EQ(errorOf(with({"--lr-step-epochs", "1;2"}), 2),
            "--lr-step-epochs: expected epochs with commas that grow (30,60), pow and a power, or "
            "cosine, got "
            "'1;2'");
}

TEST_F(Trainer, FreezesWhatAPatternNames) {
  ASSERT_EQ(run(with({"--num-epochs", "1"})), 0) << err;
  auto bias = fakeTraining.bias;
  EXPECT_NE(bias, std::vector<float>(3));
  reset();
  ASSERT_EQ(run(with({"--num-epochs", "1", "--freeze", "conv*,*_bias"})), 2);
  EXPECT_NE(err.find("--freeze: no parameter fits 'conv*'\nfake: note: --describe lists the "
                     "parameters\n"),
            std::string::npos)
      << err;
  reset();
  EXPECT_EQ(errorOf(with({"--freeze", "fc_weight,*_bias"}), 2),
            "--freeze: 'fc_weight,*_bias' leaves no parameter to train");
  reset();
  ASSERT_EQ(run(with({"--num-epochs", "1", "--freeze", "*_bias"})), 0) << err;
  EXPECT_EQ(fakeTraining.bias, std::vector<float>(3));
}

TEST_F(Trainer, UpdatesWithinBackwardWhereNothingLooksAtGradientsBefore) {
  ASSERT_EQ(run(with({"--num-epochs", "1"})), 0) << err;
  EXPECT_EQ(fakeTraining.wholeSteps, 0);
  std::vector<float> weight = fakeTraining.weight;
  auto takesWholeSteps = [&](Words words, symc_updates updates) {
    reset();
    words.insert(words.end(), {"--num-epochs", "1", "--nan", "ignore"});
    EXPECT_EQ(run(with(words)), 0) << err;
    EXPECT_EQ(fakeTraining.updates, updates);
    EXPECT_EQ(fakeTraining.rates.size(), fakeTraining.batches.size());
    EXPECT_EQ(fakeTraining.weight, weight);
    return fakeTraining.wholeSteps == 6;
  };
  EXPECT_TRUE(takesWholeSteps({}, SYMC_UPDATES_WITHOUT_GRADIENTS));
  EXPECT_TRUE(takesWholeSteps({"--updates", "fused"}, SYMC_UPDATES_WITHOUT_GRADIENTS));
  EXPECT_TRUE(takesWholeSteps({"--monitor", "3"}, SYMC_UPDATES_FUSED)); // which prints gradients
  EXPECT_FALSE(takesWholeSteps({"--updates", "deferred"}, SYMC_UPDATES_DEFERRED));
  reset();
  ASSERT_EQ(run(with({"--num-epochs", "1", "--nan", "ignore", "--batch-size", "8"})), 0) << err;
  EXPECT_EQ(fakeTraining.wholeSteps, 0);
  EXPECT_EQ(errorOf(with({"--updates", "late"}), 2),
            "--updates: expected fused or deferred, got 'late'");
  EXPECT_EQ(errorOf(with({"--updates", "fused"}), 2),
            "--updates fused: expected --nan ignore, since others look at all gradients before "
            "anything changes");
  Words more = {"--updates", "fused", "--nan", "ignore", "--batch-size", "8"};
  EXPECT_EQ(errorOf(with(more), 2), "--updates fused: expected the --batch-size that was compiled, "
                                    "since gradients of several batches are added up");
  more = {"--updates", "fused", "--nan", "ignore", "--kv-store", "dist_sync"};
  EXPECT_EQ(errorOf(with(more), 2), "--updates fused: expected --kv-store local, since gradients "
                                    "of processes are added up");
}

TEST_F(Trainer, RefusesWhatWasNotCompiled) {
  EXPECT_EQ(errorOf(with({"--optimizer", "adam"}), 2),
            "--optimizer: this trainer was compiled with 'sgd', got 'adam'\nfake: note: compile "
            "another trainer: symc train SYMBOL.json --shape data=4,8 --optimizer adam -o trainer");
  EXPECT_EQ(errorOf(with({"--kv-store", "nccl"}), 2),
            "--kv-store: expected local or device, which are this process, or dist_sync, which is "
            "all that mpirun starts, got 'nccl'");
  EXPECT_EQ(errorOf(with({"--nan", "maybe"}), 2),
            "--nan: expected stop, skip or ignore, got 'maybe'");
  EXPECT_EQ(errorOf(with({"--resume"}), 2),
            "--resume: expected --model-prefix, too, the checkpoint's");
  EXPECT_EQ(errorOf(with({"--resume", "--load-epoch", "1", "--model-prefix", "x"}), 2),
            "--resume takes the newest checkpoint, --load-epoch that of an epoch: expected one of "
            "them");
  EXPECT_EQ(errorOf(with({"--load-epoch", "1", "--pretrained", "y", "--model-prefix", "x"}), 2),
            "--pretrained and --load-epoch both give parameters: expected one of them");
  EXPECT_EQ(errorOf({}, 2), "expected --data-train FILE or --data-dir DIR, got no data\nfake: "
                            "note: --help lists the options");
  EXPECT_EQ(errorOf(with({"--num-epoch", "3"}), 2),
            "unknown option '--num-epoch'; did you mean '--num-epochs'?\nfake: note: --help lists "
            "the options");
  EXPECT_EQ(errorOf(with({"--learning_rate=3"}), 2),
            "unknown option '--learning_rate'; did you mean '--lr'?\nfake: note: --help lists the "
            "options");
  EXPECT_EQ(errorOf(with({"--use-imagenet-data-augmentation", "1"}), 2),
            "unknown option '--use-imagenet-data-augmentation'\nfake: note: --help lists the "
            "options");
  ASSERT_EQ(run(with({"--num-epochs", "1", "--gpus", "0,1", "--network", "mlp", "--dtype",
                      "float16", "--gc-type", "2bit"})),
            0);
  EXPECT_NE(err.find("note: --gpus does nothing here: the processor computes; --threads is the "
                     "number of threads\n"),
            std::string::npos);
  EXPECT_NE(err.find("note: --network does nothing here: the network is compiled in\n"),
            std::string::npos);
  EXPECT_NE(err.find("fake: note: --dtype does nothing here: training computes in float32\n"),
            std::string::npos);
  EXPECT_NE(err.find("fake: note: --gc-type does nothing here: nothing is sent, so nothing is "
                     "compressed\n"),
            std::string::npos);
  ASSERT_EQ(run(with({"--num_epochs=1", "--gc-threshold=0.5", "--add_stn", "--num-layers=18",
                      "--macrobatch-size=0", "--warmup-strategy=linear"})),
            0);
  for (const char *note :
       {"--num-layers does nothing here: the network is compiled in\n",
        "--add-stn does nothing here: the network is compiled in\n",
        "--gc-threshold does nothing here: nothing is compressed\n",
        "--macrobatch-size does nothing here: symc train --optimizer lbsgd,batch_scale=N has it\n",
        "--warmup-strategy does nothing here: symc train --optimizer lbsgd,warmup_strategy=NAME "
        "has it\n"})
    EXPECT_NE(err.find(note), std::string::npos) << note;
}

// Without a launcher there is nobody else; what launchers set is never left unheard.
TEST_F(Trainer, KnowsHowItWasStarted) {
  ASSERT_EQ(run(with({"--num-epochs", "1", "--kv-store", "dist_sync"})), 0) << err;
  EXPECT_NE(err.find("fake: note: no mpirun started this process: it trains alone\n"),
            std::string::npos);
  EXPECT_EQ(errorOf(with({"--kv-store", "dist_async"}), 2),
            "--kv-store: 'dist_async' lets workers go on with old parameters, which symc does not "
            "do: expected dist_sync");
  EXPECT_EQ(errorOf(with({"--kv-store", "dist_sync", "--gc-type", "2bit"}), 2),
            "--gc-type: gradients are sent whole: expected none, got '2bit'");
  EXPECT_EQ(errorOf(with({"--sum", "tree"}), 2), "--sum: expected fixed or engine, got 'tree'");
  {
    ScopedVariable launcher("SLURM_NTASKS", "4");
    EXPECT_EQ(errorOf(with({}), 2), "SLURM_NTASKS is 4, and with --kv-store device each process "
                                    "would train by itself: pass --kv-store dist_sync");
  }
  ScopedVariable workers("DMLC_NUM_WORKER", "2");
  EXPECT_EQ(errorOf(with({"--kv-store", "dist_sync"}), 2),
            "DMLC_NUM_WORKER is 2, and a scheduler of MXNet's would bring the workers together: "
            "this program needs mpirun\nfake: note: mpirun -n 2 [-H HOST,HOST,...] fake ...; or "
            "launch.py with --launcher mpi");
  {
    ScopedVariable launcher("OMPI_COMM_WORLD_SIZE", "2");
    ScopedVariable library("SYMC_MPI", "libc.so.6");
    EXPECT_EQ(errorOf(with({"--kv-store", "dist_sync"}), 1),
              "SYMC_MPI: 'libc.so.6' is no library of MPI: has no function MPI_Init_thread");
  }
  for (const char *role : {"server", "scheduler"}) {
    ScopedVariable variable("DMLC_ROLE", role);
    EXPECT_EQ(run(with({})), 0);
    EXPECT_EQ(out + err, "");
  }
}

TEST_F(Trainer, StopsAtNumbersThatAreNotFinite) {
  fakeBadOutput = 2;
  EXPECT_EQ(
      errorOf(with({"--num-epochs", "1"}), 1),
      "epoch 0, batch 2: output 'softmax_output' has numbers that are not finite; no "
      "parameter has changed\nfake: note: a smaller --lr may avoid it; --nan skip leaves such "
      "batches out; the last checkpoint is as it was");
  EXPECT_EQ(fakeTraining.rates.size(), 2u);
  reset();
  fakeBadGradient = 3;
  EXPECT_EQ(errorOf(with({"--num-epochs", "1"}), 1).substr(0, 100),
            std::string("epoch 0, batch 3: the gradient of 'fc_bias' has numbers that are not "
                        "finite; no parameter has changed")
                .substr(0, 100));
  EXPECT_EQ(fakeTraining.rates.size(), 3u);
  reset();
  fakeBadGradient = 3;
  ASSERT_EQ(run(with({"--num-epochs", "1", "--nan", "skip"})), 0) << err;
  EXPECT_EQ(fakeTraining.rates.size(), 5u);
  EXPECT_NE(err.find("Epoch[0] Skipped=1 batches with numbers that are not finite\n"),
            std::string::npos);
  reset();
  fakeBadGradient = 3;
  ASSERT_EQ(run(with({"--num-epochs", "1", "--nan", "ignore"})), 0) << err;
  EXPECT_EQ(fakeTraining.rates.size(), 6u);
}

TEST(AllFinite, FindsOneAmongMany) {
  for (int64_t count : {1, 31, 32, 33, 100}) {
    std::vector<float> values(size_t(count), -3.4e38f);
    EXPECT_TRUE(symc::train::all_finite(values.data(), count));
    for (float bad : {INFINITY, -INFINITY, NAN, -NAN})
      for (int64_t at = 0; at < count; ++at) {
        values[size_t(at)] = bad;
        EXPECT_FALSE(symc::train::all_finite(values.data(), count)) << at;
        values[size_t(at)] = at % 2 ? 0 : 1e-42f;
      }
  }
}

// Each update of a training in turn is the last one before the process ends; the resumed training
// has the bits of the whole one, and computes no batch before its checkpoint again.
TEST_F(Trainer, AResumedTrainingHasTheBitsOfTheWholeOne) {
  Words words = {"--num-epochs", "4",     "--lr-step-epochs", "2", "--model-prefix",
                 prefix(),       "--log", folder / "log"};
  ASSERT_EQ(run(with(words)), 0) << err;
  std::string whole = readFile(prefix() + "-0004.params"),
              state = readFile(prefix() + "-0004.state");
  size_t updates = fakeTraining.rates.size();
  EXPECT_GT(whole.size(), 200u);
  words.push_back("--resume");
  for (size_t kill = 0; kill < updates; ++kill) {
    for (auto &entry : std::filesystem::directory_iterator(folder.path))
      if (entry.path().filename().string().rfind("net-", 0) == 0)
        std::filesystem::remove(entry.path());
    reset();
    fakeKill = int64_t(kill);
    ASSERT_EQ(runApart(with(words)), 77);
    reset();
    ASSERT_EQ(run(with(words)), 0) << err;
    EXPECT_EQ(readFile(prefix() + "-0004.params"), whole) << kill;
    EXPECT_EQ(readFile(prefix() + "-0004.state"), state) << kill;
    size_t done = updates - fakeTraining.rates.size();
    EXPECT_LE(done, kill + 1);
    EXPECT_LT(kill - done, 6u) << "an epoch that was saved was computed again";
  }
}

TEST_F(Trainer, ResumeTakesTheNewestWholeSet) {
  Words words = with({"--num-epochs", "3", "--model-prefix", prefix(), "--resume"});
  ASSERT_EQ(run(words), 0) << err;
  EXPECT_NE(err.find("fake: note: no checkpoint of '" + prefix() + "' is there: training starts\n"),
            std::string::npos);
  EXPECT_EQ(entries(".manifest"),
            (Words{"net-0001.manifest", "net-0002.manifest", "net-0003.manifest"}));
  EXPECT_EQ(readFile(prefix() + "-symbol.json"), "{\"nodes\": []}");
  EXPECT_TRUE(entries(".part").empty());
  ASSERT_EQ(run(words), 0);
  EXPECT_NE(err.find("note: epoch 3 is done, --num-epochs is 3: nothing is left to train\n"),
            std::string::npos)
      << err;
  // A byte of each file in turn.
  std::string whole = readFile(prefix() + "-0003.params");
  for (const char *name : {"-0003.params", "-0003.state", "-0003.manifest"}) {
    std::string path = prefix() + name, bytes = readFile(path), damaged = bytes;
    damaged[damaged.size() / 2] ^= 1;
    writeFile(path, damaged);
    reset();
    ASSERT_EQ(run(words), 0) << err;
    EXPECT_NE(err.find("fake: note: '" + folder.path), std::string::npos) << err;
    EXPECT_NE(err.find("damaged checkpoint"), std::string::npos) << name << err;
    EXPECT_NE(err.find("; this set is left out\n"), std::string::npos) << err;
    EXPECT_NE(err.find("Loaded checkpoint \"" + prefix() + "-0002.params\"\n"), std::string::npos);
    EXPECT_EQ(readFile(prefix() + "-0003.params"), whole);
  }
  std::string path = prefix() + "-0002.params", bytes = readFile(path);
  bytes[bytes.size() / 2] ^= 1;
  writeFile(path, bytes);
  std::string error =
      errorOf(with({"--num-epochs", "3", "--model-prefix", prefix(), "--load-epoch", "2"}), 3);
  EXPECT_EQ(error.rfind("'" + path + "': damaged checkpoint: expected the hash ", 0), 0u) << error;
}

// A later training with the same prefix counts on: its first set is newer than all of the first's.
TEST_F(Trainer, ANewTrainingsSetsAreNewer) {
  ASSERT_EQ(run(with({"--num-epochs", "3", "--model-prefix", prefix()})), 0) << err;
  ASSERT_EQ(run(with({"--num-epochs", "1", "--model-prefix", prefix(), "--seed", "5"})), 0) << err;
  ASSERT_EQ(run(with({"--num-epochs", "2", "--model-prefix", prefix(), "--resume"})), 0) << err;
  EXPECT_NE(err.find("Loaded checkpoint \"" + prefix() + "-0001.params\"\n"), std::string::npos)
      << err;
  EXPECT_NE(err.find("seed=5, "), std::string::npos) << err;
  EXPECT_EQ(
      errorOf(with({"--num-epochs", "3", "--model-prefix", prefix(), "--resume", "--seed", "6"}),
              2),
      "--seed: the checkpoint of epoch 2 has 5, got 6");
  EXPECT_EQ(
      errorOf(with({"--num-epochs", "3", "--model-prefix", prefix(), "--resume", "--num-examples",
                    "20"}),
              2),
      "the checkpoint of epoch 2 has 22 rows of training data, there are 20\nfake: note: "
      "without the .state and .manifest files of the epoch, --load-epoch begins a training of "
      "its own");
}

TEST_F(Trainer, LoadsParametersWithoutState) {
  ASSERT_EQ(run(with({"--num-epochs", "2", "--model-prefix", prefix()})), 0) << err;
  auto weight = fakeTraining.weight;
  std::filesystem::remove(prefix() + "-0002.manifest");
  std::filesystem::remove(prefix() + "-0002.state");
  reset();
  ASSERT_EQ(run(with({"--num-epochs", "3", "--model-prefix", prefix(), "--load-epoch", "2"})), 0)
      << err;
  EXPECT_NE(err.find("fake: warning: '" + prefix() +
                     "-0002.state' is not there: the optimizer's states begin anew\n"),
            std::string::npos)
      << err;
  reset();
  ASSERT_EQ(
      run(with({"--num-epochs", "1", "--lr", "0", "--pretrained", prefix() + "-0002.params"})), 0)
      << err;
  EXPECT_NE(err.find("0 of 2 parameters begin with drawn values\n"), std::string::npos) << err;
  EXPECT_EQ(fakeTraining.weight, weight);
  EXPECT_EQ(
      errorOf(with({"--num-epochs", "3", "--model-prefix", prefix(), "--load-epoch", "9"}), 3),
      "'" + prefix() + "-0009.params': cannot open: no such file or directory");
}

// A file system that is full, here a limit on the size of files: the sets before stay whole.
TEST_F(Trainer, AFullDiskLeavesTheSetsBefore) {
  Words words = with({"--num-epochs", "2", "--model-prefix", prefix()});
  ASSERT_EQ(run(words), 0) << err;
  std::string before = readFile(prefix() + "-0002.params");
  words[5] = "3";
  words.push_back("--resume");
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    struct rlimit limit = {100, 100};
    setrlimit(RLIMIT_FSIZE, &limit);
    dup2(ends[1], 2);
    std::vector<char *> argv = {const_cast<char *>("fake")};
    for (std::string &word : words)
      argv.push_back(word.data());
    _exit(symc::train::run_trainer(fakeTrainer(), &program, int(argv.size()), argv.data()));
  }
  close(ends[1]);
  std::string said(4096, 0);
  for (size_t used = 0; used < said.size();) {
    ssize_t got = read(ends[0], said.data() + used, said.size() - used);
    if (got <= 0) {
      said.resize(used);
      break;
    }
    used += size_t(got);
  }
  close(ends[0]);
  int status;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 4);
  EXPECT_NE(
      said.find("fake: error: '" + prefix() + "-0003.params': cannot write: file too large\n"),
      std::string::npos)
      << said;
  EXPECT_EQ(readFile(prefix() + "-0002.params"), before);
  EXPECT_TRUE(entries(".part").empty());
  EXPECT_EQ(entries(".manifest"), (Words{"net-0001.manifest", "net-0002.manifest"}));
}

TEST_F(Trainer, DrawsPlots) {
  ASSERT_EQ(run(with({"--num-epochs", "3", "--plot", folder / "curve.svg"})), 0) << err;
  std::string svg = readFile(folder / "curve.svg");
  EXPECT_EQ(svg.rfind("<svg xmlns=", 0), 0u);
  EXPECT_NE(svg.find("<polyline"), std::string::npos);
  EXPECT_NE(svg.find("accuracy, training"), std::string::npos);
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
}

TEST_F(Trainer, ReadsDataAloneForTestIo) {
  ASSERT_EQ(run(with({"--test-io", "1", "--disp-batches", "3"})), 0) << err;
  EXPECT_NE(err.find("Batch [2]\tSpeed: "), std::string::npos) << err;
  EXPECT_NE(err.find("Read 6 batches\tSpeed: "), std::string::npos) << err;
  EXPECT_TRUE(fakeTraining.batches.empty());
}

// A last line that a kill has cut off goes; lines of JSON are appended.
TEST_F(Trainer, AppendsToTheLog) {
  std::string log = file("log", "{\"epoch\": 7}\n{\"epo");
  ASSERT_EQ(run(with({"--num-epochs", "1", "--log", log})), 0) << err;
  EXPECT_EQ(readFile(log).rfind("{\"epoch\": 7}\n{\"event\": \"start\", ", 0), 0u);
  EXPECT_EQ(errorOf(with({"--num-epochs", "1", "--log", folder / "no/log"}), 4),
            "'" + (folder / "no/log") + "': cannot write: no such file or directory");
}

TEST_F(Trainer, HelpListsEveryOption) {
  ASSERT_EQ(run({"--help"}), 0);
  EXPECT_EQ(err, "");
  for (const char *option :
       {"--data-dir",      "--data-train",   "--data-val",     "--no-shuffle", "--batch-size",
        "--num-epochs",    "--num-examples", "--lr",           "--lr-factor",  "--lr-step-epochs",
        "--warmup-epochs", "--wd",           "--mom",          "--optimizer",  "--initializer",
        "--model-prefix",  "--save-period",  "--load-epoch",   "--resume",     "--kv-store",
        "--top-k",         "--loss",         "--disp-batches", "--monitor",    "--test-io",
        "--seed",          "--threads",      "--metric",       "--timeout",    "--nan",
        "--freeze",        "--log",          "--plot"})
    EXPECT_NE(out.find(std::string("\n  ") + option + " "), std::string::npos) << option;
}
