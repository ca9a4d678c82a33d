/* SPDX-License-Identifier: Apache-2.0
 * Workspace and weights inside the library: nothing to give, one run at a time.
 *
 *   dovetail build resnet18.onnx --log r18.jsonl -o own --workspace internal --weights embed
 *   cc -std=c99 -O2 -Iown/include own_workspace.c own/lib/libresnet18.a -o own_workspace
 */
#include <stdio.h>

#include "resnet18.h"

static float image[RESNET18_INPUT_BYTES / sizeof(float)];
static float scores[RESNET18_FC_OUTPUT_BYTES / sizeof(float)];

int main(int argc, char** argv) {
  FILE* file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL || fread(image, 1, sizeof image, file) != sizeof image) return 1;
  fclose(file);
  resnet18 model;
  const resnet18_inputs inputs = {image};
  const resnet18_outputs outputs = {scores};
  if (resnet18_init(&model, resnet18_weights, sizeof resnet18_weights) != RESNET18_OK) return 1;
  if (resnet18_run(&model, &inputs, &outputs) != RESNET18_OK) return 1;
  printf("score of class 0: %.9g\n", scores[0]);
  return 0;
}
