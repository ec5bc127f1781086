// GET /api/v1/rules, /api/v1/rules/LOCATION/matches and /api/v1/matches: what the rules did in the whole capture.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/ascii_case.h"
#include "base/json_writer.h"
#include "http/routes/capture_rules.h"
#include "http/routes/routes.h"

namespace vizd {
namespace {

// A table that takes longer is asked for again.
constexpr std::chrono::milliseconds kRulesPatience{200};
constexpr std::uint32_t kPage = 1000;
constexpr std::uint32_t kMostPage = 10'000;

// A capture with its table as far as it is made, or the answer while there is none.
struct TableOrAnswer {
  std::shared_ptr<const LoadedCapture> loaded;
  std::shared_ptr<const RuleTable> table;
  Response answer;
  std::optional<std::uint32_t> replayed = {};  // matches; none: the table is whole
};

void write_progress(JsonWriter& json, std::uint32_t replayed, const Capture& capture) {
  json.key("progress").begin_object().key("done").number(replayed);
  json.key("of").number(capture.rewrites.matches.size()).end_object();
}

Response still_replaying(std::string text) {
  Response response = Response::json(std::move(text));
  response.status = 202;
  return response;
}

// The table, or what is known of it.
TableOrAnswer find_table_so_far(const Request& request, const Services& services) {
  const auto loaded = capture_of(request, services);
  if (!loaded) return {nullptr, nullptr, error_response(loaded.error())};
  const auto ticket = rules_of(*loaded, services);
  if (!ticket.wait_for(kRulesPatience)) return {*loaded, ticket.so_far(), {}, ticket.progress().done};
  auto table = ticket.result();
  if (!table) return {nullptr, nullptr, error_response(table.error())};
  return {*loaded, *std::move(table), {}};
}

// The table when it is whole.
TableOrAnswer find_table(const Request& request, const Services& services) {
  TableOrAnswer found = find_table_so_far(request, services);
  if (!found.replayed) return found;
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_progress(json, *found.replayed, found.loaded->capture);
  json.end_object();
  return {nullptr, nullptr, still_replaying(std::move(text))};
}

// A rule as it is shown and looked for.
struct RuleText {
  std::string_view file;
  std::uint32_t line = 0;
  std::optional<std::string> code;

  bool holds(std::string_view part) const {
    return contains_in_any_case(fmt::format("{}:{}", file, line), part) || (code && contains_in_any_case(*code, part));
  }
};

RuleText rule_text(LocationId rule, const Capture& capture, SourceLines& sources) {
  const Location& at = capture.rewrites.locations[index(rule)];
  const std::string_view file = capture.strings.get(at.file);
  return {file, at.line, sources.line(capture, at)};
}

std::int64_t nanoseconds(double seconds) { return std::llround(seconds * 1e9); }

struct ShownRule {
  RuleRow row;
  RuleText text;
};

void write_rules(JsonWriter& json, const std::vector<ShownRule>& rules, bool is_timed) {
  const auto numbers = [&](std::string_view name, auto value_of) {
    json.column(name, rules, [&](JsonWriter& j, const ShownRule& rule) { j.number(value_of(rule.row)); });
  };
  json.begin_object();
  numbers("location", [](const RuleRow& row) { return index(row.rule); });
  json.column("file", rules, [](JsonWriter& j, const ShownRule& rule) { j.text(rule.text.file); });
  json.column("line", rules, [](JsonWriter& j, const ShownRule& rule) { j.number(rule.text.line); });
  json.column("code", rules, [](JsonWriter& j, const ShownRule& rule) { j.text_or_null(rule.text.code); });
  numbers("matches", [](const RuleRow& row) { return row.matches; });
  numbers("added", [](const RuleRow& row) { return row.added; });
  numbers("removed", [](const RuleRow& row) { return row.removed; });
  numbers("unchanged", [](const RuleRow& row) { return row.unchanged; });
  numbers("undone", [](const RuleRow& row) { return row.undone; });
  numbers("undoing", [](const RuleRow& row) { return row.undoing; });
  numbers("passes", [](const RuleRow& row) { return row.passes; });
  numbers("contexts", [](const RuleRow& row) { return row.contexts; });
  if (is_timed) {
    numbers("dur_ns", [](const RuleRow& row) { return nanoseconds(row.dur_s); });
  } else {
    json.key("dur_ns").null();
  }
  json.end_object();
}

void write_undone(JsonWriter& json, const UndonePair& pair, const Rewrites& rewrites) {
  const MatchPlace place = place_of_match(rewrites, rewrites.passes[pair.pass].first_match + pair.from);
  json.begin_object().key("undone").number(index(pair.undone)).key("by").number(index(pair.by));
  json.key("count").number(pair.count).key("context").number(place.context).key("pass").number(place.pass);
  json.key("from").number(pair.from).key("to").number(pair.to).end_object();
}

// The members of an object: the rules whose text holds what is wanted.
void write_table(JsonWriter& json, const TableOrAnswer& found, std::string_view wanted, SourceLines& sources) {
  const Capture& capture = found.loaded->capture;
  std::vector<ShownRule> rules;
  for (const RuleRow& row : found.table->rows) {
    RuleText text = rule_text(row.rule, capture, sources);
    if (text.holds(wanted)) rules.push_back({row, std::move(text)});
  }
  json.key("revision").number(found.loaded->revision);
  json.key("matches").number(capture.rewrites.matches.size());
  json.key("rules");
  write_rules(json, rules, found.table->is_timed);
  json.column("undoes", found.table->undone,
              [&](JsonWriter& j, const UndonePair& pair) { write_undone(j, pair, capture.rewrites); });
}

Response rules_answer(const Request& request, const Services& services) {
  const TableOrAnswer found = find_table_so_far(request, services);
  if (!found.loaded) return found.answer;
  std::string body;
  JsonWriter json(body);
  json.begin_object();
  if (found.replayed) write_progress(json, *found.replayed, found.loaded->capture);
  if (found.table) write_table(json, found, request.parameter("q").value_or(""), services.sources);
  json.end_object();
  return found.replayed ? still_replaying(std::move(body)) : Response::json(std::move(body));
}

enum class Wanted { kAll, kChanged, kUnchanged, kUndone };

struct MatchFilter {
  std::uint32_t context = kNoId;
  std::uint32_t pass = kNoId;
  Wanted effect = Wanted::kAll;
  std::uint32_t offset = 0;
  std::uint32_t limit = kPage;

  bool lets_pass(const MatchPlace& place, const MatchEffect& did) const {
    if (context != kNoId && place.context != context) return false;
    if (pass != kNoId && place.pass != pass) return false;
    switch (effect) {
      case Wanted::kChanged:
        return did.changed;
      case Wanted::kUnchanged:
        return !did.changed;
      case Wanted::kUndone:
        return did.undone_at != kNoId;
      case Wanted::kAll:
        break;
    }
    return true;
  }
};

Result<Wanted> read_effect(const Request& request) {
  const auto effect = request.parameter("effect");
  if (!effect) return Wanted::kAll;
  if (*effect == "changed") return Wanted::kChanged;
  if (*effect == "unchanged") return Wanted::kUnchanged;
  if (*effect == "undone") return Wanted::kUndone;
  return Error{ErrorKind::kBadInput, "no such effect; use changed, unchanged or undone",
               std::string(effect->substr(0, 40))};
}

Result<MatchFilter> read_filter(const Request& request, const Rewrites& rewrites) {
  MatchFilter filter;
  const auto context = parse_parameter(request, "context", rewrites.contexts.size(), "context", kNoId);
  if (!context) return context.error();
  filter.context = *context;
  const std::size_t passes = *context == kNoId ? 0 : rewrites.contexts[*context].pass_count;
  const auto pass = parse_parameter(request, "pass", passes, "pass", kNoId);
  if (!pass) return pass.error();
  filter.pass = *pass;
  const auto effect = read_effect(request);
  if (!effect) return effect.error();
  filter.effect = *effect;
  const auto offset = parse_parameter(request, "offset", kNoId, "offset", 0);
  if (!offset) return offset.error();
  filter.offset = *offset;
  const auto limit = parse_parameter(request, "limit", kNoId, "limit", kPage);
  if (!limit) return limit.error();
  filter.limit = std::min(*limit, kMostPage);
  return filter;
}

struct ShownMatch {
  std::uint32_t number;
  MatchPlace place;
};

void write_matches(JsonWriter& json, const std::vector<ShownMatch>& shown, const Capture& capture,
                   const RuleTable& table) {
  const auto match = [&](const ShownMatch& m) -> const Match& { return capture.rewrites.matches[m.number]; };
  const auto numbers = [&](std::string_view name, auto value_of) {
    json.column(name, shown, [&](JsonWriter& j, const ShownMatch& m) { j.number(value_of(m)); });
  };
  const auto op_names = [&](std::string_view name, OpId Match::*op) {
    json.column(name, shown, [&](JsonWriter& j, const ShownMatch& m) {
      j.text(capture.dialect->kind_name(capture.ops.kind(match(m).*op)));
    });
  };
  json.begin_object();
  numbers("context", [](const ShownMatch& m) { return m.place.context; });
  numbers("pass", [](const ShownMatch& m) { return m.place.pass; });
  numbers("state", [](const ShownMatch& m) { return m.place.state; });
  numbers("location", [&](const ShownMatch& m) { return index(match(m).rule); });
  numbers("added", [&](const ShownMatch& m) { return table.effects[m.number].added; });
  numbers("removed", [&](const ShownMatch& m) { return table.effects[m.number].removed; });
  numbers("changed", [&](const ShownMatch& m) { return table.effects[m.number].changed ? 1 : 0; });
  numbers("undone_at", [&](const ShownMatch& m) {
    const std::uint32_t at = table.effects[m.number].undone_at;
    return at == kNoId ? std::int64_t{-1} : std::int64_t{at};
  });
  if (table.is_timed) {
    numbers("dur_ns", [&](const ShownMatch& m) { return nanoseconds(match(m).dur_s); });
  } else {
    json.key("dur_ns").null();
  }
  op_names("before", &Match::before);
  op_names("after", &Match::after);
  json.end_object();
}

// matches: of the capture, in order.
Response matches_answer(const Request& request, const TableOrAnswer& found, std::span<const std::uint32_t> matches) {
  const Capture& capture = found.loaded->capture;
  const auto filter = read_filter(request, capture.rewrites);
  if (!filter) return error_response(filter.error());
  std::uint32_t total = 0;
  std::vector<ShownMatch> shown;
  for (const std::uint32_t number : matches) {
    const MatchPlace place = place_of_match(capture.rewrites, number);
    if (!filter->lets_pass(place, found.table->effects[number])) continue;
    if (total++ >= filter->offset && shown.size() < filter->limit) shown.push_back({number, place});
  }
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("total").number(total).key("offset").number(filter->offset).key("matches");
  write_matches(json, shown, capture, *found.table);
  json.end_object();
  return Response::json(std::move(text));
}

Response rule_matches_answer(const Request& request, std::string_view rule, const Services& services) {
  const auto loaded = capture_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const auto location = parse_index(rule, (*loaded)->capture.rewrites.locations.size(), "rule");
  if (!location) return error_response(location.error());
  const TableOrAnswer found = find_table(request, services);
  if (!found.table) return found.answer;
  // A reload may have come between the two.
  if (*location >= found.loaded->capture.rewrites.locations.size())
    return error_response({ErrorKind::kNotFound, "this rule no longer exists", std::string(rule)});
  return matches_answer(request, found, found.table->matches_of(to_id<LocationId>(*location)));
}

Response text_matches_answer(const Request& request, const Services& services) {
  const TableOrAnswer found = find_table(request, services);
  if (!found.table) return found.answer;
  const std::string_view wanted = request.parameter("rule").value_or("");
  std::vector<std::uint32_t> matches;
  for (const RuleRow& row : found.table->rows) {
    if (!rule_text(row.rule, found.loaded->capture, services.sources).holds(wanted)) continue;
    const auto of_rule = found.table->matches_of(row.rule);
    matches.insert(matches.end(), of_rule.begin(), of_rule.end());
  }
  std::ranges::sort(matches);
  return matches_answer(request, found, matches);
}

}  // namespace

void add_rule_routes(Router& router, const Services& services) {
  router.add("/api/v1/rules", [services](const Request& request, auto) { return rules_answer(request, services); });
  router.add("/api/v1/rules/{}/matches", [services](const Request& request, auto arguments) {
    return rule_matches_answer(request, arguments[0], services);
  });
  router.add("/api/v1/matches",
             [services](const Request& request, auto) { return text_matches_answer(request, services); });
}

}  // namespace vizd
