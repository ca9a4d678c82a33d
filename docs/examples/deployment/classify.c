/* SPDX-License-Identifier: Apache-2.0
 * A package in its usual form: weights in a file, the workspace the program's own.
 *
 *   dovetail build resnet18.onnx --log r18.jsonl -o resnet18
 *   cc -std=c11 -O2 -Iresnet18/include classify.c resnet18/lib/libresnet18.a -o classify
 *   ./classify resnet18/share/resnet18/resnet18.weights image.bin
 */
#include <stdio.h>
#include <stdlib.h>

#include "arguments.h"
#include "resnet18.h"

static float image[RESNET18_INPUT_BYTES / sizeof(float)]; /* any address will do */
static float scores[RESNET18_FC_OUTPUT_BYTES / sizeof(float)];

int main(int argc, char** argv) {
  expect_arguments(argc, 3, argv[0], "resnet18.weights image.bin");
  void* weights = aligned_alloc(RESNET18_ALIGNMENT, (RESNET18_WEIGHTS_BYTES + 63) / 64 * 64);
  void* workspace = aligned_alloc(RESNET18_ALIGNMENT, (RESNET18_WORKSPACE_BYTES + 63) / 64 * 64);
  if (weights == NULL || workspace == NULL) return 1;
  read_file(argv[1], weights, RESNET18_WEIGHTS_BYTES);
  read_file(argv[2], image, sizeof image);

  resnet18 model;
  resnet18_status status = resnet18_init(&model, weights, RESNET18_WEIGHTS_BYTES);
  /* Reads each byte once: a damaged file gives wrong scores and no error. */
  if (status == RESNET18_OK) status = resnet18_check_weights(&model);
  const resnet18_inputs inputs = {.input = image};
  const resnet18_outputs outputs = {.fc_output = scores};
  if (status == RESNET18_OK) status = resnet18_run(&model, &inputs, &outputs, workspace);
  expect_ok(status, resnet18_status_text(status));
  size_t best = 0;
  for (size_t i = 0; i < sizeof scores / sizeof scores[0]; ++i)
    if (scores[i] > scores[best]) best = i;
  printf("class %zu, score %.9g\n", best, scores[best]);
  free(workspace);
  free(weights);
  return 0;
}
