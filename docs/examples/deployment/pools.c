/* SPDX-License-Identifier: Apache-2.0
 * Temporaries in two pools, the first of them small and fast, and weights in a pool of their own: each
 * is a piece of memory that the program places, here in arrays whose sections a linker script places.
 *
 *   dovetail build resnet18.onnx --log r18.jsonl -o pools --pool sram:size=65536 --pool dram --constants-pool flash
 *   cc -std=c11 -O2 -Ipools/include pools.c pools/lib/libresnet18.a -o pools_example
 */
#include <stdio.h>

#include "arguments.h"
#include "resnet18.h"

/* A pool of no bytes is one that the plan did not need; C has no array of that size. */
#define AT_LEAST_ONE(bytes) ((bytes) == 0 ? 1 : (bytes))
static _Alignas(RESNET18_SRAM_ALIGNMENT) unsigned char sram[AT_LEAST_ONE(RESNET18_SRAM_BYTES)];
static _Alignas(RESNET18_DRAM_ALIGNMENT) unsigned char dram[AT_LEAST_ONE(RESNET18_DRAM_BYTES)];
static _Alignas(RESNET18_ALIGNMENT) unsigned char flash[RESNET18_WEIGHTS_BYTES];
static float image[RESNET18_INPUT_BYTES / sizeof(float)];
static float scores[RESNET18_FC_OUTPUT_BYTES / sizeof(float)];

int main(int argc, char** argv) {
  expect_arguments(argc, 3, argv[0], "resnet18.weights image.bin");
  read_file(argv[1], flash, sizeof flash);
  read_file(argv[2], image, sizeof image);
  resnet18 model;
  const resnet18_workspaces workspaces = {.sram = sram, .dram = dram};
  const resnet18_inputs inputs = {image};
  const resnet18_outputs outputs = {scores};
  resnet18_status status = resnet18_init(&model, flash, sizeof flash);
  if (status == RESNET18_OK) status = resnet18_run(&model, &inputs, &outputs, &workspaces);
  expect_ok(status, resnet18_status_text(status));
  printf("score of class 0: %.9g\n", scores[0]);
  return 0;
}
