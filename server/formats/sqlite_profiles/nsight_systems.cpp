// Reads an Nsight Systems export: the machine, its devices and their work.
#include <fmt/format.h>

#include <charconv>
#include <set>

#include "formats/sqlite_profiles/format.h"
#include "formats/sqlite_profiles/nsight_reader.h"
#include "model/device_number.h"

namespace vizd::sqlite_profiles {
namespace {

// The names of NVIDIA's enumerations, by number: files of 2022 and before do not hold them.
constexpr std::string_view kCopyKinds[] = {
    "Unknown",        "Host-to-Device",         "Device-to-Host",         "Host-to-Array",           "Array-to-Host",
    "Array-to-Array", "Array-to-Device",        "Device-to-Array",        "Device-to-Device",        "Host-to-Host",
    "Peer-to-Peer",   "Unified Host-to-Device", "Unified Device-to-Host", "Unified Device-to-Device"};
constexpr std::string_view kMemoryKinds[] = {"Pageable", "Pinned",        "Device",         "Array",
                                             "Managed",  "Device Static", "Managed Static", "Unknown"};

std::optional<std::int64_t> parse_whole(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace

void NsightReader::read_clock() {
  std::map<std::string, std::string> told;
  for (const std::string_view table : {"export_meta_data", "meta_data_export"}) {
    database_.each_row(table, {"name", "value"}, [&](const Row& row) {
      const auto name = row.text(0);
      // What follows names options of the export, and no paths or arguments.
      if (name && name->starts_with("EXPORT_")) told[*name] = row.text(1).value_or("");
    });
  }
  if (told.contains("EXPORT_SCHEMA_VERSION")) add_text_fact("export schema", told["EXPORT_SCHEMA_VERSION"]);
  if (told.contains("EXPORT_PRODUCT_VERSION")) add_text_fact("Nsight Systems", told["EXPORT_PRODUCT_VERSION"]);
  const std::int64_t shift_ns = parse_whole(told["EXPORT_PARAM_TIME_SHIFT"]).value_or(0);
  Number epoch_ns;
  bool is_first = true;
  database_.each_row("target_info_session_start_time", {"utcEpochNs"}, [&](const Row& row) {
    if (std::exchange(is_first, false)) epoch_ns = row.whole(0);
  });
  const bool is_normalized = told["EXPORT_PARAM_TIME_NORMALIZE"] == "true";
  // Times since 1970 are more than a capture keeps: they count from the beginning of the session.
  Number zero_ns = is_normalized ? Number(0) : epoch_ns;
  if (zero_ns && __builtin_sub_overflow(*zero_ns, shift_ns, &*zero_ns)) zero_ns = std::nullopt;
  builder_.set_clock(is_normalized ? epoch_ns.value_or(0) : 0, zero_ns);
}

void NsightReader::read_machine() {
  std::set<Number> ranks;
  database_.each_row("mpi_ranks", {"rank"}, [&](const Row& row) { ranks.insert(row.whole(0)); });
  if (ranks.size() == 1 && *ranks.begin()) builder_.add_fact("distributedInfo", "rank", **ranks.begin());
  database_.each_row("target_info_cuda_device", {"gpuId", "cudaId", "pid"}, [&](const Row& row) {
    if (const Number gpu = row.whole(0)) gpu_of_[{row.whole(2), row.whole(1)}] = *gpu;
  });
  std::set<std::int64_t> numbered;
  for (const auto& [cuda, gpu] : gpu_of_) numbered.insert(gpu);
  std::set<std::int64_t> told;
  database_.each_row("target_info_gpu", {"id", "cuDevice", "name", "totalMemory", "smCount"}, [&](const Row& row) {
    const Number id = row.whole(0), device = row.whole(1);
    // Numbers of a table that no process numbers by are CUDA's, or else the GPU's own.
    const Number number = id && numbered.contains(*id) ? id : numbered.empty() && device ? device : id;
    if (!number || !told.insert(*number).second) return;
    const std::string subject = fmt::format("deviceProperties[{}]", *number);
    builder_.add_fact(subject, "id", *number);
    if (const auto name = row.text(2)) builder_.add_fact(subject, "name", builder_.intern(*name));
    if (const Number size_bytes = row.whole(3)) builder_.add_fact(subject, "totalGlobalMem", *size_bytes);
    if (const Number count = row.whole(4)) builder_.add_fact(subject, "numSms", *count);
  });
}

void NsightReader::read_names() {
  database_.each_row("processes", {"globalPid", "pid", "name"}, [&](const Row& row) {
    const Number pid = row.is_null(0) ? row.whole(1) : process_of(row.whole(0)).pid;
    if (const auto name = row.text(2)) builder_.name_process(pid, name->substr(name->rfind('/') + 1));
  });
  database_.each_row("threadnames", {"nameId", "globalTid"}, [&](const Row& row) {
    const Number thread = row.whole(1), name = row.whole(0);
    if (thread && name) builder_.name_thread(process_of(thread).pid, thread_of(thread), strings_.text(*name));
  });
}

std::optional<NsightReader::Activity> NsightReader::activity(const Row& row) {
  const auto times = builder_.times(row.whole(0), row.whole(1));
  if (!times) return std::nullopt;
  Activity activity;
  activity.times = *times;
  activity.stream.process = process_of(row.whole(6));
  if (const Number device = device_of(activity.stream.process, row.whole(2))) activity.stream.device = *device;
  activity.stream.context = row.whole(3);
  activity.stream.stream = row.whole(4);
  const Number number = row.whole(5);
  activity.launched_by = {activity.stream.process.key, number && *number != 0 ? number : std::nullopt};
  return activity;
}

// Each process counts its devices from 0.
Number NsightReader::device_of(const ProcessId& process, const Number& device) const {
  const auto found = gpu_of_.find({process.pid, device});
  return found == gpu_of_.end() ? device : Number(found->second);
}

void NsightReader::read_kernels() {
  database_.each_row("cupti_activity_kind_kernel",
                     {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid",
                      "demangledName", "shortName", "mangledName", "gridX", "gridY", "gridZ", "blockX", "blockY",
                      "blockZ", "registersPerThread", "staticSharedMemory", "dynamicSharedMemory"},
                     [&](const Row& row) {
                       const auto of = activity(row);
                       if (!of) return;
                       std::string name = "[no name]";
                       for (const int column : {9, 8, 7}) {
                         if (!row.is_null(column)) name = string_at(row, column);
                       }
                       const EventPlace place = builder_.add_work(of->stream, EventRole::kKernel, "kernel",
                                                                  builder_.intern(name), of->times, of->launched_by);
                       add_launch_size(place, "grid", row, 10);
                       add_launch_size(place, "block", row, 13);
                       if (const Number registers = row.whole(16))
                         builder_.add_argument(place, "registers per thread", "", *registers);
                       const Number shared = row.whole(17), dynamic = row.whole(18);
                       std::int64_t size_bytes = 0;
                       if (shared && dynamic && !__builtin_add_overflow(*shared, *dynamic, &size_bytes))
                         builder_.add_argument(place, "shared memory", "", size_bytes);
                     });
}

void NsightReader::add_launch_size(const EventPlace& place, std::string_view name, const Row& row, int column) {
  const Number x = row.whole(column), y = row.whole(column + 1), z = row.whole(column + 2);
  if (x && y && z)
    builder_.add_argument(place, name, argument::kJson, builder_.intern(fmt::format("[{}, {}, {}]", *x, *y, *z)));
}

void NsightReader::read_copies() {
  const Labels copies(database_, "enum_cuda_memcpy_oper", kCopyKinds);
  const Labels memories(database_, "enum_cuda_mem_kind", kMemoryKinds);
  const auto add = [&](const Row& row, EventRole role, std::string_view category, const std::string& name) {
    const auto of = activity(row);
    if (!of) return;
    const EventPlace place =
        builder_.add_work(of->stream, role, category, builder_.intern(name), of->times, of->launched_by);
    if (const Number size_bytes = row.whole(7)) builder_.add_argument(place, "bytes", "B", *size_bytes);
    for (const auto& [column, argument] : {std::pair(9, "source memory"), {10, "target memory"}}) {
      if (const Number kind = row.whole(column))
        builder_.add_argument(place, argument, "", builder_.intern(memories.of(*kind)));
    }
  };
  const auto label = [&](const Row& row) {
    const Number kind = row.whole(8);
    return kind ? copies.of(*kind) : row.text(8).value_or("Unknown");
  };
  database_.each_row(
      "cupti_activity_kind_memcpy",
      {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "bytes", "copyKind",
       "srcKind", "dstKind"},
      [&](const Row& row) { add(row, EventRole::kMemcpy, "gpu_memcpy", fmt::format("[CUDA memcpy {}]", label(row))); });
  // No column has these names: a set of memory has one side.
  database_.each_row(
      "cupti_activity_kind_memset",
      {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "bytes", "-", "-", "memKind"},
      [&](const Row& row) { add(row, EventRole::kMemset, "gpu_memset", "[CUDA memset]"); });
}

// A replay of a graph is one row, and its kernels are not in the file.
void NsightReader::read_graph_replays() {
  database_.each_row("cupti_activity_kind_graph_trace",
                     {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "graphId"},
                     [&](const Row& row) {
                       const auto of = activity(row);
                       if (!of) return;
                       const std::string name = fmt::format("CUDA graph {}", row.text(7).value_or("None"));
                       builder_.add_work(of->stream, EventRole::kKernel, kGraphReplay, builder_.intern(name), of->times,
                                         of->launched_by);
                     });
}

void NsightReader::read() {
  read_clock();
  read_machine();
  read_names();
  read_kernels();
  read_copies();
  read_graph_replays();
  read_calls();
  read_ranges();
  read_host_tables();
  read_waits();
  read_diagnostics();
  builder_.join_launches();
  builder_.finish("nsight-systems");
}

bool is_nsight_systems(const ProfileDatabase& database) {
  for (const std::string_view table : {"stringids", "meta_data_export", "export_meta_data", "nvtx_events"}) {
    if (database.has_table(table)) return true;
  }
  return !database.tables_beginning("cupti_activity_kind_").empty();
}

void read_nsight_systems(ProfileDatabase& database, Capture& capture) { NsightReader(database, capture).read(); }

}  // namespace vizd::sqlite_profiles
