/* SPDX-License-Identifier: Apache-2.0
 * Inputs and outputs inside the workspace, at the places that were planned for them: nothing is copied.
 *
 *   cc -std=c11 -O2 -Iresnet18/include inside.c resnet18/lib/libresnet18.a -o inside
 *   ./inside resnet18/share/resnet18/resnet18.weights image.bin
 */
#include <stdio.h>

#include "arguments.h"
#include "resnet18.h"

static _Alignas(RESNET18_ALIGNMENT) unsigned char workspace[RESNET18_WORKSPACE_BYTES];
static _Alignas(RESNET18_ALIGNMENT) unsigned char weights[RESNET18_WEIGHTS_BYTES];

int main(int argc, char** argv) {
  expect_arguments(argc, 3, argv[0], "resnet18.weights image.bin");
  read_file(argv[1], weights, sizeof weights);
  resnet18 model;
  resnet18_inputs inputs;
  resnet18_outputs outputs;
  resnet18_status status = resnet18_init(&model, weights, sizeof weights);
  expect_ok(status, resnet18_status_text(status));
  resnet18_map_inputs(workspace, &inputs);
  resnet18_map_outputs(workspace, &outputs);
  /* Before each run: it uses the input's bytes for other things as soon as nobody reads them. */
  read_file(argv[2], (void*)inputs.input, RESNET18_INPUT_BYTES);
  status = resnet18_run(&model, &inputs, &outputs, workspace);
  expect_ok(status, resnet18_status_text(status));
  printf("score of class 0: %.9g\n", outputs.fc_output[0]);
  return 0;
}
