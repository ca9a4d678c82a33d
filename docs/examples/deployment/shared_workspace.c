/* SPDX-License-Identifier: Apache-2.0
 * Two models that never run at once share one workspace, as large as the larger one asks for.
 *
 *   cc -std=c11 -O2 -Iresnet18/include -Ibert_tiny/include shared_workspace.c \
 *      resnet18/lib/libresnet18.a bert_tiny/lib/libbert_tiny.a -o shared_workspace
 *   ./shared_workspace resnet18/share/resnet18/resnet18.weights bert_tiny/share/bert_tiny/bert_tiny.weights image.bin
 */
#include <stdio.h>
#include <stdlib.h>

#include "arguments.h"
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

static const void* read_weights(const char* path, size_t bytes) {
  void* to = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (to == NULL) exit(1);
  read_file(path, to, bytes);
  return to;
}

int main(int argc, char** argv) {
  expect_arguments(argc, 4, argv[0], "resnet18.weights bert_tiny.weights image.bin");
  resnet18 images;
  bert_tiny words;
  const void* of_images = read_weights(argv[1], RESNET18_WEIGHTS_BYTES);
  const void* of_words = read_weights(argv[2], BERT_TINY_WEIGHTS_BYTES);
  read_file(argv[3], image, sizeof image);
  resnet18_status image_status = resnet18_init(&images, of_images, RESNET18_WEIGHTS_BYTES);
  bert_tiny_status text_status = bert_tiny_init(&words, of_words, BERT_TINY_WEIGHTS_BYTES);

  const resnet18_inputs image_in = {image};
  const resnet18_outputs image_out = {scores};
  const bert_tiny_inputs text_in = {ids, mask};
  const bert_tiny_outputs text_out = {states, pooled};
  for (int i = 0; i < 2; ++i) { /* one after the other */
    if (image_status == RESNET18_OK) image_status = resnet18_run(&images, &image_in, &image_out, workspace);
    if (text_status == BERT_TINY_OK) text_status = bert_tiny_run(&words, &text_in, &text_out, workspace);
  }
  expect_ok(image_status, resnet18_status_text(image_status));
  expect_ok(text_status, bert_tiny_status_text(text_status));
  printf("score of class 0: %.9g; pooled[0]: %.9g\n", scores[0], pooled[0]);
  return 0;
}
