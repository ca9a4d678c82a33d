// SPDX-License-Identifier: Apache-2.0
#include "tests/deploy/package/sample_programs.h"

namespace dovetail::testing {

const char* const kPoseProgram = R"(#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition) \
  do { if (!(condition)) { printf("line %d: %s\n", __LINE__, #condition); exit(1); } } while (0)

/* Aligned places in static memory, each on a page of its own. */
static unsigned char memory[16 * 4096 + 4096];
static unsigned char* page(int i) {
  return memory + (4096 - (uintptr_t)memory % 4096) + 4096 * i;
}
static const float expected[10] = {11, 24, 39, 56, 75, 96, 119, 144, 171, 200};

/* At any address: image + prior is 11, 12, …, 20. */
static void fill(void* image, void* prior) {
  for (int i = 0; i < 10; ++i) {
    const float value = (float)(1 + i), ten = 10;
    memcpy((unsigned char*)image + 4 * i, &value, 4);
    memcpy((unsigned char*)prior + 4 * i, &ten, 4);
  }
}
static void expect_outputs(const pose_outputs* outputs) {
  float score = 0, sum = 0;
  EXPECT(memcmp(outputs->heatmaps_0, expected, sizeof expected) == 0);
  for (int i = 0; i < 10; ++i) sum += expected[i];
  memcpy(&score, outputs->score, 4);
  EXPECT(score == 2 * sum);
}

static void run_at(const pose* model, size_t image, size_t prior, size_t heat, size_t score) {
  pose_inputs in;
  pose_outputs out;
  in.image = (const float*)(page(1) + image);
  in.prior = (const float*)(page(2) + prior);
  out.heatmaps_0 = (float*)(page(3) + heat);
  out.score = (float*)(page(4) + score);
  fill(page(1) + image, page(2) + prior);
  memset(page(3), 0, 4096);
  memset(page(4), 0, 4096);
  EXPECT(pose_run(model, &in, &out, page(0)) == POSE_OK);
  expect_outputs(&out);
  EXPECT(page(3)[heat + 40] == 0 && page(4)[score + 4] == 0);
}

struct ranges { int count, reversed, calls; };
static void in_ranges(void* context, pose_task task, void* const* tables, int64_t extent) {
  struct ranges* ranges = (struct ranges*)context;
  ++ranges->calls;
  for (int k = 0; k < ranges->count; ++k) {
    const int i = ranges->reversed ? ranges->count - 1 - k : k;
    task(tables, extent * i / ranges->count, extent * (i + 1) / ranges->count);
  }
}

static void try_ranges(const pose* model) {
  static const int counts[] = {1, 2, 3, 7, 16};
  for (int i = 0; i < 10; ++i) {
    struct ranges ranges = {counts[i / 2], i % 2, 0};
    pose shared = *model;
    shared.parallel_for = in_ranges;
    shared.parallel_context = &ranges;
    run_at(&shared, 0, 4, 0, 4);
    EXPECT(ranges.calls == 2); /* the third kernel's extent is 1 */
  }
}

static void try_mapped(const pose* model) {
  pose_inputs in;
  pose_outputs out;
  pose_map_inputs(page(0), &in);
  pose_map_outputs(page(0), &out);
  fill((void*)in.image, (void*)in.prior);
  EXPECT(pose_run(model, &in, &out, page(0)) == POSE_OK);
  expect_outputs(&out);
}

static void try_bad_pointers(const pose* model) {
  pose_inputs in = {(const float*)page(1), (const float*)page(2)};
  pose_outputs out = {(float*)page(3), (float*)page(4)};
  pose none = *model;
  EXPECT(pose_run(NULL, &in, &out, page(0)) == POSE_NULL);
  EXPECT(pose_run(model, NULL, &out, page(0)) == POSE_NULL);
  EXPECT(pose_run(model, &in, NULL, page(0)) == POSE_NULL);
  EXPECT(pose_run(model, &in, &out, NULL) == POSE_NULL);
  none.weights = NULL;
  EXPECT(pose_run(&none, &in, &out, page(0)) == POSE_NULL);
  EXPECT(pose_check_weights(&none) == POSE_NULL && pose_check_weights(NULL) == POSE_NULL);
  EXPECT(pose_run(model, &in, &out, page(0) + 16) == POSE_ALIGNED);
  in.prior = NULL;
  EXPECT(pose_run(model, &in, &out, page(0)) == POSE_NULL);
  in.prior = (const float*)page(2);
  out.score = NULL;
  EXPECT(pose_run(model, &in, &out, page(0)) == POSE_NULL);
}

static pose_status run_over(const pose* model, const void* image, const void* heat, void* score) {
  pose_inputs in = {(const float*)image, (const float*)page(2)};
  pose_outputs out = {(float*)heat, (float*)score};
  return pose_run(model, &in, &out, page(0));
}

static void try_overlaps(const pose* model, unsigned char* weights) {
  unsigned char *in = page(1), *out = page(3), *score = page(4), *space = page(0);
  EXPECT(run_over(model, in, in + 39, score) == POSE_OVERLAP);
  EXPECT(run_over(model, in, in - 39, score) == POSE_OVERLAP);
  EXPECT(run_over(model, in, in + 40, score) == POSE_OK);
  EXPECT(run_over(model, in, in - 40, score) == POSE_OK);
  EXPECT(run_over(model, in, out, out + 36) == POSE_OVERLAP);
  EXPECT(run_over(model, in, out, out + 40) == POSE_OK);
  EXPECT(run_over(model, in, space + 255, score) == POSE_OVERLAP);
  EXPECT(run_over(model, in, space + 256, score) == POSE_OK);
  EXPECT(run_over(model, space, out, score) == POSE_OVERLAP); /* not its place */
  EXPECT(run_over(model, space + 64, out, score) == POSE_OK); /* its place */
  EXPECT(run_over(model, in, weights + POSE_WEIGHTS_BYTES - 1, score) == POSE_OVERLAP);
  EXPECT(run_over(model, in, out, weights) == POSE_OVERLAP);
  EXPECT(run_over(model, weights + 64, out, score) == POSE_OK); /* inputs may be anything */
}

static void try_damage(unsigned char* weights) {
  pose model;
  EXPECT(pose_init(NULL, weights, POSE_WEIGHTS_BYTES) == POSE_NULL);
  EXPECT(pose_init(&model, NULL, POSE_WEIGHTS_BYTES) == POSE_NULL);
  EXPECT(model.weights == NULL);
  EXPECT(pose_init(&model, weights + 16, POSE_WEIGHTS_BYTES) == POSE_ALIGNED);
  EXPECT(pose_init(&model, weights, POSE_WEIGHTS_BYTES - 1) == POSE_WEIGHTS);
  EXPECT(pose_init(&model, weights, POSE_WEIGHTS_BYTES + 1) == POSE_WEIGHTS);
  EXPECT(pose_init(&model, weights, 0) == POSE_WEIGHTS);
  for (int i = 0; i < 64; ++i) {
    weights[i] ^= 1;
    EXPECT(pose_init(&model, weights, POSE_WEIGHTS_BYTES) == POSE_WEIGHTS);
    weights[i] ^= 1;
  }
  EXPECT(pose_init(&model, weights, POSE_WEIGHTS_BYTES) == POSE_OK);
  EXPECT(pose_check_weights(&model) == POSE_OK);
  for (size_t i = 64; i < POSE_WEIGHTS_BYTES; ++i) {
    weights[i] ^= 128;
    EXPECT(pose_init(&model, weights, POSE_WEIGHTS_BYTES) == POSE_OK);
    EXPECT(pose_check_weights(&model) == POSE_CHECKSUM);
    weights[i] ^= 128;
  }
}

int main(void) {
  unsigned char* const weights = page(8);
  FILE* file = fopen("pose.weights", "rb");
  EXPECT(file != NULL && fread(weights, 1, 4096, file) == POSE_WEIGHTS_BYTES);
  fclose(file);
  try_damage(weights);
  pose model;
  EXPECT(pose_init(&model, weights, POSE_WEIGHTS_BYTES) == POSE_OK);
  EXPECT(model.parallel_for == NULL && pose_abi() == POSE_ABI);
  EXPECT(strcmp(pose_metadata(), "{\"name\":\"pose\"}") == 0);
  EXPECT(strcmp(pose_status_text(POSE_OK), "all is well") == 0);
  for (int i = -6; i < 0; ++i) EXPECT(strlen(pose_status_text((pose_status)i)) > 15);
  run_at(&model, 0, 0, 0, 0);
  run_at(&model, 1, 2, 3, 5);
  run_at(&model, 16, 64, 128, 63);
  try_ranges(&model);
  try_mapped(&model);
  try_bad_pointers(&model);
  try_overlaps(&model, weights);
  EXPECT((int[])POSE_IMAGE_SHAPE[1] == 5 && POSE_HEATMAPS_0_BYTES == 40);
  return 0;
}
)";

const char* const kInternalProgram = R"(#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition) \
  do { if (!(condition)) { printf("line %d: %s\n", __LINE__, #condition); exit(1); } } while (0)

int main(void) {
  float image[10], prior[10], heat[10], score;
  pose_inputs in = {image, prior};
  pose_outputs out = {heat, &score};
  pose model;
  EXPECT(sizeof pose_weights == POSE_WEIGHTS_BYTES);
  EXPECT(pose_init(&model, pose_weights, sizeof pose_weights) == POSE_OK);
  for (int i = 0; i < 10; ++i) image[i] = (float)i, prior[i] = 1;
  EXPECT(pose_run(&model, &in, &out) == POSE_OK);
  for (int i = 0; i < 10; ++i) EXPECT(heat[i] == (float)((i + 1) * (i + 1)));
  pose_map_inputs(&in);
  pose_map_outputs(&out);
  memcpy((void*)in.image, image, sizeof image);
  memcpy((void*)in.prior, prior, sizeof prior);
  EXPECT(pose_run(&model, &in, &out) == POSE_OK);
  EXPECT(memcmp(out.heatmaps_0, heat, sizeof heat) == 0 && *out.score == 770);
  in.image = out.score + 1; /* inside, and not at its place */
  EXPECT(pose_run(&model, &in, &out) == POSE_OVERLAP);
  return 0;
}
)";

const char* const kPoolProgram = R"(#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition) \
  do { if (!(condition)) { printf("line %d: %s\n", __LINE__, #condition); exit(1); } } while (0)

static unsigned char memory[8 * 4096];
static unsigned char* page(int i) {
  return memory + (4096 - (uintptr_t)memory % 4096) + 4096 * i;
}
static void read_file(const char* path, unsigned char* to, size_t bytes) {
  FILE* file = fopen(path, "rb");
  EXPECT(file != NULL && fread(to, 1, bytes, file) == bytes && getc(file) == EOF);
  fclose(file);
}

int main(void) {
  pose_weights weights = {page(0), POSE_ITCM_BYTES, page(1), POSE_FLASH_BYTES};
  pose_workspaces spaces = {page(2), page(3)};
  float image[10], prior[10], heat[10], score;
  pose_inputs in = {image, prior};
  pose_outputs out = {heat, &score};
  pose model;
  EXPECT(POSE_SRAM_BYTES == 64 && POSE_DRAM_BYTES == 256 && POSE_SRAM_ALIGNMENT == 128);
  EXPECT(POSE_ALIGNMENT == 128);
  read_file("pose.0.weights", page(0), POSE_ITCM_BYTES);
  read_file("pose.1.weights", page(1), POSE_FLASH_BYTES);
  EXPECT(pose_init(&model, NULL) == POSE_NULL);
  EXPECT(pose_init(&model, &weights) == POSE_OK && pose_check_weights(&model) == POSE_OK);
  page(1)[150] ^= 1;
  EXPECT(pose_check_weights(&model) == POSE_CHECKSUM);
  page(1)[150] ^= 1;
  for (int i = 0; i < 10; ++i) image[i] = (float)i, prior[i] = 1;
  EXPECT(pose_run(&model, &in, &out, &spaces) == POSE_OK);
  for (int i = 0; i < 10; ++i) EXPECT(heat[i] == (float)((i + 1) * (i + 1)));
  EXPECT(score == 770);
  EXPECT(pose_run(&model, &in, &out, NULL) == POSE_NULL);
  spaces.sram = page(2) + 64;
  EXPECT(pose_run(&model, &in, &out, &spaces) == POSE_ALIGNED);
  spaces.sram = page(3) + 128;
  EXPECT(pose_run(&model, &in, &out, &spaces) == POSE_OVERLAP);
  spaces.sram = page(2);
  pose_map_inputs(&spaces, &in);
  pose_map_outputs(&spaces, &out);
  EXPECT((const unsigned char*)in.image == page(3) + 64);
  EXPECT((unsigned char*)out.score == page(3) + 64);
  weights.flash = weights.itcm; /* the other file */
  EXPECT(pose_init(&model, &weights) == POSE_WEIGHTS);
  return 0;
}
)";

const char* const kChoiceProgram = R"(#include <stdio.h>

static unsigned char memory[5 * 4096];

int main(void) {
  unsigned char* const page = memory + (4096 - (uintptr_t)memory % 4096);
  static const float ones[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  float heat[10], score;
  pose model;
  pose_inputs in = {ones, ones};
  pose_outputs out = {heat, &score};
  FILE* file = fopen("pose.weights", "rb");
  if (file == NULL || fread(page, 1, 8192, file) != POSE_WEIGHTS_BYTES) return 1;
  if (pose_init(&model, page, POSE_WEIGHTS_BYTES) != POSE_OK) return 2;
  if (pose_run(&model, &in, &out, page + 3 * 4096) != POSE_OK) return 3;
  printf("%g", heat[0]);
  return 0;
}
)";

const char* const kThreadedProgram = R"(#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char space[17 * 4096 + 4096];
static pose model;

static void* many_runs(void* at) {
  unsigned char* workspace = (unsigned char*)at;
  float image[10], prior[10], heat[11], score;
  pose_inputs in = {image, prior};
  pose_outputs out = {heat + 1, &score};
  for (int run = 0; run < 500; ++run) {
    for (int i = 0; i < 10; ++i) image[i] = (float)i, prior[i] = (float)run;
    if (pose_run(&model, &in, &out, workspace) != POSE_OK) abort();
    for (int i = 0; i < 10; ++i)
      if (heat[1 + i] != (float)((i + run) * (i + 1))) abort();
  }
  return NULL;
}

int main(void) {
  unsigned char* const pages = space + (4096 - (uintptr_t)space % 4096);
  pthread_t threads[16];
  FILE* file = fopen("pose.weights", "rb");
  if (file == NULL || fread(pages, 1, 4096, file) != POSE_WEIGHTS_BYTES) return 1;
  fclose(file);
  if (pose_init(&model, pages, POSE_WEIGHTS_BYTES) != POSE_OK) return 1;
  for (int i = 0; i < 16; ++i) pthread_create(&threads[i], NULL, many_runs, pages + 4096 * (i + 1));
  for (int i = 0; i < 16; ++i) pthread_join(threads[i], NULL);
  return 0;
}
)";

const char* const kTwoProgram = R"(#include <stdio.h>

static unsigned char memory[4 * 4096];
static void* load(const char* path, unsigned char* to, size_t bytes) {
  FILE* file = fopen(path, "rb");
  const size_t count = file == NULL ? 0 : fread(to, 1, bytes, file);
  if (file != NULL) fclose(file);
  return count == bytes ? to : NULL;
}

int main(void) {
  unsigned char* const pages = memory + (4096 - (uintptr_t)memory % 4096);
  static const float ones[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  float a[10], b[10], a_score, b_score;
  const pose_inputs a_in = {ones, ones};
  const face_inputs b_in = {a, ones};
  const pose_outputs a_out = {a, &a_score};
  const face_outputs b_out = {b, &b_score};
  pose first;
  face second;
  /* One workspace for both: they never run at once. */
  void* workspace = pages + 2 * 4096;
  const void* a_weights = load("pose.weights", pages, POSE_WEIGHTS_BYTES);
  const void* b_weights = load("face.weights", pages + 4096, FACE_WEIGHTS_BYTES);
  if (pose_init(&first, a_weights, POSE_WEIGHTS_BYTES)) return 1;
  if (face_init(&second, b_weights, FACE_WEIGHTS_BYTES)) return 2;
  if (face_init(&second, pages, FACE_WEIGHTS_BYTES) != FACE_WEIGHTS) return 3; /* the other's */
  if (face_init(&second, pages + 4096, FACE_WEIGHTS_BYTES)) return 4;
  if (pose_run(&first, &a_in, &a_out, workspace)) return 5;
  if (face_run(&second, &b_in, &b_out, workspace)) return 6;
  for (int i = 0; i < 10; ++i)
    if (a[i] != (float)(2 * (i + 1)) || b[i] != (a[i] + 1) * (float)(i + 1)) return 7;
  return 0;
}
)";

const char* const kBareProgram = R"(
void* memcpy(void* to, const void* from, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) ((unsigned char*)to)[i] = ((const unsigned char*)from)[i];
  return to;
}

static int run(void) {
  static float image[10], prior[10], heat[10], score;
  const pose_inputs in = {image, prior};
  const pose_outputs out = {heat, &score};
  pose model;
  if (pose_init(&model, pose_weights, POSE_WEIGHTS_BYTES) != POSE_OK) return 1;
  for (int i = 0; i < 10; ++i) image[i] = prior[i] = 1;
  if (pose_run(&model, &in, &out) != POSE_OK) return 2;
  return score == 2 * 110 ? 0 : 3;
}

void abort(void) { __builtin_trap(); }
__attribute__((force_align_arg_pointer)) void _start(void) {
  __asm__ volatile("syscall" : : "a"(60), "D"(run()) : "rcx", "r11", "memory");
  __builtin_unreachable();
}
)";

const char* const kCppProgram = R"(#include <vector>

int main() {
  static_assert(POSE_IMAGE_BYTES == 40, "a size is a constant");
  const std::vector<int64_t> shape = POSE_IMAGE_SHAPE;
  pose model{};
  pose_inputs in{};
  pose_outputs out{};
  const bool is_refused = pose_init(&model, nullptr, 0) == POSE_NULL;
  if (pose_run(&model, &in, &out, nullptr) != POSE_NULL) return 1;
  return is_refused && shape.size() == 2 ? 0 : 1;
}
)";

const char* const kMarkedV4Kernels = R"(
void pose_v4_add(void* const* tables, int64_t first, int64_t last) {
  pose_v3_add(tables, first, last);
}
void pose_v4_scale(void* const* tables, int64_t first, int64_t last) {
  pose_v3_scale(tables, first, last);
  for (int64_t i = first; i < last; ++i) ((float*)tables[3])[i] *= -1;
}
void pose_v4_sum(void* const* tables, int64_t first, int64_t last) {
  pose_v3_sum(tables, first, last);
}
)";

const char* const kVariantProgram = R"(#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition) \
  do { if (!(condition)) { printf("line %d: %s\n", __LINE__, #condition); exit(1); } } while (0)

/* A processor: what leaf 1 and leaf 7 say, and what the system keeps. */
static uint32_t leaf_1_ecx, leaf_7_ebx, last_leaf;
static uint64_t kept;
void cpuid_of_test(uint32_t leaf, uint32_t subleaf, uint32_t answers[4]);
uint64_t xgetbv_of_test(void);
void cpuid_of_test(uint32_t leaf, uint32_t subleaf, uint32_t answers[4]) {
  answers[0] = leaf == 0 ? last_leaf : 0;
  answers[1] = leaf == 7 && subleaf == 0 ? leaf_7_ebx : 0;
  answers[2] = leaf == 1 ? leaf_1_ecx : 0;
  answers[3] = 0;
}
uint64_t xgetbv_of_test(void) { return kept; }

static unsigned char memory[5 * 4096];
static unsigned char* page(int i) {
  return memory + (4096 - (uintptr_t)memory % 4096) + 4096 * i;
}

static pose_status init_on(pose* model, uint32_t ecx, uint32_t ebx, uint32_t last, uint64_t xcr0) {
  leaf_1_ecx = ecx, leaf_7_ebx = ebx, last_leaf = last, kept = xcr0;
  return pose_init(model, page(0), POSE_WEIGHTS_BYTES);
}
static float first_of(const pose* model) {
  static const float ones[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  float heat[10], score;
  pose_inputs in = {ones, ones};
  pose_outputs out = {heat, &score};
  EXPECT(pose_run(model, &in, &out, page(3)) == POSE_OK);
  return heat[0];
}

int main(void) {
  enum { FMA = 1 << 12, OSXSAVE = 1 << 27, AVX2 = 1 << 5, AVX512F = 1 << 16 };
  pose model;
  FILE* file = fopen("pose.weights", "rb");
  EXPECT(POSE_WEIGHTS_BYTES > 4096);
  EXPECT(file != NULL && fread(page(0), 1, 8192, file) == POSE_WEIGHTS_BYTES);
  fclose(file);
  EXPECT(init_on(&model, FMA | OSXSAVE, AVX2 | AVX512F, 7, 0xe7) == POSE_OK);
  EXPECT(first_of(&model) == -2);
  EXPECT(pose_check_weights(&model) == POSE_OK);
  EXPECT(init_on(&model, FMA | OSXSAVE, AVX2 | AVX512F, 7, 0x7) == POSE_OK); /* no zmm kept */
  EXPECT(first_of(&model) == 2);
  EXPECT(init_on(&model, FMA | OSXSAVE, AVX2, 7, 0xe7) == POSE_OK);
  EXPECT(first_of(&model) == 2);
  EXPECT(init_on(&model, FMA | OSXSAVE, AVX2, 7, 0x3) == POSE_CPU);
  EXPECT(init_on(&model, FMA, AVX2, 7, 0xe7) == POSE_CPU);
  EXPECT(init_on(&model, OSXSAVE, AVX2, 7, 0xe7) == POSE_CPU);
  EXPECT(init_on(&model, FMA | OSXSAVE, AVX2, 6, 0xe7) == POSE_CPU);
  EXPECT(init_on(&model, FMA | OSXSAVE, 0, 7, 0xe7) == POSE_CPU);
  pose_inputs in;
  pose_outputs out;
  EXPECT(pose_run(&model, &in, &out, page(3)) == POSE_NULL); /* never opened */
  EXPECT(init_on(&model, FMA | OSXSAVE, AVX2, 7, 0xe7) == POSE_OK);
  pose_map_inputs(&model, page(3), &in);
  EXPECT((const unsigned char*)in.image == page(3) + 64);
  return 0;
}
)";

}  // namespace dovetail::testing
