// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programs written by hand that the emitter's tests share.

#include <string>
#include <string_view>

namespace dovetail::testing {

// A matrix product, a tile of 4 x 8 in registers of each work-item.
inline constexpr std::string_view kMatrixProduct =
    "buffer A: f32 activation A[m=12, k=6] as [m@1:12] [k@1:6]\n"
    "buffer B: f32 constant B[k=6, n=32] as [n@8:4 =n.0] [k@1:6] [n@1:8 =n.1]\n"
    "buffer C: f32 output C[m=12, n=32] as [m@1:12] [n@1:32]\n"
    "kernel gmm\n"
    "  for m.0 in 0..3 bind group.0\n"
    "    for n.0 in 0..4 bind thread.0\n"
    "      registers acc[4, 8]\n"
    "      for m.1 in 0..4 unrolled\n"
    "        for n.1 in 0..8 vectorized\n"
    "          acc[m.1, n.1] = 0\n"
    "      for k in 0..6\n"
    "        for m.1 in 0..4 unrolled\n"
    "          for n.1 in 0..8 vectorized\n"
    "            acc[m.1, n.1] += A[4*m.0 + m.1, k] * B[n.0, k, n.1]\n"
    "      for m.1 in 0..4 unrolled\n"
    "        for n.1 in 0..8 vectorized\n"
    "          C[4*m.0 + m.1, 8*n.0 + n.1] = acc[m.1, n.1]\n";

// A 3x3 convolution with padding 1, bias and relu: a padding kernel, then tiles of 3 pixels x 8
// channels.
// {x}, {w}, {y} are replaced by a scope or nothing.
inline constexpr std::string_view kConvolution =
    "buffer X: f32 activation X[n=1, i=8, h=6, w=6] as [i@4:2 =i.0] [n@1:1] [h@1:6] [w@1:6] "
    "[i@1:4 =i.1]{x}\n"
    "buffer X.pad: f32 temporary X[n=1, i=8, h=6, w=6] as [i@4:2 =i.0] [n@1:1] [h@1:8] [w@1:8] "
    "[i@1:4 =i.1] offset h=-1 w=-1{x}\n"
    "buffer W: f32 constant W[o=8, i=8, kh=3, kw=3] as [i@1:8] [kh@1:3] [kw@1:3] [o@4:2 =o.0] "
    "[o@1:4 =o.1]{w}\n"
    "buffer bias: f32 constant bias[o=8] as [o@4:2 =o.0] [o@1:4 =o.1]\n"
    "buffer Y: f32 output Y[n=1, o=8, h=6, w=6] as [o@4:2 =o.0] [n@1:1] [h@1:6] [w@1:6] "
    "[o@1:4 =o.1]{y}\n"
    "kernel pad_X\n"
    "  for i.0 in 0..2 parallel\n"
    "    for h in 0..8\n"
    "      for w in 0..8\n"
    "        for i.1 in 0..4 vectorized\n"
    "          X.pad[i.0, 0, h, w, i.1] = "
    "(0 <= h - 1 < 6 and 0 <= w - 1 < 6) ? X[i.0, 0, h - 1, w - 1, i.1] : 0\n"
    "kernel c2d\n"
    "  for h in 0..6 bind group.0\n"
    "    for w.0 in 0..2 bind thread.0\n"
    "      registers acc[3, 2, 4]\n"
    "      for w.1 in 0..3 unrolled\n"
    "        for o.0 in 0..2 unrolled\n"
    "          for o.1 in 0..4 vectorized\n"
    "            acc[w.1, o.0, o.1] = 0\n"
    "      for i.0 in 0..2\n"
    "        for kh in 0..3\n"
    "          for kw in 0..3 unrolled\n"
    "            for i.1 in 0..4 unrolled\n"
    "              for w.1 in 0..3 unrolled\n"
    "                for o.0 in 0..2 unrolled\n"
    "                  for o.1 in 0..4 vectorized\n"
    "                    acc[w.1, o.0, o.1] += X.pad[i.0, 0, h + kh, 3*w.0 + w.1 + kw, i.1] * "
    "W[4*i.0 + i.1, kh, kw, o.0, o.1]\n"
    "      for w.1 in 0..3 unrolled\n"
    "        for o.0 in 0..2 unrolled\n"
    "          for o.1 in 0..4 vectorized\n"
    "            Y[o.0, 0, h, 3*w.0 + w.1, o.1] = max(acc[w.1, o.0, o.1] + bias[o.0, o.1], 0)\n";

// The same convolution reading its input directly, with a guard on every read.
inline constexpr std::string_view kGuardedConvolution =
    "buffer X: f32 activation X[n=1, i=8, h=6, w=6] as [n@1:1] [h@1:6] [i@4:2 =i.0] [w@1:6] "
    "[i@1:4 =i.1]{x}\n"
    "buffer W: f32 constant W[o=4, i=8, kh=3, kw=3] as [i@1:8] [kh@1:3] [kw@1:3] [o@1:4]{w}\n"
    "buffer Y: f32 output Y[n=1, o=4, h=6, w=6] as [n@1:1] [h@1:6] [w@1:6] [o@1:4]{y}\n"
    "kernel c2d\n"
    "  for h in 0..6 bind group.1\n"
    "    for w in 0..6 bind thread.0\n"
    "      registers acc[4]\n"
    "      for o in 0..4 vectorized\n"
    "        acc[o] = 0\n"
    "      for i.0 in 0..2\n"
    "        for kh in 0..3\n"
    "          for kw in 0..3\n"
    "            for i.1 in 0..4 unrolled\n"
    "              for o in 0..4 vectorized\n"
    "                acc[o] += ((0 <= h + kh - 1 < 6 and 0 <= w + kw - 1 < 6) ? "
    "X[0, h + kh - 1, i.0, w + kw - 1, i.1] : 0) * W[4*i.0 + i.1, kh, kw, o]\n"
    "      for o in 0..4 vectorized\n"
    "        Y[0, h, w, o] = min(max(acc[o], 0), 6)\n";

// `text` with {x}, {w}, {y} replaced by ` ; scope …`, or by nothing for "".
inline std::string with_scopes(std::string_view text, std::string_view x, std::string_view w,
                               std::string_view y) {
  std::string result(text);
  const auto replace_all = [&](std::string_view mark, std::string_view scope) {
    const std::string by = scope.empty() ? "" : " ; scope " + std::string(scope);
    for (size_t at = result.find(mark); at != std::string::npos; at = result.find(mark)) {
      result.replace(at, mark.size(), by);
    }
  };
  replace_all("{x}", x);
  replace_all("{w}", w);
  replace_all("{y}", y);
  return result;
}

}  // namespace dovetail::testing
