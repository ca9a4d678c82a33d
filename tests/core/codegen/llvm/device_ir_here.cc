// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codegen/llvm/device_ir_here.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

#include "core/base/check.h"
#include "core/ir/value/ndarray.h"
#include "tests/support/times_in.h"

namespace dovetail::testing {

thread_local WorkItem current;

namespace {

template <size_t axis>
uint32_t thread_number() {
  return current.thread[axis];
}
template <size_t axis>
uint32_t group_number() {
  return current.group[axis];
}
void wait_for_group() { current.barrier->arrive_and_wait(); }

// PTX ISA, "Data Movement and Conversion Instructions: cp.async".
template <uint32_t bytes>
void copy_later(std::byte* to, const std::byte* from) {
  current.batches.back().push_back({to, from, bytes, bytes});
}
template <uint32_t bytes>
void copy_part_later(std::byte* to, const std::byte* from, uint32_t read) {
  current.batches.back().push_back({to, from, bytes, read});
}
void close_batch() { current.batches.emplace_back(); }
void wait_for_batches(uint32_t leaving) {
  for (; current.batches.size() > leaving + 1; current.batches.pop_front())
    for (const Copy& copy : current.batches.front()) {
      std::memset(copy.to, 0, copy.bytes);
      if (copy.read > 0) std::memcpy(copy.to, copy.from, copy.read);
    }
}

// PTX ISA, "mbarrier": a word of the group's memory with copies of a batch, done when a work-item
// waits for it, and not before; what waits for a batch that nobody closes has failed.
struct BulkWord {
  uint32_t batch = 0;
  bool is_closed = false;
  std::vector<Copy> copies;
};
std::mutex bulk_mutex;
std::condition_variable bulk_closed;
std::map<const std::byte*, BulkWord> bulk_words;

void begin_words(uint32_t one, const std::byte* words, uint32_t count) {
  if ((one & 1) == 0) return;
  const std::scoped_lock lock(bulk_mutex);
  for (uint32_t i = 0; i < count; ++i) bulk_words[words + 8 * size_t{i}] = {};
}
void copy_in_bulk(uint32_t one, std::byte* to, const std::byte* from, uint32_t bytes,
                  const std::byte* word) {
  if ((one & 1) == 0) return;
  const std::scoped_lock lock(bulk_mutex);
  bulk_words.at(word).copies.push_back({to, from, bytes, bytes});
}
void close_word(uint32_t one, const std::byte* word) {
  if ((one & 1) == 0) return;
  const std::scoped_lock lock(bulk_mutex);
  bulk_words.at(word).is_closed = true;
  bulk_closed.notify_all();
}
void wait_for_word(const std::byte* address, uint32_t parity) {
  std::unique_lock lock(bulk_mutex);
  BulkWord& word = bulk_words.at(address);
  if (word.batch % 2 != parity) return;
  const bool is_closed = bulk_closed.wait_for(
      lock, std::chrono::seconds(60), [&] { return word.is_closed || word.batch % 2 != parity; });
  CHECK(is_closed, "a work-item waits for a batch that is never closed");
  if (word.batch % 2 != parity) return;
  for (const Copy& copy : std::exchange(word.copies, {}))
    std::memcpy(copy.to, copy.from, copy.bytes);
  word.is_closed = false;
  ++word.batch;
}

// PTX ISA, "Matrix Fragments for mma.m16n8k16": lane 4*g + t has columns 2*t, 2*t + 1, 2*t + 8 and
// 2*t + 9 of rows g and g + 8 of A, the same of column g of B, and two sums of each row.
struct Matrices {
  std::array<std::array<float, 16>, 16> a;
  std::array<std::array<float, 16>, 8> b;
};

template <ElementType type>
Matrices matrices_of(const std::array<Words, kLanes>& words) {
  Matrices made;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    std::array<uint16_t, 12> halves;
    std::memcpy(halves.data(), words[lane].data(), sizeof halves);
    const std::vector<float> numbers = floats_of(NDArray::over(type, {12}, halves.data()));
    const size_t g = lane / 4, t = lane % 4;
    for (size_t i = 0; i < 8; ++i) {
      const size_t row = g + 8 * (i / 2 % 2), k = 2 * t + 8 * (i / 4) + i % 2;
      made.a[row][k] = numbers[i];
      if (i < 4) made.b[g][2 * t + 8 * (i / 2) + i % 2] = numbers[8 + i];
    }
  }
  return made;
}

template <ElementType type>
void multiply_matrices(uint32_t* words) {
  Warp& warp = *current.warp;
  std::copy_n(words, warp.words[0].size(), warp.words[current.lane].begin());
  warp.barrier.arrive_and_wait();
  const Matrices all = matrices_of<type>(warp.words);
  for (size_t i = 0; i < 4; ++i) {
    float sum = 0;
    std::memcpy(&sum, &words[6 + i], sizeof sum);
    const auto& row = all.a[current.lane / 4 + 8 * (i / 2)];
    const auto& column = all.b[2 * (current.lane % 4) + i % 2];
    for (size_t k = 0; k < row.size(); ++k) sum += row[k] * column[k];
    std::memcpy(&words[6 + i], &sum, sizeof sum);
  }
  warp.barrier.arrive_and_wait();  // until all have read
}

// PTX ISA, "ldmatrix": work-item 8*i + r gives the address of row r of block i.
template <size_t blocks>
void load_blocks(uint32_t* words, const std::byte* row) {
  Warp& warp = *current.warp;
  std::memcpy(warp.words[current.lane].data(), &row, sizeof row);
  warp.barrier.arrive_and_wait();
  for (size_t i = 0; i < blocks; ++i) {
    const std::byte* from = nullptr;
    std::memcpy(&from, warp.words[8 * i + current.lane / 4].data(), sizeof from);
    std::memcpy(&words[i], from + 4 * (current.lane % 4), sizeof *words);
  }
  warp.barrier.arrive_and_wait();  // until all have read
}

// The elements of an instruction along k of a row, in blocks of 8 rows by 16 bytes that lie so many
// bytes apart.
template <ElementType type>
std::vector<float> row_of_blocks(const std::byte* blocks, uint32_t along_k_bytes,
                                 uint32_t along_rows_bytes, size_t row) {
  std::array<std::byte, 32> both;
  for (size_t h = 0; h < 2; ++h)
    std::memcpy(&both[16 * h],
                blocks + row / 8 * along_rows_bytes + h * along_k_bytes + row % 8 * 16, 16);
  constexpr ElementType kStored = type == ElementType::tf32 ? ElementType::f32 : type;
  const int64_t count = std::ssize(both) / bytes_of(kStored);
  std::vector<float> numbers = floats_of(NDArray::over(kStored, {count}, both.data()));
  for (float& number : numbers) number = rounded(number, type);
  return numbers;
}

// PTX ISA, "Register Fragments and Shared Memory Matrix Layouts": warp w of four has 16 of 64 rows.
template <ElementType type>
void multiply_blocks(float* sums, uint32_t columns, const std::byte* a, uint32_t a_along_k,
                     uint32_t a_along_rows, const std::byte* b, uint32_t b_along_k,
                     uint32_t b_along_rows) {
  const size_t g = current.lane / 4, t = current.lane % 4, w = current.warp_number % 4;
  for (size_t r = 0; r < 2; ++r) {
    const auto row = row_of_blocks<type>(a, a_along_k, a_along_rows, 16 * w + 8 * r + g);
    for (size_t j = 0; j < columns / 8; ++j) {
      for (size_t c = 0; c < 2; ++c) {
        const auto column = row_of_blocks<type>(b, b_along_k, b_along_rows, 8 * j + 2 * t + c);
        float& sum = sums[4 * j + 2 * r + c];
        for (size_t k = 0; k < row.size(); ++k) sum += row[k] * column[k];
      }
    }
  }
}

// In place of an instruction's declaration: a function of its type, which calls ours with all words
// in memory.
std::string mma_of_words(const std::string& symbol, const std::string& pair) {
  std::string arguments, put, get;
  for (int i = 0; i < 10; ++i) {
    const std::string type = i < 6 ? pair : "float";
    arguments += fmt::format("{}{} %x{}", i == 0 ? "" : ", ", type, i);
    put += fmt::format(
        "  %p{0} = getelementptr i32, ptr %w, i64 {0}\n  store {1} %x{0}, ptr %p{0}\n", i, type);
  }
  std::string whole = "poison";
  for (int i = 0; i < 4; ++i) {
    get += fmt::format("  %y{0} = load float, ptr %p{1}\n", i, i + 6);
    get += fmt::format(
        "  %r{0} = insertvalue {{ float, float, float, float }} {1}, float %y{0}, {0}\n", i, whole);
    whole = fmt::format("%r{}", i);
  }
  return fmt::format(
      "\ndeclare void @{0}(ptr)\n"
      "define {{ float, float, float, float }} @{0}_of_words({1}) {{\n"
      "  %w = alloca [10 x i32]\n{2}  call void @{0}(ptr %w)\n{3}"
      "  ret {{ float, float, float, float }} {4}\n}}\n",
      symbol, arguments, put, get, whole);
}

// The same for so many blocks.
std::string blocks_of_words(const std::string& symbol, int count) {
  const std::string words = count == 2 ? "{ i32, i32 }" : "{ i32, i32, i32, i32 }";
  std::string get, whole = "poison";
  for (int i = 0; i < count; ++i) {
    get += fmt::format(
        "  %p{0} = getelementptr i32, ptr %w, i64 {0}\n  %y{0} = load i32, ptr %p{0}\n"
        "  %r{0} = insertvalue {1} {2}, i32 %y{0}, {0}\n",
        i, words, whole);
    whole = fmt::format("%r{}", i);
  }
  return fmt::format(
      "\ndeclare void @{0}(ptr, ptr)\ndefine {1} @{0}_of_words(ptr %row) {{\n"
      "  %w = alloca [4 x i32]\n  call void @{0}(ptr %w, ptr %row)\n{2}  ret {1} {3}\n}}\n",
      symbol, words, get, whole);
}

// `{ float, float, … }` of so many, and functions of as many sums.
std::string floats_type(size_t count) {
  std::vector<std::string> floats(count, "float");
  return fmt::format("{{ {} }}", fmt::join(floats, ", "));
}
std::string sums_arguments(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += fmt::format("{}float %x{}", i == 0 ? "" : ", ", i);
  return text;
}
// Ends a function with these values: `%x` are its arguments, `%y` loaded from %w.
std::string returned(size_t count, char name) {
  std::string text, whole = "poison";
  for (size_t i = 0; i < count; ++i) {
    if (name == 'y')
      text += fmt::format(
          "  %q{0} = getelementptr float, ptr %w, i64 {0}\n"
          "  %y{0} = load float, ptr %q{0}\n",
          i);
    text += fmt::format("  %r{} = insertvalue {} {}, float %{}{}, {}\n", i, floats_type(count),
                        whole, name, i, i);
    whole = fmt::format("%r{}", i);
  }
  return text + fmt::format("  ret {} {}\n}}\n", floats_type(count), whole);
}

// In place of the instruction that waits: the values as they are.
std::string passed_through(size_t count) {
  return fmt::format("\ndefine {} @pass_{}({}) {{\n{}", floats_type(count), count,
                     sums_arguments(count), returned(count, 'x'));
}

// In place of wgmma, of this type and so many columns: our function, with the sums in memory.
std::string product_of_blocks(const std::string& type, size_t columns) {
  const size_t count = columns / 2;
  std::string put;
  for (size_t i = 0; i < count; ++i)
    put += fmt::format(
        "  %p{0} = getelementptr float, ptr %w, i64 {0}\n"
        "  store float %x{0}, ptr %p{0}\n",
        i);
  return fmt::format(
      "\ndefine {} @dovetail.wgmma.{}.{}(ptr %a, i32 %ka, i32 %ra, ptr %b, i32 %kb, i32 %rb, {}) "
      "{{\n  %w = alloca [{} x float]\n{}  call void @multiply_blocks_{}(ptr %w, i32 {}, ptr %a, "
      "i32 %ka, i32 %ra, ptr %b, i32 %kb, i32 %rb)\n{}",
      floats_type(count), type, columns, sums_arguments(count), count, put, type, columns,
      returned(count, 'y'));
}

// wgmma runs when it is issued here, so that whatever orders or awaits it is nothing.
std::string without_asynchrony(const std::string& ir) {
  std::string text, defined;
  std::set<std::string> known;
  std::istringstream lines(ir);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("call void asm ") != std::string::npos) continue;
    std::smatch named;
    const bool is_declared = line.starts_with("declare");
    if (std::regex_search(line, named,
                          std::regex(R"(@dovetail\.wgmma\.(b?f16|tf32)\.([0-9]+)\()"))) {
      if (known.insert(named[0]).second)
        defined += product_of_blocks(named[1], std::stoul(named[2]));
      if (is_declared) continue;
    }
    const size_t assembly = line.find("asm sideeffect \"wgmma.wait");
    if (assembly != std::string::npos) {
      const size_t count = times_in(line.substr(0, assembly), "float");
      const std::string name = fmt::format("@pass_{}", count);
      if (known.insert(name).second) defined += passed_through(count);
      line = line.substr(0, assembly) + name + line.substr(line.find('(', assembly));
    }
    text += line + "\n";
  }
  for (const char* type : {"f16", "bf16", "tf32"})
    defined += fmt::format(
        "\ndeclare void @multiply_blocks_{}(ptr, i32, ptr, i32, i32, ptr, i32, i32)\n", type);
  return text + defined;
}

}  // namespace

std::vector<HostFunction> host_functions() {
  const auto address = [](auto* function) { return reinterpret_cast<void*>(function); };
  return {
      {"llvm.nvvm.read.ptx.sreg.tid.x", "thread_x", address(thread_number<0>)},
      {"llvm.nvvm.read.ptx.sreg.tid.y", "thread_y", address(thread_number<1>)},
      {"llvm.nvvm.read.ptx.sreg.tid.z", "thread_z", address(thread_number<2>)},
      {"llvm.nvvm.read.ptx.sreg.ctaid.x", "group_x", address(group_number<0>)},
      {"llvm.nvvm.read.ptx.sreg.ctaid.y", "group_y", address(group_number<1>)},
      {"llvm.nvvm.read.ptx.sreg.ctaid.z", "group_z", address(group_number<2>)},
      {"llvm.nvvm.barrier0", "wait_for_group", address(wait_for_group)},
      {"dovetail.copy_part.4", "copy_part_4", address(copy_part_later<4>)},
      {"dovetail.copy_part.8", "copy_part_8", address(copy_part_later<8>)},
      {"dovetail.copy_part.16", "copy_part_16", address(copy_part_later<16>)},
      {"dovetail.copy.4", "copy_4", address(copy_later<4>)},
      {"dovetail.copy.8", "copy_8", address(copy_later<8>)},
      {"dovetail.copy.16", "copy_16", address(copy_later<16>)},
      {"dovetail.bulk.begin", "bulk_begin", address(begin_words)},
      {"dovetail.bulk.copy", "bulk_copy", address(copy_in_bulk)},
      {"dovetail.bulk.close", "bulk_close", address(close_word)},
      {"dovetail.bulk.wait", "bulk_wait", address(wait_for_word)},
      {"llvm.nvvm.cp.async.commit.group", "close_batch", address(close_batch)},
      {"llvm.nvvm.cp.async.wait.group", "wait_for_batches", address(wait_for_batches)},
      {"llvm.nvvm.mma.m16n8k16.row.col.f32.f32", "multiply_halves",
       address(multiply_matrices<ElementType::f16>)},
      {"llvm.nvvm.mma.m16n8k16.row.col.bf16", "multiply_bfloats",
       address(multiply_matrices<ElementType::bf16>)},
      {"llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3", "load_2_blocks", address(load_blocks<2>)},
      {"llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3", "load_4_blocks", address(load_blocks<4>)},
      {"dovetail.blocks.f16", "multiply_blocks_f16", address(multiply_blocks<ElementType::f16>)},
      {"dovetail.blocks.tf32", "multiply_blocks_tf32", address(multiply_blocks<ElementType::tf32>)},
      {"dovetail.blocks.bf16", "multiply_blocks_bf16",
       address(multiply_blocks<ElementType::bf16>)}};
}

// One memory, this machine's functions, and none of the device's properties.
std::string ir_for_host(const std::string& ir) {
  std::string text = std::regex_replace(ir, std::regex(R"( addrspace\([0-9]+\))"), "");
  text = std::regex_replace(text, std::regex(R"(\ntarget [^\n]*)"), "");
  text = std::regex_replace(text, std::regex(R"("target-[a-z]+"="[^"]*")"), "");
  text = std::regex_replace(text, std::regex("ptx_kernel "), "");
  text = std::regex_replace(text, std::regex(" immarg"), "");
  text = std::regex_replace(text, std::regex("\n!nvvm[^\n]*"), "");
  text = std::regex_replace(text, std::regex(R"(\ndeclare[^\n]*nvvm\.(mma|ldmatrix)[^\n]*)"), "");
  text = std::regex_replace(text, std::regex(R"((call [^\n]*nvvm\.(mma|ldmatrix)[^(]*))"),
                            "$1_of_words");
  for (const HostFunction& r : host_functions()) {
    for (size_t at = 0; (at = text.find(r.intrinsic, at)) != std::string::npos;)
      text.replace(at, std::strlen(r.intrinsic), r.symbol);
  }
  text = without_asynchrony(text);
  text += mma_of_words("multiply_halves", "<2 x half>") + mma_of_words("multiply_bfloats", "i32");
  text += blocks_of_words("load_2_blocks", 2) + blocks_of_words("load_4_blocks", 4);
  return text;
}

}  // namespace dovetail::testing
