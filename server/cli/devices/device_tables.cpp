#include "cli/devices/device_tables.h"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/devices/device_json.h"
#include "base/standard_streams.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

std::string percent_text(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? "" : fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string time_text(std::int64_t dur_ns) { return duration_text(static_cast<double>(dur_ns)); }

Cell rate_cell(const std::optional<double>& bytes_per_s) {
  return bytes_per_s ? Cell(rate_text(*bytes_per_s, "B/s")) : Cell();
}

// Prints the lines that write(json) makes of each.
template <typename Items, typename Write>
void print_lines(const Items& items, Write&& write) {
  std::string line;
  for (const auto& item : items) {
    line.clear();
    JsonWriter json(line);
    write(json, item);
    fmt::print("{}\n", line);
  }
}

std::vector<std::size_t> depths_of(const CallTree& tree) {
  std::vector<std::size_t> depths(tree.nodes.size(), 0);
  for (std::size_t n = 0; n < depths.size(); ++n) {
    if (const std::uint32_t parent = tree.nodes[n].parent; parent != kNoId) depths[n] = depths[parent] + 1;
  }
  return depths;
}

// Nodes as they are read, those above such a depth; 0: all.
std::vector<std::uint32_t> rows_of(const CallTree& tree, const std::vector<std::size_t>& depths, std::size_t depth) {
  std::vector<std::uint32_t> order = tree_order(tree);
  if (depth != 0) std::erase_if(order, [&](std::uint32_t n) { return depths[n] >= depth; });
  return order;
}

CallTree call_tree_of(const DeviceInput& input) {
  const auto& [work, operators, figures] = input.analysis;
  return make_call_tree(input.loaded->capture, work, operators, figures);
}

std::vector<KernelSequence> sequences_of(const DeviceInput& input, std::size_t most) {
  return find_kernel_sequences(input.loaded->capture, input.analysis.work, most == 0 ? ~std::size_t{0} : most);
}

std::vector<CollectiveRow> collectives_of(std::span<const ProfiledRank> profiles, std::size_t most) {
  std::vector<CollectiveRow> rows = find_collectives(profiles).rows;
  if (most != 0 && rows.size() > most) rows.resize(most);
  return rows;
}

std::string joined_names(const KernelSequence& sequence, const StringTable& strings) {
  std::string names;
  for (const StringId name : sequence.names)
    names += fmt::format("{}{}", names.empty() ? "" : " > ", strings.get(name));
  return names;
}

template <typename T>
Cell cell_of(const std::optional<T>& figure) {
  return figure ? Cell(*figure) : Cell();
}

std::vector<ProfiledRank> ranks_of(std::span<const DeviceInput> inputs) {
  std::vector<ProfiledRank> ranks;
  for (const DeviceInput& input : inputs)
    ranks.push_back({input.loaded->capture, input.analysis.work, input.analysis.operators});
  return ranks;
}

Records collective_records(std::span<const ProfiledRank> profiles, const std::vector<CollectiveRow>& rows) {
  Records records({"collective", "group", "ranks", "size", "count", "time", "algorithm", "bus", "waiting",
                   "longest wait", "came last", "name"});
  for (const CollectiveRow& row : rows) {
    const auto last = row.last ? rank_of(profiles, *row.last) : std::nullopt;
    records.add({std::string(collective_kind_name(row.kind)), row.group, row.ranks ? Cell(*row.ranks) : Cell(),
                 row.bytes ? Cell(rate_text(static_cast<double>(*row.bytes), "B")) : Cell(), row.count,
                 time_text(row.transfer_ns), rate_cell(row.algorithm_bytes_per_s()), rate_cell(row.bus_bytes_per_s()),
                 row.has_skew() ? Cell(time_text(row.skew_total_ns)) : Cell(),
                 row.has_skew() ? Cell(time_text(row.skew_most_ns)) : Cell(),
                 last ? Cell(fmt::format("rank {}, {} of {}", *last, row.last_count, row.count)) : Cell(), row.name});
  }
  return records;
}

void print_path(const DeviceInput& input, const CriticalPath& path, std::size_t most, bool json) {
  const Capture& capture = input.loaded->capture;
  std::vector<PathShare> shares = path_shares(capture, path);
  if (most != 0 && shares.size() > most) shares.resize(most);
  const std::int64_t path_ns = path.to_ns - path.from_ns;
  const auto device = std::ranges::find(input.analysis.work.devices, path.root, &WorkDevice::root);
  if (json) {
    print_lines(shares, [&](JsonWriter& j, const PathShare& share) {
      write_path_share(j, share, path_ns, [&](JsonWriter& more) {
        more.key("rank");
        write_file_value(more, device->rank, capture.strings);
      });
    });
    return;
  }
  if (device->rank) fmt::print("Rank {}: ", value_text(*device->rank, capture.strings));
  fmt::print("{} parts in {}\n", path.parts.size(), time_text(path_ns));
  Records records({"share", "time", "parts", "longest", "of", "name"});
  for (const PathShare& share : shares) {
    records.add({percent_text(share.total_ns, path_ns), time_text(share.total_ns), share.parts,
                 time_text(share.longest.to_ns - share.longest.from_ns), std::string(path_kind_name(share.kind)),
                 share.name.empty() && share.kind == PathKind::kHost ? "(nothing recorded)" : share.name});
  }
  records.print(stdout, false);
}

}  // namespace

void print_call_tree(const DeviceInput& input, std::size_t depth, bool json) {
  const Capture& capture = input.loaded->capture;
  const CallTree tree = call_tree_of(input);
  const std::vector<std::size_t> depths = depths_of(tree);
  const std::vector<std::uint32_t> order = rows_of(tree, depths, depth);
  std::int64_t all_ns = 0;
  for (const CallNode& node : tree.nodes) all_ns += node.parent == kNoId ? node.total_ns : 0;
  if (json) {
    print_lines(order, [&](JsonWriter& j, std::uint32_t n) {
      const std::uint32_t parent = tree.nodes[n].parent;
      write_call_node(j, capture, tree.nodes[n], parent == kNoId ? std::nullopt : std::optional(parent),
                      [&](JsonWriter& more) { more.key("id").number(n).key("depth").number(depths[n]); });
    });
    return;
  }
  Records records({"total", "share", "calls", "launches", "kind", "name"});
  for (const std::uint32_t n : order) {
    const CallNode& node = tree.nodes[n];
    records.add({time_text(node.total_ns), percent_text(node.total_ns, all_ns), node.calls, node.launches,
                 std::string(frame_kind_name(node.kind)),
                 std::string(2 * depths[n], ' ') + std::string(frame_name(node, capture.strings))});
  }
  records.print(stdout, false);
}

void print_collectives(std::span<const DeviceInput> inputs, std::size_t most, bool json) {
  const std::vector<ProfiledRank> profiles = ranks_of(inputs);
  const std::vector<CollectiveRow> rows = collectives_of(profiles, most);
  if (json) {
    print_lines(rows, [&](JsonWriter& j, const CollectiveRow& row) { write_collective_row(j, profiles, row); });
  } else if (rows.empty()) {
    fmt::print("No ranks exchanged anything.\n");
  } else {
    collective_records(profiles, rows).print(stdout, false);
  }
}

void print_kernel_sequences(const DeviceInput& input, std::size_t most, bool json) {
  const Capture& capture = input.loaded->capture;
  const auto sequences = sequences_of(input, most);
  if (json) {
    print_lines(sequences, [&](JsonWriter& j, const KernelSequence& of) { write_kernel_sequence(j, capture, of); });
    return;
  }
  Records records({"count", "time", "between", "candidate", "kernels"});
  for (const KernelSequence& sequence : sequences) {
    records.add({sequence.count, time_text(sequence.total_ns + sequence.between_ns), time_text(sequence.between_ns),
                 std::string(sequence.is_candidate ? "yes" : ""), joined_names(sequence, capture.strings)});
  }
  records.empty() ? fmt::print("No kernels follow one another three times.\n") : records.print(stdout, false);
}

bool print_critical_path(const DeviceInput& input, std::optional<std::int64_t> step, std::size_t most, bool json) {
  const auto paths = find_critical_paths(input.loaded->capture, input.analysis.work, step);
  if (paths.empty() && step) {
    print_error("vizd breakdown: {}: no device did any work in a step {}\n", input.set.name, *step);
    return false;
  }
  if (paths.empty() && !json) fmt::print("No device did any work in {}.\n", input.set.name);
  for (const CriticalPath& path : paths) print_path(input, path, most, json);
  return true;
}

Records call_tree_table(std::span<const DeviceInput> inputs, std::size_t depth) {
  Records records(
      {"capture", "id", "parent", "depth", "kind", "name", "calls", "launches", "total_ns", "flop", "bytes"});
  for (const DeviceInput& input : inputs) {
    const CallTree tree = call_tree_of(input);
    const std::vector<std::size_t> depths = depths_of(tree);
    for (const std::uint32_t n : rows_of(tree, depths, depth)) {
      const CallNode& node = tree.nodes[n];
      records.add({input.set.name, std::int64_t{n}, node.parent == kNoId ? Cell() : Cell(std::int64_t{node.parent}),
                   static_cast<std::int64_t>(depths[n]), std::string(frame_kind_name(node.kind)),
                   std::string(frame_name(node, input.loaded->capture.strings)), node.calls, node.launches,
                   node.total_ns, node.flop > 0 ? Cell(node.flop) : Cell(),
                   node.bytes > 0 ? Cell(node.bytes) : Cell()});
    }
  }
  return records;
}

Records collectives_table(std::span<const DeviceInput> inputs, std::size_t most) {
  Records records({"collective", "name", "group", "ranks", "bytes", "count", "seen_ranks", "transfer_ns", "total_ns",
                   "algorithm_bytes_per_s", "bus_bytes_per_s", "skew_total_ns", "skew_max_ns", "last_rank",
                   "last_count"});
  const std::vector<ProfiledRank> profiles = ranks_of(inputs);
  for (const CollectiveRow& row : collectives_of(profiles, most)) {
    const bool has_skew = row.has_skew();
    records.add({std::string(collective_kind_name(row.kind)), row.name, row.group.empty() ? Cell() : Cell(row.group),
                 cell_of(row.ranks), cell_of(row.bytes), row.count, row.seen_ranks, row.transfer_ns, row.total_ns,
                 cell_of(row.algorithm_bytes_per_s()), cell_of(row.bus_bytes_per_s()),
                 has_skew ? Cell(row.skew_total_ns) : Cell(), has_skew ? Cell(row.skew_most_ns) : Cell(),
                 row.last ? cell_of(rank_of(profiles, *row.last)) : Cell(), row.last ? Cell(row.last_count) : Cell()});
  }
  return records;
}

Records kernel_sequences_table(std::span<const DeviceInput> inputs, std::size_t most) {
  Records records({"capture", "count", "total_ns", "between_ns", "longest_ns", "fusion_candidate", "kernels"});
  for (const DeviceInput& input : inputs) {
    for (const KernelSequence& sequence : sequences_of(input, most)) {
      records.add({input.set.name, sequence.count, sequence.total_ns, sequence.between_ns, sequence.longest_ns,
                   std::string(sequence.is_candidate ? "true" : "false"),
                   joined_names(sequence, input.loaded->capture.strings)});
    }
  }
  return records;
}

}  // namespace vizd
