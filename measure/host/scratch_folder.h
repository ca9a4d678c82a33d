// SPDX-License-Identifier: Apache-2.0
#pragma once

// ScratchFolder: an empty folder in the system's temporary one, removed with its contents; if the
// program is killed, by the next create().

#include <string>
#include <utility>

#include "core/base/result.h"

namespace dovetail {

class ScratchFolder {
 public:
  static Result<ScratchFolder> create();
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();
  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace dovetail
