// SPDX-License-Identifier: Apache-2.0
#pragma once

// The weights file: a 64-byte header with the build's id, then the constants as kernels read them.
//
//   0   DOVEWTS1         what it is
//   8   1                version of this form, 32 bits
//   12  0                which of the package's files, where constants lie in several pools
//   16  5e1f0c2a…        the build's id, 32 bytes
//   48  14254080         bytes of the file, 64 bits
//   56  9a0e…            XXH64 of everything behind these 64 bytes
//   64  constants        of the first variant; of the next at a multiple of 4096
//
// Numbers are little-endian. To open a file, a driver only compares the header with its own copy,
// so that opening takes the same time for any size, and a mapped file is read on demand. The hash
// is checked on request only.
//
// Why variants share a file: a program opens one file on any processor, and pages of a variant that
// is not chosen are never read.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "deploy/package/package_interface.h"
#include "deploy/package/sha256.h"

namespace dovetail {

inline constexpr int64_t kWeightsHeaderBytes = 64;
inline constexpr uint32_t kWeightsVersion = 1;

struct WeightsLayout {
  std::vector<int64_t> sections;  // offset of each variant's constants
  int64_t bytes = 0;              // size of the file
};
WeightsLayout weights_layout(std::span<const int64_t> variant_bytes, int64_t alignment);

// The whole file, with zeros as its header.
std::string weights_body(const PackageVariants& variants, const InterfaceArena& weights);

// XXH64 of everything behind the header.
uint64_t weights_hash(const std::string& body);

// The header for a body; `file` is the number of the weights file.
std::string weights_header(size_t body_bytes, uint64_t hash, size_t file, const Sha256& id);

std::string with_weights_header(std::string body, const std::string& header);

}  // namespace dovetail
