// Where the values of nodes lie, state by state, against what tinygrad's own viewer is sent of them.
#include <fmt/core.h>

#include <map>

#include "reference/tinygrad/rewrite_stream.h"
#include "support/served_capture.h"

namespace vizd::memories_test {
using nlohmann::json;

namespace {

// How many nodes have each colour.
using Counts = std::map<std::string, std::size_t>;

Counts counts_of(const json& answer) {
  Counts counts;
  for (const json& memory : answer["memory"]) ++counts[answer["memories"][memory.get<std::size_t>()]["colour"]];
  return counts;
}

Counts counts_in_reference(const std::string& state) {
  Counts counts;
  const json parsed = json::parse(state);
  for (const auto& [id, node] : parsed["graph"].items()) {
    if (!node["addrspace"].is_null()) ++counts[node["addrspace"]];
  }
  return counts;
}

}  // namespace

TEST_CASE("nodes have the memories that the compiler's own viewer colours them by, in every state") {
  ServedCapture served(test_data("tinygrad-2026-08/ramp.rewrites.pkl"));
  const auto loaded = served.loaded();
  CHECK(served.json("/api/v1/contexts")["tells_memory"] == true);
  const Rewrites& rewrites = loaded->capture.rewrites;
  std::size_t states = 0, coloured = 0;
  for (std::size_t c = 0; c < rewrites.contexts.size(); ++c) {
    const auto passes = rewrites.passes_of(rewrites.contexts[c]);
    for (std::size_t p = 0; p < passes.size(); ++p) {
      if (passes[p].match_count == 0 || passes[p].match_count > 40) continue;
      ReferenceStream reference(loaded->capture, passes[p], [](const Location&) { return std::nullopt; });
      std::string state;
      for (std::uint32_t s = 0; reference.next(state); ++s, state.clear()) {
        INFO("context " << c << " pass " << p << " state " << s);
        const Counts counts = counts_of(served.json(fmt::format("/api/v1/memories/{}/{}/{}", c, p, s)));
        CHECK(counts == counts_in_reference(state));
        ++states;
        coloured += counts.size() > 1;
      }
    }
  }
  CHECK(states > 100);
  CHECK(coloured > 50);
}

TEST_CASE("a capture that does not tell where values lie says so") {
  ServedCapture served;
  served.loaded();
  CHECK(served.json("/api/v1/contexts")["tells_memory"] == false);
  CHECK(served.status("/api/v1/memories/0/0/0") == 404);
  CHECK(served.status("/api/v1/memories/999/0/0") == 404);
}

}  // namespace vizd::memories_test
