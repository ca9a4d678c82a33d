// SPDX-License-Identifier: Apache-2.0
#pragma once

// write_package: writes the files of a package to a folder, all of them or none.
//
//   TRY(write_package(files, "out"))
//     out is not there, or empty      written to out.part, which is then renamed
//     out holds anything else         error: out is not empty; expected …
//     with force                      replaced, where share/*/metadata.json says it is a package
//
// A build that is killed leaves out.part and the old out; the next one removes out.part. Folders
// are rwxr-xr-x and files rw-r--r--, whatever the umask.

#include <string>

#include "core/base/result.h"
#include "deploy/package/package_files.h"

namespace dovetail {

Result<void> write_package(const PackageFiles& files, const std::string& folder,
                           bool force = false);

// The error that write_package would return for this folder, to check it before the work.
Result<void> check_package_folder(const std::string& folder, bool force);

}  // namespace dovetail
