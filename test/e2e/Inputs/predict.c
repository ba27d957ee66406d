/* Runs the digit classifier through its generated header: 784 floats from the
 * file argv[1], 10 floats to the file argv[2]; raw weights, for models that
 * prepare them at run time, are not needed. Status 0, or what the model says. */
#include <stdio.h>

#include HEADER

int main(int argc, char **argv) {
  float picture[784], answers[10];
  FILE *in = argc == 3 ? fopen(argv[1], "rb") : NULL;
  if (!in || fread(picture, sizeof(float), 784, in) != 784)
    return 100;
  fclose(in);
  symc_context *context;
  int32_t status = digits_create(NULL, &context);
  if (status) {
    printf("%s\n", digits_status_message(status));
    return status;
  }
  status = digits_predict(context, picture, answers);
  if (status) {
    printf("%s\n", digits_last_error(context));
    return status;
  }
  digits_destroy(context);
  FILE *out = fopen(argv[2], "wb");
  return !out || fwrite(answers, sizeof(float), 10, out) != 10 || fclose(out) ? 101 : 0;
}
