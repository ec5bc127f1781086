// Reads arbitrary bytes as what GPUs' recorders leave: the packets of a thread trace with the program that they are of,
// its instructions, counters, and samples of program counters. The first two bytes say where the program ends and the
// trace begins.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/assert.h"
#include "disasm/amd/code_listing.h"
#include "hardware/counter_table.h"
#include "hardware/loaded_code.h"
#include "hardware/pc_samples.h"
#include "hardware/sample_table.h"
#include "hardware/thread_trace/heat.h"
#include "hardware/thread_trace/instruction_spans.h"
#include "hardware/thread_trace/lanes.h"
#include "hardware/thread_trace/occupancy.h"
#include "hardware/thread_trace/packet_json.h"

using namespace vizd;

namespace {

void check_lanes(std::span<const std::byte> trace, const amd::CodeListing* listing, std::uint64_t most_records) {
  const thread_trace::Lanes lanes = thread_trace::lanes_of(trace, listing, most_records);
  std::uint64_t events = lanes.clock.size();
  for (const thread_trace::Lane& lane : lanes.lanes) {
    events += lane.events.size();
    for (const thread_trace::LaneEvent& event : lane.events) {
      VIZD_ASSERT(event.name < lanes.names.size());
      if (!event.dispatch) continue;
      const auto [place, number] = *event.dispatch;
      VIZD_ASSERT(place < lanes.lanes.size() && number < lanes.lanes[place].events.size());
    }
  }
  VIZD_ASSERT(events < most_records);
}

void check_heat(std::span<const std::byte> trace, amd::Family family, const amd::CodeListing& listing) {
  thread_trace::HeatBuilder builder(family, listing);
  builder.add(trace);
  const thread_trace::Heat heat = builder.finish();
  for (const thread_trace::InstructionHeat& instruction : heat.instructions) {
    VIZD_ASSERT(instruction.place < listing.lines().size() && instruction.hits > 0);
    VIZD_ASSERT(instruction.cycles.median() <= instruction.cycles.most());
  }
  for (const thread_trace::LoadWait& wait : heat.waits)
    VIZD_ASSERT(wait.wait < listing.lines().size() && wait.load < listing.lines().size());
  for (const thread_trace::WaveHeat& wave : heat.waves) VIZD_ASSERT(wave.slot < 32 && wave.instructions > 0);
}

class SpanCheck : public thread_trace::SpanSink {
 public:
  explicit SpanCheck(const amd::CodeListing* listing) : listing_(listing) {}
  std::uint64_t begin(const thread_trace::IssuedInstruction& made) override {
    VIZD_ASSERT(made.simd < 4 && made.slot < 32 && made.start_cycle <= made.issue_cycle);
    VIZD_ASSERT(!made.place || (listing_ != nullptr && *made.place < listing_->lines().size()));
    return begun_++;
  }
  void end(std::uint64_t instruction, std::int64_t, bool) override {
    VIZD_ASSERT(instruction < begun_);
    ++ended_;
  }
  void execute(const thread_trace::UnitExecution& made) override {
    VIZD_ASSERT(!made.instruction || *made.instruction < begun_);
  }
  bool is_full() const override { return false; }
  void finish() const { VIZD_ASSERT(begun_ == ended_); }

 private:
  const amd::CodeListing* const listing_;
  std::uint64_t begun_ = 0, ended_ = 0;
};

void check_spans(std::span<const std::byte> trace, amd::Family family, const amd::CodeListing* listing) {
  SpanCheck check(listing);
  thread_trace::walk_spans(trace, family, listing, check);
  check.finish();
}

void check_code(std::span<const std::byte> bytes, amd::Family family) {
  for (std::span<const std::byte> rest = bytes; !rest.empty();) {
    const auto instruction = amd::decode(family, rest);
    if (!instruction) break;
    VIZD_ASSERT(!instruction->text().empty() && instruction->size_bytes() >= 4);
    rest = rest.subspan(std::min<std::size_t>(rest.size(), instruction->size_bytes()));
  }
  const auto listing = amd::CodeListing::read(family, bytes);
  if (!listing) return;
  for (const amd::CodeListing::Line& line : listing->lines()) VIZD_ASSERT(listing->find(line.address).has_value());
}

void check_loaded(std::span<const std::byte> bytes) {
  hardware::Program program;
  program.name = "k";
  program.binary = bytes;
  VIZD_ASSERT(!hardware::listing_base(program));
  program.base = 0x1000;
  VIZD_ASSERT(hardware::listing_base(program).has_value());
}

void check_counters(std::span<const std::byte> bytes) {
  const auto size = [&](std::size_t place) {
    return place < bytes.size() ? static_cast<std::uint32_t>(bytes[place]) : 1;
  };
  hardware::CounterRun run;
  run.samples = {{"SQ_INSTS_VALU", size(0), size(1), size(2), size(3), size(4)}, {"GRBM_GUI_ACTIVE", 1, 1, 1, 1, 1}};
  run.values = bytes;
  const hardware::CounterTable table = hardware::counter_table(run);
  VIZD_ASSERT(!table.problem.empty() || table.totals.size() == 2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data) + 2, size - 2);
  const std::size_t program_bytes = std::min<std::size_t>(data[0] + 256u * data[1], bytes.size());
  const auto program = bytes.first(program_bytes), trace = bytes.subspan(program_bytes);
  for (const auto family : {amd::Family::kRdna3, amd::Family::kRdna4, amd::Family::kCdna}) {
    check_code(program, family);
    const auto listing = amd::CodeListing::read(family, program);
    check_lanes(trace, listing ? &*listing : nullptr, 50'000);
    if (listing) check_heat(trace, family, *listing);
    check_spans(trace, family, listing && family != amd::Family::kCdna ? &*listing : nullptr);
  }
  check_lanes(trace, nullptr, 7);
  const thread_trace::Waves waves = thread_trace::waves_of(trace);
  VIZD_ASSERT(thread_trace::occupancy_of(waves).waves == waves.waves.size());
  std::string text;
  JsonWriter json(text);
  thread_trace::write_packets(json, trace.first(std::min<std::size_t>(trace.size(), 4096)));
  check_loaded(program);
  check_counters(trace);
  for (const std::int64_t version : {0x809, 0xa04}) {
    hardware::read_pc_samples(trace, version, [](const hardware::PcSample& sample) { return !sample.stall.empty(); });
    hardware::SampleTable samples;
    samples.add(trace, version);
    samples.finish();
  }
  return 0;
}
