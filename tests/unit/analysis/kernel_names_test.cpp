// What names of kernels and devices tell.
#include "analysis/devices/kernel_names.h"

#include "analysis/devices/device_peaks.h"
#include "support/catch.h"

namespace vizd::kernel_names_test {
namespace {

TEST_CASE("communication is told by libraries and collectives, and not by what a compiled kernel fused") {
  for (const auto* name :
       {"ncclDevKernel_AllReduce_Sum_f32", "void cross_device_reduce_1stage<float>", "multimem_all_reduce_kernel",
        "AllGatherKernel", "reducescatter", "ALL_TO_ALL_v", "alltoall"})
    CHECK(is_communication_kernel(name));
  for (const auto* name : {"triton_poi_fused_all_reduce_0", "reduce_kernel", "all_of", "gemm", "all__reduce", ""})
    CHECK_FALSE(is_communication_kernel(name));
}

TEST_CASE("a family is a name without template arguments, parameters, numbers and hashes") {
  CHECK(kernel_family("void at::native::vectorized_elementwise_kernel<4, at::native::Add<float>>(int, float*)") ==
        "at::native::vectorized_elementwise_kernel");
  CHECK(kernel_family("triton_poi_fused_add_mul_12") == "triton_poi_fused_add_mul");
  CHECK(kernel_family("fused_add_0d1d2d3d45") == "fused_add");
  CHECK(kernel_family("r_16_32_4") == "r");
  CHECK(kernel_family("Memcpy HtoD (Pinned -> Device)") == "Memcpy HtoD");
  CHECK(kernel_family("(anonymous)") == "(anonymous)");
  CHECK(kernel_family("operator<") == "operator");
  CHECK(kernel_family("") == "");
  CHECK(kernel_family("_7") == "_7");
}

TEST_CASE("a category is the first kind of work whose words the name has") {
  CHECK(kernel_category("sm90_xmma_gemm_bf16bf16_bf16f32") == "GEMM");
  CHECK(kernel_category("void pytorch_flash::flash_fwd_kernel<…>") == "attention");
  CHECK(kernel_category("cudnn::winograd_nonfused::…") == "convolution");
  CHECK(kernel_category("vectorized_layer_norm_kernel") == "normalisation");
  CHECK(kernel_category("ncclKernel_SendRecv") == "communication");
  CHECK(kernel_category("r_16_32_4") == "reduction");
  CHECK(kernel_category("E_512_4") == "elementwise");
  CHECK(kernel_category("zzz") == "other");
}

TEST_CASE("a device is found by its words, in any case, and never by a part of one") {
  DevicePeaks peaks;
  const auto name = [&](std::string_view device) {
    const DevicePeak* const peak = peaks.find(device);
    return peak == nullptr ? std::string("none") : peak->name;
  };
  CHECK(name("NVIDIA H100 80GB HBM3") == "H100 SXM");
  CHECK(name("NVIDIA H100 PCIe") == "H100 PCIe");
  CHECK(name("NVIDIA A100-SXM4-80GB") == "A100 80GB");
  CHECK(name("NVIDIA A100-SXM4-40GB") == "A100 40GB");
  CHECK(name("NVIDIA A10") == "A10");
  CHECK(name("AMD Instinct MI300X VF") == "MI300X");
  CHECK(name("Tesla V100-SXM2-16GB") == "V100 SXM2");
  CHECK(name("AMD Radeon Graphics") == "none");
  CHECK(name("") == "none");
}

TEST_CASE("a file of peaks goes before vizd's own, and says which entry is wrong") {
  DevicePeaks peaks;
  REQUIRE_FALSE(peaks.add(R"([{"name": "H100", "bf16": 500, "GB/s": 1000}])"));
  const DevicePeak* const peak = peaks.find("NVIDIA H100 80GB HBM3");
  REQUIRE(peak != nullptr);
  CHECK(peak->flops(Precision::kBf16) == 500e12);
  CHECK_FALSE(peak->flops(Precision::kFp8));
  CHECK(peak->bytes_per_s() == 1e12);
  for (const auto* wrong : {"{", "{}", "[1]", R"([{"bf16": 1}])", R"([{"name": "x", "bf17": 1}])",
                            R"([{"name": "x", "bf16": "1"}])", R"([{"name": "x", "words": [""]}])"}) {
    INFO(wrong);
    CHECK(DevicePeaks().add(wrong));
  }
}

}  // namespace
}  // namespace vizd::kernel_names_test
