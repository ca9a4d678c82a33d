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
  auto shape = *rc::gen::container<std::vector<int64_t>>(rc::gen::inRange<int64_t>(0, 5));
  if (shape.size() > 5) shape.resize(5);
  size_t count = 1;
  for (const int64_t extent : shape) count *= static_cast<size_t>(extent);
  const auto numbers =
      *rc::gen::container<std::vector<int64_t>>(count, rc::gen::arbitrary<int64_t>());
  for (int i = 0; i < kNumStoredTypes; ++i) {
    const NDArray array = converted(numbers, static_cast<ElementType>(i)).reshaped(shape);
    const std::string bytes = npy_bytes(array);
    RC_ASSERT(right(parse_npy(bytes)) == array);
    RC_ASSERT(bytes.find('\n') % 64 == 63u);  // elements are aligned, as numpy wants them
  }
}

TEST(Npy, IsWhatNumpyWrites) {
  const std::string expected = file_of(
      1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }" + std::string(60, ' ') + "\n",
      raw<float>({1, 2, 3}));
  EXPECT_EQ(npy_bytes({1, 2, 3}), expected);
}

TEST(Npy, KeepsNumbersThatAreNone) {
  const float nan = std::nanf(""), inf = INFINITY;
  const NDArray read = right(parse_npy(small_file("<f8", "(3,)", raw<double>({nan, inf, -0.0}))));
  EXPECT_TRUE(std::isnan(read.real(0)));
  EXPECT_EQ(read.real(1), inf);
  EXPECT_TRUE(std::signbit(read.real(2)));
}

TEST(Npy, ReadsEveryVersionAndHeadersOfOtherWriters) {
  const std::string text = "{\"shape\":(2,1,),\"fortran_order\":False , \"descr\":\"<i2\"}  \n";
  const NDArray expected(ElementType::i16, {2, 1}, std::vector<int16_t>{-3, 300});
  for (const int version : {1, 2, 3})
    EXPECT_EQ(right(parse_npy(file_of(version, text, raw<int16_t>({-3, 300})))), expected);
}

template <typename Number>
void expect_read(const std::string& descr, const std::vector<Number>& numbers) {
  const std::string shape = "(" + std::to_string(numbers.size()) + ",)";
  EXPECT_EQ(right(parse_npy(small_file(descr, shape, raw(numbers)))), NDArray(numbers)) << descr;
}

TEST(Npy, ReadsNumbersOfEveryWidth) {
  expect_read<double>("<f8", {0, 0.1, 1e300});
  expect_read<float>("<f4", {0, 0.1F, 100});
  expect_read<int64_t>("<i8", {0, INT64_MIN, INT64_MAX, 16777217});
  expect_read<int32_t>("<i4", {0, INT32_MIN, INT32_MAX, 16777217});
  expect_read<int16_t>("<i2", {0, -32768, 32767});
  expect_read<int8_t>("|i1", {0, -128, 127});
  expect_read<uint32_t>("<u4", {0, 7, UINT32_MAX});
  expect_read<uint16_t>("<u2", {0, 7, 65535});
  expect_read<uint8_t>("|u1", {0, 7, 255});
  EXPECT_EQ(right(parse_npy(small_file("<u8", "(2,)", raw<uint64_t>({7, INT64_MAX})))),
            NDArray(std::vector<int64_t>{7, INT64_MAX}));
  EXPECT_EQ(right(parse_npy(small_file("|b1", "(2,)", raw<uint8_t>({1, 0})))),
            NDArray(ElementType::boolean, {2}, std::vector<uint8_t>{1, 0}));
  EXPECT_EQ(right(parse_npy(small_file("<f4", "()", raw<float>({7})))).shape().size(), 0u);
}

TEST(Npy, TurnsFortranOrderAround) {
  // numpy.save(x.T) of x = [[0, 1, 2], [3, 4, 5]]: three rows of two.
  const std::string bytes =
      file_of(1, header("<f4", "(3, 2)", "True"), raw<float>({0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(right(parse_npy(bytes)), (NDArray{0, 3, 1, 4, 2, 5}.reshaped({3, 2})));
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
      npy_bytes(converted(NDArray{1, 2, 3, 4, 5, 6}, ElementType::f16).reshaped({2, 3}));
  for (int i = *rc::gen::inRange(1, 4); i > 0; --i)
    bytes[*rc::gen::inRange<size_t>(0, bytes.size())] = *rc::gen::arbitrary<char>();
  bytes.resize(*rc::gen::inRange<size_t>(0, bytes.size() + 1));
  const Result<NDArray> array = parse_npy(bytes);
  if (!array) RC_ASSERT(array.error().message.find('\n') == std::string::npos);
}

TEST(Npy, RefusesNumbersThatTheirTypeDoesNotHold) {
  EXPECT_ERROR(parse_npy(small_file("<u8", "(2,)", raw<uint64_t>({1, UINT64_MAX}))),
               "element 1 is 18446744073709551615, which i64 does not hold");
  EXPECT_ERROR(parse_npy(small_file("|b1", "(1,)", raw<uint8_t>({2}))), "expected 0 or 1");
}

TEST(Npy, NamesTheFile) {
  const testing::TemporaryFolder folder;
  folder.write("x.npy", "no array");
  EXPECT_ERROR(read_npy(folder.path("x.npy")), "x.npy: no .npy file");
  EXPECT_ERROR(read_npy(folder.path("y.npy")), "y.npy");
  EXPECT_ERROR(read_npy(folder.path(".")), "expected an .npy file");
  const NDArray array = std::vector<int64_t>{1, 2};
  ASSERT_TRUE(write_npy(folder.path("z.npy"), array));
  EXPECT_EQ(right(read_npy(folder.path("z.npy"))), array);
}

}  // namespace
}  // namespace dovetail
