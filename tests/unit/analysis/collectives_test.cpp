// What ranks exchanged, of two small traces.
#include "analysis/devices/collectives.h"

#include <cmath>

#include "analysis/devices/collective_instances.h"
#include "analysis/devices/kernel_sequences.h"
#include "support/analysed_trace.h"

namespace vizd::collectives_test {
namespace {

constexpr std::string_view kTold =
    R"("Collective name":"allreduce","In msg nelems":1000,"Out msg nelems":1000,"Group size":4,"dtype":"Float","Process Group Name":"0","Process Group Ranks":"[0, 1, 2, 3]")";

std::string reduced(int ts, int dur) {
  return kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 8, ts, dur, std::string(kTold));
}

ProfiledRank rank(const Analysed& trace) { return {trace.capture, trace.analysis.work, trace.analysis.operators}; }

TEST_CASE("of a collective the shortest kernel is the transfer, and its rank came last") {
  const Analysed a(reduced(0, 40) + reduced(100, 10)), b(reduced(20, 20) + reduced(100, 12));
  const std::vector<ProfiledRank> ranks{rank(a), rank(b)};
  const Collectives found = find_collectives(ranks);
  REQUIRE(found.rows.size() == 1);
  const CollectiveRow& row = found.rows[0];
  CHECK(row.kind == CollectiveKind::kAllReduce);
  CHECK(row.bytes == 4000);
  CHECK(row.ranks == 4);
  CHECK(row.count == 2);
  CHECK(row.seen_ranks == 2);
  CHECK(row.transfer_ns == 20'000 + 10'000);
  CHECK(row.skew_total_ns == 20'000 + 2'000);
  CHECK(row.skew_most_ns == 20'000);
  CHECK(found.all[row.most_skewed].number == 0);
  REQUIRE(row.last);
  CHECK(row.last->profile == 1);  // the second waited 2 us for the first, which waited 20 for it
  CHECK(row.last_count == 1);
  CHECK(row.last_waited_ns == 20'000);
  REQUIRE(row.algorithm_bytes_per_s());
  CHECK(std::abs(*row.algorithm_bytes_per_s() / (2 * 4000 / 30e-6) - 1) < 1e-9);
  CHECK(std::abs(*row.bus_bytes_per_s() / (2 * 4000 / 30e-6 * 2 * 3 / 4) - 1) < 1e-9);
}

TEST_CASE("the rank that the others waited for longest is the straggler, and not the one that came last most often") {
  // The first waits 50 us for the second, once; it comes last itself three times, by 1 us. Twice they come together.
  const Analysed a(kernel("gemm", 7, 0, 1, "") + reduced(0, 60) + reduced(100, 9) + reduced(200, 9) + reduced(300, 9) +
                   reduced(400, 7) + reduced(500, 7)),
      b(kernel("gemm", 7, 2, 40, "") + reduced(50, 10) + reduced(100, 10) + reduced(200, 10) + reduced(300, 10) +
        reduced(400, 7) + reduced(500, 7));
  const std::vector<ProfiledRank> ranks{rank(a), rank(b)};
  const Collectives found = find_collectives(ranks);
  REQUIRE(found.rows.size() == 1);
  REQUIRE(found.rows[0].last);
  CHECK(found.rows[0].last->profile == 1);
  CHECK(found.rows[0].last_count == 1);
  REQUIRE(found.stragglers.size() == 2);
  CHECK(found.stragglers[0].launch.profile == 1);
  CHECK((found.stragglers[0].waited_ns == 50'000 && found.stragglers[0].times == 1 && found.stragglers[0].of == 6));
  CHECK((found.stragglers[1].waited_ns == 3'000 && found.stragglers[1].times == 3));

  const auto each = list_collectives(ranks, found, 2);
  REQUIRE(each.size() == 2);
  CHECK((each[0].place == 0 && each[0].longest.profile == 0 && each[0].waiting_ns == 50'000));
  REQUIRE(each[0].before);  // its gemm, which ended 8 us before
  CHECK(b.analysis.work.items[*each[0].before].end_ns - b.analysis.work.items[*each[0].before].start_ns == 40'000);
  CHECK(each[0].idle_before_ns == 8'000);
  CHECK(found.all[each[1].place].skew_ns() == 1'000);
  CHECK(list_collectives(ranks, found, 100).size() == 6);
  CHECK_FALSE(list_collectives(ranks, found, 100).back().before);  // nobody came last
}

TEST_CASE("what ends with nothing of another rank is listed by itself, and is told") {
  const Analysed a(reduced(0, 40) + reduced(100, 10)), b(reduced(20, 20));
  const std::vector<ProfiledRank> ranks{rank(a), rank(b)};
  const Collectives found = find_collectives(ranks);
  REQUIRE(found.rows.size() == 1);
  CHECK(found.rows[0].count == 2);
  CHECK(found.rows[0].seen_ranks == 2);
  const std::vector<std::string> notes = pairing_notes(ranks, found);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].starts_with("1 of 2 collectives are unpaired"));

  const Analysed other(reduced(520, 20) + reduced(733, 9));
  const std::vector<ProfiledRank> unlike{rank(a), rank(other)};
  const Collectives none = find_collectives(unlike);
  CHECK(none.rows[0].count == 4);
  CHECK_FALSE(none.rows[0].has_skew());
  CHECK(none.stragglers.empty());
  CHECK(pairing_notes(unlike, none)[0].starts_with("not comparable"));
}

TEST_CASE("collectives are told by their names, and what is not told has no size") {
  CHECK(collective_kind("_allgather_base") == CollectiveKind::kAllGather);
  CHECK(collective_kind("ncclKernel_ReduceScatter_RING_LL_Sum_half") == CollectiveKind::kReduceScatter);
  CHECK(collective_kind("cross_device_reduce_1stage") == CollectiveKind::kAllReduce);
  CHECK(collective_kind("all_to_allv") == CollectiveKind::kAllToAll);
  CHECK(collective_kind("ncclKernel_Reduce_RING_LL_Sum_float") == CollectiveKind::kReduce);
  CHECK(collective_kind("ncclDevKernel_SendRecv") == CollectiveKind::kSendReceive);
  CHECK(collective_kind("ncclDevKernel_Generic") == CollectiveKind::kOther);
  CHECK(bus_factor(CollectiveKind::kAllReduce, 8) == 1.75);
  CHECK(bus_factor(CollectiveKind::kAllGather, 8) == 0.875);
  CHECK(bus_factor(CollectiveKind::kBroadcast, 8) == 1);
  const Analysed trace(kernel("ncclKernel_AllReduce", 8, 0, 10, ""));
  const std::vector<ProfiledRank> ranks{rank(trace)};
  const Collectives found = find_collectives(ranks);
  REQUIRE(found.rows.size() == 1);
  CHECK_FALSE(found.rows[0].bytes);
  CHECK_FALSE(found.rows[0].bus_bytes_per_s());
}

TEST_CASE("where a kernel tells nothing of its collective, the spans around its launch do") {
  const auto host = [](std::string_view category, std::string_view name, int ts, int dur, const std::string& args) {
    return record(category, name, 9, 9, ts, dur, args);
  };
  const auto launched = [&](int id, int ts) {
    const std::string args = fmt::format(R"("correlation":{})", id);
    return host("cuda_runtime", "cudaLaunchKernel", ts, 1, args) +
           kernel("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*)", 8, ts + 50, 10, args);
  };
  // As torch 1.13 records them: the list of tensors of an all-reduce only at the annotation, outputs before inputs.
  const std::string before_2_1 =
      host("cpu_op", "c10d::allreduce_", 0, 9, R"("Input Dims":[[],[],[]],"Input type":["TensorList","","Scalar"])") +
      host("cpu_op", "record_param_comms", 1, 7, R"("Input Dims":[[],[]],"Input type":["TensorList","Scalar"])") +
      host("user_annotation", "nccl:all_reduce", 2, 5, R"("Input Dims":[[100],[20]],"Input type":["float","float"])") +
      launched(1, 3) +
      host("cpu_op", "c10d::_allgather_base_", 20, 9,
           R"("Input Dims":[[64,100],[100],[]],"Input type":["signed char","signed char",""])") +
      host("user_annotation", "nccl:_all_gather_base", 22, 5, R"("Input Dims":[[100]],"Input type":["signed char"])") +
      launched(2, 23) +
      // An operator of another library; what it tells is of its own.
      host("cpu_op", "symm_mem::multimem_all_reduce_", 40, 9,
           R"("Input Dims":[[50,3],[]],"Input type":["c10::BFloat16",""])") +
      launched(3, 42) +
      // And one that says nothing: its kernel's name is all there is.
      host("cpu_op", "aten::copy_", 60, 9, R"("Input Dims":[[7]],"Input type":["float"])") + launched(4, 62);
  const Analysed trace(before_2_1);
  const std::vector<ProfiledRank> ranks{rank(trace)};
  const Collectives found = find_collectives(ranks);
  std::string all;
  for (const Collective& of : found.all) {
    const CollectiveRow& row = found.rows[of.row];
    all += fmt::format("{} {}\n", collective_kind_name(row.kind), row.bytes.value_or(-1));
  }
  CHECK(all == "all_reduce 480\nall_gather 6400\nall_reduce 300\nsend_receive -1\n");
}

TEST_CASE("kernels that follow one another are found, each in the longest sequence that it always is part of") {
  std::string events;
  for (int i = 0; i < 4; ++i) {
    const int at = 1000 * i;
    events += kernel("gemm", 7, at, 10, "") + kernel("add", 7, at + 12, 5, "") + kernel("gelu", 7, at + 18, 5, "");
    events += kernel("late", 7, at + 100, 5, "");
  }
  for (int i = 0; i < 3; ++i) events += kernel("add", 9, 100 * i, 5, "") + kernel("gelu", 9, 100 * i + 6 + i, 5, "");
  const Analysed trace(events);
  const auto sequences = find_kernel_sequences(trace.capture, trace.analysis.work, 10);
  REQUIRE(sequences.size() == 2);
  const auto names = [&](const KernelSequence& sequence) {
    std::string text;
    for (const StringId name : sequence.names) text += fmt::format("{} ", trace.capture.strings.get(name));
    return text;
  };
  CHECK(names(sequences[0]) == "gemm add gelu ");
  CHECK(sequences[0].count == 4);
  CHECK(sequences[0].total_ns == 4 * 20'000);
  CHECK(sequences[0].between_ns == 4 * 3'000);
  CHECK_FALSE(sequences[0].is_candidate);
  CHECK(names(sequences[1]) == "add gelu ");
  CHECK(sequences[1].count == 7);
  CHECK(sequences[1].is_candidate);
  CHECK(sequences[1].longest_ns == 13'000);
  CHECK(find_kernel_sequences(trace.capture, trace.analysis.work, 1).size() == 1);
}

TEST_CASE("a kernel that follows itself is counted without overlaps") {
  std::string events;
  for (int i = 0; i < 12; ++i) events += kernel("k", 7, 10 * i, 8, "");
  const Analysed trace(events);
  const auto sequences = find_kernel_sequences(trace.capture, trace.analysis.work, 10);
  REQUIRE_FALSE(sequences.empty());
  for (const KernelSequence& sequence : sequences)
    CHECK(sequence.count == static_cast<std::int64_t>(12 / sequence.names.size()));
}

}  // namespace
}  // namespace vizd::collectives_test
