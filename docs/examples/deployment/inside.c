/* SPDX-License-Identifier: Apache-2.0
 * Inputs and outputs inside the workspace, at the places that were planned for them: nothing is copied.
 *
 *   cc -std=c11 -O2 -Iresnet18/include inside.c resnet18/lib/libresnet18.a -o inside
 *   ./inside resnet18/share/resnet18/resnet18.weights image.bin
 */
#include <stdio.h>

#include "resnet18.h"

static _Alignas(RESNET18_ALIGNMENT) unsigned char workspace[RESNET18_WORKSPACE_BYTES];
static _Alignas(RESNET18_ALIGNMENT) unsigned char weights[RESNET18_WEIGHTS_BYTES];

int main(int argc, char** argv) {
  FILE* of_weights = argc == 3 ? fopen(argv[1], "rb") : NULL;
  FILE* of_image = argc == 3 ? fopen(argv[2], "rb") : NULL;
  if (of_weights == NULL || of_image == NULL) return 1;
  if (fread(weights, 1, sizeof weights, of_weights) != sizeof weights) return 1;
  resnet18 model;
  resnet18_inputs inputs;
  resnet18_outputs outputs;
  if (resnet18_init(&model, weights, sizeof weights) != RESNET18_OK) return 1;
  resnet18_map_inputs(workspace, &inputs);
  resnet18_map_outputs(workspace, &outputs);
  /* Before each run: it uses the input's bytes for other things as soon as nobody reads them. */
  if (fread((void*)inputs.input, 1, RESNET18_INPUT_BYTES, of_image) != RESNET18_INPUT_BYTES) return 1;
  if (resnet18_run(&model, &inputs, &outputs, workspace) != RESNET18_OK) return 1;
  printf("score of class 0: %.9g\n", outputs.fc_output[0]);
  return 0;
}
