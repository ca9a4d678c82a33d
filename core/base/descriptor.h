// SPDX-License-Identifier: Apache-2.0
#pragma once

// Descriptor: an open file descriptor with one owner, closed by its destructor.
//
//   Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
//   if (!socket.valid()) return fail("...");
//
// Every descriptor of this process is close-on-exec: a child process, which a candidate may have
// crashed, must inherit only the descriptors handed to it (core/base/spawn_settings.h).

#include <unistd.h>

#include <utility>

namespace dovetail {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { reset(); }

  int get() const { return number_; }
  bool valid() const { return number_ >= 0; }
  void reset() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

}  // namespace dovetail
