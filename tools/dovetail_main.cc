// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "tools/verbs.h"

int main(int argc, char** argv) {
  return dovetail::run_dovetail(std::vector<std::string>(argv + 1, argv + argc));
}
