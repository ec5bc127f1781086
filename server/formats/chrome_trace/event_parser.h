// EventParser: an event's JSON as its members, as tokens (json_token.h). One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/chrome_trace/json_token.h"

namespace vizd::chrome_trace {

// Views of the event's text. Of a member that stands twice the last counts.
struct ParsedEvent {
  std::string_view phase, name, category, time, duration, process, thread, id, scope, bind_point;
  std::vector<Member> arguments;      // in order; also those that stand twice
  std::string_view other_arguments;   // where they are no object
  std::vector<Member> others;         // what no name above is for
  std::size_t damaged_arguments = 0;  // that are not among them, as they are no valid JSON
};

class EventParser {
 public:
  EventParser();
  ~EventParser();

  // False where the text, behind which TraceSplitter::kPadding_bytes may be read, is no valid object but for some of
  // its arguments.
  bool parse(std::string_view json, ParsedEvent& event);

  // An object's members; false where it is not valid. Nothing needs to be readable behind it.
  bool parse_object(std::string_view json, std::vector<Member>& members);
  // A list's elements, likewise.
  bool parse_list(std::string_view json, std::vector<std::string_view>& elements);

 private:
  struct Parser;

  bool parse_text(std::string_view json, ParsedEvent& event);
  bool parse_mended(std::string_view json, ParsedEvent& event);
  static bool parse_but_arguments(std::string_view json, ParsedEvent& event);

  const std::unique_ptr<Parser> parser_;
  std::string mended_;
};

}  // namespace vizd::chrome_trace
