#include "cli/devices/answer_records.h"

#include <fmt/format.h>

#include <utility>

namespace vizd {
namespace {

std::string joined(const Texts& texts) {
  std::string all;
  for (const std::string_view text : texts) all += fmt::format("{}{}", all.empty() ? "" : " > ", text);
  return all;
}

struct ExactCell {
  Cell operator()(std::monostate) const { return {}; }
  Cell operator()(Absent) const { return {}; }
  Cell operator()(std::int64_t number) const { return number; }
  Cell operator()(double number) const { return number; }
  Cell operator()(bool flag) const { return std::string(flag ? "true" : "false"); }
  Cell operator()(std::string_view text) const { return std::string(text); }
  Cell operator()(const Texts& texts) const { return joined(texts); }
  Cell operator()(const Range& range) const { return fmt::format("{} to {}", range.first, range.second); }
};

std::string percent_text(double percent) { return fmt::format("{:.1f} %", percent); }

Cell amount_cell(Unit unit, double amount) {
  switch (unit) {
    case Unit::kNanoseconds:
      return duration_text(amount);
    case Unit::kPicoseconds:
      return duration_text(amount / 1000);
    case Unit::kMoreNanoseconds:
      return change_text(amount);
    case Unit::kPercent:
      return percent_text(amount);
    case Unit::kRatio:
      return fmt::format("{:.3f}", amount);
    case Unit::kBytes:
      return rate_text(amount, "B");
    case Unit::kFlop:
      return rate_text(amount, "FLOP");
    case Unit::kBytesPerSecond:
      return rate_text(amount, "B/s");
    case Unit::kFlopPerSecond:
      return rate_text(amount, "FLOP/s");
    case Unit::kNone:
      break;
  }
  return amount;
}

struct ShownCell {
  const FieldInfo& field;
  const FieldValue& whole;

  Cell operator()(std::monostate) const {
    // The system's numbers may be mixed with names, so they are aligned like texts.
    const bool is_text = field.kind == FieldKind::kNumber || !field.none.empty();
    return is_text ? Cell(std::string(field.none)) : Cell();
  }
  Cell operator()(Absent) const { return {}; }
  Cell operator()(std::int64_t number) const {
    if (field.kind == FieldKind::kNumber) return std::to_string(number);
    if (!field.whole.empty()) return share(static_cast<double>(number));
    return field.unit == Unit::kNone ? Cell(number) : amount_cell(field.unit, static_cast<double>(number));
  }
  Cell operator()(double number) const {
    if (field.kind == FieldKind::kNumber) return fmt::format("{}", number);
    return amount_cell(field.unit, number);
  }
  Cell operator()(bool flag) const { return std::string(flag ? "yes" : ""); }
  Cell operator()(std::string_view text) const { return std::string(text); }
  Cell operator()(const Texts& texts) const { return joined(texts); }
  Cell operator()(const Range& range) const {
    return fmt::format("{} to {}", change_text(range.first), change_text(range.second));
  }

 private:
  Cell share(double part) const {
    const auto* const all = std::get_if<std::int64_t>(&whole);
    return all == nullptr || *all == 0 ? Cell() : Cell(percent_text(100 * part / static_cast<double>(*all)));
  }
};

}  // namespace

std::string duration_text(double dur_ns) {
  return scaled_text(dur_ns, {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}});
}

std::string change_text(double dur_ns) { return (dur_ns >= 0 ? "+" : "") + duration_text(dur_ns); }

void add_id(std::string& object, const RowId& id, bool has_own_id) {
  object.pop_back();  // its end
  if (!object.ends_with('{')) object += ',';
  object += has_own_id ? "\"row_id\":" : "\"id\":";
  append_json_string(object, id.id);
  if (!id.link.empty()) {
    object += ",\"link\":";
    append_json_string(object, id.link);
  }
  object += '}';
}

Cell exact_cell(const FieldValue& value) { return std::visit(ExactCell(), value); }

Cell shown_cell(const FieldInfo& field, const FieldValue& value, const FieldValue& whole) {
  return std::visit(ShownCell{field, whole}, value);
}

}  // namespace vizd
