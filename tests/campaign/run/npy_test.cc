// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/npy.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/support/expect_error.h"
#include "tests/support/right.h"
#include "tests/support/temporary_folder.h"

namespace dovetail {
namespace {

using testing::right;

constexpr ElementType kWritten[] = {ElementType::f32,    ElementType::f16, ElementType::i64,
                                    ElementType::i32,    ElementType::i8,  ElementType::u8,
                                    ElementType::boolean};

// A number that the type holds.
float value_of(ElementType type, int random) {
  switch (type) {
    case ElementType::f32: return static_cast<float>(random) / 7;
    case ElementType::f16: return static_cast<float>(random % 2048) / 64;
    case ElementType::i64:
    case ElementType::i32: return static_cast<float>(random % (1 << 24));
    case ElementType::i8: return static_cast<float>(random % 128);
    case ElementType::u8: return static_cast<float>(std::abs(random % 256));
    default: return static_cast<float>(std::abs(random % 2));
  }
}

template <typename Number>
std::string raw(std::vector<Number> numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

// A file of another writer: `version` and `text` as they come.
std::string file_of(int version, std::string text, const std::string& elements) {
  std::string bytes = std::string("\x93NUMPY") + static_cast<char>(version) + '\0';
  const size_t length_bytes = version == 1 ? 2 : 4;
  for (size_t b = 0; b < length_bytes; ++b)
    bytes += static_cast<char>(text.size() >> (8 * b) & 0xFF);
  return bytes + text + elements;
}

std::string header(const std::string& descr, const std::string& shape,
                   const std::string& order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

std::string small_file(const std::string& descr, const std::string& shape,
                       const std::string& elements) {
  return file_of(1, header(descr, shape), elements);
}

RC_GTEST_PROP(Npy, ReadsWhatItWrites, ()) {
  NpyArray array{
      .type =
          *rc::gen::elementOf(std::vector<ElementType>(std::begin(kWritten), std::end(kWritten))),
      .shape = *rc::gen::container<std::vector<int64_t>>(rc::gen::inRange<int64_t>(0, 5)),
      .values = {}};
  if (array.shape.size() > 5) array.shape.resize(5);
  size_t count = 1;
  for (const int64_t extent : array.shape) count *= static_cast<size_t>(extent);
  for (size_t i = 0; i < count; ++i)
    array.values.push_back(value_of(array.type, *rc::gen::arbitrary<int>()));
  const std::string bytes = npy_bytes(array);
  RC_ASSERT(right(parse_npy(bytes)) == array);
  RC_ASSERT(bytes.find('\n') % 64 == 63u);  // elements are aligned, as numpy wants them
}

TEST(Npy, IsWhatNumpyWrites) {
  const std::string expected = file_of(
      1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }" + std::string(60, ' ') + "\n",
      raw<float>({1, 2, 3}));
  EXPECT_EQ(npy_bytes({.type = ElementType::f32, .shape = {3}, .values = {1, 2, 3}}), expected);
}

TEST(Npy, KeepsNumbersThatAreNone) {
  const float nan = std::nanf(""), inf = INFINITY;
  const NpyArray read = right(parse_npy(small_file("<f8", "(3,)", raw<double>({nan, inf, -0.0}))));
  EXPECT_TRUE(std::isnan(read.values[0]));
  EXPECT_EQ(read.values[1], inf);
  EXPECT_TRUE(std::signbit(read.values[2]));
}

TEST(Npy, ReadsEveryVersionAndHeadersOfOtherWriters) {
  const std::string text = "{\"shape\":(2,1,),\"fortran_order\":False , \"descr\":\"<i2\"}  \n";
  const NpyArray expected{.type = ElementType::i16, .shape = {2, 1}, .values = {-3, 300}};
  for (const int version : {1, 2, 3})
    EXPECT_EQ(right(parse_npy(file_of(version, text, raw<int16_t>({-3, 300})))), expected);
}

TEST(Npy, ReadsNumbersOfEveryWidth) {
  const std::vector<float> expected = {0, 7, 100};
  EXPECT_EQ(right(parse_npy(small_file("<f8", "(3,)", raw<double>({0, 7, 100})))).values, expected);
  EXPECT_EQ(right(parse_npy(small_file("<i8", "(3,)", raw<int64_t>({0, 7, 100})))).values,
            expected);
  EXPECT_EQ(right(parse_npy(small_file("<u4", "(3,)", raw<uint32_t>({0, 7, 100})))).values,
            expected);
  EXPECT_EQ(right(parse_npy(small_file("|u1", "(3,)", raw<uint8_t>({0, 7, 100})))).values,
            expected);
  EXPECT_EQ(right(parse_npy(small_file("|b1", "(2,)", raw<uint8_t>({1, 0})))).values,
            (std::vector<float>{1, 0}));
  EXPECT_EQ(right(parse_npy(small_file("<f4", "()", raw<float>({7})))).shape.size(), 0u);
}

TEST(Npy, TurnsFortranOrderAround) {
  // numpy.save(x.T) of x = [[0, 1, 2], [3, 4, 5]]: three rows of two.
  const std::string bytes =
      file_of(1, header("<f4", "(3, 2)", "True"), raw<float>({0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(right(parse_npy(bytes)).values, (std::vector<float>{0, 3, 1, 4, 2, 5}));
}

TEST(Npy, RefusesWhatIsNoSuchFile) {
  EXPECT_ERROR(parse_npy(""), "no .npy file: it does not begin with \\x93NUMPY");
  EXPECT_ERROR(parse_npy("PK\x03\x04 an archive of numpy.savez"), "no .npy file");
  EXPECT_ERROR(parse_npy(file_of(9, header("<f4", "(1,)"), raw<float>({1}))),
               "version 9.0 of the format; expected 1.0, 2.0 or 3.0");
}

TEST(Npy, RefusesHeadersThatAreTornOrNoHeaders) {
  const std::string whole = small_file("<f4", "(2,)", raw<float>({1, 2}));
  for (size_t length = 8; length < 40; ++length)
    EXPECT_ERROR(parse_npy(whole.substr(0, length)), "ends in its header");
  const auto parsed = [](const std::string& text) { return parse_npy(file_of(1, text, "")); };
  EXPECT_ERROR(parsed("[1, 2]"), "header has \"[1, 2]\", expected '{'");
  EXPECT_ERROR(parsed("{'descr': '<f4', 'shape': (2,)}"), "header without 'fortran_order'");
  EXPECT_ERROR(parsed("{'descr': '<f4', 'descr': '<f4'}"), "header with 'descr' twice");
  EXPECT_ERROR(parsed("{'colour': 1}"), "header with key 'colour'");
  EXPECT_ERROR(parsed("{'descr': [('a', '<f4')]}"), "expected the type of all elements");
  EXPECT_ERROR(parsed("{'shape': (-1,)}"), "expected extents");
  EXPECT_ERROR(parsed("{'shape': (99999999999999999999,)}"), "expected extents");
  EXPECT_ERROR(parsed("{'fortran_order': maybe}"), "expected True or False");
  EXPECT_ERROR(parsed(header("<f4", "()") + "more"), "nothing behind the header's '}'");
}

TEST(Npy, RefusesElementsThatAreTooFewOrTooMany) {
  EXPECT_ERROR(parse_npy(small_file("<f4", "(3,)", raw<float>({1, 2}))),
               "8 bytes of elements; expected 12 for 3 of <f4");
  EXPECT_ERROR(parse_npy(small_file("<f4", "(2, 2)", raw<float>({1, 2, 3, 4, 5}))),
               "20 bytes of elements; expected 16 for 2x2 of <f4");
  EXPECT_ERROR(parse_npy(small_file("<f8", "(4294967296, 4294967296)", "")),
               "expected more than 2^64");
  EXPECT_ERROR(parse_npy(small_file("<f4", "(1000000000000,)", "")), "expected 4000000000000");
}

TEST(Npy, RefusesTypesThatTensorsDoNotHave) {
  for (const char* descr : {">f4", "<c8", "|S3", "<U2", "|O", "<f16", "", "f4"})
    EXPECT_ERROR(parse_npy(small_file(descr, "(0,)", "")), "expected little-endian numbers");
}

RC_GTEST_PROP(Npy, ReadsOrRefusesDamagedFilesInOneLine, ()) {
  std::string bytes =
      npy_bytes({.type = ElementType::f16, .shape = {2, 3}, .values = {1, 2, 3, 4, 5, 6}});
  for (int i = *rc::gen::inRange(1, 4); i > 0; --i)
    bytes[*rc::gen::inRange<size_t>(0, bytes.size())] = *rc::gen::arbitrary<char>();
  bytes.resize(*rc::gen::inRange<size_t>(0, bytes.size() + 1));
  const Result<NpyArray> array = parse_npy(bytes);
  if (!array) RC_ASSERT(array.error().message.find('\n') == std::string::npos);
}

TEST(Npy, RoundsNothing) {
  EXPECT_ERROR(parse_npy(small_file("<f8", "(2,)", raw<double>({0.5, 0.1}))),
               "element 1 is 0.1, which f32 does not hold");
  EXPECT_ERROR(parse_npy(small_file("<i8", "(1,)", raw<int64_t>({16777217}))),
               "element 0 is 16777217, which f32 does not hold");
  EXPECT_ERROR(parse_npy(small_file("<i8", "(1,)", raw<int64_t>({INT64_MAX}))),
               "which f32 does not hold");
  EXPECT_ERROR(parse_npy(small_file("|b1", "(1,)", raw<uint8_t>({2}))), "expected 0 or 1");
}

TEST(Npy, NamesTheFile) {
  const testing::TemporaryFolder folder;
  folder.write("x.npy", "no array");
  EXPECT_ERROR(read_npy(folder.path("x.npy")), "x.npy: no .npy file");
  EXPECT_ERROR(read_npy(folder.path("y.npy")), "y.npy");
  EXPECT_ERROR(read_npy(folder.path(".")), "expected an .npy file");
  const NpyArray array{.type = ElementType::i64, .shape = {2}, .values = {1, 2}};
  ASSERT_TRUE(write_npy(folder.path("z.npy"), array));
  EXPECT_EQ(right(read_npy(folder.path("z.npy"))), array);
}

}  // namespace
}  // namespace dovetail
