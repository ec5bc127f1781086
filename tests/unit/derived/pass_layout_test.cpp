// Layouts of a pass made better: those that a budget cut short are done again, the rest stay where they are.
#include "derived/pass_layout.h"

#include "support/catch.h"
#include "unit/rewrite/random_pass.h"

namespace vizd::pass_layout_test {

TEST_CASE("a layout cut short is finished where it was, and one that was not is left alone") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    toy::Builder b;
    toy::fill_with_random_pass(b, seed);
    const auto history = build_history(b.capture, b.pass(), {});
    REQUIRE(history);
    std::vector<EpochLayout> layouts = lay_out_pass(*history, [](std::size_t, std::size_t) {}, {});
    std::size_t reports = 0;
    const auto count = [&](std::size_t done, std::size_t of) {
      CHECK(done < of);
      ++reports;
    };
    const auto same = improve_layouts(*history, layouts, count, {});
    CHECK(reports == layouts.size());
    for (std::size_t i = 0; i < layouts.size(); ++i) {
      CHECK(same[i].x_px == layouts[i].x_px);
      CHECK(same[i].y_px == layouts[i].y_px);
      layouts[i].ranks_optimal = false;
    }
    const auto better = improve_layouts(*history, layouts, count, {});
    REQUIRE(better.size() == layouts.size());
    for (std::size_t i = 0; i < better.size(); ++i) {
      CHECK(better[i].ranks_optimal);
      CHECK(better[i].epoch.from == layouts[i].epoch.from);
      CHECK(better[i].sizes.size() == layouts[i].sizes.size());
    }
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = improve_layouts(*history, layouts, count, stop.get_token());
    for (std::size_t i = 0; i < stopped.size(); ++i) CHECK(stopped[i].x_px == layouts[i].x_px);
  }
}

TEST_CASE("a graph of very many boxes gets a coarse layout, and one like others the usual") {
  CHECK_FALSE(is_coarse(kCoarseBoxes));
  CHECK(is_coarse(kCoarseBoxes + 1));
  CHECK(layout_options(kCoarseBoxes + 1).max_edge_layers < layout_options(kCoarseBoxes).max_edge_layers);
  CHECK(layout_options(kCoarseBoxes + 1).rank_steps < layout_options(100).rank_steps);
}

}  // namespace vizd::pass_layout_test
