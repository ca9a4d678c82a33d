// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/driver/ir_driver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "deploy/package/driver/driver_tables.h"
#include "deploy/package/driver/ir_driver_text.h"

namespace dovetail {
namespace {

std::string replaced(std::string_view text, std::string_view name) {
  constexpr std::string_view kPlaceholder = "pkgname";
  std::string result;
  for (size_t at = 0;;) {
    const size_t next = text.find(kPlaceholder, at);
    result += text.substr(at, next - at);
    if (next == std::string_view::npos) return result;
    result += name;
    at = next + kPlaceholder.size();
  }
}

// A constant array; an empty one gets a zero element, which is never read.
std::string array(const std::string& name, const std::string& type,
                  const std::vector<std::string>& rows) {
  if (rows.empty())
    return fmt::format("@{} = internal constant [1 x {}] zeroinitializer\n", name, type);
  return fmt::format("@{} = internal constant [{} x {}] [\n  {}\n]\n", name, rows.size(), type,
                     fmt::join(rows, ",\n  "));
}

std::string number(const std::string& name, size_t value) {
  return fmt::format("@{} = internal constant i32 {}\n", name, value);
}

// c"…" with the bytes of a text.
std::string quoted(std::string_view bytes) {
  std::string text = "c\"";
  for (const char c : bytes) {
    const bool is_plain = c >= ' ' && c <= '~' && c != '"' && c != '\\';
    text += is_plain ? std::string(1, c) : fmt::format("\\{:02X}", static_cast<uint8_t>(c));
  }
  return text + "\"";
}

class IrDriver {
 public:
  IrDriver(const DriverTables& tables, const PackageInterface& interface, const BuildNames& build,
           const PackageOptions& options)
      : tables_(tables), interface_(interface), build_(build), options_(options) {}

  std::string text(const DriverData& data) const {
    std::string all = replaced(kIrDriver, name()) + "\n" + numbers() + arenas(data);
    for (const DriverCode& code : tables_.codes) all += code_tables(code);
    return all + codes() + own_workspaces() + opening(data) + running();
  }

 private:
  const std::string& name() const { return interface_.name; }
  bool is_internal() const { return options_.workspace == WorkspaceForm::internal; }
  std::string type(std::string_view of) const { return fmt::format("%struct.{}_{}", name(), of); }
  std::string symbol(std::string_view of) const { return fmt::format("{}_{}", name(), of); }

  std::string numbers() const {
    return number(symbol("count_inputs"), tables_.inputs) +
           number(symbol("count_tensors"), tables_.tensors) +
           number(symbol("count_variants"), tables_.codes.size()) +
           number(symbol("count_workspaces"), tables_.workspaces) +
           number(symbol("count_weights_files"), tables_.weights_files) +
           number(symbol("count_arenas"), tables_.arenas) +
           number(symbol("count_bases"), tables_.bases) +
           number(symbol("count_most_buffers"), tables_.most_buffers) +
           number(symbol("is_choosing"), tables_.is_choosing() ? 1 : 0) +
           number(symbol("is_internal"), is_internal() ? 1 : 0);
  }

  std::string arenas(const DriverData& data) const {
    std::vector<std::string> arenas, tensors, headers;
    for (const auto* list : {&interface_.workspaces, &interface_.weights})
      for (const InterfaceArena& arena : *list)
        arenas.push_back(
            fmt::format("{} {{ i64 {}, i64 {} }}", type("arena"), arena.bytes, arena.alignment));
    for (const auto* list : {&interface_.inputs, &interface_.outputs})
      for (const InterfaceTensor& tensor : *list)
        tensors.push_back(fmt::format("i64 {}", tensor.bytes));
    for (const std::string& header : data.weights_headers)
      headers.push_back(fmt::format("[{} x i8] {}", header.size(), quoted(header)));
    return array(symbol("arenas"), type("arena"), arenas) +
           array(symbol("tensor_bytes"), "i64", tensors) +
           array(symbol("headers"), "[64 x i8]", headers);
  }

  std::vector<std::string> rows_of(const std::vector<DriverPlace>& places) const {
    std::vector<std::string> rows;
    for (const DriverPlace& place : places)
      rows.push_back(
          fmt::format("{} {{ i16 {}, i32 {} }}", type("place"), place.base, place.vectors));
    return rows;
  }

  std::string code_tables(const DriverCode& code) const {
    std::string text;
    std::vector<std::string> launches, sections, needs;
    for (const std::string& kernel : code.kernels)
      text += fmt::format("declare hidden void @{}(ptr, i64, i64)\n", kernel);
    for (const DriverLaunch& launch : code.launches)
      launches.push_back(fmt::format("{} {{ ptr @{}, i64 {}, i32 {}, i32 {}, i32 {} }}",
                                     type("launch"), launch.kernel, launch.extent, launch.first,
                                     launch.count, launch.is_shared ? 1 : 0));
    for (const int64_t section : code.sections) sections.push_back(fmt::format("i64 {}", section));
    if (code.needs)
      for (const CpuQuestion& question : code.needs->questions)
        needs.push_back(fmt::format("{} {{ i32 {}, i32 {}, i32 {}, i32 {} }}", type("need"),
                                    question.leaf, question.subleaf, question.answer,
                                    question.mask));
    return text + array(symbol("places") + code.suffix, type("place"), rows_of(code.places)) +
           array(symbol("launches") + code.suffix, type("launch"), launches) +
           array(symbol("homes") + code.suffix, type("place"), rows_of(code.homes)) +
           array(symbol("sections") + code.suffix, "i64", sections) +
           array(symbol("needs") + code.suffix, type("need"), needs);
  }

  std::string codes() const {
    std::vector<std::string> rows;
    for (const DriverCode& code : tables_.codes)
      rows.push_back(fmt::format(
          "{0} {{ ptr @{1}_launches{2}, i64 {3}, ptr @{1}_places{2}, ptr @{1}_homes{2}, "
          "ptr @{1}_sections{2}, ptr @{1}_needs{2}, i64 {4}, i32 {5} }}",
          type("code"), name(), code.suffix, code.launches.size(),
          code.needs ? code.needs->questions.size() : 0, code.needs ? code.needs->xcr0 : 0));
    return array(symbol("codes"), type("code"), rows);
  }

  std::string own_workspaces() const {
    std::string text;
    std::vector<std::string> own;
    for (const InterfaceArena& pool : interface_.workspaces) {
      if (!is_internal()) continue;
      own.push_back(fmt::format("ptr @{}_{}", symbol("own"), pool.c_name));
      text +=
          fmt::format("@{}_{} = internal global [{} x i8] zeroinitializer, align {}\n",
                      symbol("own"), pool.c_name, std::max<int64_t>(pool.bytes, 1), pool.alignment);
    }
    return text + array(symbol("own"), "ptr", own);
  }

  std::string opening(const DriverData& data) const {
    const std::string metadata = quoted(data.metadata + '\0');
    const bool has_files = tables_.weights_files > 1;
    const std::string given =
        has_files ? "ptr %model, ptr %weights" : "ptr %model, ptr %weights, i64 %bytes";
    std::string text;
    for (const std::string& init :
         {symbol("init"), fmt::format("{}_{}", symbol("init"), build_.id.substr(0, 8))})
      text += fmt::format(
          "define i32 @{0}({1}) {{\n  %status = call i32 @{2}_enter_init(ptr %model, ptr %weights, "
          "i64 {3})\n  ret i32 %status\n}}\n",
          init, given, name(), has_files ? "0" : "%bytes");
    return text + fmt::format(
                      "define i32 @{0}_check_weights(ptr %model) {{\n"
                      "  %status = call i32 @{0}_enter_check_weights(ptr %model)\n"
                      "  ret i32 %status\n}}\n"
                      "define i32 @{0}_abi() {{\n  ret i32 {1}\n}}\n"
                      "@{0}_metadata_text = internal constant [{2} x i8] {3}\n"
                      "define ptr @{0}_metadata() {{\n  ret ptr @{0}_metadata_text\n}}\n",
                      name(), kPackageAbi, data.metadata.size() + 1, metadata);
  }

  // Parameters as in the header; one that the form lacks is passed on as null.
  std::string running() const {
    const bool has_variants = tables_.codes.size() > 1;
    const std::string workspace = is_internal() ? "null" : "%workspace";
    std::string text = fmt::format(
        "define i32 @{0}_run(ptr %model, ptr %inputs, ptr %outputs{1}) {{\n"
        "  %status = call i32 @{0}_enter_run(ptr %model, ptr %inputs, ptr %outputs, ptr {2})\n"
        "  ret i32 %status\n}}\n",
        name(), is_internal() ? "" : ", ptr %workspace", workspace);
    for (const bool is_input : {true, false})
      text += fmt::format(
          "define void @{0}_map_{1}({2}{3}ptr %tensors) {{\n"
          "  call void @{0}_enter_map(ptr {4}, ptr {5}, ptr %tensors, i32 {6}, i32 {7})\n"
          "  ret void\n}}\n",
          name(), is_input ? "inputs" : "outputs", has_variants ? "ptr %model, " : "",
          is_internal() ? "" : "ptr %workspace, ", has_variants ? "%model" : "null", workspace,
          is_input ? 0 : tables_.inputs, is_input ? tables_.inputs : tables_.tensors);
    return text;
  }

  const DriverTables& tables_;
  const PackageInterface& interface_;
  const BuildNames& build_;
  const PackageOptions& options_;
};

}  // namespace

Result<std::string> ir_driver(const PackageVariants& variants, const PackageInterface& interface,
                              const BuildNames& build, const PackageOptions& options,
                              const DriverData& data) {
  const DriverTables tables = TRY(driver_tables(variants, interface));
  return IrDriver(tables, interface, build, options).text(data);
}

}  // namespace dovetail
