// What captures may tell of, and what is said where they do not.
#include "analysis/recorded/recordable.h"

#include <set>

#include "analysis/recorded/why_no_work.h"
#include "support/analysed_trace.h"

namespace vizd::recordable_test {

TEST_CASE("an empty capture tells nothing of anything, and says of each what records it") {
  const Capture empty;
  std::set<std::string_view> words;
  for (const RecordableInfo& info : recordables()) {
    INFO(info.word);
    CHECK(words.insert(info.word).second);
    const auto lacking = if_not_recorded(empty, info.what);
    REQUIRE(lacking);
    CHECK(lacking->kind == Nothing::kNotRecorded);
    CHECK(lacking->why == info.lacks);
    CHECK(!lacking->how.empty());
  }
  CHECK(words.size() == kRecordables);
}

TEST_CASE("what records it depends on what made the capture") {
  Capture capture;
  capture.format = "tinygrad-0.13";
  CHECK(not_recorded(capture, Recordable::kDeviceWork).how.find("PROFILE=1") != std::string::npos);
  capture.format = "tinygrad-0.14";
  CHECK(not_recorded(capture, Recordable::kDeviceWork).how.find("HCQ2=1") != std::string::npos);
  capture.format = "chrome";
  CHECK(not_recorded(capture, Recordable::kDeviceWork).how.find("ProfilerActivity.CUDA") != std::string::npos);
}

TEST_CASE("what PyTorch's Perfetto files leave out is told by its Chrome trace") {
  Capture capture;
  capture.format = "perfetto-pytorch";
  CHECK(told_by_chrome_trace(capture).find("export_chrome_trace") != std::string_view::npos);
  for (const Recordable what : {Recordable::kFlows, Recordable::kAllocations, Recordable::kMemoryBytes})
    CHECK(not_recorded(capture, what).how.find("export_chrome_trace") != std::string::npos);
  capture.format = "perfetto";
  CHECK(told_by_chrome_trace(capture).empty());
}

TEST_CASE("copies alone tell no times of kernels") {
  const Analysed copies(record("gpu_memcpy", "Memcpy HtoD", 0, 7, 0, 10, R"("device":0,"stream":7)"));
  CHECK(is_recorded(copies.capture, Recordable::kDeviceWork));
  CHECK(!is_recorded(copies.capture, Recordable::kKernelTimes));
  const Analysed trace(kernel("gemm", 7, 0, 100, ""));
  CHECK(is_recorded(trace.capture, Recordable::kKernelTimes));
  Capture capture;
  capture.format = "tinygrad-0.14";
  CHECK(not_recorded(capture, Recordable::kKernelTimes).how.find("HCQ2=1") != std::string::npos);
}

TEST_CASE("no work is not recorded, not asked or none") {
  const Capture empty;
  CHECK(why_no_work(empty, {}, "").kind == Nothing::kNotRecorded);
  const Analysed trace(kernel("gemm", 7, 0, 100, ""));
  CHECK(is_recorded(trace.capture, Recordable::kDeviceWork));
  CHECK(!is_recorded(trace.capture, Recordable::kLaunches));
  CHECK(why_no_work(trace.capture, {}, "nothing follows").why == "nothing follows");
  CHECK(why_no_work(trace.capture, {.rank = "3"}, "").kind == Nothing::kNotAsked);
  CHECK(why_no_work(trace.capture, {.step = 3}, "").kind == Nothing::kNotRecorded);
}

}  // namespace vizd::recordable_test
