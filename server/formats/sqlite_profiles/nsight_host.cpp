// Reads the host's part of an Nsight Systems export: calls that launch work, NVTX ranges and other spans of threads.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "formats/sqlite_profiles/nsight_reader.h"

namespace vizd::sqlite_profiles {
namespace {

constexpr std::string_view kSyncKinds[] = {"Unknown", "Event sync", "Stream wait sync", "Stream sync", "Context sync"};

// Types of NVTX events.
constexpr std::int64_t kMarks[] = {34, 65}, kPushPops[] = {59, 70}, kStartEnds[] = {60, 71};
constexpr std::int64_t kDomainName = 75;

template <typename Values>
bool is_one_of(const Number& value, const Values& values) {
  return value && std::ranges::find(values, *value) != std::end(values);
}

// Names end in the version of their interface: "cudaLaunchKernel_v7000".
std::string_view without_version(std::string_view name) {
  const std::size_t at = name.rfind("_v");
  if (at == name.npos) return name;
  const std::string_view digits = name.substr(at + 2);
  const bool is_version =
      (digits.size() == 4 || digits.size() == 5) && digits.find_first_not_of("0123456789") == digits.npos;
  return is_version ? name.substr(0, at) : name;
}

// What torch.autograd.profiler.emit_nvtx() writes behind an operator's name: ", seq = 4, op_id = 317175, sizes = …".
std::size_t end_of_operator(std::string_view text) { return std::min(text.find(", seq = "), text.find(", op_id = ")); }

// The number behind that word; none where there is none.
Number number_behind(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == text.npos) return std::nullopt;
  std::int64_t value = 0;
  const char* const begin = text.data() + at + word.size();
  const auto [end, failed] = std::from_chars(begin, text.data() + text.size(), value);
  return failed == std::errc() ? Number(value) : std::nullopt;
}

}  // namespace

void NsightReader::read_calls() {
  database_.each_row("cupti_activity_kind_runtime",
                     {"start", "end", "eventClass", "globalTid", "correlationId", "nameId"}, [&](const Row& row) {
                       const auto times = builder_.times(row.whole(0), row.whole(1));
                       if (!times) return;
                       const Number thread = row.whole(3), number = row.whole(4);
                       const ProcessId process = process_of(thread);
                       const std::string name = row.is_null(5) ? "[no name]" : string_at(row, 5);
                       const bool is_driver = row.whole(2) == 1;
                       builder_.add_call(process, thread_of(thread), is_driver ? "cuda_driver" : "cuda_runtime",
                                         builder_.intern(without_version(name)), *times,
                                         {process.key, number && *number != 0 ? number : std::nullopt});
                     });
}

void NsightReader::read_ranges() {
  database_.each_row("nvtx_events", {"start", "end", "eventType", "text", "textId", "globalTid", "domainId"},
                     [&](const Row& row) {
                       std::string text = row.text(3).value_or("");
                       if (row.is_null(3) && !row.is_null(4)) text = string_at(row, 4);
                       const Number domain = row.whole(6);
                       if (row.whole(2) == kDomainName && domain) {
                         domains_[{process_of(row.whole(5)).key, *domain}] = text;
                       } else {
                         add_range(row, text, domain);
                       }
                     });
  name_domains();
}

void NsightReader::add_range(const Row& row, const std::string& text, const Number& domain) {
  const Number type = row.whole(2);
  const bool is_mark = is_one_of(type, kMarks), is_range = is_one_of(type, kPushPops);
  if (!is_mark && !is_range && !is_one_of(type, kStartEnds)) return;
  const bool is_unfinished = !is_mark && row.is_null(1);
  const auto times = builder_.times(row.whole(0), is_mark || is_unfinished ? row.whole(0) : row.whole(1));
  if (!times) return;
  Event event{.start_ns = times->start_ns, .dur_ns = times->end_ns - times->start_ns};
  event.kind = is_mark ? EventKind::kInstant : is_unfinished ? EventKind::kUnfinished : EventKind::kSpan;
  event.category = builder_.intern("user_annotation");
  const std::size_t operator_end = is_range ? end_of_operator(text) : text.npos;
  if (operator_end != text.npos) {
    event.category = builder_.intern("cpu_op");
    event.role = EventRole::kOperator;
  }
  event.name = builder_.intern(std::string_view(text).substr(0, operator_end));
  const Number thread = row.whole(5);
  const ProcessId process = process_of(thread);
  const EventPlace place = is_mark || is_range ? builder_.add_host_event(process, thread_of(thread), event)
                                               : builder_.add_apart(process, "NVTX start and end", event);
  if (domain && *domain != 0) in_domains_.push_back({place, process.key, *domain});
  if (operator_end == text.npos) return;
  if (const Number number = number_behind(text, ", seq = ")) builder_.add_argument(place, "seq", "", *number);
  if (const Number number = number_behind(text, ", op_id = ")) builder_.add_argument(place, "op_id", "", *number);
  const std::size_t sizes = text.find(", sizes = ");
  if (sizes != text.npos) builder_.add_argument(place, "sizes", "", builder_.intern(text.substr(sizes + 10)));
}

void NsightReader::name_domains() {
  for (const InDomain& of : in_domains_) {
    const auto found = domains_.find({of.process, of.domain});
    const bool is_named = found != domains_.end() && !found->second.empty();
    const std::string name = is_named ? found->second : fmt::format("domain {}", of.domain);
    builder_.add_argument(of.place, "domain", "", builder_.intern(name));
  }
  in_domains_.clear();
}

void NsightReader::read_host_tables() {
  constexpr HostTable kTables[] = {{"osrt_api", "osrt", "nameId"},
                                   {"cudnn_events", "cudnn", "nameId"},
                                   {"cublas_events", "cublas", "nameId"},
                                   {"cuda_graph_node_events", "graph_node_creation", "nameId"},
                                   {"cuda_graph_events", "graph_creation", "nameId"},
                                   {"cuda_host_callback", "host_callback", "nameId"},
                                   {"cupti_activity_kind_overhead", "overhead", "nameId"},
                                   {"profiler_overhead", "profiler_overhead", "nameId"},
                                   {"cupti_activity_kind_jit", "jit", "nameId"},
                                   {"syscall", "syscall", "nameId"},
                                   {"mpi_p2p_events", "mpi", "textId"},
                                   {"mpi_collectives_events", "mpi", "textId"},
                                   {"mpi_start_wait_events", "mpi", "textId"},
                                   {"mpi_other_events", "mpi", "textId"},
                                   {"ucp_submit_events", "ucp", "textId"},
                                   {"ucp_progress_events", "ucp", "textId"},
                                   {"ucp_events", "ucp", "textId"}};
  for (const HostTable& table : kTables) read_host_table(table);
}

void NsightReader::read_host_table(const HostTable& table) {
  // Before 2024 that table held the nodes of graphs.
  const bool holds_nodes = table.table == "cuda_graph_events" && database_.has_column(table.table, "graphNodeId") &&
                           !database_.has_column(table.table, "graphId");
  const StringId category = builder_.intern(holds_nodes ? "graph_node_creation" : table.category);
  database_.each_row(table.table, {"start", "end", "globalTid", table.name}, [&](const Row& row) {
    const bool is_unfinished = row.is_null(1) && table.name == "textId";
    const auto times = builder_.times(row.whole(0), row.whole(is_unfinished ? 0 : 1));
    if (!times) return;
    const Number thread = row.whole(2);
    builder_.add_host_event(process_of(thread), thread_of(thread),
                            {.start_ns = times->start_ns,
                             .dur_ns = times->end_ns - times->start_ns,
                             .name = builder_.intern(row.is_null(3) ? std::string() : string_at(row, 3)),
                             .category = category,
                             .kind = is_unfinished ? EventKind::kUnfinished : EventKind::kSpan});
  });
}

// The host waits: no device is busy with that.
void NsightReader::read_waits() {
  const Labels kinds(database_, "enum_cupti_sync_type", kSyncKinds);
  database_.each_row("cupti_activity_kind_synchronization", {"start", "end", "globalPid", "syncType"},
                     [&](const Row& row) {
                       const auto times = builder_.times(row.whole(0), row.whole(1));
                       if (!times) return;
                       const Number kind = row.whole(3);
                       builder_.add_apart(process_of(row.whole(2)), "synchronization",
                                          {.start_ns = times->start_ns,
                                           .dur_ns = times->end_ns - times->start_ns,
                                           .name = builder_.intern(kind ? kinds.of(*kind) : std::string()),
                                           .category = builder_.intern("cuda_sync")});
                     });
}

// What the profiler says that it lost makes every figure a lower bound.
void NsightReader::read_diagnostics() {
  constexpr std::int64_t kWarning = 2, kError = 3;
  constexpr std::size_t kMostTexts = 100, kMostText_bytes = 500;
  std::map<std::string, std::uint64_t> texts;
  database_.each_row("diagnostic_event", {"severity", "text"}, [&](const Row& row) {
    const Number severity = row.whole(0);
    if (severity != kWarning && severity != kError) return;
    const std::string text = row.text(1).value_or("").substr(0, kMostText_bytes);
    if (texts.size() < kMostTexts || texts.contains(text)) ++texts[text];
  });
  for (const auto& [text, times] : texts) {
    const std::string often = times > 1 ? fmt::format(" ({} times)", times) : "";
    capture_.warnings.push_back(fmt::format("Nsight Systems reports: {}{}", text, often));
  }
}

}  // namespace vizd::sqlite_profiles
