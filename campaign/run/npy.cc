// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/npy.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstring>
#include <functional>
#include <span>
#include <utility>

#include "core/base/fail.h"
#include "core/base/files.h"

namespace dovetail {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are copied as they are");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kAlignment = 64;  // first element's offset in the file

// The text in front of a file's elements, a literal of Python:
//
//   {'descr': '<f4', 'fortran_order': False, 'shape': (1, 3, 8, 8), }
//
// These three keys are read in any order and with any spaces, as numpy demands.
struct NpyHeader {
  std::string descr;  // "<f4"
  bool fortran_order = false;
  std::vector<int64_t> shape;
};

constexpr size_t kMostDims = 64;         // numpy's own limit
constexpr size_t kShownTextLength = 24;  // characters of the file in an error

bool is_printable(unsigned char c) { return std::isprint(c) != 0; }

class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : rest_(text) {}

  Result<NpyHeader> parse() {
    TRY(expect('{'));
    while (!accept('}')) {
      TRY(parse_entry());
      if (accept(',')) continue;
      TRY(expect('}'));
      break;
    }
    skip_spaces();
    if (!rest_.empty()) return unexpected("nothing behind the header's '}'");
    for (size_t k = 0; k < kKeys.size(); ++k)
      if (!seen_[k]) return fail("header without '{}'", kKeys[k]);
    return header_;
  }

 private:
  static constexpr std::array<std::string_view, 3> kKeys = {"descr", "fortran_order", "shape"};

  Result<void> parse_entry() {
    const std::string key = TRY(parse_text("one of 'descr', 'fortran_order', 'shape'"));
    const auto known = std::ranges::find(kKeys, key);
    if (known == kKeys.end())
      return fail("header with key '{}'; expected 'descr', 'fortran_order' and 'shape'", key);
    bool& seen = seen_[static_cast<size_t>(known - kKeys.begin())];
    if (seen) return fail("header with '{}' twice", key);
    seen = true;
    TRY(expect(':'));
    if (key == "descr")
      header_.descr = TRY(parse_text("the type of all elements, such as '<f4'"));
    else if (key == "shape")
      header_.shape = TRY(parse_tuple());
    else
      header_.fortran_order = TRY(parse_truth());
    return {};
  }

  Result<std::string> parse_text(std::string_view expected) {
    skip_spaces();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    const size_t end = rest_.find(quote, 1);
    if ((quote != '\'' && quote != '"') || end == std::string_view::npos)
      return unexpected(expected);
    std::string text(rest_.substr(1, end - 1));
    // Appears in messages, which are one line.
    if (text.size() > kShownTextLength || !std::ranges::all_of(text, is_printable))
      return unexpected(expected);
    rest_.remove_prefix(end + 1);
    return text;
  }

  Result<bool> parse_truth() {
    skip_spaces();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    return unexpected("True or False");
  }

  Result<std::vector<int64_t>> parse_tuple() {
    std::vector<int64_t> extents;
    TRY(expect('('));
    while (!accept(')')) {
      skip_spaces();
      int64_t extent = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
      if (error != std::errc() || extent < 0) return unexpected("extents, such as (2, 3)");
      rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
      extents.push_back(extent);
      if (extents.size() > kMostDims) return fail("shape of more than {} dimensions", kMostDims);
      if (accept(',')) continue;
      TRY(expect(')'));
      break;
    }
    return extents;
  }

  void skip_spaces() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0)
      rest_.remove_prefix(1);
  }
  bool accept(char c) {
    skip_spaces();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  Result<void> expect(char c) {
    if (accept(c)) return {};
    return unexpected(fmt::format("'{}'", c));
  }
  Unexpected unexpected(std::string_view expected) const {
    std::string found(rest_.substr(0, rest_.find('\n')).substr(0, kShownTextLength));
    std::ranges::replace_if(found, std::not_fn(is_printable), '?');
    return fail("header has \"{}\", expected {}", found, expected);
  }

  std::string_view rest_;
  NpyHeader header_;
  std::array<bool, 3> seen_{};
};

std::string print(const NpyHeader& header) {
  // A tuple of one has a comma behind it.
  return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}{}), }}", header.descr,
                     header.fortran_order ? "True" : "False", fmt::join(header.shape, ", "),
                     header.shape.size() == 1 ? "," : "");
}

struct File {
  NpyHeader header;
  std::string_view elements;
};

Result<File> split_file(std::string_view bytes) {
  constexpr size_t kVersionEnd = 8;
  if (!bytes.starts_with(kMagic) || bytes.size() < kVersionEnd)
    return fail("no .npy file: it does not begin with \\x93NUMPY and a version");
  const int major = static_cast<unsigned char>(bytes[6]), minor = bytes[7];
  if (major < 1 || major > 3 || minor != 0)
    return fail("version {}.{} of the format; expected 1.0, 2.0 or 3.0", major, minor);
  const size_t length_bytes = major == 1 ? 2 : 4;
  const size_t header_at = kVersionEnd + length_bytes;
  uint32_t length = 0;
  if (bytes.size() >= header_at) std::memcpy(&length, bytes.data() + kVersionEnd, length_bytes);
  if (bytes.size() < header_at || bytes.size() - header_at < length)
    return fail("ends in its header: {} bytes, expected at least {}", bytes.size(),
                header_at + length);
  return File{.header = TRY(HeaderParser(bytes.substr(header_at, length)).parse()),
              .elements = bytes.substr(header_at + length)};
}

// Checked against the file's size, so that a bad header cannot cause a huge allocation.
Result<size_t> count_elements(const File& file, size_t element_bytes) {
  uint64_t count = 1;
  bool fits = true;
  for (const int64_t extent : file.header.shape)
    fits = !__builtin_mul_overflow(count, static_cast<uint64_t>(extent), &count) && fits;
  uint64_t expected = 0;
  fits = !__builtin_mul_overflow(count, uint64_t{element_bytes}, &expected) && fits;
  if (fits && expected == file.elements.size()) return count;
  return fail("{} bytes of elements; expected {} for {} of {}", file.elements.size(),
              fits ? fmt::format("{}", expected) : "more than 2^64", print_shape(file.header.shape),
              file.header.descr);
}

struct StoredAs {
  std::string_view descr;  // without the byte order
  ElementType type;
};
constexpr StoredAs kTypes[] = {
    {"f4", ElementType::f32}, {"f2", ElementType::f16},     {"f8", ElementType::f64},
    {"i8", ElementType::i64}, {"i4", ElementType::i32},     {"i2", ElementType::i16},
    {"i1", ElementType::i8},  {"u4", ElementType::u32},     {"u2", ElementType::u16},
    {"u1", ElementType::u8},  {"b1", ElementType::boolean}, {"V2", ElementType::bf16},
};
constexpr StoredAs kUnsignedLong = {"u8", ElementType::i64};  // type that it is read as

Result<StoredAs> stored_as(const std::string& descr) {
  const std::string_view kind = std::string_view(descr).substr(std::min<size_t>(descr.size(), 1));
  const auto* const found = kind == kUnsignedLong.descr
                                ? &kUnsignedLong
                                : std::ranges::find(kTypes, kind, &StoredAs::descr);
  const char order = descr.empty() ? '\0' : descr.front();
  const bool is_native = order == '<' || order == '=' || order == '|';
  if (found == std::end(kTypes) || (!is_native && (order != '>' || bytes_of(found->type) > 1)))
    return fail(
        "dtype {}; expected little-endian numbers (f4 f2 f8 i1 to i8 u1 to u8), b1 or V2 (bf16)",
        descr);
  return *found;
}

Result<void> check_elements(const StoredAs& stored, const ArrayView& elements) {
  for (size_t i = 0; i < elements.size(); ++i) {
    if (stored.type == ElementType::boolean && elements.integer(i) > 1)
      return fail("element {} is {}, expected 0 or 1 of b1", i, elements.integer(i));
    if (stored.descr == kUnsignedLong.descr && elements.integer(i) < 0)
      return fail("element {} is {}, which i64 does not hold; expected values that it does", i,
                  static_cast<uint64_t>(elements.integer(i)));
  }
  return {};
}

// Column-major elements (numpy's order 'F', as of a transposed array) in row-major order.
std::vector<std::byte> row_major(const std::vector<std::byte>& elements, size_t width,
                                 const std::vector<int64_t>& shape) {
  std::vector<std::byte> result(elements.size());
  std::vector<int64_t> index(shape.size(), 0);
  for (size_t to = 0; to < result.size(); to += width) {
    size_t at = 0;
    for (size_t j = shape.size(); j-- > 0;)
      at = at * static_cast<size_t>(shape[j]) + static_cast<size_t>(index[j]);
    std::memcpy(result.data() + to, elements.data() + at * width, width);
    for (size_t j = shape.size(); j-- > 0 && ++index[j] == shape[j];) index[j] = 0;
  }
  return result;
}

}  // namespace

std::string print_shape(const std::vector<int64_t>& shape) {
  return shape.empty() ? "a single number" : fmt::format("{}", fmt::join(shape, "x"));
}

Result<NDArray> parse_npy(std::string_view bytes) {
  const File file = TRY(split_file(bytes));
  const StoredAs stored = TRY(stored_as(file.header.descr));
  const auto width = static_cast<size_t>(bytes_of(stored.type));
  TRY(count_elements(file, width));
  std::vector<std::byte> elements(file.elements.size());
  if (!elements.empty()) std::memcpy(elements.data(), file.elements.data(), file.elements.size());
  if (file.header.fortran_order) elements = row_major(elements, width, file.header.shape);
  const NDArray array(stored.type, file.header.shape, std::move(elements));
  TRY(check_elements(stored, array));
  return array;
}

std::string npy_bytes(const NDArray& array) {
  const auto* const stored = std::ranges::find(kTypes, array.type(), &StoredAs::type);
  const NpyHeader header{
      .descr = (bytes_of(array.type()) == 1 ? "|" : "<") + std::string(stored->descr),
      .fortran_order = false,
      .shape = array.shape()};
  std::string text = print(header);
  constexpr size_t kBeforeText = 10;
  const size_t end = kBeforeText + text.size() + 1;
  text.append((kAlignment - end % kAlignment) % kAlignment, ' ');
  text += '\n';
  const auto length = static_cast<uint16_t>(text.size());
  std::string bytes(kMagic);
  bytes += {'\1', '\0', static_cast<char>(length & 0xFF), static_cast<char>(length >> 8)};
  bytes += text;
  const std::span<const std::byte> elements = array.bytes();
  bytes.append(reinterpret_cast<const char*>(elements.data()), elements.size());
  return bytes;
}

Result<NDArray> read_npy(const std::string& path) {
  const std::string bytes = TRY(read_file(path, "an .npy file"));
  Result<NDArray> array = parse_npy(bytes);
  if (!array) return fail("{}: {}", path, array.error().message);
  return array;
}

Result<void> write_npy(const std::string& path, const NDArray& array) {
  return replace_file(path, npy_bytes(array));
}

}  // namespace dovetail
