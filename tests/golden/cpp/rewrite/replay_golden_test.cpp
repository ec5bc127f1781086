// Real captures, every state of every pass but the largest: the replay against the plain one, and the histories' labels
// against a dialect asked afresh about the whole graph. (What the labels must be, the reference's answers say: see
// scripts/conformance.)
#include <filesystem>
#include <memory>
#include <string>

#include "base/mapped_file.h"
#include "formats/registry.h"
#include "rewrite/history.h"
#include "rewrite/history_index.h"
#include "support/catch.h"
#include "support/places.h"
#include "unit/rewrite/plain_replay.h"

namespace vizd::replay_golden_test {
namespace {

constexpr std::size_t kMostOpsAPass = 40'000;  // over all its states
constexpr std::size_t kReferenceStackLimit = 200'000;

std::unique_ptr<Capture> open_capture(const std::string& path) {
  const auto file = MappedFile::open(path);
  REQUIRE(file.has_value());
  auto capture = std::make_unique<Capture>();
  REQUIRE(read_capture({path, file->bytes()}, *capture).has_value());
  return capture;
}

void check_labels(const Capture& capture, const History& history, const StateGraph& at, std::uint32_t state) {
  const auto analysis = capture.dialect->analyse(*at.graph);
  for (std::size_t i = 0; i < history.nodes.size(); ++i) {
    const OpId op = at.op_of_node[i];
    if (op == OpId{kNoId}) continue;
    const NodeVersion& version = version_at(history, to_id<NodeId>(i), state);
    REQUIRE(history.labels[version.label] == analysis->label_text(analysis->label(op)));
    REQUIRE(version.ref == analysis->ref(op).value_or(ContextId{kNoId}));
  }
}

// Returns how many states were held against the plain replay.
std::size_t check_pass(const Capture& capture, const Pass& pass) {
  const std::size_t ops = toposort(capture.ops, pass.sink).size();
  if (ops * (pass.match_count + 1) > kMostOpsAPass) return 0;
  const auto history = build_history(capture, pass, {});
  REQUIRE(history.has_value());
  toy::PlainReplay plain(capture, pass.restarts_from_sink, pass.sink, kReferenceStackLimit);
  for (std::uint32_t state = 0; state < history->state_count; ++state) {
    INFO("state " << state);
    if (state > 0) {
      const Match& match = capture.rewrites.matches_of(pass)[state - 1];
      plain.match(match.before, match.after);
    }
    const StateGraph at = graph_at(capture, *history, state);
    REQUIRE(plain.import(*at.graph, at.root) == plain.state());
    check_labels(capture, *history, at, state);
  }
  return history->state_count;
}

std::size_t check_capture(const std::string& path) {
  const auto capture = open_capture(path);
  std::size_t states = 0;
  for (const Pass& pass : capture->rewrites.passes) {
    INFO("pass " << &pass - capture->rewrites.passes.data() << " " << capture->strings.get(pass.name));
    states += check_pass(*capture, pass);
  }
  return states;
}

TEST_CASE("every state of the ramp capture replays as the plain replay has it") {
  CHECK(check_capture(test_data("tinygrad-2025-09/ramp.rewrites.pkl")) == 205 + 369);
}

TEST_CASE("states of the shared captures replay as the plain replay has them") {
  const std::string name = GENERATE("rewrite_error", "multi");
  const std::string path = shared_data("samples/tinygrad-2025-09/") + name + ".rewrites.pkl";
  if (!std::filesystem::exists(path)) {
    WARN("skipped: " << path << " is not here");
    return;
  }
  CHECK(check_capture(path) > 100);
}

}  // namespace
}  // namespace vizd::replay_golden_test
