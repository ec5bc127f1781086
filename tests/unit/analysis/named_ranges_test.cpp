// The ranges that a program named: the innermost at a time, steps among them, and lines of those who have none.
#include "analysis/allocator/owners.h"
#include "analysis/allocator/step_names.h"
#include "support/catch.h"

namespace vizd::named_ranges_test {
namespace {

void add_ranges(Capture& capture, const std::vector<std::tuple<const char*, std::int64_t, std::int64_t>>& ranges) {
  Track& track = capture.profile.tracks.emplace_back();
  track.name = capture.strings.add("annotations");
  track.kind = TrackKind::kOther;
  for (const auto& [name, from, to] : ranges) {
    track.events.push_back({.start_ns = from,
                            .dur_ns = to < 0 ? 0 : to - from,
                            .name = capture.strings.add(name),
                            .kind = to < 0 ? EventKind::kInstant : EventKind::kAsynchronous});
  }
}

TEST_CASE("a name up to its number is the name of its kind") {
  CHECK(name_without_number("ProfilerStep#12") == "ProfilerStep#");
  CHECK(name_without_number("Optimizer.step#AdamW.step") == "Optimizer.step#");
  CHECK(name_without_number("train_step_7") == "train_step_");
  CHECK(name_without_number("forward") == "forward");
  CHECK(name_without_number("42") == "42");
  CHECK(name_without_number("").empty());
}

TEST_CASE("steps are what comes again and again, covers the most, or is PyTorch's own") {
  Capture capture;
  add_ranges(capture, {{"train_step_0", 0, 100},
                       {"Optimizer.step#A", 80, 90},
                       {"train_step_1", 100, 200},
                       {"Optimizer.step#A", 180, 190},
                       {"train_step_2", 200, 300},
                       {"Optimizer.step#A", 280, 290},
                       {"once", 0, 300},
                       {"open", 10, -1},
                       {"open", 110, -1},
                       {"open", 210, -1}});
  const NamedRanges ranges(capture, 0);
  const auto found = step_names(ranges);
  REQUIRE(found.size() == 2);
  CHECK(found[0].name == "train_step_");
  CHECK(found[0].count == 3);
  CHECK(found[0].total_ns == 300);
  CHECK(found[1].name == "Optimizer.step#");
  CHECK(ranges.ends(found[0].name) == std::vector<std::int64_t>{100, 200, 300});
  CHECK(ranges.at(85) == "Optimizer.step#A");
  CHECK(ranges.at(300) == "open");
  Capture own;
  add_ranges(own, {{"ProfilerStep#0", 0, 1},
                   {"ProfilerStep#1", 1, 2},
                   {"ProfilerStep#2", 2, 3},
                   {"epoch 1", 0, 10},
                   {"epoch 2", 10, 20},
                   {"epoch 3", 20, 30}});
  CHECK(step_names(NamedRanges(own, 0)).front().name == "ProfilerStep#");
}

TEST_CASE("where there is no line of the user's, autograd's node and the operator stand for it") {
  Capture capture;
  const auto word = [&](const char* text) { return capture.strings.add(text); };
  const auto stack = [&](const std::vector<const char*>& outermost_first) {
    StackId id{kNoId};
    for (const char* const function : outermost_first) {
      capture.stacks.push_back({.frame = {.function = word(function)}, .caller = id});
      id = to_id<StackId>(capture.stacks.size() - 1);
    }
    return id;
  };
  AllocationSite site{.stack = stack({"torch::autograd::Engine::thread_main(x)",
                                      "torch::autograd::generated::MmBackward0::apply(std::vector<at::Tensor> &&)",
                                      "at::_ops::mm::call(at::Tensor const&)"}),
                      .depth = 3,
                      .operation = word("mm"),
                      .phase = word("backward")};
  CHECK(autograd_node_of(capture, site) == "MmBackward0");
  CHECK(line_of(capture, site) == "MmBackward0, aten::mm, no line of the user's");
  site.operation = {};
  CHECK(line_of(capture, site) == "MmBackward0, no line of the user's");
  site.stack = stack({"other::apply(int)"});
  CHECK(autograd_node_of(capture, site).empty());
  CHECK(line_of(capture, site) == "backward, no line of the user's");
  site.operation = word("mm");
  CHECK(line_of(capture, site) == "aten::mm, no line of the user's");
  site.frame = word("train.py:1:step");
  CHECK(line_of(capture, site) == "train.py:1:step");
  CHECK(line_of(capture, {}) == "no stack recorded");
}

}  // namespace
}  // namespace vizd::named_ranges_test
