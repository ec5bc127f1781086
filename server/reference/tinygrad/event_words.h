// How events are printed, in the words of tinygrad's own command line (viz/cli.py): the lines for people, and the JSON
// for programs. Pure.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace vizd {

// What is told of an event besides its name and times, in its own order: {"FLOPS": …, "loc": …}.
using EventDetails = nlohmann::ordered_json;

// A name and what all events of that name took.
struct TopRow {
  std::string name;  // with the device, where all devices are summed up
  double dur_ms = 0;
  std::size_t count = 0;
  double percent = 0;
  std::optional<std::uint32_t> context = {};
  std::optional<EventDetails> details = {};  // none for all the other names
};

// One event, a marker, or a lane that has none.
struct EventRow {
  std::string device;  // "MARKER", "SOURCE"
  std::string name;
  double dur_ms = 0;
  double at_ms = 0;
  std::optional<std::uint32_t> context = {};
  EventDetails details = {};
  std::string stack = {};  // frames further out, a line each

  bool is_event() const { return device != "MARKER" && device != "SOURCE"; }
};

// "   99.90us", as wide as that
std::string time_text(double seconds, bool colour);
std::string row_text(const TopRow& row, bool colour);
std::string row_text(const EventRow& row, bool colour);
std::string row_json(const TopRow& row);
std::string row_json(const EventRow& row);

// A JSON document on one line.
std::string json_line(const nlohmann::ordered_json& document);

}  // namespace vizd
