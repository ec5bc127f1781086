// Bytes of operators that mostly move memory, each against the sum of its tensors worked out by hand, and what a kernel
// would save at 80 % of the bandwidth.
#include "analysis/pytorch/operator_bytes.h"

#include "support/analysed_trace.h"
#include "support/catch.h"

namespace vizd::operator_bytes_test {
namespace {

struct Case {
  OperatorInputs inputs;
  double bytes;
  WorkSource source;
};

constexpr double kB = 4, kS = 197, kH = 768;  // a vision transformer's batch, sequence and width
constexpr std::string_view kTwo = "[[4,197,768],[4,197,768],[]]", kOne = "[[4,197,768],[]]";
constexpr std::string_view kBf16 = R"(["c10::BFloat16","c10::BFloat16","Scalar"])",
                           kBf16One = R"(["c10::BFloat16",""])";

TEST_CASE("bytes of what moves memory are those of its tensors, each read or written once") {
  const double elements = kB * kS * kH;
  const Case cases[] = {
      {{"aten::add", kTwo, kBf16, ""}, 3 * 2 * elements, WorkSource::kElementwise},
      {{"aten::add_", kTwo, kBf16, ""}, 3 * 2 * elements, WorkSource::kElementwise},
      {{"aten::gelu", kOne, kBf16One, ""}, 2 * 2 * elements, WorkSource::kElementwise},
      // Stretched: the second is read once, however often it is added.
      {{"aten::add", "[[4,197,768],[1,197,768],[]]", kBf16, ""},
       2 * (2 * elements + kS * kH),
       WorkSource::kElementwise},
      // The third tensor is where the result goes.
      {{"aten::mul", "[[64,8],[64,8],[64,8]]", R"(["float","float","float"])", ""},
       3 * 4 * 64 * 8.0,
       WorkSource::kElementwise},
      // A truth is a byte; a number in place of a tensor has none.
      {{"aten::eq", "[[1,141],[]]", R"(["long int","Scalar"])", ""}, 8 * 141 + 141, WorkSource::kElementwise},
      {{"aten::where", "[[64],[64],[64]]", R"(["bool","float","float"])", ""},
       64 + 3 * 4 * 64,
       WorkSource::kElementwise},
      {{"aten::copy_", kTwo, R"(["float","c10::BFloat16","Scalar"])", ""}, (4 + 2) * elements, WorkSource::kCopy},
      {{"aten::fill_", "[[888,3072],[]]", kBf16, ""}, 2.0 * 888 * 3072, WorkSource::kCopy},
      {{"aten::cat", "[[[4,1,768],[4,196,768]],[]]", R"(["TensorList","Scalar"])", "",
        "CatArrayBatchedCopy<at::native::OpaqueType<2u>, unsigned int>"},
       2 * 2 * kB * (1 + 196) * kH,
       WorkSource::kCopy},
      {{"aten::sum", "[[5,128],[],[],[]]", R"(["float","ScalarList","Scalar",""])", R"(["","[0]","True",""])"},
       4 * (5 * 128 + 128),
       WorkSource::kReduction},
      {{"aten::mean", "[[5,128],[],[],[]]", R"(["float","ScalarList","Scalar",""])", R"(["","[]","False",""])"},
       4 * (5 * 128 + 1),
       WorkSource::kReduction},
      {{"aten::argmax", "[[8,1000],[],[]]", R"(["float","Scalar",""])", R"(["","-1","False"])"},
       4 * 8 * 1000 + 8 * 8,
       WorkSource::kReduction},
      {{"aten::native_layer_norm", "[[4,197,768],[],[768],[768],[]]",
        R"(["c10::BFloat16","ScalarList","c10::BFloat16","c10::BFloat16","Scalar"])", R"(["","[768]","","","1e-12"])"},
       2 * (2 * elements + 2 * kH) + 2 * kB * kS * 4,
       WorkSource::kNorm},
      {{"aten::_softmax", "[[8,12,64,64],[],[]]", R"(["c10::Half","Scalar",""])", ""},
       2 * 2 * 8 * 12 * 64 * 64.0,
       WorkSource::kSoftmax},
      {{"aten::embedding", "[[30522,512],[1,141],[],[],[]]", R"(["float","long int","","",""])", ""},
       8 * 141 + 2 * 4 * 141 * 512,
       WorkSource::kLookup},
      {{"aten::index_select", "[[30522,512],[],[141]]", R"(["c10::BFloat16","Scalar","long int"])", R"(["","0",""])"},
       8 * 141 + 2 * 2 * 141 * 512,
       WorkSource::kLookup},
      // Reads weights, gradients and both moments; writes all but gradients.
      {{"aten::_fused_adamw_", "[[[128,128],[128]],[[128,128],[128]],[[128,128],[128]],[[128,128],[128]],[],[[],[]]]",
        R"(["TensorList","TensorList","TensorList","TensorList","","TensorList"])", "",
        "multi_tensor_apply_kernel<FusedOptimizerTensorListMetadata<4>, FusedAdamMathFunctor<float, 4>>"},
       7 * 4 * (128 * 128 + 128.0),
       WorkSource::kOptimizer},
      {{"aten::_foreach_add_", "[[[128,128],[128]],[[128,128],[128]],[]]", R"(["TensorList","TensorList","Scalar"])",
        "", "multi_tensor_apply_kernel<TensorListMetadata<2>, BinaryOpListAlphaFunctor<float, 2, 2, 0>>"},
       3 * 4 * (128 * 128 + 128.0),
       WorkSource::kOptimizer},
      {{"triton_poi_fused__unsafe_view_mul_silu_2", "[[8,4096,8192],[32768,8192],[]]", kBf16, ""},
       2 * 2.0 * 8 * 4096 * 8192,
       WorkSource::kTriton},
  };
  for (const Case& each : cases) {
    INFO(each.inputs.name);
    const auto found = operator_bytes(each.inputs);
    REQUIRE(found);
    CHECK(found->bytes == each.bytes);
    CHECK(found->source == each.source);
  }
}

TEST_CASE("bytes that the inputs do not tell are none") {
  CHECK_FALSE(operator_bytes({"aten::add", kTwo, R"(["quint4","quint4",""])", ""}));  // of unknown size
  CHECK_FALSE(operator_bytes({"aten::sum", "[[5,128],[]]", R"(["float",""])", ""}));  // along which dimension?
  CHECK_FALSE(operator_bytes({"aten::cat", "[[[4,1],[4,2]],[]]", R"(["TensorList","Scalar"])", "", "kernel"}));
  CHECK_FALSE(operator_bytes({"aten::add", "[[4,3],[4,2]]", R"(["float","float"])", ""}));  // no shape of both
  CHECK_FALSE(operator_bytes({"vllm::moe_forward", kTwo, kBf16, ""}));
  CHECK_FALSE(operator_bytes({"aten::add", "", "", ""}));
}

TEST_CASE("a kernel's stake is what it takes longer than at 80 % of its bound") {
  const std::string add = record("cpu_op", "aten::add", 100, 100, 0, 8,
                                 R"("External id":1,"Input Dims":[[4096,4096],[4096,4096],[]],)"
                                 R"("Input type":["float","float","Scalar"])");
  const std::string mm = record("cpu_op", "aten::mm", 100, 100, 10, 8,
                                R"("External id":2,"Input Dims":[[4096,4096],[4096,4096]],)"
                                R"("Input type":["c10::BFloat16","c10::BFloat16"])");
  const Analysed trace(
      add + mm + kernel("add_kernel", 7, 100, 200, R"("External id":1)") +
      kernel("gemm_bf16", 7, 400, 300, R"("External id":2)") + kernel("other", 7, 800, 50, "") +
      record("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 0, 7, 900, 20, R"("device":0,"bytes":400000)"));
  const auto rows = trace.rows();
  const double bandwidth = 3350e9, peak = 989.4e12, n = 4096;
  const KernelRow& moved = trace.row(rows, "add_kernel");
  CHECK(moved.bound() == "memory");
  CHECK(moved.work_from() == "elementwise");
  CHECK(moved.at_stake_ns == std::llround(200'000 - 3 * 4 * n * n / bandwidth / 0.8 * 1e9));
  const KernelRow& computed = trace.row(rows, "gemm_bf16");
  CHECK(computed.bound() == "compute");
  CHECK(computed.at_stake_ns == std::llround(300'000 - 2 * n * n * n / peak / 0.8 * 1e9));
  CHECK_FALSE(trace.row(rows, "other").at_stake_ns);
  const auto whole = trace.rows({.group = KernelGroup::kDevice});
  REQUIRE(whole.size() == 1);
  CHECK(*whole[0].at_stake_ns == *moved.at_stake_ns + *computed.at_stake_ns);
  CHECK(whole[0].work_from() == "formula, elementwise");
}

}  // namespace
}  // namespace vizd::operator_bytes_test
