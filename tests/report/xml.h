// SPDX-License-Identifier: Apache-2.0
#pragma once

// Strict reading of XML, with expat: pages and figures are well-formed, whatever their names hold.
//
//   const XmlText xml = read_xml("<svg><title>a &lt; b</title></svg>");
//   xml.error                empty: well-formed
//   xml.elements["title"]    1
//   xml.text                 "a < b"

#include <map>
#include <string>
#include <string_view>

namespace dovetail::testing {

struct XmlText {
  std::string error;  // with its line
  std::map<std::string, int> elements;
  std::string text;        // all of it; a line feed after each element
  std::string attributes;  // values, likewise
};

XmlText read_xml(std::string_view markup);

}  // namespace dovetail::testing
