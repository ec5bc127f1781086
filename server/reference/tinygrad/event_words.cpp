#include "reference/tinygrad/event_words.h"

#include <fmt/format.h>

#include "base/clean_text.h"
#include "base/text_columns.h"

namespace vizd {
namespace {

constexpr std::size_t kTopNameColumns = 38, kEventNameColumns = 46, kDetailColumns = 14;
constexpr double kSlowMs = 10;  // printed in yellow from here

std::string padded(std::string text, std::size_t columns) {
  const std::size_t has = columns_on_screen(text);
  return has < columns ? text.append(columns - has, ' ') : text;
}

std::string detail_text(const std::string& key, const EventDetails& value) {
  if (value.is_string()) return key + " " + value.get<std::string>();
  if (!value.is_number()) return key + "=" + json_line(value);
  const double number = value.get<double>();
  if (key == "FLOPS" || key.starts_with("B/s")) {
    return number < 1e13 ? fmt::format("{:.0f} G{}", number * 1e-9, key)
                         : fmt::format("{:.0f} T{}", number * 1e-12, key);
  }
  if (key != "B") return key + "=" + value.dump();
  if (number >= 1e9) return fmt::format("{:.0f} GB", number / 1e9);
  if (number >= 1e6) return fmt::format("{:.0f} MB", number / 1e6);
  return number >= 1e3 ? fmt::format("{:.0f} KB", number / 1e3) : fmt::format("{:.0f} B", number);
}

std::string details_text(const EventDetails& details) {
  std::string text;
  for (const auto& [key, value] : details.items()) {
    text += (text.empty() ? "" : "  ") + padded(one_line(detail_text(key, value), false), kDetailColumns);
  }
  return text;
}

nlohmann::ordered_json context_json(std::optional<std::uint32_t> context) {
  return context ? nlohmann::ordered_json(*context) : nlohmann::ordered_json();
}

}  // namespace

std::string time_text(double seconds, bool colour) {
  std::string text = seconds > 10         ? fmt::format("{:9.2f}s ", seconds)
                     : seconds > 10 / 1e3 ? fmt::format("{:9.2f}ms", seconds * 1e3)
                                          : fmt::format("{:9.2f}us", seconds * 1e6);
  return colour && seconds * 1e3 > kSlowMs ? fmt::format("\x1b[33m{}\x1b[0m", text) : text;
}

std::string row_text(const TopRow& row, bool colour) {
  std::string text = fmt::format("{} {} {:7d} {:6.2f}%", padded(one_line(row.name, colour), kTopNameColumns),
                                 time_text(row.dur_ms * 1e-3, false), row.count, row.percent);
  if (row.details && !row.details->empty()) text += "    " + details_text(*row.details);
  return text;
}

std::string row_text(const EventRow& row, bool colour) {
  const std::string name = one_line(row.name, colour);
  if (!row.is_event()) {
    return fmt::format("--- {} {}", row.device, name) + (row.at_ms != 0 ? fmt::format("/{:9.2f}ms", row.at_ms) : "");
  }
  const std::string begin = fmt::format("*** {:7.7s} {}", one_line(row.device, false), padded(name, kEventNameColumns));
  std::string text = fmt::format("{} tm {}/{:9.2f}ms", begin, time_text(row.dur_ms * 1e-3, colour), row.at_ms);
  if (!row.details.empty()) text += " (" + details_text(row.details) + ")";
  return text;
}

std::string row_json(const TopRow& row) {
  return json_line({{"name", one_line(row.name, false)},
                    {"dur_ms", row.dur_ms},
                    {"count", row.count},
                    {"pct", row.percent},
                    {"ref", context_json(row.context)},
                    {"fmt", row.details ? *row.details : nlohmann::ordered_json()}});
}

std::string row_json(const EventRow& row) {
  nlohmann::ordered_json json{{"device", row.device}, {"name", one_line(row.name, false)}};
  if (row.is_event()) json["dur_ms"] = row.dur_ms;
  json["st_ms"] = row.at_ms;
  if (row.is_event()) json["fmt"] = row.details;
  json["ref"] = context_json(row.context);
  json["ext"] = row.is_event() ? nlohmann::ordered_json(row.stack) : nlohmann::ordered_json();
  return json_line(json);
}

std::string json_line(const nlohmann::ordered_json& document) {
  return document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace vizd
