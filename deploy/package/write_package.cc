// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/write_package.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "deploy/package/metadata.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

Unexpected cannot_write(const fs::path& path, const std::error_code& error) {
  return fail("cannot write {}: {}", path.string(), error.message());
}

// Also true for the rest of a killed build: metadata is written first.
bool is_package(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder / "share", ignored)) {
    const Result<std::string> text = read_file((entry.path() / "metadata.json").string());
    if (text && is_package_metadata(*text)) return true;
  }
  return false;
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

// The canonical path: without links or a trailing slash, so that .part can be appended.
Result<fs::path> resolved(const std::string& folder) {
  std::error_code error;
  fs::path path = fs::absolute(folder, error);
  if (!error) path = fs::weakly_canonical(path, error);
  if (error) return fail("cannot write to the folder \"{}\": {}", folder, error.message());
  if (path.filename().empty()) path = path.parent_path();
  return path;
}

Result<void> check_replaceable_folder(const fs::path& folder, bool force) {
  std::error_code error;
  if (!is_there(folder)) return {};
  if (!fs::is_directory(folder, error))
    return fail("{} is no folder; expected one that is empty or not there", folder.string());
  if (fs::is_empty(folder, error)) return {};
  if (error) return cannot_write(folder, error);
  if (!force)
    return fail("{} is not empty; expected an empty folder, or --force to replace a package",
                folder.string());
  if (!is_package(folder))
    return fail("{} is not empty and no package of dovetail; expected share/NAME/metadata.json",
                folder.string());
  return {};
}

bool is_inside(const fs::path& path) {
  return path.is_relative() && !path.empty() &&
         std::ranges::none_of(path, [](const fs::path& part) { return part == ".."; });
}

Result<void> make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directory(folder, error);
  if (!error) fs::permissions(folder, fs::perms(0755), error);
  return error ? cannot_write(folder, error) : Result<void>();
}

Result<void> write_in(const fs::path& top, const std::string& path, std::string_view bytes) {
  CHECK(is_inside(path), "a file outside of its package: " + path);
  fs::path folder = top;
  for (const fs::path& part : fs::path(path).parent_path()) {
    folder /= part;
    TRY(make_folder(folder));
  }
  const fs::path file = top / path;
  TRY(write_file(file.string(), bytes));
  std::error_code error;
  fs::permissions(file, fs::perms(0644), error);
  return error ? cannot_write(file, error) : Result<void>();
}

Result<void> write_all(const PackageFiles& files, const fs::path& top) {
  TRY(make_folder(top));
  const std::string metadata = metadata_path(files);
  CHECK(!metadata.empty(), "a package without metadata");
  TRY(write_in(top, metadata, files.at(metadata)));
  for (const auto& [path, bytes] : files)
    if (path != metadata) TRY(write_in(top, path, bytes));
  return {};
}

// The old package is missing only between two renames.
Result<void> put_in_place(const fs::path& part, const fs::path& folder) {
  const fs::path old = folder.string() + ".old";
  std::error_code error, ignored;
  const bool has_old = is_there(folder) && !fs::is_empty(folder, ignored);
  if (has_old) {
    if (is_there(old)) return fail("{} is in the way", old.string());
    fs::rename(folder, old, error);
    if (error) return cannot_write(folder, error);
  }
  fs::rename(part, folder, error);
  if (error) {
    if (has_old) fs::rename(old, folder, ignored);
    return cannot_write(folder, error);
  }
  if (has_old) fs::remove_all(old, ignored);
  return {};
}

}  // namespace

Result<void> check_package_folder(const std::string& folder, bool force) {
  return check_replaceable_folder(TRY(resolved(folder)), force);
}

Result<void> write_package(const PackageFiles& files, const std::string& folder, bool force) {
  const fs::path path = TRY(resolved(folder));
  TRY(check_replaceable_folder(path, force));
  const fs::path part = path.string() + ".part";
  std::error_code error, ignored;
  if (is_there(part)) {
    TRY(check_replaceable_folder(part, true));
    fs::remove_all(part, error);
    if (error) return cannot_write(part, error);
  }
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) return cannot_write(path.parent_path(), error);
  Result<void> written = write_all(files, part);
  if (written) written = put_in_place(part, path);
  if (!written) fs::remove_all(part, ignored);
  return written;
}

}  // namespace dovetail
