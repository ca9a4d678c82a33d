// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/package_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "deploy/package/build_files.h"
#include "deploy/package/c_header.h"
#include "deploy/package/driver/c_driver.h"
#include "deploy/package/driver/ir_driver.h"
#include "deploy/package/examples.h"
#include "deploy/package/metadata.h"
#include "deploy/package/opencl/opencl_texts.h"
#include "deploy/package/sha256.h"
#include "deploy/package/weights_file.h"

namespace dovetail {
namespace {

struct Parts {
  const PackageVariants& variants;
  const PackageInterface& interface;
  const PackageFacts& facts;
  const PackageOptions& options;
};

// "rocketlake": a line for each variant whose CPU's name does not promise all that its code needs.
std::string unnamed_features(const PackageVariants& variants) {
  std::string text;
  for (const PackageVariant& variant : variants)
    if (!variant.unnamed_features.empty())
      text += fmt::format("Needs more than {} has: {}.\n", variant.executable->target.llvm_cpu,
                          fmt::join(variant.unnamed_features, " "));
  return text;
}

BuildNames build_names(const Parts& parts, const std::string& id) {
  std::string processors;
  for (const PackageVariant& variant : parts.variants) {
    if (!processors.empty()) processors += " or ";
    const Target& target = variant.executable->target;
    processors += is_for_device(*variant.executable) ? target.device : target.llvm_cpu;
  }
  return {.id = id,
          .tool = parts.facts.tool,
          .model = parts.facts.model_sha256,
          .processor = processors,
          .beyond = unnamed_features(parts.variants),
          .system = parts.variants[0].executable->target.llvm_triple};
}

std::string licences_text(const PackageFacts& facts) {
  std::string text;
  for (const PackageLicence& licence : facts.licences)
    text += fmt::format("{}{}: {}\n\n{}{}", text.empty() ? "" : "\n", licence.work, licence.spdx,
                        licence.text, licence.text.ends_with('\n') ? "" : "\n");
  return text;
}

DriverData driver_data(const Parts& parts, const std::string& id,
                       const std::vector<std::string>& weights_headers) {
  return {.weights_headers = weights_headers,
          .metadata = metadata_text(parts.variants, parts.interface, parts.facts, id,
                                    MetadataForm::embedded)};
}

// All texts of a package for a CPU.
Result<PackageFiles> cpu_texts(const Parts& parts, const BuildNames& build,
                               const DriverData& data) {
  const auto& [variants, interface, facts, options] = parts;
  const std::string& name = interface.name;
  PackageExamples examples = package_examples(interface, build, options);
  PackageFiles files;
  files[fmt::format("include/{}.h", name)] = c_header(interface, build, options);
  files[fmt::format("src/{}.c", name)] = TRY(c_driver(variants, interface, build, options, data));
  files[fmt::format("lib/cmake/{0}/{0}-config.cmake", name)] =
      cmake_config(interface, build.system, options);
  files[fmt::format("lib/pkgconfig/{}.pc", name)] = pkg_config(interface, options);
  if (!facts.plan_csv.empty()) files[fmt::format("share/{}/plan.csv", name)] = facts.plan_csv;
  if (!facts.plan_svg.empty()) files[fmt::format("share/{}/plan.svg", name)] = facts.plan_svg;
  files["examples/main.c"] = std::move(examples.sequential);
  if (interface.threads > 1) {  // code for one thread runs no loop in parallel
    files["examples/threads.cc"] = std::move(examples.threads);
    files["examples/openmp.c"] = std::move(examples.openmp);
  }
  return files;
}

// All texts, given the id and the headers of the weights files.
Result<PackageFiles> texts_of(const Parts& parts, const std::string& id,
                              const std::vector<std::string>& weights_headers) {
  const auto& [variants, interface, facts, options] = parts;
  const std::string& name = interface.name;
  const BuildNames build = build_names(parts, id);
  const DriverData data = driver_data(parts, id, weights_headers);
  PackageFiles files = is_for_device(*variants[0].executable)
                           ? opencl_texts(*variants[0].executable, interface, build,
                                          data.weights_headers[0], data.metadata)
                           : TRY(cpu_texts(parts, build, data));
  files[fmt::format("lib/cmake/{0}/{0}-config-version.cmake", name)] =
      cmake_config_version(interface);
  files[fmt::format("share/{}/metadata.json", name)] =
      metadata_text(variants, interface, facts, id, MetadataForm::file);
  files["LICENSES"] = licences_text(facts);
  return files;
}

std::vector<std::string> headers_with(const std::vector<std::string>& bodies,
                                      const std::vector<uint64_t>& hashes, const Sha256& id) {
  std::vector<std::string> headers;
  for (size_t i = 0; i < bodies.size(); ++i)
    headers.push_back(weights_header(bodies[i].size(), hashes[i], i, id));
  return headers;
}

Sha256 id_of(const Parts& parts, const PackageFiles& texts,
             const std::vector<std::string>& bodies) {
  std::string lines;
  for (const auto& [path, text] : texts)
    lines += fmt::format("file {} {}\n", sha256_hex(text), path);
  for (const std::string& body : bodies) lines += fmt::format("weights {}\n", sha256_hex(body));
  for (const PackageVariant& variant : parts.variants)
    for (const std::string& object : variant.executable->code.objects)
      lines += fmt::format("object {}\n", sha256_hex(object));
  return sha256(lines);
}

// Adds the weights as files, or as bytes that the caller embeds as objects.
void add_weights(Package& package, std::vector<std::string> bodies,
                 const std::vector<std::string>& headers, const PackageOptions& options) {
  const PackageInterface& interface = package.interface;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const InterfaceArena& weights = interface.weights[i];
    std::string file = with_weights_header(std::move(bodies[i]), headers[i]);
    if (options.weights == WeightsForm::file)
      package.files[weights_path(interface, weights)] = std::move(file);
    else
      package.embedded[weights_symbol(interface, weights)] = std::move(file);
  }
}

void add_digests(PackageFiles& files) {
  const std::string path = metadata_path(files);
  std::map<std::string, std::string> digests;
  for (const auto& [other, bytes] : files)
    if (other != path) digests[other] = sha256_hex(bytes);
  files[path] = with_files(files[path], digests);
}

Result<Package> package_of(const Parts& parts) {
  std::vector<std::string> bodies;
  std::vector<uint64_t> hashes;
  for (const InterfaceArena& weights : parts.interface.weights) {
    bodies.push_back(weights_body(parts.variants, weights));
    hashes.push_back(weights_hash(bodies.back()));
  }
  const Sha256 no_id{};
  // The id is that of code and weights, whichever log they follow from, and whenever.
  PackageFacts facts = parts.facts;
  facts.origin = {};
  facts.created = {};
  const Parts made{parts.variants, parts.interface, facts, parts.options};
  const PackageFiles nameless =
      TRY(texts_of(made, hex_of(no_id), headers_with(bodies, hashes, no_id)));
  const Sha256 id = id_of(parts, nameless, bodies);
  const std::vector<std::string> headers = headers_with(bodies, hashes, id);
  Package package{.id = hex_of(id),
                  .interface = parts.interface,
                  .files = TRY(texts_of(parts, hex_of(id), headers)),
                  .embedded = {},
                  .driver_ir = {}};
  if (!is_for_device(*parts.variants[0].executable))
    package.driver_ir =
        TRY(ir_driver(parts.variants, parts.interface, build_names(parts, package.id),
                      parts.options, driver_data(parts, package.id, headers)));
  add_weights(package, std::move(bodies), headers, parts.options);
  add_digests(package.files);
  if (!parts.options.archive.empty())
    package.files = with_file(
        std::move(package.files),
        library_path(parts.options.name, parts.variants[0].executable->target.llvm_triple),
        parts.options.archive);
  return package;
}

}  // namespace

Result<Package> package_files(const PackageVariants& variants, const PackageFacts& facts,
                              const PackageOptions& options) {
  // Networks without constants are replaced by copies with an empty arena of constants.
  std::vector<Executable> completed;
  completed.reserve(variants.size());
  PackageVariants all = variants;
  for (PackageVariant& variant : all) {
    if (has_constants_arena(*variant.executable)) continue;
    completed.push_back(with_constants_arena(*variant.executable));
    variant.executable = &completed.back();
  }
  const PackageInterface interface = TRY(package_interface(all, options.name));
  return package_of({.variants = all, .interface = interface, .facts = facts, .options = options});
}

Result<Package> package_files(const Executable& executable, const PackageFacts& facts,
                              const PackageOptions& options,
                              const std::vector<std::string>& cpu_features) {
  return package_files(
      PackageVariants{{.executable = &executable, .label = {}, .cpu_features = cpu_features}},
      facts, options);
}

PackageFiles with_file(PackageFiles files, const std::string& path, std::string bytes) {
  const std::string metadata = metadata_path(files);
  CHECK(!metadata.empty(), "a package without metadata");
  files[metadata] = with_files(files[metadata], {{path, sha256_hex(bytes)}});
  files[path] = std::move(bytes);
  return files;
}

std::string metadata_path(const PackageFiles& files) {
  for (const auto& [path, text] : files)
    if (path.starts_with("share/") && path.ends_with("/metadata.json")) return path;
  return {};
}

}  // namespace dovetail
