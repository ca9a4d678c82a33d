// SPDX-License-Identifier: Apache-2.0
#include "measure/machine/machine_loops.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// One body for all widths: GCC's vector types, and a target attribute that selects the
// instructions. The accumulators are an array that unrolling turns into registers, so this file is
// compiled with -O3 in every build and without sanitizers (CMakeLists.txt): a peak that a debug
// build does not reach would make every measurement of it `impossible`.

namespace dovetail {
namespace {

template <int Lanes>
struct Vector {
  typedef float type __attribute__((vector_size(Lanes * sizeof(float)), may_alias));
};

#define DOVETAIL_MACHINE_LOOPS(name, lanes, chains, store, attributes)                            \
  attributes float fma_##name(int64_t rounds) {                                                   \
    using V = Vector<lanes>::type;                                                                \
    V sums[chains];                                                                               \
    for (int i = 0; i < chains; ++i) sums[i] = V{} + static_cast<float>(i);                       \
    V factor = V{} + 0.999f;                                                                      \
    V addend = V{} + 0.001f;                                                                      \
    for (int64_t round = 0; round < rounds; ++round) {                                            \
      _Pragma("GCC unroll 32") for (int i = 0; i < chains; ++i) sums[i] =                         \
          sums[i] * factor + addend;                                                              \
      asm volatile(""                                                                             \
                   : "+" DOVETAIL_VECTOR_REGISTER(factor), "+" DOVETAIL_VECTOR_REGISTER(addend)); \
    }                                                                                             \
    V total{};                                                                                    \
    for (int i = 0; i < chains; ++i) total += sums[i];                                            \
    return total[0] + total[lanes - 1];                                                           \
  }                                                                                               \
  attributes void read_##name(const float* from, int64_t count) {                                 \
    using V = Vector<lanes>::type;                                                                \
    constexpr int kStreams = kLoopFloats / lanes < 8 ? kLoopFloats / lanes : 8;                   \
    const V* vectors = reinterpret_cast<const V*>(from);                                          \
    for (int64_t i = 0; i < count / lanes; i += kStreams) {                                       \
      _Pragma("GCC unroll 32") for (int s = 0; s < kStreams; ++s) {                               \
        const V loaded = vectors[i + s];                                                          \
        asm volatile("" : : DOVETAIL_VECTOR_REGISTER(loaded));                                    \
      }                                                                                           \
    }                                                                                             \
  }                                                                                               \
  attributes void fill_##name(float* to, int64_t count) {                                         \
    using V = Vector<lanes>::type;                                                                \
    constexpr int kStreams = kLoopFloats / lanes < 8 ? kLoopFloats / lanes : 8;                   \
    V* target = reinterpret_cast<V*>(to);                                                         \
    for (int64_t i = 0; i < count / lanes; i += kStreams) {                                       \
      _Pragma("GCC unroll 32") for (int s = 0; s < kStreams; ++s) target[i + s] = V{};            \
      asm volatile("" ::: "memory");                                                              \
    }                                                                                             \
  }                                                                                               \
  attributes void copy_##name(const float* from, float* to, int64_t count) {                      \
    using V = Vector<lanes>::type;                                                                \
    constexpr int kStreams = kLoopFloats / lanes < 8 ? kLoopFloats / lanes : 8;                   \
    const V* source = reinterpret_cast<const V*>(from);                                           \
    V* target = reinterpret_cast<V*>(to);                                                         \
    for (int64_t i = 0; i < count / lanes; i += kStreams) {                                       \
      _Pragma("GCC unroll 32") for (int s = 0; s < kStreams; ++s) target[i + s] = source[i + s];  \
      asm volatile("" ::: "memory");                                                              \
    }                                                                                             \
  }                                                                                               \
  attributes void copy_past_caches_##name(const float* from, float* to, int64_t count) {          \
    using V = Vector<lanes>::type;                                                                \
    constexpr int kStreams = kLoopFloats / lanes < 8 ? kLoopFloats / lanes : 8;                   \
    const V* source = reinterpret_cast<const V*>(from);                                           \
    V* target = reinterpret_cast<V*>(to);                                                         \
    for (int64_t i = 0; i < count / lanes; i += kStreams) {                                       \
      _Pragma("GCC unroll 32") for (int s = 0; s < kStreams; ++s)                                 \
          store(target + i + s, source[i + s]);                                                   \
      asm volatile("" ::: "memory");                                                              \
    }                                                                                             \
  }                                                                                               \
  constexpr MachineLoops loops_##name = {                                                         \
      2.0 * (lanes) * (chains), fma_##name, read_##name, fill_##name, copy_##name,                \
      copy_past_caches_##name};

#if defined(__x86_64__)
#define DOVETAIL_STORE_AVX512(to, v) _mm512_stream_ps(reinterpret_cast<float*>(to), (__m512)(v))
#define DOVETAIL_STORE_AVX2(to, v) _mm256_stream_ps(reinterpret_cast<float*>(to), (__m256)(v))
#define DOVETAIL_STORE_SSE(to, v) _mm_stream_ps(reinterpret_cast<float*>(to), (__m128)(v))
#define DOVETAIL_VECTOR_REGISTER(v) "v"(v)
DOVETAIL_MACHINE_LOOPS(avx512, 16, 24, DOVETAIL_STORE_AVX512,
                       __attribute__((target("avx512f,fma"))))
DOVETAIL_MACHINE_LOOPS(avx2, 8, 12, DOVETAIL_STORE_AVX2, __attribute__((target("avx2,fma"))))
#undef DOVETAIL_VECTOR_REGISTER
#define DOVETAIL_VECTOR_REGISTER(v) "x"(v)
DOVETAIL_MACHINE_LOOPS(sse, 4, 12, DOVETAIL_STORE_SSE, )
#elif defined(__aarch64__)
#define DOVETAIL_STORE_NEON(to, v) *(to) = (v)
#define DOVETAIL_VECTOR_REGISTER(v) "w"(v)
DOVETAIL_MACHINE_LOOPS(neon, 4, 24, DOVETAIL_STORE_NEON, )
#else
#error "machine peak: no loops for this processor yet"
#endif

}  // namespace

const MachineLoops& machine_loops() {
#if defined(__x86_64__)
  static const MachineLoops& loops =
      __builtin_cpu_supports("avx512f")                                 ? loops_avx512
      : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? loops_avx2
                                                                        : loops_sse;
  return loops;
#else
  return loops_neon;
#endif
}

}  // namespace dovetail
