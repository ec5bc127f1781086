#include "cli/devices/device_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "analysis/answers/device_answers.h"
#include "base/standard_streams.h"
#include "cli/devices/answer_records.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

// A call tree with its lines in the order in which they are read, those above such a depth; 0: all.
struct CallLines {
  CallLines(const DeviceInput& input, const WorkScope& scope, std::size_t depth)
      : tree(tree_of(input.loaded->capture, *input.in(scope))) {
    std::vector<std::int64_t> depths(tree.nodes.size(), 0);
    std::int64_t all_ns = 0;
    for (std::size_t n = 0; n < depths.size(); ++n) {
      const std::uint32_t parent = tree.nodes[n].parent;
      parent == kNoId ? all_ns += tree.nodes[n].total_ns : depths[n] = depths[parent] + 1;
    }
    for (const std::uint32_t n : tree_order(tree)) {
      if (depth != 0 && depths[n] >= static_cast<std::int64_t>(depth)) continue;
      const CallNode& node = tree.nodes[n];
      const auto parent = node.parent == kNoId ? std::nullopt : std::optional(node.parent);
      lines.push_back({input.loaded->capture, node, parent, n, depths[n], all_ns, input.set.name});
    }
  }

  static CallTree tree_of(const Capture& capture, const DeviceAnalysis& analysis) {
    return make_call_tree(capture, analysis.work, analysis.operators, analysis.figures);
  }

  CallTree tree;
  std::vector<CallLine> lines;
};

struct SequenceLines {
  SequenceLines(const DeviceInput& input, const WorkScope& scope, std::size_t most)
      : sequences(find_kernel_sequences(input.loaded->capture, input.in(scope.without_kernel())->work,
                                        most == 0 ? ~std::size_t{0} : most, scope.kernel)) {
    for (const KernelSequence& sequence : sequences) lines.push_back({input.loaded->capture, sequence, input.set.name});
  }

  std::vector<KernelSequence> sequences;
  std::vector<SequenceLine> lines;
};

struct CollectiveLines {
  CollectiveLines(std::span<const DeviceInput> inputs, const WorkScope& scope, std::size_t most) {
    for (const DeviceInput& input : inputs) {
      const Capture& capture = input.loaded->capture;
      profiles.push_back({capture, input.analysis->work, input.analysis->operators,
                          items_in_scope(capture, input.analysis->work, scope)});
    }
    found = find_collectives(profiles);
    for (const CollectiveRow& row : first_rows(found.rows, most)) lines.push_back({profiles, row});
    for (const Straggler& straggler : found.stragglers) stragglers.push_back({profiles, straggler});
  }

  std::vector<ProfiledRank> profiles;
  Collectives found;
  std::vector<CollectiveLine> lines;
  std::vector<StragglerLine> stragglers;
};

struct CollectiveInstanceLines : CollectiveLines {
  CollectiveInstanceLines(std::span<const DeviceInput> inputs, const WorkScope& scope, std::size_t most)
      : CollectiveLines(inputs, scope, 0),
        instances(list_collectives(profiles, found, most == 0 ? found.all.size() : most)) {
    for (const CollectiveInstance& instance : instances) {
      const Collective& collective = found.all[instance.place];
      each.push_back({profiles, found.rows[collective.row], collective, instance});
    }
  }

  std::vector<CollectiveInstance> instances;
  std::vector<CollectiveInstanceLine> each;
};

constexpr std::size_t kStragglersShown = 3;

RowId id_of_launch(std::span<const DeviceInput> inputs, const CollectiveLaunch& launch) {
  const DeviceInput& input = inputs[launch.profile];
  return input.id_of(input.analysis->work.items[launch.item]);
}

void say_no_exchange(std::span<const DeviceInput> inputs, const WorkScope& scope, bool json) {
  for (const DeviceInput& input : inputs) input.say_nothing(scope, "the ranks exchanged nothing", json);
}

void print_path(const DeviceInput& input, const CriticalPath& path, std::size_t most, bool json) {
  const Capture& capture = input.loaded->capture;
  const std::vector<PathShare> shares = path_shares(capture, path);
  const std::int64_t path_ns = path.to_ns - path.from_ns;
  const auto device = std::ranges::find(input.analysis->work.devices, path.root, &WorkDevice::root);
  std::vector<PathLine> lines;
  for (const PathShare& share : first_rows(shares, most)) lines.push_back({capture, share, device->rank, path_ns});
  const auto fields = path_fields();
  const IdOfLine<PathLine> id_of = [&](const PathLine& line) {
    return input.id_of_time(line.row.longest.from_ns, line.row.longest.to_ns);
  };
  if (json)
    return print_json_rows(choose_fields(fields, "kind name parts total_ns percent longest_ns rank"), lines,
                           if_links(id_of));
  if (device->rank) print_answer("Rank {}: ", value_text(*device->rank, capture.strings));
  print_answer("{} parts in {}\n", path.parts.size(), duration_text(static_cast<double>(path_ns)));
  shown_records(choose_fields(fields, "percent total_ns parts longest_ns kind label"), lines, id_of)
      .print(stdout, false);
}

}  // namespace

void print_call_tree(const DeviceInput& input, const WorkScope& scope, std::size_t depth, bool json) {
  const CallLines tree(input, scope, depth);
  const auto fields = call_tree_fields();
  if (tree.lines.empty()) return input.say_nothing(scope, "the devices did nothing", json);
  const auto work = input.in(scope);
  const IdOfLine<CallLine> id_of = [&](const CallLine& line) { return input.id_of(work->work.items[line.row.worst]); };
  if (json)
    return print_json_rows(
        choose_fields(fields, "parent kind name told_by calls launches total_ns flop bytes id depth"), tree.lines,
        if_links(id_of));
  const bool is_any_captured =
      std::ranges::any_of(tree.lines, [](const CallLine& line) { return !line.row.captured.empty(); });
  shown_records(choose_fields(fields, fmt::format("total_ns share calls launches kind {}label",
                                                  is_any_captured ? "told_by " : "")),
                tree.lines, id_of)
      .print(stdout, false);
}

namespace {

// Each as a sentence.
void print_pairing(const CollectiveLines& collectives) {
  for (std::string note : pairing_notes(collectives.profiles, collectives.found)) {
    note.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(note.front())));
    print_answer("{}.\n", note);
  }
}

void print_unrecorded_sizes(std::int64_t count) {
  if (count == 0) return;
  print_answer(
      "Sizes not recorded for {} {}. PyTorch's profiler records them with record_shapes=True, or by default from "
      "version 2.1.\n",
      count, count == 1 ? "collective" : "collectives");
}

}  // namespace

void print_collectives(std::span<const DeviceInput> inputs, const WorkScope& scope, std::size_t most, bool json) {
  const CollectiveLines collectives(inputs, scope, most);
  const auto fields = collective_fields();
  if (collectives.lines.empty()) return say_no_exchange(inputs, scope, json);
  const IdOfLine<CollectiveLine> id_of = [&](const CollectiveLine& line) {
    return id_of_launch(inputs, collectives.found.all[line.row.most_skewed].launches.front());
  };
  if (json) return print_json_rows(fields, collectives.lines, if_links(id_of));
  shown_records(choose_fields(fields,
                              "collective group ranks bytes count transfer_ns algorithm_bytes_per_s bus_bytes_per_s "
                              "skew_total_ns skew_max_ns came_last name"),
                collectives.lines, id_of)
      .print(stdout, false);
  std::int64_t unrecorded = 0;
  for (const CollectiveLine& line : collectives.lines) unrecorded += line.row.bytes ? 0 : line.row.count;
  print_unrecorded_sizes(unrecorded);
  print_pairing(collectives);
  if (collectives.stragglers.empty()) return;
  print_answer("\nRanks that the others waited for{}:\n",
               collectives.stragglers.size() > kStragglersShown ? ", the longest first" : "");
  const auto first = first_rows(collectives.stragglers, kStragglersShown);
  const IdOfLine<StragglerLine> id_of_straggler = [&](const StragglerLine& line) {
    return id_of_launch(inputs, line.row.launch);
  };
  shown_records(straggler_fields(), std::vector(first.begin(), first.end()), id_of_straggler).print(stdout, false);
}

void print_collective_instances(std::span<const DeviceInput> inputs, const WorkScope& scope, std::size_t most,
                                bool json) {
  const CollectiveInstanceLines collectives(inputs, scope, most);
  const auto fields = collective_instance_fields();
  if (collectives.each.empty()) return say_no_exchange(inputs, scope, json);
  const IdOfLine<CollectiveInstanceLine> id_of = [&](const CollectiveInstanceLine& line) {
    return id_of_launch(inputs, line.instance.longest);
  };
  if (json) return print_json_rows(fields, collectives.each, if_links(id_of));
  shown_records(choose_fields(fields,
                              "collective group number bytes transfer_ns bus_bytes_per_s skew_ns waiting_ns first_rank "
                              "last_rank idle_before_ns before"),
                collectives.each, id_of)
      .print(stdout, false);
  print_unrecorded_sizes(
      std::ranges::count_if(collectives.each, [](const CollectiveInstanceLine& line) { return !line.row.bytes; }));
  print_pairing(collectives);
}

void print_kernel_sequences(const DeviceInput& input, const WorkScope& scope, std::size_t most, bool json) {
  const SequenceLines sequences(input, scope, most);
  const auto fields = sequence_fields();
  if (sequences.lines.empty()) return input.say_nothing(scope, "no sequence of kernels occurs three times", json);
  const auto work = input.in(scope.without_kernel());
  const IdOfLine<SequenceLine> id_of = [&](const SequenceLine& line) {
    return input.id_of(work->work.items[line.row.longest]);
  };
  if (json) return print_json_rows(fields, sequences.lines, if_links(id_of));
  shown_records(choose_fields(fields, "count time_ns between_ns fusion_candidate kernels"), sequences.lines, id_of)
      .print(stdout, false);
}

bool print_critical_path(const DeviceInput& input, const WorkScope& scope, std::size_t most, bool json) {
  const auto paths = find_critical_paths(input.loaded->capture, input.analysis->work, scope);
  if (paths.empty()) {
    input.say_nothing(scope, "the devices did nothing", json);
    return scope.is_all();
  }
  for (const CriticalPath& path : paths) print_path(input, path, most, json);
  return true;
}

Records call_tree_table(std::span<const DeviceInput> inputs, const WorkScope& scope, std::size_t depth) {
  const auto fields =
      choose_fields(call_tree_fields(), "capture id parent depth kind name calls launches total_ns flop bytes");
  Records records = exact_records<CallLine>(fields, {});
  for (const DeviceInput& input : inputs) records.append(exact_records(fields, CallLines(input, scope, depth).lines));
  return records;
}

Records collectives_table(std::span<const DeviceInput> inputs, const WorkScope& scope, std::size_t most) {
  return exact_records(collective_fields(), CollectiveLines(inputs, scope, most).lines);
}

Records collective_instances_table(std::span<const DeviceInput> inputs, const WorkScope& scope, std::size_t most) {
  return exact_records(collective_instance_fields(), CollectiveInstanceLines(inputs, scope, most).each);
}

Records kernel_sequences_table(std::span<const DeviceInput> inputs, const WorkScope& scope, std::size_t most) {
  const auto fields =
      choose_fields(sequence_fields(), "capture count total_ns between_ns longest_ns fusion_candidate kernels");
  Records records = exact_records<SequenceLine>(fields, {});
  for (const DeviceInput& input : inputs)
    records.append(exact_records(fields, SequenceLines(input, scope, most).lines));
  return records;
}

}  // namespace vizd
