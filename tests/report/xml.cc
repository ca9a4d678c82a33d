// SPDX-License-Identifier: Apache-2.0
#include "tests/report/xml.h"

#include <expat.h>

#include <memory>

namespace dovetail::testing {
namespace {

void on_start(void* data, const XML_Char* name, const XML_Char** attributes) {
  auto& xml = *static_cast<XmlText*>(data);
  xml.elements[name] += 1;
  for (; *attributes != nullptr; attributes += 2) {
    xml.attributes += std::string(attributes[1]) + "\n";
  }
}

void on_end(void* data, const XML_Char* name) {
  // Where a spec may break is no end of a text.
  if (std::string_view(name) != "wbr") static_cast<XmlText*>(data)->text += "\n";
}

void on_text(void* data, const XML_Char* text, int length) {
  static_cast<XmlText*>(data)->text.append(text, static_cast<size_t>(length));
}

}  // namespace

XmlText read_xml(std::string_view markup) {
  XmlText xml;
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(
      XML_ParserCreate("UTF-8"), XML_ParserFree);
  XML_SetUserData(parser.get(), &xml);
  XML_SetElementHandler(parser.get(), on_start, on_end);
  XML_SetCharacterDataHandler(parser.get(), on_text);
  const int length = static_cast<int>(markup.size());
  if (XML_Parse(parser.get(), markup.data(), length, 1) != XML_STATUS_OK) {
    xml.error = "line " + std::to_string(XML_GetCurrentLineNumber(parser.get())) + ": " +
                XML_ErrorString(XML_GetErrorCode(parser.get()));
  }
  return xml;
}

}  // namespace dovetail::testing
