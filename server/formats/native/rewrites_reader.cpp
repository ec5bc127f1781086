#include "formats/native/rewrites_reader.h"

#include <algorithm>

namespace vizd::native {
namespace {

namespace column = capture::column;

constexpr std::uint64_t kMostLostOps = std::uint64_t{1} << 20;

// The records of each of `count` keys, in order: where those of key k begin in the result's second.
template <typename Record, typename KeyOf>
std::pair<std::vector<std::size_t>, std::vector<Record>> group(std::vector<Record> records, std::size_t count,
                                                               const KeyOf& key_of) {
  std::vector<std::size_t> begin(count + 1);
  for (const Record& record : records) ++begin[key_of(record) + 1];
  for (std::size_t i = 0; i < count; ++i) begin[i + 1] += begin[i];
  if (std::ranges::is_sorted(records, {}, key_of)) return {std::move(begin), std::move(records)};
  std::vector<std::size_t> next(begin);
  std::vector<Record> grouped(records.size());
  for (const Record& record : records) grouped[next[key_of(record)]++] = record;
  return {std::move(begin), std::move(grouped)};
}

}  // namespace

void RewritesReader::add_contexts(const Columns& columns, std::uint64_t first) {
  if (first < names_.size() || first - names_.size() > kMostLostOps) {
    return tables_.skip("contexts out of order", columns.count());
  }
  if (first > names_.size()) names_.resize(first, capture_.strings.add(Tables::kLost));
  stacks_.resize(names_.size(), StackId{kNoId});
  for (const auto name : columns.read<std::uint32_t>(column::Contexts::kName)) names_.push_back(tables_.string(name));
  for (const auto stack : columns.read<std::uint64_t>(column::Contexts::kStack)) stacks_.push_back(facts_.stack(stack));
}

ContextId RewritesReader::context(std::uint64_t number) const {
  return number == 0 || number > names_.size() ? ContextId{kNoId} : to_id<ContextId>(first_context_ + number - 1);
}

void RewritesReader::add_links(const Columns& columns) {
  const auto contexts = columns.read<std::uint64_t>(column::Links::kContext);
  const auto ops = columns.read<std::uint64_t>(column::Links::kOp);
  const auto names = columns.read<std::uint32_t>(column::Links::kName);
  for (std::size_t i = 0; i < columns.count(); ++i) links_.push_back({contexts[i], ops[i], names[i]});
}

void RewritesReader::add_programs(const Columns& columns) {
  using Column = column::Programs;
  const auto contexts = columns.read<std::uint64_t>(Column::kContext);
  const auto names = columns.read<std::uint32_t>(Column::kName), sources = columns.read<std::uint32_t>(Column::kSource);
  const auto devices = columns.read<std::uint32_t>(Column::kDevice);
  const auto origins = columns.read<std::uint32_t>(Column::kOrigin);
  const auto binaries = columns.read<std::uint32_t>(Column::kBinary);
  const auto flags = columns.read<std::uint32_t>(Column::kFlags);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    programs_.push_back({contexts[i], names[i], sources[i], devices[i], origins[i], binaries[i], flags[i]});
  }
}

void RewritesReader::add_passes(const Columns& columns, std::uint64_t first) {
  using Column = column::Passes;
  if (first < passes_.size() || first - passes_.size() > kMostLostOps) {
    return tables_.skip("passes out of order", columns.count());
  }
  is_lost_pass_.resize(first, true);
  passes_.resize(first);
  const auto contexts = columns.read<std::uint64_t>(Column::kContext),
             graphs = columns.read<std::uint64_t>(Column::kGraph);
  const auto names = columns.read<std::uint32_t>(Column::kName);
  const auto locations = columns.read<std::uint32_t>(Column::kLocation);
  const auto depths = columns.read<std::uint32_t>(Column::kDepth), flags = columns.read<std::uint32_t>(Column::kFlags);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    passes_.push_back({contexts[i], names[i], locations[i], depths[i], flags[i], graphs[i]});
    is_lost_pass_.push_back(false);
  }
}

void RewritesReader::add_matches(const Columns& columns) {
  using Column = column::Matches;
  const auto passes = columns.read<std::uint64_t>(Column::kPass),
             befores = columns.read<std::uint64_t>(Column::kBefore);
  const auto afters = columns.read<std::uint64_t>(Column::kAfter);
  const auto rules = columns.read<std::uint32_t>(Column::kRule);
  const auto seconds =
      columns.has(Column::kSeconds) ? columns.read<double>(Column::kSeconds) : std::vector<double>(columns.count(), -1);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    matches_.push_back({passes[i], befores[i], afters[i], rules[i], seconds[i]});
  }
}

void RewritesReader::finish() {
  Rewrites& out = capture_.rewrites;
  const auto lost_matches =
      std::erase_if(matches_, [&](const MatchRecord& m) { return m.pass >= passes_.size() || is_lost_pass_[m.pass]; });
  if (lost_matches != 0) tables_.skip("match of a pass that is missing", lost_matches);
  const auto matches = group(std::move(matches_), passes_.size(), [](const MatchRecord& m) { return m.pass; });

  std::vector<std::uint64_t> pass_numbers;
  for (std::size_t i = 0; i < passes_.size(); ++i) {
    if (is_lost_pass_[i]) continue;
    if (passes_[i].context < names_.size()) {
      pass_numbers.push_back(i);
    } else {
      tables_.skip("pass of a context that is missing");
    }
  }
  const auto passes =
      group(std::move(pass_numbers), names_.size(), [&](std::uint64_t pass) { return passes_[pass].context; });

  for (std::size_t i = 0; i < names_.size(); ++i) {
    Context& context = out.contexts.emplace_back();
    context.name = names_[i];
    context.stack = stacks_[i];
    context.first_pass = static_cast<std::uint32_t>(out.passes.size());
    for (std::size_t s = passes.first[i]; s < passes.first[i + 1]; ++s) {
      const std::uint64_t number = passes.second[s];
      const std::size_t first = matches.first[number], count = matches.first[number + 1] - first;
      add_pass(passes_[number], std::span(matches.second).subspan(first, count));
    }
    context.pass_count = static_cast<std::uint32_t>(out.passes.size()) - context.first_pass;
  }
  link_all();
}

void RewritesReader::add_pass(const PassRecord& record, std::span<const MatchRecord> matches) {
  Rewrites& out = capture_.rewrites;
  const auto graph = tables_.op(record.graph);
  if (!graph) {
    tables_.skip("pass whose graph is missing");
    return;
  }
  Pass pass{.name = tables_.string(record.name), .location = tables_.location(record.location), .sink = *graph};
  pass.depth = static_cast<std::uint16_t>(std::min(record.depth, std::uint32_t{0xFFFF}));
  pass.unnamed = (record.flags & capture::kPassUnnamed) != 0;
  pass.restarts_from_sink = (record.flags & capture::kPassRestarts) != 0;
  pass.whole_graphs = (record.flags & capture::kPassWholeGraphs) != 0;
  pass.walks_once = (record.flags & capture::kPassWalksOnce) != 0;
  pass.enters_calls = (record.flags & capture::kPassEntersCalls) != 0;
  pass.meets_calls = (record.flags & capture::kPassMeetsCalls) != 0;
  pass.first_match = static_cast<std::uint32_t>(out.matches.size());
  OpId last = *graph;
  for (const MatchRecord& match : matches) {
    const auto before = pass.whole_graphs ? last : tables_.op(match.before);
    const auto after = tables_.op(match.after);
    if (!before || !after) {
      tables_.skip("match of an op that is missing");
      continue;
    }
    last = *after;
    out.matches.push_back({*before, *after, tables_.location(match.rule), match.seconds});
  }
  pass.match_count = static_cast<std::uint32_t>(out.matches.size()) - pass.first_match;
  out.passes.push_back(pass);
}

void RewritesReader::link_all() {
  Rewrites& out = capture_.rewrites;
  for (const ProgramRecord& record : programs_) {
    const ContextId context = this->context(record.context + 1);
    const bool is_alone = (record.flags & capture::kProgramAlone) != 0;
    if (context == ContextId{kNoId} && !is_alone) {
      tables_.skip("program of a context that is missing");
      continue;
    }
    if (!is_alone) out.contexts[index(context)].program = to_id<ProgramId>(out.programs.size());
    out.programs.push_back({.name = tables_.string(record.name),
                            .source = tables_.string(record.source),
                            .binary = tables_.string(record.binary),
                            .device = tables_.string(record.device),
                            .origin = tables_.value(record.origin)});
  }
  for (const LinkRecord& record : links_) {
    const ContextId context = this->context(record.context + 1);
    const auto op = record.op == 0 ? std::nullopt : tables_.op(record.op - 1);
    if (context == ContextId{kNoId} || (record.op != 0 && !op)) {
      tables_.skip("link to a context, or from an op, that is missing");
    } else if (op) {
      out.context_by_op.insert_or_assign(*op, context);
    } else {
      out.context_by_name.insert_or_assign(tables_.string(record.name), context);
    }
  }
}

}  // namespace vizd::native
