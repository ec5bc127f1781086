// DamagedObject: an object that is no valid JSON, its members told apart by brackets and quotes alone: what is wrong in
// one costs that one. Views of its text. Any thread.
#pragma once

#include <string_view>
#include <vector>

#include "formats/chrome_trace/json_token.h"

namespace vizd::chrome_trace {

struct DamagedObject {
  // Takes the object's text, with its braces.
  explicit DamagedObject(std::string_view text);

  std::vector<Member> members;
  std::vector<std::string_view> damaged;  // what stands in a member's place and is none
};

}  // namespace vizd::chrome_trace
