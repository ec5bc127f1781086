#include "formats/chrome_trace/event_parser.h"

#include <simdjson.h>

#include <new>
#include <utility>

#include "formats/chrome_trace/damaged_object.h"
#include "formats/chrome_trace/json_token.h"
#include "formats/chrome_trace/trace_splitter.h"

namespace vizd::chrome_trace {
namespace {

namespace ondemand = simdjson::ondemand;

static_assert(TraceSplitter::kPadding_bytes >= simdjson::SIMDJSON_PADDING);

// False: the text is not valid. The library says so of a lack of memory, too.
bool refuse(simdjson::error_code error) {
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  return false;
}

simdjson::padded_string padded(std::string_view text) {
  simdjson::padded_string copy(text);
  if (copy.data() == nullptr) throw std::bad_alloc();
  return copy;
}

// Between the quotes of the key that begins here.
std::string_view key_at(const char* begin) {
  const char* end = begin;
  for (; *end != '"'; ++end) {
    if (*end == '\\') ++end;
  }
  return {begin, static_cast<std::size_t>(end - begin)};
}

// The value as a token. Lists and objects are passed over unread.
std::string_view token_of(ondemand::value value) {
  std::string_view token = value.raw_json_token();
  if (token.starts_with('{')) token = ondemand::object(value.get_object()).raw_json();
  if (token.starts_with('[')) token = ondemand::array(value.get_array()).raw_json();
  return trimmed(token);
}

template <typename Object, typename Visit>
void for_each_member(Object&& object, Visit&& visit) {
  for (auto result : object) {
    ondemand::field field;
    if (const auto error = std::move(result).get(field)) throw simdjson::simdjson_error(error);
    visit(key_at(field.key().raw()), field.value());
  }
}

void take_arguments(ondemand::value value, ParsedEvent& event) {
  event.arguments.clear();
  event.other_arguments = {};
  const std::string_view token = value.raw_json_token();
  if (!token.starts_with('{')) {
    event.other_arguments = token_of(value);
    return;
  }
  for_each_member(ondemand::object(value.get_object()), [&](std::string_view key, ondemand::value argument) {
    event.arguments.push_back({key, token_of(argument)});
  });
}

// By length first: there is one of these for each member of each event.
std::string_view* place_of(std::string_view key, ParsedEvent& event) {
  switch (key.size()) {
    case 1:
      return key == "s" ? &event.scope : nullptr;
    case 2:
      if (key == "ph") return &event.phase;
      if (key == "ts") return &event.time;
      if (key == "id") return &event.id;
      return key == "bp" ? &event.bind_point : nullptr;
    case 3:
      if (key == "cat") return &event.category;
      if (key == "pid") return &event.process;
      if (key == "tid") return &event.thread;
      return key == "dur" ? &event.duration : nullptr;
    case 4:
      return key == "name" ? &event.name : nullptr;
    default:
      return nullptr;
  }
}

void take_members(ondemand::document& document, ParsedEvent& event) {
  for_each_member(ondemand::object(document.get_object()), [&](std::string_view key, ondemand::value value) {
    if (std::string_view* const place = place_of(key, event)) {
      *place = token_of(value);
    } else if (key == "args") {
      take_arguments(value, event);
    } else {
      event.others.push_back({key, token_of(value)});
    }
  });
}

// Moves a view of one text to the same place in another.
void move_view(std::string_view& view, const char* from, const char* to) {
  if (view.data() != nullptr) view = {to + (view.data() - from), view.size()};
}

void move_members(std::vector<Member>& members, const char* from, const char* to) {
  for (Member& member : members) {
    move_view(member.key, from, to);
    move_view(member.value, from, to);
  }
}

}  // namespace

struct EventParser::Parser {
  ondemand::parser of_events, of_others;

  // Throws where the text is not valid.
  template <typename Take>
  void parse(ondemand::parser& parser, std::string_view json, Take&& take) {
    ondemand::document document = parser.iterate(
        simdjson::padded_string_view(json.data(), json.size(), json.size() + simdjson::SIMDJSON_PADDING));
    take(document);
  }
};

EventParser::EventParser() : parser_(std::make_unique<Parser>()) {}
EventParser::~EventParser() = default;

bool EventParser::parse(std::string_view json, ParsedEvent& event) {
  return parse_text(json, event) || parse_mended(json, event) || parse_but_arguments(json, event);
}

bool EventParser::parse_text(std::string_view json, ParsedEvent& event) {
  std::vector<Member> arguments = std::move(event.arguments), others = std::move(event.others);
  arguments.clear();
  others.clear();
  event = {};
  event.arguments = std::move(arguments);
  event.others = std::move(others);
  try {
    parser_->parse(parser_->of_events, json, [&](ondemand::document& document) { take_members(document, event); });
    return true;
  } catch (const simdjson::simdjson_error& e) {
    return refuse(e.error());
  }
}

// Once more without what some writers leave in texts; the texts are taken as they were.
bool EventParser::parse_mended(std::string_view json, ParsedEvent& event) {
  mended_.assign(json);
  if (!mend(mended_)) return false;
  mended_.resize(mended_.size() + TraceSplitter::kPadding_bytes);
  if (!parse_text(std::string_view(mended_).substr(0, json.size()), event)) return false;
  for (std::string_view* const view :
       {&event.phase, &event.name, &event.category, &event.time, &event.duration, &event.process, &event.thread,
        &event.id, &event.scope, &event.bind_point, &event.other_arguments})
    move_view(*view, mended_.data(), json.data());
  move_members(event.arguments, mended_.data(), json.data());
  move_members(event.others, mended_.data(), json.data());
  return true;
}

// What is wrong among an event's arguments costs those alone. Where it may have swallowed the next event, all is wrong.
bool EventParser::parse_but_arguments(std::string_view json, ParsedEvent& event) {
  const DamagedObject read(json);
  if (!read.damaged.empty()) return false;
  event = {};
  for (const Member& member : read.members) {
    if (std::string_view* const place = place_of(member.key, event)) {
      *place = member.value;
    } else if (member.key != "args") {
      event.others.push_back(member);
    } else if (!member.value.starts_with('{')) {
      event.other_arguments = member.value;
    } else {
      DamagedObject arguments(member.value);
      for (const std::string_view part : arguments.damaged) {
        if (part.starts_with('{') || part.find("\"ph\"") != std::string_view::npos) return false;
      }
      event.arguments = std::move(arguments.members);
      event.damaged_arguments = arguments.damaged.size();
    }
  }
  return true;
}

bool EventParser::parse_object(std::string_view json, std::vector<Member>& members) {
  const simdjson::padded_string text = padded(json);
  members.clear();
  try {
    parser_->parse(parser_->of_others, text, [&](ondemand::document& document) {
      for_each_member(ondemand::object(document.get_object()), [&](std::string_view key, ondemand::value value) {
        members.push_back({key, token_of(value)});
      });
    });
  } catch (const simdjson::simdjson_error& e) {
    return refuse(e.error());
  }
  move_members(members, text.data(), json.data());
  return true;
}

bool EventParser::parse_list(std::string_view json, std::vector<std::string_view>& elements) {
  const simdjson::padded_string text = padded(json);
  elements.clear();
  try {
    parser_->parse(parser_->of_others, text, [&](ondemand::document& document) {
      for (auto value : ondemand::array(document.get_array())) elements.push_back(token_of(std::move(value).value()));
    });
  } catch (const simdjson::simdjson_error& e) {
    return refuse(e.error());
  }
  for (std::string_view& element : elements) move_view(element, text.data(), json.data());
  return true;
}

}  // namespace vizd::chrome_trace
