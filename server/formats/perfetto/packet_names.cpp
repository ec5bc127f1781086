#include "formats/perfetto/packet_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace vizd::perfetto {
namespace {

struct PacketKind {
  Field part;
  std::string_view name;
  bool is_of_service = false;
};

// Packets that vizd reads are not in the table.
constexpr PacketKind kKinds[] = {
    {4, "inode_file_map"},
    {7, "sys_stats"},
    {9, "process_stats"},
    {33, "trace_config", true},
    {34, "ftrace_stats", true},
    {35, "trace_stats", true},
    {36, "synchronization_marker", true},
    {37, "profile_packet"},
    {38, "battery"},
    {39, "android_log"},
    {40, "power_rails"},
    {43, "process_descriptor"},
    {44, "thread_descriptor"},
    {45, "system_info", true},
    {46, "trigger", true},
    {47, "packages_list"},
    {48, "chrome_benchmark_metadata"},
    {49, "perfetto_metatrace"},
    {51, "chrome_metadata"},
    {54, "streaming_profile_packet"},
    {56, "heap_graph"},
    {57, "graphics_frame_event"},
    {61, "module_symbols"},
    {62, "vulkan_memory_event"},
    {63, "gpu_log"},
    {64, "deobfuscation_mapping"},
    {65, "vulkan_api_event"},
    {66, "perf_sample"},
    {67, "cpu_info", true},
    {68, "smaps_packet"},
    {69, "service_event", true},
    {70, "initial_display_state"},
    {71, "gpu_mem_total_event"},
    {72, "extension_descriptor", true},
    {73, "memory_tracker_snapshot"},
    {74, "streaming_allocation"},
    {75, "streaming_free"},
    {76, "frame_timeline_event"},
    {77, "android_energy_estimation_breakdown"},
    {78, "ui_state", true},
    {80, "android_camera_frame_event"},
    {81, "android_camera_session_stats"},
    {82, "translation_table"},
    {83, "android_game_intervention_list"},
    {84, "statsd_atom"},
    {86, "android_system_property"},
    {88, "network_packet"},
    {89, "trace_uuid", true},
    {90, "track_event_range_of_interest"},
    {91, "entity_state_residency"},
    {92, "network_packet_bundle"},
    {93, "surfaceflinger_layers_snapshot"},
    {94, "surfaceflinger_transactions"},
    {95, "etw_events"},
    {96, "shell_transition"},
    {97, "shell_handler_mappings"},
    {99, "v8_js_code"},
    {100, "v8_internal_code"},
    {101, "v8_wasm_code"},
    {102, "v8_reg_exp_code"},
    {103, "v8_code_move"},
    {104, "protolog_message"},
    {105, "protolog_viewer_config"},
    {106, "android_input_event"},
    {107, "remote_clock_sync", true},
    {109, "chrome_trigger"},
    {110, "pixel_modem_events"},
    {111, "pixel_modem_token_database"},
    {112, "winscope_extensions"},
    {113, "clone_snapshot_trigger", true},
    {114, "bluetooth_trace_event"},
    {115, "kernel_wakelock_data"},
    {116, "app_wakelock_bundle"},
    {117, "generic_kernel_task_state_event"},
    {118, "generic_kernel_cpu_freq_event"},
    {119, "cpu_per_uid_data"},
    {120, "generic_kernel_task_rename_event"},
    {121, "evdev_event"},
    {122, "generic_kernel_process_tree"},
    {123, "user_list"},
    {124, "trace_provenance", true},
    {125, "protovms", true},
    {126, "trace_attributes", true},
    {127, "android_aflags"},
    {128, "gpu_info", true},
    {129, "generic_gpu_frequency_event"},
    {130, "interrupt_info", true},
    {131, "art_process_metadata"},
    {132, "journald_event"},
    {134, "concurrent_session_event", true},
    {135, "stack_sample"},
    {138, "recovered_trace_info", true},
    {139, "source_file"},
    {140, "module_disassembly"},
    {900, "for_testing"},
};
static_assert(std::ranges::is_sorted(kKinds, {}, &PacketKind::part));

const PacketKind* find_kind(Field part) {
  const auto* const found = std::ranges::lower_bound(kKinds, part, {}, &PacketKind::part);
  return found != std::end(kKinds) && found->part == part ? found : nullptr;
}

}  // namespace

std::string packet_name(Field part) {
  const PacketKind* const kind = find_kind(part);
  return kind != nullptr ? std::string(kind->name) : fmt::format("newer than vizd knows ({})", part);
}

bool is_of_service(Field part) {
  const PacketKind* const kind = find_kind(part);
  return kind != nullptr && kind->is_of_service;
}

}  // namespace vizd::perfetto
