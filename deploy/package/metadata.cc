// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/metadata.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "deploy/package/opencl/opencl_tables.h"

namespace dovetail {
namespace {

using Json = nlohmann::json;

// DLPack's DLDataTypeCode.
int dlpack_code(ElementType type) {
  constexpr int kInt = 0, kUInt = 1, kFloat = 2, kBfloat = 4, kBool = 6;
  switch (type) {
    case ElementType::f32:
    case ElementType::f64:
    case ElementType::f16: return kFloat;
    case ElementType::bf16: return kBfloat;
    case ElementType::boolean: return kBool;
    case ElementType::u8:
    case ElementType::u16:
    case ElementType::u32: return kUInt;
    default: return kInt;
  }
}

// Offsets and buffers are those of the best variant.
void add_tensors(Json& list, const Executable& executable,
                 const std::vector<ExecutableTensor>& tensors,
                 const std::vector<InterfaceTensor>& names, std::string_view role) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    const ExecutableTensor& tensor = tensors[i];
    const ExecutableBuffer& buffer = executable.buffers.at(tensor.buffer);
    list.push_back(
        {{"name", tensor.name},
         {"c_name", names[i].c_name},
         {"role", role},
         {"dtype",
          {{"code", dlpack_code(tensor.type)}, {"bits", 8 * bytes_of(tensor.type)}, {"lanes", 1}}},
         {"shape", tensor.shape},
         {"layout", "row-major"},
         {"storage_id", tensor.buffer},
         {"storage_scope", print(buffer.scope)},
         {"pool",
          is_for_device(executable) ? "device" : executable.arenas.at(tensor.place->arena).name},
         {"offset", tensor.place->offset},
         {"bytes", names[i].bytes}});
  }
}

Json tensors_of(const Executable& executable, const PackageInterface& interface) {
  Json list = Json::array();
  add_tensors(list, executable, executable.inputs, interface.inputs, "input");
  add_tensors(list, executable, executable.outputs, interface.outputs, "output");
  return list;
}

template <typename Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}
Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json sizes_of(const PackageInterface& interface, const PackageFacts& facts) {
  Json workspace = Json::array(), weights = Json::array();
  for (const InterfaceArena& pool : interface.workspaces)
    workspace.push_back({{"pool", pool.name},
                         {"bytes", pool.bytes},
                         {"alignment", pool.alignment},
                         {"lower_bound_bytes", pool.lower_bound_bytes}});
  for (size_t i = 0; i < interface.weights.size(); ++i) {
    const InterfaceArena& pool = interface.weights[i];
    const bool is_told = i < facts.weights.size();
    weights.push_back(
        {{"pool", pool.name},
         {"bytes", pool.bytes},
         {"alignment", pool.alignment},
         {"given_bytes", is_told ? Json(facts.weights[i].given_bytes) : Json()},
         {"prepared_bytes", is_told ? Json(facts.weights[i].prepared_bytes) : Json()}});
  }
  return {{"model_bytes", facts.model_bytes}, {"workspace", workspace}, {"weights", weights}};
}

Json variants_of(const PackageVariants& variants) {
  Json list = Json::array();
  for (const PackageVariant& variant : variants) {
    size_t code_bytes = 0;
    for (const std::string& object : variant.executable->code.objects) code_bytes += object.size();
    const Target& target = variant.executable->target;
    list.push_back({{"label", variant.label},
                    {"cpu", target.llvm_cpu},
                    {"features", variant.cpu_features},
                    {"lanes", vector_lanes(target)},
                    {"launches", variant.executable->code.launches.size()},
                    {"object_bytes", code_bytes}});
  }
  return list;
}

Json target_of(const PackageVariant& best) {
  const Target& target = best.executable->target;
  return {{"triple", target.llvm_triple},
          {"cpu", target.llvm_cpu},
          {"features", best.cpu_features},
          {"lanes", vector_lanes(target)},
          {"threads", target.name.threads}};
}

// The memory object, with its scope, of each buffer that kernels use on a device.
Json storage_of(const Executable& executable, const PackageInterface& interface) {
  Json list = Json::array();
  for (const OpenclTableMemory& memory : opencl_tables(executable, interface).memories) {
    if (!memory.buffer) continue;
    const ExecutableBuffer& buffer = executable.buffers.at(*memory.buffer);
    Json image;
    if (memory.image) image = {memory.image->width, memory.image->height, memory.image->layers};
    list.push_back({{"storage_id", *memory.buffer},
                    {"name", buffer.name},
                    {"storage_scope", print(buffer.scope)},
                    {"constant", is_constant(executable, buffer)},
                    {"image", image},
                    {"offset", memory.whole ? Json(memory.offset) : Json()},
                    {"bytes", memory.bytes}});
  }
  return list;
}

// Keys that describe a device only, beyond those of a CPU's target.
void add_device(Json& metadata, const Executable& executable, const PackageInterface& interface) {
  const Target& target = executable.target;
  metadata["target"]["opencl"] = {{"device", target.device},
                                  {"driver", target.driver},
                                  {"platform", target.name.device},
                                  {"version", "1.2"}};
  metadata["storage"] = storage_of(executable, interface);
}

Json matches_of(const PackageFacts& facts) {
  Json counts = {{"exact", 0}, {"network", 0}, {"family", 0}, {"default", 0}};
  for (const PackageCall& call : facts.calls) {
    Json& count = counts[std::string(print(call.match))];
    count = count.get<int>() + 1;
  }
  return counts;
}

// The keys that say which network was taken, and why. A library lacks them: that of a distilled log
// has the same bytes.
void add_origin(Json& metadata, const PackageOrigin& origin) {
  metadata["variant"] = origin.variant;
  metadata["log"] = nullptr;
  if (!origin.log_sha256.empty()) metadata["log"] = {{"sha256", origin.log_sha256}};
  metadata["chosen_seconds"] = or_null(origin.chosen_seconds);
  metadata["joint_seconds"] = or_null(origin.joint_seconds);
  metadata["options"] = {{"exact", origin.options.exact},
                         {"max_error", or_null(origin.options.max_error)},
                         {"memory_limit_mb", or_null(origin.options.memory_limit_mb)},
                         {"shapes", origin.options.shapes},
                         {"constants", origin.options.constants}};
}

// The keys that grow with the network.
void add_calls(Json& metadata, const PackageFacts& facts) {
  metadata["calls"] = Json::array();
  for (const PackageCall& call : facts.calls)
    metadata["calls"].push_back({{"code", call.code},
                                 {"node", call.node},
                                 {"task", call.task},
                                 {"trace", call.trace},
                                 {"match", print(call.match)},
                                 {"record", or_null(call.record)},
                                 {"why", call.why}});
  metadata["accuracy"] = Json::array();
  for (const RegionAccuracy& region : facts.accuracy)
    metadata["accuracy"].push_back({{"code", region.code},
                                    {"region", region.region},
                                    {"algorithm", or_null(region.algorithm)},
                                    {"vector_functions", region.has_vector_functions},
                                    {"range_error", region.error},
                                    {"measured", region.is_measured}});
}

// Invalid UTF-8 in names becomes U+FFFD, and all beyond ASCII is escaped.
std::string print(const Json& metadata, int indent) {
  return metadata.dump(indent, ' ', true, Json::error_handler_t::replace);
}

}  // namespace

std::string metadata_text(const PackageVariants& variants, const PackageInterface& interface,
                          const PackageFacts& facts, const std::string& id, MetadataForm form) {
  Json licences = Json::array();
  for (const PackageLicence& licence : facts.licences)
    licences.push_back({{"spdx", licence.spdx}, {"work", licence.work}});
  Json metadata = {{"schema", kMetadataSchema},
                   {"tool", facts.tool},
                   {"llvm", facts.llvm},
                   {"id", id},
                   {"name", interface.name},
                   {"created", facts.created ? Json(*facts.created) : Json()},
                   {"model", {{"sha256", facts.model_sha256}, {"nodes", facts.model_nodes}}},
                   {"target", target_of(variants[0])},
                   {"variants", variants_of(variants)},
                   {"sizes", sizes_of(interface, facts)},
                   {"tensors", tensors_of(*variants[0].executable, interface)},
                   {"matches", matches_of(facts)},
                   {"range_error", nullptr},
                   {"judged_on", nullptr},
                   {"licences", licences}};
  if (is_for_device(*variants[0].executable))
    add_device(metadata, *variants[0].executable, interface);
  if (facts.output_error) {
    metadata["range_error"] = facts.output_error->error;
    metadata["judged_on"] = facts.output_error->data;
  }
  if (form == MetadataForm::embedded) return print(metadata, -1);
  add_origin(metadata, facts.origin);
  add_calls(metadata, facts);
  return print(metadata, 2) + "\n";
}

std::string with_files(const std::string& metadata,
                       const std::map<std::string, std::string>& digests) {
  Json changed = Json::parse(metadata);
  for (const auto& [path, digest] : digests) changed["files"][path] = digest;
  return print(changed, 2) + "\n";
}

bool is_package_metadata(const std::string& text) {
  const Json found = Json::parse(text, nullptr, false);
  if (!found.is_object() || !found.contains("schema") || !found.contains("tool")) return false;
  return found["tool"].is_string() && found["tool"].get<std::string>().starts_with("dovetail ");
}

}  // namespace dovetail
