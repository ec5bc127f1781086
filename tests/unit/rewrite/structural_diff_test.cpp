// Graphs printed as told_graph_text prints them, an op a line with its sources below it, and compared.
#include "rewrite/structural_diff.h"

#include <fmt/core.h>

#include "formats/line_recorder.h"
#include "formats/told_graph_text.h"
#include "rewrite/match_detail.h"
#include "session/loaded_capture.h"
#include "support/catch.h"
#include "support/named_sets.h"
#include "support/places.h"
#include "unit/rewrite/toy_capture.h"

namespace vizd::structural_diff_test {
namespace {

using toy::Builder;
using toy::kAdd;
using toy::kConst;
using toy::kLeaf;
using toy::kMul;
using toy::kSink;
using toy::kView;
using Lines = std::vector<std::string>;

class TreePrinter final : public toy::Analysis, public PrintsLines {
 public:
  explicit TreePrinter(const OpGraph& graph) : Analysis(graph), graph_(graph) {}

  std::vector<PrintedLine> print_lines(OpId root) override {
    std::string text;
    LineRecorder lines;
    told::append_graph_text(
        text, graph_, root, [this](std::string& out, OpId id) { out += meaning(id); }, 1 << 20,
        [&lines](std::size_t at, OpId op, bool is_again) { lines.begin(at, op, is_again); });
    return lines.lines_of(text, [this](OpId id) { return meaning(id); });
  }

 private:
  std::string meaning(OpId id) const {
    static constexpr std::string_view kNames[] = {"SINK", "LEAF", "ADD", "MUL", "VIEW", "CONST", "ERROR"};
    return fmt::format("{} {}", kNames[graph_.kind(id)], graph_.values().as_int(graph_.op(id).arg));
  }

  const OpGraph& graph_;
};

Lines diff(const Builder& b, OpId before, OpId after) {
  TreePrinter printer(b.capture.ops);
  return structural_diff(printed_graph(b.capture.ops, printer, before), printed_graph(b.capture.ops, printer, after));
}

TEST_CASE("equal graphs do not differ") {
  Builder b;
  const OpId leaf = b.op(kLeaf, {}, 1);
  CHECK(diff(b, b.op(kSink, {leaf}), b.op(kSink, {leaf})).empty());
}

TEST_CASE("x + 0 -> x is the two lines that went, however deep x stands") {
  Builder b;
  const OpId x = b.op(kMul, {b.op(kLeaf, {}, 1), b.op(kLeaf, {}, 2)});
  const OpId sum = b.op(kAdd, {x, b.op(kConst, {}, 0)});
  CHECK(diff(b, sum, x) == Lines{"-ADD 0", " MUL 0", "   LEAF 1", "   LEAF 2", "-  CONST 0"});
  CHECK(diff(b, b.op(kSink, {sum}), b.op(kSink, {x})) ==
        Lines{" SINK 0", "-  ADD 0", "   MUL 0", "     LEAF 1", "     LEAF 2", "-    CONST 0"});
}

TEST_CASE("an op put around others does not repaint them") {
  Builder b;
  const OpId x = b.op(kMul, {b.op(kLeaf, {}, 1), b.op(kLeaf, {}, 2)});
  CHECK(diff(b, b.op(kSink, {x, x}), b.op(kSink, {b.op(kView, {x}, 7), x})) ==
        Lines{" SINK 0", "+  VIEW 7", "     %0 = MUL 0", "       LEAF 1", "       LEAF 2", "   %0"});
  // Deep below, with the same op many times above: the line that came, and three around it.
  OpId before = b.op(kLeaf, {}, 3), after = b.op(kView, {before}, 9);
  for (int i = 0; i < 400; ++i) {
    before = b.op(kAdd, {before, x});
    after = b.op(kAdd, {after, x});
  }
  const Lines deep = diff(b, before, after);
  CHECK(std::ranges::count_if(deep, [](const std::string& line) { return line[0] == '+' || line[0] == '-'; }) == 1);
  CHECK(deep.front() == "@@ 397 lines unchanged @@");
  CHECK(deep.back().starts_with("@@ "));
}

TEST_CASE("an op that changes is one line before and one after") {
  Builder b;
  const OpId x = b.op(kMul, {b.op(kLeaf, {}, 1), b.op(kLeaf, {}, 2)});
  CHECK(diff(b, b.op(kAdd, {x}, 1), b.op(kAdd, {x}, 2)) ==
        Lines{"-ADD 1", "+ADD 2", "   MUL 0", "     LEAF 1", "     LEAF 2"});
}

TEST_CASE("sources that change places have moved, and are told once") {
  Builder b;
  const OpId x = b.op(kMul, {b.op(kLeaf, {}, 1), b.op(kLeaf, {}, 2)}), y = b.op(kView, {b.op(kLeaf, {}, 3)});
  const Lines moved = diff(b, b.op(kAdd, {x, y}), b.op(kAdd, {y, x}));
  CHECK(moved == Lines{" ADD 0", "~  VIEW 0", "~    LEAF 3", "   MUL 0", "     LEAF 1", "     LEAF 2"});
}

TEST_CASE("a shared op that is printed at another of its uses is itself; only the use that went is removed") {
  Builder b;
  const OpId x = b.op(kMul, {b.op(kLeaf, {}, 1), b.op(kLeaf, {}, 2)});
  const OpId first = b.op(kAdd, {x, b.op(kLeaf, {}, 5)}), second = b.op(kView, {x, b.op(kLeaf, {}, 6)});
  const OpId other = b.op(kAdd, {b.op(kLeaf, {}, 4), b.op(kLeaf, {}, 5)});
  const Lines lines = diff(b, b.op(kSink, {first, second}), b.op(kSink, {other, second}));
  CHECK(std::ranges::count(lines, "-    %0") == 1);
  CHECK(std::ranges::count(lines, "+    LEAF 4") == 1);
  CHECK(std::ranges::count_if(lines, [](const std::string& line) { return line[0] == '-' || line[0] == '+'; }) == 2);
}

TEST_CASE("the lines of real graphs are the text that the compiler prints, in both its forms") {
  for (const char* version : {"tinygrad-2025-09", "tinygrad-2026-08"}) {
    const Reading reading = load(named_sets({test_data(std::string(version) + "/ramp.rewrites.pkl")})[0]);
    REQUIRE(reading.loaded);
    const Capture& capture = reading.loaded->capture;
    for (const Pass& pass : capture.rewrites.passes) {
      const auto history = build_history(capture, pass, {});
      REQUIRE(history.has_value());
      for (const std::uint32_t state : {0u, history->state_count - 1}) {
        const auto lines = state_lines(capture, *history, state);
        CHECK(lines->text() == state_text(capture, *history, state).value());
      }
    }
  }
}

}  // namespace
}  // namespace vizd::structural_diff_test
