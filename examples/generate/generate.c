/* Writes tokens behind a prompt: generate TOKENS NUMBER ... prints the likeliest rows of TOKENS
 * more numbers that a beam search finds, and the logarithm of their probability. With BEAMS 1 it
 * takes the likeliest token each time. decoder.h is what symc wrote beside the decoder, which is
 * compiled for BEAMS texts side by side and keeps their keys and values in states that grow.
 *
 * The prompt is one run, for all its tokens; then each token is a run that appends one row to each
 * state. Where the texts that go on are others than before, their rows of the states are put in
 * their order. */
#include "decoder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef BEAMS
#define BEAMS 1
#endif
enum { vocabulary = 96, most = 64, layers = 2, heads = 4, width = 16 };

static const char *const states[2 * layers] = {"past_key0", "past_value0", "past_key1",
                                               "past_value1"};

typedef struct Text {
  int tokens[most];
  double score; /* the logarithm of its probability */
  int parent;   /* the text of the last step that it goes on with */
} Text;

static int fail(symc_context *context, const char *what) {
  fprintf(stderr, "generate: %s\n", context ? decoder_last_error(context) : what);
  return 1;
}

/* Runs `count` tokens of each text, the first of which stands at `position`. */
static int step(symc_context *context, const float *tokens, int count, int position,
                float *scores) {
  float places[most];
  for (int i = 0; i < count; ++i)
    places[i] = (float)(position + i);
  const int64_t data_shape[] = {BEAMS, count}, place_shape[] = {count};
  const int64_t score_shape[] = {BEAMS, vocabulary};
  symc_tensor inputs[] = {{(void *)tokens, data_shape, 2, SYMC_F32, 0, 0},
                          {places, place_shape, 1, SYMC_F32, 0, 0}};
  symc_tensor output = {scores, score_shape, 2, SYMC_F32, 0, 0};
  return decoder_run(context, inputs, 2, &output, 1);
}

/* Each state is [BEAMS * heads, rows, width]: text i continues what text parents[i] was. */
static int reorder(symc_context *context, const int *parents) {
  static float before[BEAMS * heads * most * width], after[BEAMS * heads * most * width];
  for (int i = 0; i < 2 * layers; ++i) {
    int64_t extents[3];
    symc_tensor value = {before, extents, 3, SYMC_F32, 0, 0};
    if (decoder_state_extents(context, states[i], extents, 3) ||
        decoder_get_state(context, states[i], &value))
      return 1;
    size_t text = heads * (size_t)extents[1] * width;
    for (int beam = 0; beam < BEAMS; ++beam)
      memcpy(after + beam * text, before + parents[beam] * text, text * sizeof(float));
    value.data = after;
    if (decoder_set_state(context, states[i], &value))
      return 1;
  }
  return 0;
}

/* The BEAMS likeliest of all texts with one token more, best first. */
static void choose(const Text *texts, int known, int length, const float *scores, Text *next) {
  int found = 0;
  for (int beam = 0; beam < known; ++beam)
    for (int token = 0; token < vocabulary; ++token) {
      double score = texts[beam].score + scores[beam * vocabulary + token];
      int at = found < BEAMS ? found++ : BEAMS - 1;
      if (at == BEAMS - 1 && found == BEAMS && next[at].parent >= 0 && next[at].score >= score)
        continue;
      for (; at > 0 && next[at - 1].score < score; --at)
        next[at] = next[at - 1];
      next[at] = texts[beam];
      next[at].tokens[length] = token;
      next[at].score = score;
      next[at].parent = beam;
    }
}

int main(int argc, char **argv) {
  int length = argc - 2, more = argc > 1 ? atoi(argv[1]) : 0;
  if (length < 1 || more < 1 || length + more > most) {
    fprintf(stderr, "usage: generate TOKENS NUMBER ..., at most %d together\n", most);
    return 2;
  }
  static Text texts[BEAMS], next[BEAMS];
  static float tokens[BEAMS * most], scores[BEAMS * vocabulary];
  for (int beam = 0; beam < BEAMS; ++beam)
    for (int i = 0; i < length; ++i) {
      int token = atoi(argv[2 + i]);
      if (token < 0 || token >= vocabulary)
        return fail(NULL, "tokens are numbers from 0 to 95");
      texts[beam].tokens[i] = token;
      tokens[beam * length + i] = (float)token;
    }
  char why[256];
  symc_options options = {0};
  options.error = why;
  options.error_bytes = sizeof why;
  symc_context *context;
  if (decoder_create(&options, &context))
    return fail(NULL, why);
  if (step(context, tokens, length, 0, scores))
    return fail(context, NULL);
  for (int made = 0; made < more; ++made) {
    for (int beam = 0; beam < BEAMS; ++beam)
      next[beam].parent = -1;
    choose(texts, made == 0 ? 1 : BEAMS, length + made, scores, next); /* at first all are one */
    memcpy(texts, next, sizeof texts);
    if (made + 1 == more)
      break;
    int parents[BEAMS], moved = 0;
    for (int beam = 0; beam < BEAMS; ++beam) {
      parents[beam] = texts[beam].parent;
      moved |= parents[beam] != beam;
      tokens[beam] = (float)texts[beam].tokens[length + made];
    }
    if ((moved && reorder(context, parents)) || step(context, tokens, 1, length + made, scores))
      return fail(context, NULL);
  }
  for (int beam = 0; beam < BEAMS; ++beam) {
    printf("%.4f", texts[beam].score);
    for (int i = 0; i < length + more; ++i)
      printf(" %d", texts[beam].tokens[i]);
    printf("\n");
  }
  decoder_destroy(context);
  return 0;
}
