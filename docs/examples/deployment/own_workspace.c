/* SPDX-License-Identifier: Apache-2.0
 * Workspace and weights inside the library: nothing to give, one run at a time.
 *
 *   dovetail build resnet18.onnx --log r18.jsonl -o own --workspace internal --weights embed
 *   cc -std=c99 -O2 -Iown/include own_workspace.c own/lib/libresnet18.a -o own_workspace
 */
#include <stdio.h>

#include "arguments.h"
#include "resnet18.h"

static float image[RESNET18_INPUT_BYTES / sizeof(float)];
static float scores[RESNET18_FC_OUTPUT_BYTES / sizeof(float)];

int main(int argc, char** argv) {
  expect_arguments(argc, 2, argv[0], "image.bin");
  read_file(argv[1], image, sizeof image);
  resnet18 model;
  const resnet18_inputs inputs = {image};
  const resnet18_outputs outputs = {scores};
  resnet18_status status = resnet18_init(&model, resnet18_weights, sizeof resnet18_weights);
  if (status == RESNET18_OK) status = resnet18_run(&model, &inputs, &outputs);
  expect_ok(status, resnet18_status_text(status));
  printf("score of class 0: %.9g\n", scores[0]);
  return 0;
}
