// ETDumps as files: what is read of their runs, and of everything that is wrong with them.
#include "formats/etdump/etdump_file.h"

#include <string>
#include <vector>

#include "support/catch.h"
#include "support/etdump_writer.h"

namespace vizd::etdump::etdump_file_test {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

// "NAME: P profile, D debug, A allocation" of each run, then what was left out.
std::vector<std::string> runs_of(const std::string& bytes) {
  const auto file = EtdumpFile::open(bytes_of(bytes), "f");
  if (!file) return {file.error().text()};
  std::vector<std::string> texts;
  const auto walked = file->for_each_run([&](const Run& run) -> Result<void> {
    texts.push_back(fmt::format("{}: {} profile, {} debug, {} allocation", run.name, run.profile_events.size(),
                                run.debug_events.size(), run.allocation_events.size()));
    return {};
  });
  if (!walked) texts.push_back(walked.error().text());
  for (const auto& [reason, count] : file->skipped()) texts.push_back(fmt::format("skipped {}: {}", count, reason));
  return texts;
}

const std::vector<FlatNode>& two_runs() {
  static const std::vector<FlatNode> runs{
      made_run("Default", {made_profile_event({.name = "Method::init"}, 5, 9)}),
      made_run("Execute", {made_profile_event({.name = "native_call_add.out", .instruction = 0}, 10, 14),
                           made_debug_event({.name = "OPERATOR_CALL", .instruction = 0}, {2, 3}, 64),
                           made_profile_event({.name = "OPERATOR_CALL", .instruction = 0}, 9, 15),
                           made_allocation_event(1, 4096)})};
  return runs;
}

TEST_CASE("an ETDump is read with the size that the runtime writes before it, and without", "[etdump]") {
  const std::vector<std::string> expected{"Default: 1 profile, 0 debug, 0 allocation",
                                          "Execute: 2 profile, 1 debug, 1 allocation"};
  CHECK(runs_of(made_etdump(two_runs(), true)) == expected);
  CHECK(runs_of(made_etdump(two_runs(), false)) == expected);
  // Copied out of a memory region, with what lies behind it.
  CHECK(runs_of(made_etdump(two_runs()) + std::string(100, '\x7F')) == expected);
}

TEST_CASE("what an ETDump says of its events is read field by field", "[etdump]") {
  const std::string bytes = made_etdump({made_run(
      "Execute",
      {made_profile_event({.instruction = 3, .chain = -1, .delegate_number = 0}, 100, 250, "a=1"),
       made_debug_event({.name = "x", .instruction = 3, .chain = -1, .delegate_text = "conv"}, {4, 5}, 128, true)},
      2)});
  const auto file = EtdumpFile::open(bytes_of(bytes), "f");
  REQUIRE(file);
  std::size_t runs = 0;
  REQUIRE(file->for_each_run([&](const Run& run) -> Result<void> {
    ++runs;
    CHECK(run.bundled_input == 2);
    const ProfileEvent& profile = run.profile_events.at(0);
    CHECK_FALSE(profile.of.name);
    CHECK((profile.of.instruction == 3 && profile.of.chain == -1 && profile.of.delegate_number == 0));
    CHECK((profile.start == 100 && profile.end == 250 && profile.metadata.size() == 3));
    CHECK(profile.of.shown_name() == "0");
    const DebugEvent& debug = run.debug_events.at(0);
    CHECK((debug.of.chain == -1 && debug.of.has_wide_chain && debug.of.delegate_text == "conv"));
    CHECK((debug.value.kind == LoggedValue::Kind::kTensor && debug.value.is_output));
    const LoggedTensor& tensor = debug.value.tensors.at(0);
    CHECK((tensor.scalar_type == 6 && tensor.offset == 128 && tensor.sizes == std::vector<std::int64_t>{4, 5}));
    return {};
  }));
  CHECK(runs == 1);
}

TEST_CASE("a duration across the wrap of a 32-bit counter is the ticks between", "[etdump]") {
  CHECK(elapsed_ticks(10, 14) == 4);
  CHECK(elapsed_ticks(4294967290, 10) == 16);
}

TEST_CASE("an ETDump that is cut, or damaged from its root on, says so", "[etdump]") {
  const std::string whole = made_etdump(two_runs());
  CHECK(runs_of(whole.substr(0, 8)) == std::vector<std::string>{"f: is not an ETDump: it lacks the identifier ED00"});
  const std::string cut = runs_of(whole.substr(0, whole.size() - 10)).front();
  CHECK(cut.find("is cut off: 10 bytes are missing") != std::string::npos);
  std::string far = whole;
  far[5] = '\x7F';  // where the root lies
  CHECK(runs_of(far).front().find("its list of runs is outside of the file") != std::string::npos);
}

TEST_CASE("whatever byte of an ETDump is wrong, what can be read is, and nothing is read from outside", "[etdump]") {
  const std::string whole = made_etdump(two_runs());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char value : {'\x00', '\x01', '\x7F', '\xFF'}) {
      std::string bytes = whole;
      bytes[at] = value;
      CHECK(runs_of(bytes).size() < 10);
    }
  }
}

TEST_CASE("a small ETDump cannot stand for a huge one", "[etdump]") {
  // Many runs that share one list of many events.
  std::string bytes = made_etdump({made_run("a", std::vector<FlatNode>(20'000)), FlatNode(), FlatNode()});
  const auto events = runs_of(bytes);
  REQUIRE(events.size() == 4);
  const std::uint32_t run_at = [&] {
    // The vector of runs follows the root's table: every element is made to lead to the first run.
    const std::size_t root = 4 + static_cast<unsigned char>(bytes[4]) + 256U * static_cast<unsigned char>(bytes[5]);
    return static_cast<std::uint32_t>(root + 12);
  }();
  std::uint32_t count = 0, first = 0;
  std::memcpy(&count, bytes.data() + run_at, 4);
  REQUIRE(count == 3);
  std::memcpy(&first, bytes.data() + run_at + 4, 4);
  // So many references more, in place of the first events' bytes, would be needed: the file is made anew with them.
  std::vector<FlatNode> runs(30'000);
  runs[0] = made_run("a", std::vector<FlatNode>(20'000));
  std::string shared = made_etdump(std::move(runs));
  const std::size_t elements = run_at + 4;
  std::memcpy(&first, shared.data() + elements, 4);
  for (std::uint32_t i = 1; i < 30'000; ++i) {
    const std::uint32_t offset = first - 4 * i;
    std::memcpy(shared.data() + elements + 4 * i, &offset, 4);
  }
  const auto told = runs_of(shared);
  CHECK(told.size() < 1000);
  CHECK(told[told.size() - 2].find("more than a file of its size can") != std::string::npos);
}

}  // namespace
}  // namespace vizd::etdump::etdump_file_test
