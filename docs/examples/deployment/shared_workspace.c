/* SPDX-License-Identifier: Apache-2.0
 * Two models that never run at once share one workspace, as large as the larger one asks for.
 *
 *   cc -std=c11 -O2 -Iresnet18/include -Ibert_tiny/include shared_workspace.c \
 *      resnet18/lib/libresnet18.a bert_tiny/lib/libbert_tiny.a -o shared_workspace
 *   ./shared_workspace resnet18/share/resnet18/resnet18.weights bert_tiny/share/bert_tiny/bert_tiny.weights image.bin
 */
#include <stdio.h>
#include <stdlib.h>

#include "bert_tiny.h"
#include "resnet18.h"

enum {
  IMAGES = RESNET18_WORKSPACE_BYTES,
  WORDS = BERT_TINY_WORKSPACE_BYTES,
  SHARED = IMAGES > WORDS ? IMAGES : WORDS
};
static _Alignas(RESNET18_ALIGNMENT > BERT_TINY_ALIGNMENT ? RESNET18_ALIGNMENT : BERT_TINY_ALIGNMENT)
    unsigned char workspace[SHARED];

static float image[RESNET18_INPUT_BYTES / sizeof(float)];
static float scores[RESNET18_FC_OUTPUT_BYTES / sizeof(float)];
static int64_t ids[BERT_TINY_INPUT_IDS_BYTES / sizeof(int64_t)];
static int64_t mask[BERT_TINY_ATTENTION_MASK_BYTES / sizeof(int64_t)];
static float states[BERT_TINY_ENCODER_LAYER_1_OUTPUT_LAYERNORM_ADD_1_OUTPUT_BYTES / sizeof(float)];
static float pooled[BERT_TINY_POOLER_ACTIVATION_OUTPUT_BYTES / sizeof(float)];

static const void* read_all(const char* path, size_t bytes) {
  void* to = aligned_alloc(64, (bytes + 63) / 64 * 64);
  FILE* file = fopen(path, "rb");
  if (file == NULL || to == NULL || fread(to, 1, bytes, file) != bytes) exit(1);
  fclose(file);
  return to;
}

int main(int argc, char** argv) {
  if (argc != 4) return 1;
  FILE* file = fopen(argv[3], "rb");
  if (file == NULL || fread(image, 1, sizeof image, file) != sizeof image) return 1;
  fclose(file);
  resnet18 images;
  bert_tiny words;
  const void* of_images = read_all(argv[1], RESNET18_WEIGHTS_BYTES);
  const void* of_words = read_all(argv[2], BERT_TINY_WEIGHTS_BYTES);
  if (resnet18_init(&images, of_images, RESNET18_WEIGHTS_BYTES) != RESNET18_OK) return 1;
  if (bert_tiny_init(&words, of_words, BERT_TINY_WEIGHTS_BYTES) != BERT_TINY_OK) return 1;

  const resnet18_inputs image_in = {image};
  const resnet18_outputs image_out = {scores};
  const bert_tiny_inputs text_in = {ids, mask};
  const bert_tiny_outputs text_out = {states, pooled};
  for (int i = 0; i < 2; ++i) { /* one after the other */
    if (resnet18_run(&images, &image_in, &image_out, workspace) != RESNET18_OK) return 1;
    if (bert_tiny_run(&words, &text_in, &text_out, workspace) != BERT_TINY_OK) return 1;
  }
  printf("score of class 0: %.9g; pooled[0]: %.9g\n", scores[0], pooled[0]);
  return 0;
}
