// SPDX-License-Identifier: Apache-2.0
#pragma once

// share/NAME/metadata.json: describes a package to programs that handle packages. Its schema is
// metadata.schema.json, beside this file.
//
//   {"schema": 3, "id": "5e1f0c2a…", "name": "pose", "tool": "dovetail 0.2.0", …,
//    "tensors": [{"name": "heatmaps:0", "c_name": "heatmaps_0", "role": "output",
//                 "dtype": {"code": 2, "bits": 32, "lanes": 1}, "shape": [1, 17], …}],
//    "calls": […], "files": {"include/pose.h": "9b0c…"}}
//
// `build --json` has the same names. Keys are sorted, and dtypes are DLPack's. A reader must reject
// an unknown schema: its number is raised when a key changes its meaning or is removed, not when
// one is added.
//
// The driver embeds the same text without calls, accuracy, files, and which log and options it was
// built from: the former grow with the network, the files are known only after the driver, and a
// distilled log gives the same driver.

#include <cstdint>
#include <map>
#include <string>

#include "deploy/package/package_facts.h"
#include "deploy/package/package_interface.h"

namespace dovetail {

inline constexpr int kMetadataSchema = 3;

enum class MetadataForm : uint8_t { file, embedded };

// Neither form has "files" yet.
std::string metadata_text(const PackageVariants& variants, const PackageInterface& interface,
                          const PackageFacts& facts, const std::string& id, MetadataForm form);

// Adds these to "files": path -> SHA-256.
std::string with_files(const std::string& metadata,
                       const std::map<std::string, std::string>& digests);

// True for the metadata of a Dovetail package, of any schema.
bool is_package_metadata(const std::string& text);

}  // namespace dovetail
