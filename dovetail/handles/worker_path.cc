// SPDX-License-Identifier: Apache-2.0
#include "dovetail/handles/worker_path.h"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

namespace dovetail::api {

namespace fs = std::filesystem;

std::string worker_of_library() {
  Dl_info found{};
  if (dladdr(reinterpret_cast<const void*>(&worker_of_library), &found) == 0) return {};
  std::error_code error;
  const fs::path library = fs::canonical(found.dli_fname, error);
  if (error) return {};
  for (const char* place : {"dovetail/dovetail-worker", "dovetail-worker"})
    if (const fs::path worker = library.parent_path() / place; fs::is_regular_file(worker, error))
      return worker.string();
  return {};
}

}  // namespace dovetail::api
