// EventParser: an event's JSON as its members, as tokens (json_token.h). One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace vizd::chrome_trace {

struct Member {
  std::string_view key;    // between its quotes, escapes and all
  std::string_view value;  // a token
};

// Views of the event's text. Of a member that stands twice the last counts.
struct ParsedEvent {
  std::string_view phase, name, category, time, duration, process, thread, id, scope, bind_point;
  std::vector<Member> arguments;     // in order; also those that stand twice
  std::string_view other_arguments;  // where they are no object
  std::vector<Member> others;        // what no name above is for
};

class EventParser {
 public:
  EventParser();
  ~EventParser();

  // False where the text, behind which TraceSplitter::kPadding_bytes may be read, is no valid object.
  bool parse(std::string_view json, ParsedEvent& event);

  // An object's members; false where it is not valid. Nothing needs to be readable behind it.
  bool parse_object(std::string_view json, std::vector<Member>& members);
  // A list's elements, likewise.
  bool parse_list(std::string_view json, std::vector<std::string_view>& elements);

 private:
  struct Parser;
  const std::unique_ptr<Parser> parser_;
  std::string mended_;
};

}  // namespace vizd::chrome_trace
