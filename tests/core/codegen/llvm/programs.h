// SPDX-License-Identifier: Apache-2.0
//
// Programs as lowering writes them, for the tests and benchmarks of this folder. A line that ends
// with a backslash goes on in the next one (program_of joins them).
#pragma once

namespace dovetail::testing {

// c2d:ci=64,co=64,h=56,w=56,k=3,p=1 with a register tile of 7 rows x 2 vectors, and the pass that
// pads its input.
inline constexpr const char* kConvolution = R"(
buffer X: f32 activation X[i=64, h=56, w=56] as [i@16:4] [h@1:56] [w@1:56] [i@1:16]
buffer X.pad: f32 temporary X[i=64, h=56, w=56] \
      as [i@16:4] [h@1:58] [w@1:58] [i@1:16] offset h=-1 w=-1
buffer W: f32 constant W[o=64, i=64, kh=3, kw=3] \
      as [o@32:2] [i@16:4] [kh@1:3] [kw@1:3] [i@1:16] [o@1:32]
buffer Y: f32 output Y[o=64, h=56, w=56] as [o@16:4] [h@1:56] [w@1:56] [o@1:16]
kernel pad_X
 for i.0 in 0..4 parallel
  for h in 0..58
   for w in 0..58
    for i.1 in 0..16 vectorized
     X.pad[i.0, h, w, i.1] = (0 <= h - 1 < 56 and 0 <= w - 1 < 56) ? X[i.0, h - 1, w - 1, i.1] : 0
kernel c2d
 for o.0.0 in 0..2 parallel
  for h in 0..56
   for w.0 in 0..8
    registers acc[7, 2, 16]
    for w.1 in 0..7 unrolled
     for o.0.1 in 0..2 unrolled
      for o.1 in 0..16 vectorized
       acc[w.1, o.0.1, o.1] = 0
    for i.0 in 0..4
     for kh in 0..3
      for kw in 0..3
       for i.1.0 in 0..4
        for i.1.1 in 0..4 unrolled
         for w.1 in 0..7 unrolled
          for o.0.1 in 0..2 unrolled
           for o.1 in 0..16 vectorized
            acc[w.1, o.0.1, o.1] += X.pad[i.0, h + kh, 7*w.0 + w.1 + kw, 4*i.1.0 + i.1.1] \
      * W[o.0.0, i.0, kh, kw, 4*i.1.0 + i.1.1, 16*o.0.1 + o.1]
    for w.1 in 0..7 unrolled
     for o.0.1 in 0..2 unrolled
      for o.1 in 0..16 vectorized
       Y[2*o.0.0 + o.0.1, h, 7*w.0 + w.1, o.1] = acc[w.1, o.0.1, o.1]
)";

// dep:c=64,h=112,w=112,k=3 on a padded input: one row of 7 vectors, both windows unrolled.
inline constexpr const char* kDepthwise = R"(
buffer X: f32 activation X[c=64, h=112, w=112] \
      as [c@16:4] [h@1:114] [w@1:114] [c@1:16] offset h=-1 w=-1
buffer W: f32 constant W[c=64, kh=3, kw=3] as [c@16:4] [kh@1:3] [kw@1:3] [c@1:16]
buffer Y: f32 output Y[c=64, h=112, w=112] as [c@16:4] [h@1:112] [w@1:112] [c@1:16]
kernel dep
 for c.0 in 0..4 parallel
  for h in 0..112
   for w.0 in 0..16
    registers acc[7, 16]
    for w.1 in 0..7 unrolled
     for c.1 in 0..16 vectorized
      acc[w.1, c.1] = 0
    for kh in 0..3 unrolled
     for kw in 0..3 unrolled
      for w.1 in 0..7 unrolled
       for c.1 in 0..16 vectorized
        acc[w.1, c.1] += X[c.0, h + kh, 7*w.0 + w.1 + kw, c.1] * W[c.0, kh, kw, c.1]
    for w.1 in 0..7 unrolled
     for c.1 in 0..16 vectorized
      Y[c.0, h, 7*w.0 + w.1, c.1] = acc[w.1, c.1]
)";

// gmm:m=64,n=64,k=64 with packed panels and a register tile of 8 rows x 2 vectors.
inline constexpr const char* kMatrixProduct = R"(
buffer X: f32 activation X[m=64, k=64] as [k@16:4] [m@1:64] [k@1:16]
buffer W: f32 constant W[k=64, n=64] as [k@16:4] [n@32:2] [k@1:16] [n@1:32]
buffer Y: f32 output Y[m=64, n=64] as [n@16:4] [m@1:64] [n@1:16]
kernel gmm
 for n.0 in 0..2 parallel
  for m.0 in 0..8
   registers acc[8, 2, 16]
   for m.1 in 0..8 unrolled
    for n.1 in 0..2 unrolled
     for n.2 in 0..16 vectorized
      acc[m.1, n.1, n.2] = 0
   for k.0 in 0..4
    for k.1 in 0..4
     for k.2 in 0..4 unrolled
      for m.1 in 0..8 unrolled
       for n.1 in 0..2 unrolled
        for n.2 in 0..16 vectorized
         acc[m.1, n.1, n.2] += X[k.0, 8*m.0 + m.1, 4*k.1 + k.2] \
      * W[k.0, n.0, 4*k.1 + k.2, 16*n.1 + n.2]
   for m.1 in 0..8 unrolled
    for n.1 in 0..2 unrolled
     for n.2 in 0..16 vectorized
      Y[2*n.0 + n.1, 8*m.0 + m.1, n.2] = acc[m.1, n.1, n.2]
)";

}  // namespace dovetail::testing
