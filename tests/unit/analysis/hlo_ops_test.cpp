// The work of devices by HLO op: how launches become executions, which instruction an op is, and shares of the peaks.
#include "analysis/xla/hlo_ops.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "support/catch.h"

namespace vizd::hlo_ops_test {
namespace {

// A module of one computation with these instructions.
hlo::ProgramModule program(std::string_view name, std::optional<std::uint64_t> id,
                           std::vector<hlo::Instruction> instructions) {
  hlo::Module module;
  module.name = name;
  module.computations.push_back({.name = "main", .instructions = {0, static_cast<std::uint32_t>(instructions.size())}});
  module.instructions = std::move(instructions);
  return {.name = name, .program_id = id, .size_bytes = 1, .module = std::move(module)};
}

hlo::Instruction instruction(std::string_view name, std::string_view opcode, std::string_view file = {}) {
  hlo::Instruction made;
  made.name = name;
  made.opcode = opcode;
  made.op_name = "jit(f)/dot_general";
  made.source_file = file;
  made.source_line = 11;
  made.has_source = !file.empty();
  return made;
}

// A capture of one host with one device.
struct MadeHost {
  MadeHost() {
    capture.profile.xla = std::shared_ptr<const XlaProfile>(profile);
    host().devices.push_back({.name = "GPU:0", .has_plane = true, .type = "Unheard-of 1"});
    host().metadata.emplace_back();
  }
  XlaHost& host() { return profile->hosts.front(); }

  // Work of one stream, each of them so long and one after another, for an op by a kernel of that name.
  void add(std::string_view op, std::string_view kernel, std::vector<std::int64_t> durs_ps,
           XlaClass work = XlaClass::kKernel, std::optional<std::uint64_t> program_id = 5) {
    XlaWorkKind kind{.work = work, .name = capture.strings.add(kernel), .program_id = program_id, .metadata = 0};
    if (!op.empty()) kind.op = capture.strings.add(op);
    host().kinds.push_back(kind);
    XlaStream& stream = host().streams.emplace_back();
    stream.is_nested = work == XlaClass::kOp;
    stream.first = host().work.size();
    stream.count = durs_ps.size();
    for (const std::int64_t dur_ps : durs_ps) {
      const XlaSpan drawn{at_ps, at_ps + dur_ps}, timed{at_ps, at_ps + 2 * dur_ps};
      host().work.push_back(
          {.drawn = drawn, .timed = timed, .kind = static_cast<std::uint32_t>(host().kinds.size() - 1)});
      at_ps += 10 * dur_ps;
    }
  }
  std::vector<HloOpRow> rows(const DevicePeaks& peaks = {}) const {
    return make_hlo_ops(capture, std::span(&modules, 1), peaks);
  }

  std::shared_ptr<XlaProfile> profile = std::make_shared<XlaProfile>(XlaProfile{.hosts = std::vector<XlaHost>(1)});
  Capture capture;
  hlo::HostModules modules;
  std::int64_t at_ps = 0;
};

TEST_CASE("hlo ops: an op of several kernels was executed as often as the least launched of them") {
  MadeHost made;
  made.add("conv.1", "gemm", {10, 10, 10, 10});
  made.add("conv.1", "layout", {5, 5, 5});
  made.add("", "stray", {15});
  const auto rows = made.rows();
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].op == "conv.1");
  CHECK(rows[0].launches == 7);
  CHECK(rows[0].kernels == 2);
  CHECK(rows[0].executions == 3);
  CHECK(rows[0].drawn_ps == 55);
  CHECK(rows[0].total_ps == 110);
  CHECK(rows[0].self_ps == 110);
  CHECK(*rows[0].time_percent == 100 * 110 / 140.0);  // the stray kernel is work too
}

TEST_CASE("hlo ops: ops that were recorded themselves have no kernels") {
  MadeHost made;
  made.add("dot.1", "dot.1", {10, 10}, XlaClass::kOp);
  const auto rows = made.rows();
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].kernels == std::nullopt);
  CHECK(rows[0].executions == 2);
}

TEST_CASE("hlo ops: an op's instruction is its program's, if only one is called so") {
  MadeHost made;
  made.modules.push_back(program("jit_g", 5, {instruction("dot.1", "parameter")}));
  made.modules.push_back(program(
      "jit_f", 5, {instruction("dot.1", "dot", "f.py"), instruction("add.1", "add"), instruction("add.1", "add")}));
  made.modules.back().module->instructions[0].flop = 100;
  made.modules.push_back({.name = "jit_bad", .program_id = 5, .size_bytes = 1, .module = {}});
  made.add("dot.1", "gemm", {10, 10});
  made.add("add.1", "add", {10});
  made.add("dot.1", "gemm", {1}, XlaClass::kKernel, 6);
  const auto rows = made.rows();
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].module == "jit_f");  // the last of that number that can be read
  CHECK(rows[0].source == "f.py:11");
  CHECK(rows[0].op_name == "jit(f)/dot_general");
  CHECK(rows[0].dot_flops == 200);
  REQUIRE(rows[0].instruction != nullptr);
  CHECK(rows[0].instruction->opcode == "dot");
  CHECK(rows[1].op == "add.1");
  CHECK(rows[1].instruction == nullptr);
  CHECK(rows[2].module == std::nullopt);  // of another program
  CHECK(rows[2].instruction == nullptr);
}

TEST_CASE("hlo ops: what the profile says of an op goes before its instruction") {
  MadeHost made;
  made.modules.push_back(program("jit_f", 5, {instruction("dot.1", "dot", "f.py")}));
  XlaOpMetadata& metadata = made.host().metadata.front();
  metadata.op_name = made.capture.strings.add("jit(f)/told:");
  metadata.source = made.capture.strings.add("told.py:3");
  metadata.category = made.capture.strings.add("convolution");
  metadata.flops = 50;
  made.add("dot.1", "dot.1", {10, 10}, XlaClass::kOp);
  const auto rows = made.rows();
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].op_name == "jit(f)/told");
  CHECK(rows[0].source == "told.py:3");
  CHECK(rows[0].category == "convolution");
  CHECK(rows[0].flops == 100);
  CHECK(rows[0].bytes_accessed == std::nullopt);
}

TEST_CASE("hlo ops: work without a program finds the first module of its module's name") {
  MadeHost made;
  made.modules.push_back(program("jit_f", 7, {instruction("dot.1", "dot", "first.py")}));
  made.modules.push_back(program("jit_f", 8, {instruction("dot.1", "dot", "second.py")}));
  made.add("dot.1", "gemm", {10}, XlaClass::kKernel, std::nullopt);
  made.host().kinds.back().module = made.capture.strings.add("jit_f");
  CHECK(made.rows().at(0).source == "first.py:11");
}

TEST_CASE("hlo ops: a share above 100 % is none, and says whose figure is doubtful") {
  MadeHost made;
  made.host().metadata.front().flops = 1000;
  made.host().metadata.front().bytes_accessed = 3000;
  made.host().devices.front().peak_flops = 100e12;        // 10 ps for the 1000
  made.host().devices.front().peak_bytes_per_s = 100e12;  // 30 ps for the 3000, of 20
  made.add("fusion.1", "fusion.1", {10}, XlaClass::kOp);
  made.add("copy-start.1", "copy-start.1", {1}, XlaClass::kOp);
  const auto rows = made.rows();
  REQUIRE(rows.size() == 2);
  CHECK(std::abs(*rows[0].flops_percent() - 50) < 1e-9);
  CHECK(rows[0].bytes_percent() == std::nullopt);
  CHECK(rows[0].impossible() == "150 % of the peak bytes/s by profile: this peak or what the op did is wrong");
  CHECK(rows[1].op == "copy-start.1");  // the transfer takes place after it
  CHECK(rows[1].bytes_percent() == std::nullopt);
  CHECK(rows[1].impossible().empty());
}

TEST_CASE("hlo ops: peaks are the user's, then the profile's, then vizd's; of AMD's bandwidth vizd's first") {
  XlaDevice device{.name = "GPU:0", .type = "AMD Instinct MI300X"};
  device.peak_bytes_per_s = std::int64_t{2'662'000'000'000};
  DevicePeaks peaks;
  HloPeaks found = find_hlo_peaks(device, peaks);
  CHECK(found.of_bytes == PeakSource::kPlane);
  CHECK(found.bytes_per_s == 2.662e12);
  CHECK(found.of_flops == PeakSource::kTable);
  device.vendor = "AMD";
  found = find_hlo_peaks(device, peaks);
  CHECK(found.of_bytes == PeakSource::kTable);
  CHECK(found.bytes_per_s == 5.3e12);
  REQUIRE_FALSE(peaks.add(R"([{"name": "MI300X", "GB/s": 4000}])").has_value());
  found = find_hlo_peaks(device, peaks);
  CHECK(found.of_bytes == PeakSource::kFile);
  CHECK(found.bytes_per_s == 4e12);
  CHECK(found.of_flops == PeakSource::kTable);
}

}  // namespace
}  // namespace vizd::hlo_ops_test
