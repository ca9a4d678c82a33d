// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/driver/c_driver_text.h"

namespace dovetail {

const std::string_view kDriverHead = R"(/* SPDX-License-Identifier: Apache-2.0
 * @name@: checks what it is given, finds addresses, calls kernels. C99; needs nothing but memcpy.
 * Written by @tool@, build @id8@. */
#include @header@

@architecture@
#if defined(__STDC_HOSTED__) && !__STDC_HOSTED__
void* memcpy(void* to, const void* from, size_t bytes); /* no <string.h> is promised here */
#else
#include <string.h>
#endif

/* ---- Tables --------------------------------------------------------------- */

enum {
  @NAME@_INPUTS = @inputs@,
  @NAME@_TENSORS = @tensors@, /* inputs, then outputs */
  @NAME@_VARIANTS = @variants@, /* of the code, best first */
  @NAME@_WORKSPACES = @workspaces@,
  @NAME@_WEIGHTS_FILES = @weights_files@,
  @NAME@_ARENAS = @arenas@, /* workspaces, then files of weights */
  @NAME@_BASES = @bases@, /* arenas, then tensors */
  @NAME@_NOWHERE = @bases@, /* no base: an address that no kernel follows */
  @NAME@_MOST_BUFFERS = @most_buffers@, /* of one kernel */
  @NAME@_VECTOR = 64, /* kernels take it for granted that a buffer begins at a multiple of it */
  @NAME@_HEADER_BYTES = 64 /* of a file of weights */
};

@types@
/* What is taken for granted of each arena. */
static const @name@_arena @name@_arenas[] = {@arena_rows@};

static const size_t @name@_tensor_bytes[] = {@tensor_bytes@};

/* The first bytes of each file of weights: magic, version, file, id, length, hash. */
static const unsigned char @name@_headers[@NAME@_WEIGHTS_FILES][@NAME@_HEADER_BYTES] = {
@headers@
};

@internal@
)";

const std::string_view kDriverTypes = R"(/* An address: so many times 64 bytes behind a base. */
typedef struct @name@_place {
  uint16_t base;
  uint32_t vectors;
} @name@_place;

/* A kernel over 0..extent, and the places of its buffers. */
typedef struct @name@_launch {
  @name@_task kernel;
  int64_t extent;
  uint32_t first, count; /* of its variant's places */
  uint32_t shared; /* by the threads of parallel_for */
} @name@_launch;

/* The network, compiled for one instruction set. */
typedef struct @name@_code {
  const @name@_launch* launches;
  size_t launch_count;
  const @name@_place* places;
  const @name@_place* homes; /* where a tensor lies that is not used at the caller's address */
  const size_t* sections; /* where its constants begin in each file of weights */
  const struct @name@_need* needs; /* of the processor; NULL: it is not asked */
  size_t need_count;
  uint32_t state;
} @name@_code;

/* All bits of `mask` in one register of the processor's answer. */
typedef struct @name@_need {
  uint32_t leaf, subleaf;
  int answer; /* 0 to 3: eax, ebx, ecx, edx */
  uint32_t mask;
} @name@_need;

typedef struct @name@_arena {
  size_t bytes, alignment;
} @name@_arena;

)";

const std::string_view kDriverCpu =
    R"(/* ---- Processor ------------------------------------------------------------ */

/* Tests say what a processor answers: -D@NAME@_CPUID=function -D@NAME@_XGETBV=function. */
#if defined(@NAME@_CPUID)
void @NAME@_CPUID(uint32_t leaf, uint32_t subleaf, uint32_t answers[4]);
uint64_t @NAME@_XGETBV(void);
#define @name@_cpuid @NAME@_CPUID
#define @name@_xgetbv @NAME@_XGETBV
#elif defined(_MSC_VER)
#include <intrin.h>
static void @name@_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t answers[4]) {
  __cpuidex((int*)answers, (int)leaf, (int)subleaf);
}
static uint64_t @name@_xgetbv(void) { return _xgetbv(0); }
#else
#include <cpuid.h>
static void @name@_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t answers[4]) {
  __cpuid_count(leaf, subleaf, answers[0], answers[1], answers[2], answers[3]);
}
static uint64_t @name@_xgetbv(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}
#endif

/* Whether the system keeps the registers of `mask` when it switches threads. */
static int @name@_system_keeps(uint32_t mask) {
  uint32_t answers[4];
  if (mask == 0) return 1;
  @name@_cpuid(1, 0, answers);
  if ((answers[2] >> 27 & 1) == 0) return 0; /* it has no XGETBV to ask */
  return (@name@_xgetbv() & mask) == mask;
}

static int @name@_cpu_has(const @name@_need* needs, size_t count, uint32_t state) {
  uint32_t answers[4];
  for (size_t i = 0; i < count; ++i) {
    /* Processors answer a leaf beyond their last with that of another one. */
    @name@_cpuid(needs[i].leaf & 0x80000000u, 0, answers);
    if (answers[0] < needs[i].leaf) return 0;
    @name@_cpuid(needs[i].leaf, needs[i].subleaf, answers);
    if ((answers[needs[i].answer] & needs[i].mask) != needs[i].mask) return 0;
  }
  return @name@_system_keeps(state);
}

/* The best code that this processor can run; NULL: none. */
static const @name@_code* @name@_choose(void) {
  for (int i = 0; i < @NAME@_VARIANTS; ++i) {
    const @name@_code* const code = &@name@_codes[i];
    if (@name@_cpu_has(code->needs, code->need_count, code->state)) return code;
  }
  return NULL;
}

)";

const std::string_view kDriverHash =
    R"(/* ---- XXH64, as its specification has it ----------------------------------- */

#define @NAME@_PRIME_1 0x9E3779B185EBCA87u
#define @NAME@_PRIME_2 0xC2B2AE3D27D4EB4Fu
#define @NAME@_PRIME_3 0x165667B19E3779F9u
#define @NAME@_PRIME_4 0x85EBCA77C2B2AE63u
#define @NAME@_PRIME_5 0x27D4EB2F165667C5u

static uint64_t @name@_rotated(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

/* Little-endian; compilers make one load of it. */
static uint64_t @name@_word(const unsigned char* p) {
  return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
         (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

static uint64_t @name@_round(uint64_t lane, uint64_t input) {
  return @name@_rotated(lane + input * @NAME@_PRIME_2, 31) * @NAME@_PRIME_1;
}

static uint64_t @name@_merge(uint64_t hash, uint64_t lane) {
  return (hash ^ @name@_round(0, lane)) * @NAME@_PRIME_1 + @NAME@_PRIME_4;
}

static uint64_t @name@_hash(const unsigned char* p, size_t bytes) {
  const unsigned char* const end = p + bytes;
  uint64_t hash = @NAME@_PRIME_5;
  if (bytes >= 32) {
    uint64_t a = @NAME@_PRIME_1 + @NAME@_PRIME_2, b = @NAME@_PRIME_2, c = 0, d = 0 - @NAME@_PRIME_1;
    for (; end - p >= 32; p += 32) {
      a = @name@_round(a, @name@_word(p));
      b = @name@_round(b, @name@_word(p + 8));
      c = @name@_round(c, @name@_word(p + 16));
      d = @name@_round(d, @name@_word(p + 24));
    }
    hash = @name@_rotated(a, 1) + @name@_rotated(b, 7);
    hash += @name@_rotated(c, 12) + @name@_rotated(d, 18);
    hash = @name@_merge(@name@_merge(@name@_merge(@name@_merge(hash, a), b), c), d);
  }
  hash += (uint64_t)bytes;
  for (; end - p >= 8; p += 8) {
    hash ^= @name@_round(0, @name@_word(p));
    hash = @name@_rotated(hash, 27) * @NAME@_PRIME_1 + @NAME@_PRIME_4;
  }
  if (end - p >= 4) {
    const uint64_t four =
        (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24;
    hash = @name@_rotated(hash ^ four * @NAME@_PRIME_1, 23) * @NAME@_PRIME_2 + @NAME@_PRIME_3;
    p += 4;
  }
  for (; p < end; ++p) hash = @name@_rotated(hash ^ *p * @NAME@_PRIME_5, 11) * @NAME@_PRIME_1;
  hash = (hash ^ hash >> 33) * @NAME@_PRIME_2;
  hash = (hash ^ hash >> 29) * @NAME@_PRIME_3;
  return hash ^ hash >> 32;
}

)";

const std::string_view kDriverWeights =
    R"(/* ---- Weights -------------------------------------------------------------- */

static int @name@_is_multiple(const void* pointer, size_t of) {
  return (uintptr_t)pointer % of == 0;
}

/* The same header that this library was built with. */
static int @name@_is_ours(const unsigned char* weights, int file) {
  int same = 1;
  for (int i = 0; i < @NAME@_HEADER_BYTES; ++i) same &= weights[i] == @name@_headers[file][i];
  return same;
}

static @name@_status @name@_check_file(const void* weights, size_t bytes, int file) {
  const size_t alignment = @name@_arenas[@NAME@_WORKSPACES + file].alignment;
  if (weights == NULL) return @NAME@_NULL;
  if (!@name@_is_multiple(weights, alignment)) return @NAME@_ALIGNED;
  if (bytes != @name@_arenas[@NAME@_WORKSPACES + file].bytes) return @NAME@_WEIGHTS;
  return @name@_is_ours((const unsigned char*)weights, file) ? @NAME@_OK : @NAME@_WEIGHTS;
}

static @name@_status @name@_check_bytes(const unsigned char* const* files) {
  for (int file = 0; file < @NAME@_WEIGHTS_FILES; ++file) {
    if (files[file] == NULL) return @NAME@_NULL;
    if (!@name@_is_ours(files[file], file)) return @NAME@_WEIGHTS;
    const size_t bytes = @name@_arenas[@NAME@_WORKSPACES + file].bytes - @NAME@_HEADER_BYTES;
    const uint64_t hash = @name@_hash(files[file] + @NAME@_HEADER_BYTES, bytes);
    if (hash != @name@_word(@name@_headers[file] + 56)) return @NAME@_CHECKSUM;
  }
  return @NAME@_OK;
}

)";

const std::string_view kDriverOpening =
    R"(/* ---- Opening -------------------------------------------------------------- */

/* The header renames @name@_init; the plain name is there for who loads the library by names. */
@name@_status @name@_init(@name@* model, @init_parameters@) {
  if (model == NULL@no_weights@) return @NAME@_NULL;
@clear@
@check_files@
@choice@
@take_weights@
  return @NAME@_OK;
}

#undef @name@_init
@name@_status @name@_init(@name@* model, @init_parameters@);
@name@_status @name@_init(@name@* model, @init_parameters@) {
  return @name@_init_@id8@(model, @init_arguments@);
}

@name@_status @name@_check_weights(const @name@* model) {
  if (model == NULL) return @NAME@_NULL;
  const unsigned char* const files[] = {@weights_of_model@};
  return @name@_check_bytes(files);
}

int @name@_abi(void) { return @NAME@_ABI; }

const char* @name@_metadata(void) {
@metadata@
}

)";

const std::string_view kDriverChecks =
    R"(/* ---- What a run is given -------------------------------------------------- */

static int @name@_overlap(const void* a, size_t a_bytes, const void* b, size_t b_bytes) {
  const uintptr_t from = (uintptr_t)a, to = (uintptr_t)b;
  if (a_bytes == 0 || b_bytes == 0) return 0;
  return from - to < b_bytes || to - from < a_bytes; /* one begins inside the other */
}

static unsigned char* @name@_at(unsigned char* const* bases, @name@_place place) {
  return place.base == @NAME@_NOWHERE ? NULL
                                     : bases[place.base] + (size_t)place.vectors * @NAME@_VECTOR;
}

static @name@_status @name@_check_arenas(unsigned char* const* arenas) {
  for (int i = 0; i < @NAME@_ARENAS; ++i) {
    if (arenas[i] == NULL) return @NAME@_NULL;
    if (!@name@_is_multiple(arenas[i], @name@_arenas[i].alignment)) return @NAME@_ALIGNED;
  }
  for (int i = 0; i < @NAME@_WORKSPACES; ++i)
    for (int j = i + 1; j < @NAME@_ARENAS; ++j)
      if (@name@_overlap(arenas[i], @name@_arenas[i].bytes, arenas[j], @name@_arenas[j].bytes))
        return @NAME@_OVERLAP;
  return @NAME@_OK;
}

static int @name@_is_home(
    const @name@_code* code, unsigned char* const* arenas, const void* const* tensors, int i) {
  return (const unsigned char*)tensors[i] == @name@_at(arenas, code->homes[i]);
}

/* A tensor may lie in the workspace at its home only, and an output nowhere over other memory. */
static @name@_status @name@_check_tensor(
    const @name@_code* code, unsigned char* const* arenas, const void* const* tensors, int i) {
  const size_t bytes = @name@_tensor_bytes[i];
  const int arenas_to_ask = i < @NAME@_INPUTS ? @NAME@_WORKSPACES : @NAME@_ARENAS;
  if (@name@_is_home(code, arenas, tensors, i)) return @NAME@_OK;
  for (int j = 0; j < arenas_to_ask; ++j)
    if (@name@_overlap(tensors[i], bytes, arenas[j], @name@_arenas[j].bytes)) return @NAME@_OVERLAP;
  if (i < @NAME@_INPUTS) return @NAME@_OK;
  for (int j = 0; j < i; ++j)
    if (!@name@_is_home(code, arenas, tensors, j) &&
        @name@_overlap(tensors[i], bytes, tensors[j], @name@_tensor_bytes[j]))
      return @NAME@_OVERLAP;
  return @NAME@_OK;
}

static @name@_status @name@_check(
    const @name@_code* code, unsigned char* const* arenas, const void* const* tensors) {
  @name@_status status = @name@_check_arenas(arenas);
  for (int i = 0; i < @NAME@_TENSORS && status == @NAME@_OK; ++i)
    if (tensors[i] == NULL) return @NAME@_NULL;
  for (int i = 0; i < @NAME@_TENSORS && status == @NAME@_OK; ++i)
    status = @name@_check_tensor(code, arenas, tensors, i);
  return status;
}

)";

const std::string_view kDriverLaunches =
    R"(/* ---- A run ---------------------------------------------------------------- */

/* The addresses of all bases; unaligned inputs are copied to where kernels can read them. */
static void @name@_find_bases(
    const @name@_code* code, unsigned char* const* arenas, const void* const* tensors,
    unsigned char** bases) {
  for (int i = 0; i < @NAME@_ARENAS; ++i) bases[i] = arenas[i];
  for (int i = 0; i < @NAME@_WEIGHTS_FILES; ++i) bases[@NAME@_WORKSPACES + i] += code->sections[i];
  for (int i = 0; i < @NAME@_TENSORS; ++i) {
    unsigned char** const base = &bases[@NAME@_ARENAS + i];
    *base = (unsigned char*)tensors[i];
    if (@name@_is_multiple(tensors[i], @NAME@_VECTOR)) continue;
    *base = @name@_at(arenas, code->homes[i]);
    if (i < @NAME@_INPUTS) memcpy(*base, tensors[i], @name@_tensor_bytes[i]);
  }
}

static void @name@_launch_all(
    const @name@_code* code, unsigned char* const* bases, @name@_parallel_for parallel_for,
    void* context, void** table) {
  for (size_t i = 0; i < code->launch_count; ++i) {
    const @name@_launch* const launch = &code->launches[i];
    for (uint32_t j = 0; j < launch->count; ++j)
      table[j] = @name@_at(bases, code->places[launch->first + j]);
    if (parallel_for != NULL && launch->shared)
      parallel_for(context, launch->kernel, table, launch->extent);
    else
      launch->kernel(table, 0, launch->extent);
  }
}

/* Outputs that kernels wrote elsewhere go to where the caller wants them. */
static void @name@_give_outputs(unsigned char* const* bases, const void* const* tensors) {
  for (int i = @NAME@_INPUTS; i < @NAME@_TENSORS; ++i)
    if (bases[@NAME@_ARENAS + i] != (const unsigned char*)tensors[i])
      memcpy((void*)tensors[i], bases[@NAME@_ARENAS + i], @name@_tensor_bytes[i]);
}

const char* @name@_status_text(@name@_status status) {
  switch (status) {
    case @NAME@_OK: return "all is well";
    case @NAME@_NULL: return "a pointer is missing";
    case @NAME@_ALIGNED: return "workspace or weights are no multiple of their alignment";
    case @NAME@_WEIGHTS: return "these are not the weights of this build";
    case @NAME@_CHECKSUM: return "a byte of the weights is another one";
    case @NAME@_CPU: return "this processor lacks what the code needs";
    case @NAME@_OVERLAP: return "an output or the workspace lies over other memory of the run";
  }
  return "no status of this package";
}

)";

const std::string_view kDriverRun =
    R"(@name@_status @name@_run(
    const @name@* model, const @name@_inputs* inputs,
    const @name@_outputs* outputs@run_parameter@) {
  if (model == NULL || inputs == NULL || outputs == NULL@missing@) return @NAME@_NULL;
  const @name@_code* const code = @code_of_model@;
  unsigned char* const arenas[] = {@arenas_given@  };
  const void* const tensors[] = {@tensors_given@  };
  const @name@_status status = @name@_check(code, arenas, tensors);
  if (status != @NAME@_OK) return status;

  unsigned char* bases[@NAME@_BASES];
  void* table[@NAME@_MOST_BUFFERS];
  @name@_find_bases(code, arenas, tensors, bases);
  @name@_launch_all(code, bases, model->parallel_for, model->parallel_context, table);
  @name@_give_outputs(bases, tensors);
  return @NAME@_OK;
}

void @name@_map_inputs(@map_parameters@@name@_inputs* inputs) {
@map_inputs@
}

void @name@_map_outputs(@map_parameters@@name@_outputs* outputs) {
@map_outputs@
}
)";

}  // namespace dovetail
