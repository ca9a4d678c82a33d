// SPDX-License-Identifier: Apache-2.0
#pragma once

// share/NAME/metadata.json: what a package is, for programs that handle packages. Its schema is
// metadata.schema.json, beside this file.
//
//   {"schema": 1, "id": "5e1f0c2a…", "name": "pose", "tool": "dovetail 0.2.0", …,
//    "tensors": [{"name": "heatmaps:0", "c_name": "heatmaps_0", "role": "output",
//                 "dtype": {"code": 2, "bits": 32, "lanes": 1}, "shape": [1, 17], …}],
//    "calls": […], "files": {"include/pose.h": "9b0c…"}}
//
// Keys are sorted, and dtypes are DLPack's. A reader refuses a schema that it does not know: the
// number is raised when a key changes its meaning or goes, not when one is added.
//
// The driver brings the same text within, without calls, accuracy and files: those grow with the
// network, and files are not known before the driver is.

#include <cstdint>
#include <map>
#include <string>

#include "deploy/package/package_facts.h"
#include "deploy/package/package_interface.h"

namespace dovetail {

inline constexpr int kMetadataSchema = 1;

enum class MetadataForm : uint8_t { file, embedded };

// Without "files" in both forms.
std::string metadata_text(const PackageVariants& variants, const PackageInterface& interface,
                          const PackageFacts& facts, const std::string& id, MetadataForm form);

// The same with these among its files: path -> SHA-256.
std::string with_files(const std::string& metadata,
                       const std::map<std::string, std::string>& digests);

// Whether a text is the metadata of one of our packages, of any schema.
bool is_package_metadata(const std::string& text);

}  // namespace dovetail
