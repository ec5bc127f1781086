#include "reference/inspector/numeric_gap.h"

#include <cmath>
#include <cstring>
#include <string>

#include "formats/etdump/box_graph.h"
#include "support/catch.h"
#include "support/made_program.h"
#include "support/pickle_writer.h"
#include "support/temporary_folder.h"

namespace vizd::inspector::numeric_gap_test {
namespace {

template <typename T>
Value tensor_of(ScalarType type, std::vector<std::int64_t> shape, const std::vector<T>& numbers) {
  auto bytes = std::make_shared<std::vector<std::byte>>(numbers.size() * sizeof(T));
  std::memcpy(bytes->data(), numbers.data(), bytes->size());
  const std::span<const std::byte> all = *bytes;
  return {Tensor{type, std::move(shape), all, false, std::move(bytes)}};
}
Value floats(const std::vector<float>& numbers) {
  return tensor_of(ScalarType::kFloat, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

// x -> conv (1) -> relu (2) -> pool (3, values and indices) -> sum (4), the first two in one delegate call.
Method small_method() {
  MadeProgram made;
  made.input("x").edge("aten.conv.default", {"x"}, "aten_conv_default", "1");
  made.edge("aten.relu.default", {"aten_conv_default"}, "aten_relu_default", "2");
  made.node("executorch.exir.dialects.edge.ops.aten.pool.default", {"aten_relu_default"}, {"getitem", "indices"}, "3");
  made.edge("aten.sum.default", {"getitem"}, "aten_sum_default", "4").output("aten_sum_default");
  Method method;
  method.name = "forward";
  method.edge = *read_exported_program(as_bytes(made.finish()), "program");
  method.debug_handles = {{0, {1, 2}}, {1, {3}}, {2, {4}}};
  method.delegates[0].backend = "XnnpackBackend";
  return method;
}

ReferenceValues small_reference() {
  ReferenceValues reference;
  reference[{1}] = {{floats({1, 2})}, false};
  reference[{2}] = {{floats({1, 2})}, false};
  reference[{3}] = {{floats({2, 0})}, false};
  reference[{4}] = {{floats({2})}, false};
  return reference;
}

struct Logged {
  std::vector<Value> call = {floats({9, 9}), floats({1, 2})};  // the input, then the output
  std::vector<Value> pool = {floats({2, 0}), tensor_of<std::int64_t>(ScalarType::kLong, {2}, {1, 0})};
  std::vector<Value> sum = {floats({2})};

  std::vector<GapEvent> events() const {
    return {{"DELEGATE_CALL", 0, {1, 2}, {"a"}, false, call},
            {"OPERATOR_CALL", 1, {3}, {"a"}, false, pool},
            {"native_call_pool.out", 1, {3}, {"a"}, false, pool},
            {"native_call_sum.out", 2, {4}, {"a"}, false, sum}};
  }
};

double gap_of(GapMetric metric, const Value& a, const Value& b) {
  const auto left = number_array(a), right = number_array(b);
  REQUIRE(left);
  REQUIRE(right);
  const auto gap = gap_between(metric, *left, *right);
  REQUIRE(gap);
  return *gap;
}

TEST_CASE("each measure of a gap is as numpy would have it") {
  const Value a = floats({1, -2, 4}), b = floats({1, -1, 2});
  CHECK(gap_of(GapMetric::kMse, a, b) == Approx(5.0 / 3));
  CHECK(gap_of(GapMetric::kL1, a, b) == Approx(3));
  CHECK(gap_of(GapMetric::kSnr, a, b) == Approx(10 * std::log10(7.0 / (5.0 / 3))));
  CHECK(gap_of(GapMetric::kCosine, a, b) == Approx(11 / std::sqrt(21.0 * 6)));
  CHECK(gap_of(GapMetric::kMaxRelative, a, b) == Approx(0.5));
  CHECK(std::isinf(gap_of(GapMetric::kSnr, a, a)));
  CHECK(gap_of(GapMetric::kCosine, floats({0, 0}), floats({0, 0})) == 1);
  CHECK(gap_of(GapMetric::kMse, floats({NAN, 2}), floats({0, 2})) == 0);
}

TEST_CASE("values are stacked and broadcast as PyTorch does, and refused in its words") {
  const std::vector<Value> pair = {floats({1, 2}), floats({3, 4})};
  const auto stacked = stack_values(pair);
  REQUIRE(stacked);
  CHECK(stacked->shape == std::vector<std::int64_t>{2, 2});
  CHECK(gap_between(GapMetric::kL1, *number_array(floats({1, 2})), *stacked).value() == 4);
  const std::vector<Value> uneven = {floats({1, 2}), floats({3})};
  CHECK(stack_values(uneven).error().message.find("got [2] at entry 0 and [1] at entry 1") != std::string::npos);
  CHECK_FALSE(stack_values({}));
  CHECK_FALSE(gap_between(GapMetric::kMse, *number_array(floats({1, 2})), *number_array(floats({1, 2, 3}))));
}

TEST_CASE("outputs are compared one by one: a call's inputs and a pool's indices with nothing") {
  const Method method = small_method();
  const Logged logged;
  const OutputGaps gaps = output_gaps(method, logged.events(), small_reference());
  REQUIRE(gaps.rows.size() == 3);
  CHECK(gaps.rows[0].node == "aten_relu_default");
  CHECK(gaps.rows[0].aot_ops == std::vector<std::string>{"aten_conv_default", "aten_relu_default"});
  CHECK(gaps.rows[1].runtime_op == "native_call_pool.out");
  for (const OutputGap& row : gaps.rows) CHECK(row.mse == 0);
  CHECK_FALSE(gaps.first_grown);
  CHECK(gaps.not_compared.empty());
}

TEST_CASE("the first output whose error grows is named, and what does not fit is told") {
  const Method method = small_method();
  Logged logged;
  logged.pool[0] = floats({2.5F, 0});
  logged.sum[0] = floats({2.5F});
  const OutputGaps gaps = output_gaps(method, logged.events(), small_reference());
  REQUIRE(gaps.first_grown);
  CHECK(gaps.rows[*gaps.first_grown].node == "aten_pool_default");

  logged.sum[0] = floats({1, 2, 3});
  const OutputGaps others = output_gaps(method, logged.events(), small_reference());
  CHECK(others.rows.size() == 2);
  REQUIRE(others.not_compared.size() == 1);
  CHECK(others.not_compared[0].find(
            "aten_sum_default: the reference is float32[1], and the runtime logged float32[3]") != std::string::npos);
}

// Records of 1.x: x -> linear, whose handle the copy of its weight and the product both have.
Method linear_method() {
  MadeProgram made;
  made.input("x").input("w").edge("aten.permute_copy.default", {"w"}, "aten_permute_copy_default", "7");
  made.edge("aten.addmm.default", {"x", "aten_permute_copy_default"}, "aten_addmm_default", "7");
  made.edge("aten.mul.Tensor", {"aten_addmm_default"}, "aten_mul_tensor", "8").output("aten_mul_tensor");
  Method method;
  method.name = "forward";
  method.edge = *read_exported_program(as_bytes(made.finish()), "program");
  method.debug_handles = {{0, {7}}, {1, {7}}, {2, {8}}};
  return method;
}

TEST_CASE("a weight's copy is not compared with the value of the node whose handle it has") {
  const Method method = linear_method();
  ReferenceValues reference;
  reference[{7}] = {{floats({1, 2})}, false};
  reference[{8}] = {{floats({3, 4})}, false};
  const std::vector<Value> weight = {floats({50, 60})}, product = {floats({1, 2})}, last = {floats({3, 4})};
  const std::vector<GapEvent> events = {{"native_call_permute_copy.out", 0, {7}, {"a"}, false, weight},
                                        {"native_call_addmm.out", 1, {7}, {"a"}, false, product},
                                        {"native_call_mul.out", 2, {8}, {"a"}, false, last}};
  const OutputGaps gaps = output_gaps(method, events, reference);
  REQUIRE(gaps.rows.size() == 2);
  CHECK((gaps.rows[0].runtime_op == "native_call_addmm.out" && gaps.rows[0].mse == 0));
  CHECK_FALSE(gaps.first_grown);
  REQUIRE(gaps.not_compared.size() == 1);
  CHECK(gaps.not_compared[0].find("is aten_permute_copy_default") != std::string::npos);
}

TEST_CASE("a value that may be of any node of a handle is said to be unsure and judges nothing") {
  Method method = linear_method();
  ReferenceValues reference;
  reference[{7}] = {{floats({1, 2})}, false};
  const std::vector<Value> other = {floats({50, 60})};
  const auto of = [&](const std::string& name, std::vector<std::int64_t> handles) {
    const std::vector<GapEvent> events = {{name, 0, std::move(handles), {"a"}, false, other}};
    return output_gaps(method, events, reference);
  };
  // A kernel of neither; a call of a delegate, beside an instruction that ran the other node.
  for (const char* name : {"native_call_custom::linear.out", "DELEGATE_CALL"}) {
    const OutputGaps gaps = of(name, {7});
    CHECK(gaps.rows.empty());
    REQUIRE(gaps.not_compared.size() == 1);
    CHECK(gaps.not_compared[0].find("unsure") != std::string::npos);
  }
  // A call that has both nodes, by its list or because nobody else has the handle.
  CHECK(of("DELEGATE_CALL", {7, 7}).rows.size() == 1);
  method.debug_handles = {{0, {7}}, {2, {8}}};
  CHECK(of("DELEGATE_CALL", {7}).rows.size() == 1);
}

EtRecord record_of(Method method, bool is_1_x) {
  EtRecord record;
  record.methods.push_back(std::move(method));
  record.has_exported_program = is_1_x;
  record.representative_inputs = {floats({1})};
  return record;
}

TEST_CASE("the Inspector's faults are repeated: 0.7 cannot stack a call's values, 1.x judges a pool by its indices") {
  const Logged logged;
  const auto old =
      inspector_gaps(record_of(small_method(), false), logged.events(), small_reference(), GapMetric::kMse);
  REQUIRE(old);  // here the call's input and output are of one shape
  CHECK(old->at(0).gaps.at(0) == Approx((64.0 + 49) / 4));
  CHECK(old->at(0).aot_ops == std::vector<std::string>{"aten_conv_default", "aten_relu_default"});

  Logged uneven;
  uneven.call[0] = floats({9});
  CHECK_FALSE(inspector_gaps(record_of(small_method(), false), uneven.events(), small_reference(), GapMetric::kMse));

  const auto later =
      inspector_gaps(record_of(small_method(), true), uneven.events(), small_reference(), GapMetric::kMse);
  REQUIRE(later);
  REQUIRE(later->size() == 3);
  CHECK(later->at(0).gaps.at(0) == 0);
  CHECK(later->at(1).gaps.at(0) == Approx(0.5));  // {2, 0} against the indices {1, 0}
}

TEST_CASE("0.7 merges handles into whole ranges, holes and all") {
  MadeProgram made;
  made.edge("aten.a.default", {}, "a", "1").edge("aten.b.default", {}, "b", "2").edge("aten.c.default", {}, "c", "3");
  Method method;
  method.name = "forward";
  method.edge = *read_exported_program(as_bytes(made.finish()), "program");
  ReferenceValues reference;
  for (std::int64_t handle = 1; handle <= 3; ++handle)
    reference[{handle}] = {{floats({static_cast<float>(handle)})}, false};
  const std::vector<Value> value = {floats({3})};
  const std::vector<GapEvent> events = {{"native_call_x", 0, {1, 3}, {"a"}, false, value}};
  const auto gaps = inspector_gaps(record_of(std::move(method), false), events, reference, GapMetric::kMse);
  REQUIRE(gaps);
  REQUIRE(gaps->size() == 1);
  CHECK(gaps->at(0).aot_ops == std::vector<std::string>{"a", "b", "c"});
  CHECK(gaps->at(0).gaps.at(0) == 0);
}

TEST_CASE("a folder of .npy files is a reference, and a broken one among them a warning") {
  const TemporaryFolder folder;
  const std::string head = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n";
  const std::string file = std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(head.size()) + '\0' + head + "1234";
  folder.write("4.npy", file);
  folder.write("5.1.npy", file);
  folder.write("6_7.npy", file);
  folder.write("8.npy", "broken");
  folder.write("notes.npy", "not one");
  std::vector<std::string> warnings;
  const auto reference = read_reference_tensors(folder.path(), warnings);
  REQUIRE(reference);
  CHECK(reference->size() == 3);
  CHECK(reference->at({5}).is_list);
  CHECK(reference->at({5}).values.size() == 2);
  CHECK(reference->contains({6, 7}));
  CHECK(warnings.size() == 1);
  CHECK_FALSE(read_reference_tensors(folder / "nowhere", warnings));
}

TEST_CASE("a delegate's nodes become one box, told by its last node") {
  const Method method = small_method();
  const BoxGraph edge = boxes_of(method, *method.edge, true);
  CHECK(edge.boxes.size() == 5);
  const auto delegated = delegated_boxes(method);
  REQUIRE(delegated);
  REQUIRE(delegated->boxes.size() == 4);
  const Box& call = delegated->boxes[1];
  CHECK(call.kind == BoxKind::kDelegate);
  CHECK(call.op == "XnnpackBackend");
  CHECK(call.nodes == std::vector<std::uint32_t>{0, 1});
  CHECK(call.sources == std::vector<std::uint32_t>{0});
  CHECK(call.identity == edge.boxes[2].identity);
  CHECK(delegated->boxes[2].sources == std::vector<std::uint32_t>{1});
}

TEST_CASE("parts that read each other's results are left as they are") {
  Method method = small_method();
  method.debug_handles = {{0, {1, 4}}};  // the first and the last, with what lies between outside
  CHECK_FALSE(delegated_boxes(method));
}

TEST_CASE("the user's own line of a stack is the last outside of installed packages") {
  const std::string trace =
      "  File \"models.py\", line 79, in forward\n    return fmap(body, xs, w)\n"
      "  File \"models.py\", line 78, in body\n    def body(x, y): return torch.sin(x+y)*y\n"
      "  File \"site-packages/torch/map.py\", line 191, in map\n    return run(f)\n";
  CHECK(users_line(trace) == "models.py:78 def body(x, y): return torch.sin(x+y)*y");
  CHECK(users_line("") == "");
}

}  // namespace
}  // namespace vizd::inspector::numeric_gap_test
