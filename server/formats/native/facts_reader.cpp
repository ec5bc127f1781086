#include "formats/native/facts_reader.h"

#include "formats/trace_words.h"

namespace vizd::native {

namespace column = capture::column;

std::optional<ArgumentValue> argument_value(const Tables& tables, std::uint32_t type, std::int64_t integer,
                                            double real) {
  switch (static_cast<capture::ArgumentType>(type)) {
    case capture::ArgumentType::kInteger:
      return integer;
    case capture::ArgumentType::kReal:
      return real;
    case capture::ArgumentType::kText:
      return tables.string(static_cast<std::uint64_t>(integer));
  }
  return std::nullopt;
}

void FactsReader::add_stacks(const Columns& columns, std::uint64_t first) {
  using Column = column::Stacks;
  if (first != stacks_.size()) return tables_.skip("stacks out of order", columns.count());
  const auto functions = columns.read<std::uint32_t>(Column::kFunction);
  const auto files = columns.read<std::uint32_t>(Column::kFile), lines = columns.read<std::uint32_t>(Column::kLine);
  const auto callers = columns.read<std::uint64_t>(Column::kCaller);
  const auto codes = columns.read<std::uint32_t>(Column::kCode);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (callers[i] > stacks_.size()) tables_.skip("caller of a stack that is missing");
    const Frame frame{tables_.string(functions[i]), tables_.string(files[i]), lines[i], tables_.string(codes[i])};
    const StackId caller = stack(callers[i]);
    stacks_.push_back(to_id<StackId>(capture_.stacks.size()));
    capture_.stacks.push_back({frame, caller});
  }
}

void FactsReader::add_facts(const Columns& columns) {
  using Column = column::CaptureFacts;
  const auto subjects = columns.read<std::uint32_t>(Column::kSubject);
  const auto names = columns.read<std::uint32_t>(Column::kName), units = columns.read<std::uint32_t>(Column::kUnit);
  const auto types = columns.read<std::uint32_t>(Column::kType);
  const auto integers = columns.read<std::int64_t>(Column::kInteger);
  const auto reals = columns.read<double>(Column::kReal);
  const auto tracks = columns.read<std::uint64_t>(Column::kTrack);
  const auto more_times = columns.read<std::uint32_t>(Column::kMoreTimes);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    const auto value = argument_value(tables_, types[i], integers[i], reals[i]);
    if (!value) {
      tables_.skip("fact of an unknown type");
      continue;
    }
    if (!trace::is_possible_fact(capture_.strings.get(tables_.string(names[i])), *value)) {
      tables_.skip("fact that cannot be true");
      continue;
    }
    if (tracks[i] != 0) facts_of_tracks_.emplace_back(capture_.facts.size(), tracks[i] - 1);
    capture_.facts.push_back({.subject = tables_.string(subjects[i]),
                              .name = tables_.string(names[i]),
                              .value = *value,
                              .unit = tables_.string(units[i]),
                              .times = more_times[i] + 1});
  }
}

void FactsReader::add_measures(const Columns& columns, std::uint64_t first) {
  if (first != measures_.size()) return tables_.skip("measures out of order", columns.count());
  const auto names = columns.read<std::uint32_t>(column::Measures::kName);
  const auto units = columns.read<std::uint32_t>(column::Measures::kUnit);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    measures_.push_back(capture_.rewrites.measures.size());
    capture_.rewrites.measures.push_back({tables_.string(names[i]), tables_.string(units[i]), {}});
  }
}

void FactsReader::add_op_values(const Columns& columns) {
  const auto measures = columns.read<std::uint64_t>(column::OpValues::kMeasure);
  const auto ops = columns.read<std::uint64_t>(column::OpValues::kOp);
  const auto values = columns.read<double>(column::OpValues::kValue);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    const auto op = tables_.op(ops[i]);
    if (!op || measures[i] >= measures_.size()) {
      tables_.skip("number on an op that is missing");
      continue;
    }
    capture_.rewrites.measures[measures_[measures[i]]].values.emplace_back(*op, values[i]);
  }
}

}  // namespace vizd::native
