// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

int main() {
  std::puts("dovetail " DOVETAIL_VERSION);
  return 0;
}
