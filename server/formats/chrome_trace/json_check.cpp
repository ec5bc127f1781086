#include "formats/chrome_trace/json_check.h"

#include <simdjson.h>

#include <new>
#include <string>

#include "formats/chrome_trace/json_token.h"

namespace vizd::chrome_trace {

struct JsonCheck::Parser {
  simdjson::dom::parser parser;

  bool takes(const std::string& text) {
    const auto error = parser.parse(text).error();
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
    return error == simdjson::SUCCESS;
  }
};

JsonCheck::JsonCheck(const StringTable& strings) : strings_(strings), parser_(std::make_unique<Parser>()) {}
JsonCheck::~JsonCheck() = default;

bool JsonCheck::is_json(StringId text) {
  const auto [known, is_new] = known_.try_emplace(text, false);
  if (is_new) {
    std::string json(strings_.get(text));
    known->second = parser_->takes(json) || (mend(json) && parser_->takes(json));
  }
  return known->second;
}

}  // namespace vizd::chrome_trace
