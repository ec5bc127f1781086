// The tables of what devices did: the same rows as `vizd kernels`, `breakdown` and `compare` have.
#include "support/analysed_trace.h"
#include "support/catch.h"
#include "unit/query/asked.h"

namespace vizd::sql::answer_tables_test {
namespace {

// Three steps of an operator that launches two kernels, and a collective; in microseconds.
std::string steps(int gemm_us) {
  std::string events;
  for (const int i : {0, 1, 2}) {
    const int at = 1000 * i;
    const std::string of_call = fmt::format(R"("correlation":{},"External id":{})", i + 10, i + 1);
    events += record("cpu_op", "aten::mm", 1, 1, at, 30, fmt::format(R"("External id":{})", i + 1));
    events += record("cuda_runtime", "cudaLaunchKernel", 1, 1, at + 5, 5, fmt::format(R"("correlation":{})", i + 10));
    events += kernel("gemm", 7, at + 20, gemm_us, of_call) + kernel("relu", 7, at + 21 + gemm_us, 10, of_call);
    events += kernel("ncclDevKernel_AllReduce", 8, at + 400, 50, R"("Group size":2)");
  }
  return events;
}

std::string ask(std::initializer_list<const Analysed*> traces, std::string_view query) {
  std::vector<Source> sources;
  for (const Analysed* trace : traces)
    sources.push_back({.capture = &trace->capture, .timeline = &trace->timeline, .name = "trace"});
  const Asked asked(std::move(sources), query);
  if (asked.error) return asked.error->text();
  return asked.text();
}

TEST_CASE("breakdowns, the call tree, collectives and sequences are tables, whose rows lead to slices") {
  const Analysed trace(steps(40));
  CHECK(ask({&trace},
            "SELECT device, stream, events, busy_ns, exposed_communication_ns, gaps, capture_id FROM breakdown") ==
        "0 null 9 300000 150000 8 0\n0 7 6 150000 0 5 0\n0 8 3 150000 150000 2 0\n");
  CHECK(ask({&trace},
            "SELECT t.id, t.parent_id, t.kind, t.name, t.launches, t.total_ns, s.dur FROM call_tree t "
            "JOIN slice s ON s.id = t.longest_slice_id") ==
        "0 null operator aten::mm 6 150000 40000\n1 0 call cudaLaunchKernel 6 150000 40000\n"
        "2 1 kernel gemm 3 120000 40000\n3 1 kernel relu 3 30000 10000\n"
        "4 null kernel ncclDevKernel_AllReduce 3 150000 50000\n");
  CHECK(ask({&trace}, "SELECT collective, ranks, count, transfer_ns, skew_max_ns FROM collective") ==
        "all_reduce null 3 150000 null\n");
  CHECK(ask({&trace},
            "SELECT q.kernels, q.count, q.between_ns, q.fusion_candidate, s.name FROM kernel_sequence q "
            "JOIN slice s ON s.id = q.longest_slice_id") == "[\"gemm\",\"relu\"] 3 3000 0 gemm\n");
  CHECK(ask({&trace}, "SELECT count(*) FROM comparison") == "0\n");
}

TEST_CASE("each capture after the first is compared with it") {
  const Analysed before(steps(40)), after(steps(60));
  CHECK(ask({&before, &after, &before},
            "SELECT capture_id, name, a_total_ns, b_total_ns, delta_total_ns, state "
            "FROM comparison WHERE delta_total_ns != 0") == "1 gemm 120000 180000 60000 both\n");
  CHECK(ask({&before, &after}, "SELECT capture_id, parent_id FROM call_tree WHERE name = 'gemm'") == "0 1\n1 6\n");
}

TEST_CASE("a kernel's row has its arithmetic, where that is known") {
  const Analysed trace(record("cpu_op", "aten::mm", 1, 1, 0, 30,
                              R"("External id":1,"Input Dims":[[8,16],[16,32]],"Input type":["float","float"])") +
                       record("cuda_runtime", "cudaLaunchKernel", 1, 1, 5, 5, R"("correlation":3)") +
                       kernel("sgemm", 7, 20, 10, R"("correlation":3,"External id":1)"));
  CHECK(ask({&trace}, "SELECT name, device, launches, total_ns, p99_ns, class, flop, precision FROM kernel") ==
        "sgemm 0 1 10000 10000 kernel 8192 fp32\n");
}

TEST_CASE("operators of the host are a table, whose rows lead to slices") {
  const Analysed trace(steps(40));
  CHECK(ask({&trace},
            "SELECT o.name, o.calls, o.self_ns, o.total_ns, o.device_total_ns, s.dur FROM operator o "
            "JOIN slice s ON s.id = o.longest_slice_id") == "aten::mm 3 90000 90000 150000 30000\n");
}

}  // namespace
}  // namespace vizd::sql::answer_tables_test
