// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/c_names.h"

#include <algorithm>
#include <array>

#include "core/base/fail.h"
#include "core/base/printable.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

constexpr size_t kMostLetters =
    48;  // C99 tells external names apart by 31 letters, and macros by 63

// Keywords of C11 and C++20, and macros of compilers or widespread headers.
constexpr std::string_view kKeywords =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t "
    "char32_t class co_await co_return co_yield compl concept const const_cast consteval constexpr "
    "constinit continue decltype default delete do double dynamic_cast else enum explicit export "
    "extern false final float for friend goto if import inline int long module mutable namespace "
    "new noexcept not not_eq nullptr operator or or_eq override private protected public register "
    "reinterpret_cast requires restrict return short signed sizeof static static_assert "
    "static_cast struct switch template this thread_local throw true try typedef typeid typename "
    "union unsigned using virtual void volatile wchar_t while xor xor_eq "
    "linux unix errno NULL EOF assert offsetof I near far small interface IN OUT min max ";

// Functions and types of C's standard headers, and of POSIX where the name is a plain word.
constexpr std::string_view kLibraryNames =
    " abort abs access acos acosh asctime asin asinh atan atan2 atanh atexit atof atoi atol atoll "
    "bind bsearch cabs calloc cbrt ceil clearerr clock close conj connect copysign cos cosh creal "
    "ctime daylight difftime div dup environ erf erfc exit exp exp2 expm1 fabs fclose fdim feof "
    "ferror fflush fgetc fgets floor fma fmax fmin fmod fopen fork fprintf fputc fputs fread free "
    "freopen frexp fscanf fseek ftell fwrite gamma getc getchar getenv gets gmtime hypot ilogb "
    "index isalnum isalpha iscntrl isdigit isgraph islower isprint ispunct isspace isupper "
    "isxdigit j0 j1 jn kill labs ldexp ldiv lgamma link listen lldiv llabs localtime log log10 "
    "log1p log2 logb longjmp lrint lround lseek main malloc mblen memchr memcmp memcpy memmove "
    "memset mktime modf nan nearbyint nextafter nice open pause perror pipe poll pow printf putc "
    "putchar puts qsort raise rand random read realloc recv remainder remove remquo rename rewind "
    "rindex rint round scalbn scanf select send setbuf setjmp setlocale signal signgam sin sinh "
    "sleep socket sprintf sqrt srand sscanf std stdin stdout stderr strcat strchr strcmp strcpy "
    "strlen strstr strtod strtok strtol strtoul swab sync system tan tanh tgamma time timezone "
    "tmpfile tmpnam tolower toupper trunc ungetc unlink vprintf wait write y0 y1 yn ";

bool holds_word(std::string_view words, std::string_view word) {
  return words.find(" " + std::string(word) + " ") != std::string_view::npos;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Letters, digits and single underscores: double and leading ones are reserved for compilers.
std::string legal(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const bool is_kept = is_letter(c) || is_digit(c);
    if (is_kept || (!text.empty() && text.back() != '_')) text += is_kept ? c : '_';
  }
  if (text.size() > 1 && text.back() == '_') text.pop_back();
  if (text.empty()) return "tensor";
  return is_letter(text[0]) ? text : "tensor_" + text;
}

}  // namespace

std::string in_capitals(std::string_view name) {
  std::string text(name);
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return text;
}

Result<void> check_package_name(std::string_view name) {
  const auto refuse = [&](std::string_view why) {
    return fail("package name \"{}\" {}", printable(name), why);
  };
  const bool is_identifier =
      !name.empty() && is_letter(name[0]) &&
      std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
  if (!is_identifier)
    return refuse("is no C identifier; expected a letter, then letters, digits and _");
  if (name.size() > kMostLetters)
    return fail("package name of {} letters; expected at most {}", name.size(), kMostLetters);
  if (name.find("__") != std::string_view::npos || name.back() == '_')
    return refuse("has __ or ends in _; expected single underscores between words");
  if (holds_word(kKeywords, name)) return refuse("is a keyword or macro of C or C++");
  if (holds_word(kLibraryNames, name) || name.ends_with("_t"))
    return refuse("is a name of C's standard headers or kept for them");
  return {};
}

std::string CNames::add(std::string_view name) {
  std::string stem = legal(name);
  if (in_capitals(stem).starts_with(macro_ + "_")) stem = "tensor_" + stem;
  if (holds_word(kKeywords, stem)) stem += '_';
  std::string found = stem;
  for (int number = 2; !taken_.insert(in_capitals(found)).second; ++number)
    found = fmt::format("{}{}{}", stem, stem.back() == '_' ? "" : "_", number);
  return found;
}

}  // namespace dovetail
