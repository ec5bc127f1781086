// Events of a profile.pkl that GPUs' own recorders leave, as opcodes: for tests.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/made_trace.h"
#include "support/tiny_capture.h"

namespace vizd {

inline std::string some_bytes(std::string_view bytes) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  return "B" + std::string(reinterpret_cast<const char*>(&size), sizeof size) + std::string(bytes);
}

// An object of a dataclass, of its fields as opcodes.
inline std::string record(std::string_view module, std::string_view name,
                          const std::vector<std::pair<std::string_view, std::string>>& fields) {
  PickleWriter w;
  w.object(module, name).mark();
  for (const auto& [field, value] : fields) w.text(field).raw(value);
  return opcodes(w.built());
}

inline std::string device_of(std::string_view name, std::string_view property, int value,
                             std::string_view shift_us = "0") {
  return record(
      "tinygrad.device", "ProfileDeviceEvent",
      {{"device", a_text(name)}, {"tdiff", decimal(shift_us)}, {"props", a_dict(a_text(property) + an_int(value))}});
}

// base: where it was loaded, as opcodes.
inline std::string program_of(int number, std::string_view name, const std::string& base = "N") {
  const std::string code = from_hex("880081be0203027e0000b0bf");
  return record("tinygrad.device", "ProfileProgramEvent",
                {{"device", a_text("AMD")},
                 {"name", a_text(name)},
                 {"lib", some_bytes(made_elf(code, 0x1700))},
                 {"base", base},
                 {"tag", an_int(number)},
                 {"profile_key", some_bytes(name)}});
}

inline std::string run_of(std::string_view program, std::string_view from_us, std::string_view to_us) {
  return record("tinygrad.helpers", "ProfileRangeEvent",
                {{"device", a_text("AMD")},
                 {"name", a_text(program)},
                 {"st", decimal(from_us)},
                 {"en", decimal(to_us)},
                 {"profile_key", some_bytes(program)}});
}

// The counters of two WGPs: the value and one more.
inline std::string counters_of(int program, int tag, std::string_view counter, std::uint64_t value) {
  const std::string sample = record("tinygrad.runtime.ops_amd", "PMCSample",
                                    {{"name", a_text(counter)},
                                     {"xcc", an_int(1)},
                                     {"inst", an_int(1)},
                                     {"se", an_int(1)},
                                     {"sa", an_int(1)},
                                     {"wgp", an_int(2)}});
  std::string values;
  for (const std::uint64_t v : {value, value + 1}) values.append(reinterpret_cast<const char*>(&v), sizeof v);
  return record("tinygrad.runtime.ops_amd", "ProfilePMCEvent",
                {{"device", a_text("AMD")},
                 {"kern", an_int(program)},
                 {"sched", a_list(sample)},
                 {"blob", some_bytes(values)},
                 {"exec_tag", an_int(tag)}});
}

inline std::string trace_of(int program, int tag, int engine, bool has_instructions, const std::string& packets) {
  return record("tinygrad.runtime.ops_amd", "ProfileSQTTEvent",
                {{"device", a_text("AMD")},
                 {"kern", an_int(program)},
                 {"se", an_int(engine)},
                 {"blob", some_bytes(packets)},
                 {"itrace", opcodes(PickleWriter().boolean(has_instructions))},
                 {"exec_tag", an_int(tag)}});
}

// A packet with a sample of 8 bytes.
inline std::string pc_sample(std::uint64_t address, std::uint64_t stall, bool is_active = false) {
  const std::uint64_t bits = address >> 4 | stall << 45 | std::uint64_t{is_active} << 62;
  std::string packet(32, '\0');
  const auto* const bytes = reinterpret_cast<const char*>(&bits);
  packet.replace(0, 4, bytes, 4);
  packet[4] = 8;
  packet.replace(8, 4, bytes + 4, 4);
  return packet;
}

inline std::string samples_of(std::string_view kernel, std::string_view key, const std::string& packets) {
  return record("tinygrad.runtime.ops_nv", "ProfilePMAEvent",
                {{"device", a_text("NV")},
                 {"kern", a_text(kernel)},
                 {"blob", some_bytes(packets)},
                 {"exec_tag", an_int(1)},
                 {"profile_key", some_bytes(key)}});
}

}  // namespace vizd
