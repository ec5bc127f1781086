// Steps that programs name themselves: which ranges are, and which are not.
#include "analysis/figures/named_steps.h"

#include "analysis/devices/device_analysis.h"
#include "support/analysed_trace.h"

namespace vizd::named_steps_test {
namespace {

// Ranges on one thread, one after another.
std::string ranges(const std::vector<std::string>& names, int dur = 80, int tid = 1) {
  std::string events;
  for (std::size_t i = 0; i < names.size(); ++i)
    events += record("user_annotation", names[i], 1, tid, static_cast<int>(i) * 100, dur, "");
  return events;
}

std::string steps_of(const std::string& events, std::string_view chosen = "") {
  Analysed trace(events);
  if (chosen.empty()) {
    name_steps(trace.capture, nullptr);
  } else {
    const auto regexp = Regexp::compile(chosen);
    REQUIRE(regexp);
    name_steps(trace.capture, &*regexp);
  }
  std::string text;
  for (const Run& run : trace.capture.profile.runs)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", trace.capture.strings.get(run.name), run.number);
  return text;
}

TEST_CASE("ranges that come again and again with a number are steps") {
  CHECK(steps_of(ranges({"iteration 7", "iteration 8", "iteration 9"})) == "iteration 7=7 iteration 8=8 iteration 9=9");
  CHECK(steps_of(ranges({"train_step_1", "train_step_3", "train_step_4"})).ends_with("train_step_4=4"));
  CHECK(steps_of(ranges({"step [1/9]", "step [2/9]", "step [3/9]"})).ends_with("step [3/9]=3"));
  // Without a word for it, what counts on and takes most of the thread's time.
  CHECK(steps_of(ranges({"work 1", "work 2", "work 3"})) != "");
  CHECK(steps_of(ranges({"work 1", "work 3", "work 4"})) == "");
  CHECK(steps_of(ranges({"work 1", "work 2", "work 3"}, 10)) == "");
}

TEST_CASE("parts of a program that are numbered are no steps, nor is what comes twice or overlaps") {
  CHECK(steps_of(ranges({"layer 1", "layer 2", "layer 3"})) == "");
  CHECK(steps_of(ranges({"nn.Module: Linear_0", "nn.Module: Linear_1", "nn.Module: Linear_2"})) == "");
  CHECK(steps_of(ranges({"criterion 1", "criterion 3", "criterion 4"})) == "");  // it is no iter
  CHECK(steps_of(ranges({"trainStep 1", "trainStep 3", "trainStep 4"})) != "");
  CHECK(steps_of(ranges({"step 1", "step 2"})) == "");
  CHECK(steps_of(ranges({"step 1", "step 2", "step 1", "step 2"})) == "");
  CHECK(steps_of(ranges({"step 1", "step 2", "step 3"}, 150)) == "");
}

TEST_CASE("of several names the steps are those with a word for it, and of these the longest") {
  CHECK(steps_of(ranges({"step 1", "step 2", "step 3"}, 60) +
                 ranges({"optimizer_step 1", "optimizer_step 2", "optimizer_step 3"}, 20))
            .starts_with("step 1=1"));
  CHECK(steps_of(ranges({"epoch 1", "epoch 2", "epoch 3"}, 90) + ranges({"batch 1", "batch 2", "batch 3"}, 20))
            .starts_with("batch 1=1"));
  const std::string functions =
      ranges({"[pl][profile][Strategy]DDP.training_step", "[pl][profile][Strategy]DDP.training_step",
              "[pl][profile][Strategy]DDP.training_step"});
  CHECK(steps_of(functions).ends_with("training_step=2"));
}

TEST_CASE("the profiler's own steps stay, unless others are chosen") {
  const std::string both = ranges({"ProfilerStep#1", "ProfilerStep#2", "ProfilerStep#3"}, 90) +
                           ranges({"phase a", "phase b", "phase c"}, 20);
  CHECK(steps_of(both).starts_with("ProfilerStep#1=1"));
  CHECK(steps_of(both, "^phase [a-c]$") == "phase a=0 phase b=1 phase c=2");
  CHECK(steps_of(both, "nothing").starts_with("ProfilerStep#1=1"));
}

TEST_CASE("which ranges the steps are is told") {
  Analysed trace(ranges({"iteration 7", "iteration 8", "iteration 9"}));
  name_steps(trace.capture, nullptr);
  REQUIRE(trace.capture.notes.size() == 1);
  CHECK(trace.capture.notes[0] == "steps are its 3 ranges like 'iteration 7'; --step-name REGEX chooses others");
}

}  // namespace
}  // namespace vizd::named_steps_test
