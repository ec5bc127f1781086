// GET /api/v1/compare/kernel and /api/v1/compare-rewrites: one row of a comparison: its launches on both sides, how
// long they took and how they were launched; and where the compiler began to do otherwise for the kernel.
#include <algorithm>
#include <span>

#include "analysis/devices/compared_launches.h"
#include "analysis/devices/first_difference.h"
#include "analysis/devices/kernel_rewrites.h"
#include "analysis/devices/launch_statistics.h"
#include "http/routes/compared_pair.h"
#include "http/transport/query.h"
#include "rewrite/unified_diff.h"

namespace vizd {
namespace {

// More would be no bars one could tell apart.
constexpr std::size_t kMostDrawn = 2000;
constexpr std::size_t kMostDiffLines = 200;

// The row that a request names, as far as launches are known by it.
Result<ComparedKernel> row_of(const Request& request, KernelJoin join) {
  constexpr std::string_view kClasses[] = {"kernel", "memcpy", "memset"};
  constexpr EventRole kRoles[] = {EventRole::kKernel, EventRole::kMemcpy, EventRole::kMemset};
  ComparedKernel row;
  row.name = std::string(request.parameter("name").value_or(""));
  const auto found = std::ranges::find(kClasses, request.parameter("class").value_or("kernel"));
  if (found == std::end(kClasses)) return Error{ErrorKind::kBadInput, "no such class of work", "class"};
  if (!is_of_operators(join)) row.work = kRoles[found - std::begin(kClasses)];
  const auto occurrence = parse_number(request, "occurrence", 0, std::int64_t{1} << 32, 0);
  if (!occurrence) return occurrence.error();
  row.occurrence = *occurrence;
  return row;
}

struct KernelSide {
  ComparedProfile profile;
  std::vector<std::uint32_t> launches;  // by time
  std::vector<std::int64_t> durs_ns;    // sorted

  KernelSide(const ComparedProfile& of, KernelJoin join, const ComparedKernel& row)
      : profile(of), launches(find_launches(of, join, row)) {
    for (const std::uint32_t i : launches) durs_ns.push_back(of.work.items[i].end_ns - of.work.items[i].start_ns);
    std::ranges::sort(durs_ns);
  }

  // The longest ones where there are too many to draw; by time.
  std::vector<std::uint32_t> drawn() const {
    if (launches.size() <= kMostDrawn) return launches;
    const auto length_of = [&](std::uint32_t i) {
      return profile.work.items[i].end_ns - profile.work.items[i].start_ns;
    };
    std::vector<std::uint32_t> longest = launches;
    std::ranges::nth_element(longest, longest.begin() + kMostDrawn, std::greater(), length_of);
    longest.resize(kMostDrawn);
    std::ranges::sort(longest, {}, [&](std::uint32_t i) { return profile.work.items[i].start_ns; });
    return longest;
  }

  void write(JsonWriter& json) const {
    const EventLinks links(profile.capture);
    json.begin_object().key("launches").number(launches.size());
    if (!durs_ns.empty()) {
      const LaunchStatistics of = launch_statistics(durs_ns);
      json.key("min_ns").number(of.min_ns).key("median_ns").real(of.median_ns);
      json.key("p90_ns").number(of.p90_ns).key("max_ns").number(of.max_ns);
    }
    json.column("drawn", drawn(), [&](JsonWriter& j, std::uint32_t i) { links.write(j, profile.work.items[i]); });
    json.end_object();
  }
};

void write_bins(JsonWriter& json, const DurationBins& bins) {
  json.begin_object().column("edges_ns", bins.edges_ns, [](JsonWriter& j, double edge_ns) { j.real(edge_ns); });
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    json.column(side == 0 ? "a" : "b", bins.launches[side],
                [](JsonWriter& j, std::int64_t launches) { j.number(launches); });
  }
  json.end_object();
}

void write_arguments(JsonWriter& json, const ComparedArguments& compared) {
  json.column("arguments", compared.arguments, [](JsonWriter& j, const ComparedArgument& argument) {
    j.begin_object().key("name").text(argument.name).key("of").text(argument.is_of_operator ? "operator" : "launch");
    j.key("differs").boolean(argument.differs());
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      j.column(side == 0 ? "a" : "b", argument.sides[side], [](JsonWriter& k, const ComparedArgument::Value& value) {
        k.begin_object().key("value").text(value.text).key("launches").number(value.launches).end_object();
      });
    }
    j.end_object();
  });
  json.column("left_out", compared.left_out, [](JsonWriter& j, const std::string& name) { j.text(name); });
}

Response kernel_answer(const Request& request, const Services& services) {
  const auto compared = compared_devices_of(request, services);
  if (!compared) return error_response(compared.error());
  const auto row = row_of(request, compared->join);
  if (!row) return error_response(row.error());
  const KernelSide a(compared->a.profile(), compared->join, *row), b(compared->b.profile(), compared->join, *row);
  if (a.launches.empty() && b.launches.empty())
    return error_response({ErrorKind::kNotFound, "neither capture has such work", "name"});
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("a");
  a.write(json);
  json.key("b");
  b.write(json);
  json.key("bins");
  write_bins(json, bin_durations({a.durs_ns, b.durs_ns}));
  write_arguments(json, compare_arguments(a.profile, a.launches, b.profile, b.launches));
  json.end_object();
  return Response::json(std::move(text));
}

// One side of where two contexts part.
struct PartedSide {
  const Capture& capture;
  std::uint32_t context;
  FirstDifference first;

  const Pass* pass() const {
    const auto passes = capture.rewrites.passes_of(capture.rewrites.contexts[context]);
    return first.pass < passes.size() ? &passes[first.pass] : nullptr;
  }
  const Match* match() const {
    if (pass() == nullptr || first.match == 0) return nullptr;
    const auto matches = capture.rewrites.matches_of(*pass());
    return first.match <= matches.size() ? &matches[first.match - 1] : nullptr;
  }
  std::string print(OpId op) const { return capture.dialect->analyse(capture.ops)->print(op); }
  // The text of what a match put in place; for another input, the input's text.
  std::string text() const {
    if (first.kind == DifferenceKind::kInput) return print(pass()->sink);
    return match() == nullptr ? "" : print(match()->after);
  }

  void write(JsonWriter& json) const {
    json.begin_object().key("pass");
    if (pass() == nullptr) {
      json.null();
    } else {
      json.text(capture.strings.get(pass()->name));
    }
    json.key("rule");
    if (match() == nullptr) {
      json.null();
    } else {
      const Location& rule = capture.rewrites.locations[index(match()->rule)];
      json.begin_array().text(capture.strings.get(rule.file)).number(rule.line).end_array();
    }
    json.end_object();
  }
};

void write_diff(JsonWriter& json, std::string_view key, const std::string& a, const std::string& b,
                const Budget& budget) {
  const auto lines = unified_diff(a, b, budget);
  json.column(key, std::span(lines).first(std::min(lines.size(), kMostDiffLines)),
              [](JsonWriter& j, const std::string& line) { j.text(line); });
  json.key(std::string(key) + "_lines").number(lines.size());
}

// Where two contexts part. Worth nothing once the budget is over.
void write_difference(JsonWriter& json, const Capture& a, std::uint32_t a_context, const Capture& b,
                      std::uint32_t b_context, const Budget& budget) {
  const RewriteDifference difference = find_first_difference(a, a_context, b, b_context);
  json.key("inputs_differ").boolean(difference.inputs_differ);
  if (difference.inputs_differ) {
    const FirstDifference input{DifferenceKind::kInput, 0, 0};
    write_diff(json, "input_diff", PartedSide{a, a_context, input}.text(), PartedSide{b, b_context, input}.text(),
               budget);
  }
  json.key("first");
  if (!difference.first) return void(json.null());
  const PartedSide of_a{a, a_context, *difference.first}, of_b{b, b_context, *difference.first};
  json.begin_object().key("kind").text(difference_name(difference.first->kind));
  json.key("pass").number(difference.first->pass).key("match").number(difference.first->match).key("a");
  of_a.write(json);
  json.key("b");
  of_b.write(json);
  write_diff(json, "diff", of_a.text(), of_b.text(), budget);
  json.end_object();
}

Response rewrites_answer(const Request& request, const Services& services) {
  const auto pair = pair_of(request, services);
  if (!pair) return error_response(pair.error());
  const std::string kernel(request.parameter("kernel").value_or(""));
  const Capture& before = pair->before();
  const Capture& after = pair->after();
  const auto turn = services.heavy.begin(request);
  if (!turn) return error_response(turn.error());
  const auto a_context = find_kernel_context(before, kernel), b_context = find_kernel_context(after, kernel);
  std::vector<ChangedRule> rules;
  if (a_context && b_context) rules = compare_kernel_rewrites(before, *a_context, after, *b_context);
  std::string text;
  JsonWriter json(text);
  const auto write_context = [&](std::string_view key, const Capture& capture,
                                 const std::optional<std::uint32_t>& context) {
    json.key(std::string(key) + "_context");
    context ? json.number(*context) : json.null();
    json.key(std::string(key) + "_name");
    json.text_or_null(context ? std::optional(capture.strings.get(capture.rewrites.contexts[*context].name))
                              : std::nullopt);
  };
  json.begin_object();
  write_context("a", before, a_context);
  write_context("b", after, b_context);
  json.column("rules", rules, [](JsonWriter& j, const ChangedRule& rule) {
    j.begin_object().key("pass").text(rule.pass).key("file").text(rule.file).key("line").number(rule.line);
    j.key("a_matches").number(rule.a_matches).key("b_matches").number(rule.b_matches).end_object();
  });
  if (a_context && b_context) write_difference(json, before, *a_context, after, *b_context, turn->budget);
  if (turn->budget.is_over()) return error_response(turn->budget.error());
  json.end_object();
  return Response::json(std::move(text));
}

}  // namespace

void add_compared_kernel_routes(Router& router, const Services& services) {
  router.add("/api/v1/compare/kernel",
             [services](const Request& request, auto) { return kernel_answer(request, services); });
  router.add("/api/v1/compare-rewrites",
             [services](const Request& request, auto) { return rewrites_answer(request, services); });
}

}  // namespace vizd
