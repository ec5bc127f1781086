#include "cli/captures/demo/training_trace.h"

#include <fmt/core.h>

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_writer.h"

namespace vizd {
namespace {

constexpr std::int64_t kSteps = 5;
constexpr std::int64_t kWaitingStep = 3;  // its batch comes late
constexpr std::int64_t kBlocks = 4;
constexpr std::int64_t kTokens = 4096, kWidth = 1024;

constexpr std::int64_t kHostThread = 100, kBackwardThread = 101, kComputeStream = 7, kCollectiveStream = 20;
constexpr std::int64_t kLaunch_us = 6;  // from a call of the host until its kernel may begin

using Shape = std::array<std::int64_t, 2>;

class TrainingTrace {
 public:
  // others_ready_us: when the slower rank had come to each collective; none for that rank itself.
  TrainingTrace(std::size_t rank, std::vector<std::int64_t> others_ready_us)
      : rank_(rank), others_ready_us_(std::move(others_ready_us)), json_(text_) {}

  const std::vector<std::int64_t>& ready_us() const { return ready_us_; }

  std::string write() {
    json_.begin_object().key("schemaVersion").number(1);
    json_.key("madeBy").text("vizd demo: no machine ran this");
    json_.key("distributedInfo").begin_object().key("backend").text("nccl").key("rank").number(rank_);
    json_.key("world_size").number(kTrainingRanks).end_object();
    json_.key("baseTimeNanoseconds").number(0);
    json_.key("deviceProperties").begin_array().begin_object().key("id").number(rank_);
    json_.key("name").text("Demo GPU").end_object().end_array();
    json_.key("traceEvents").begin_array();
    span("cpu_op", "aten::to", kHostThread, host_us_ - 5, host_us_ + 5);
    hold(512'000'000, kHostThread);  // the weights
    host_us_ += 10;
    for (std::int64_t step = 0; step < kSteps; ++step) train(step);
    json_.end_array().end_object();
    return std::move(text_);
  }

 private:
  // A few percent, the same at each call.
  std::int64_t varied(std::int64_t dur_us) {
    random_ = random_ * 1664525u + 1013904223u;
    return dur_us + dur_us * static_cast<std::int64_t>((random_ >> 16) % 9) / 100;
  }

  JsonWriter& begin_span(std::string_view category, std::string_view name, std::int64_t process, std::int64_t thread,
                         std::int64_t at_us, std::int64_t dur_us) {
    json_.begin_object().key("ph").text("X").key("cat").text(category).key("name").text(name).key("pid").number(
        process);
    json_.key("tid").number(thread).key("ts").number(at_us).key("dur").number(dur_us);
    return json_.key("args").begin_object();
  }
  void span(std::string_view category, std::string_view name, std::int64_t thread, std::int64_t from_us,
            std::int64_t to_us) {
    begin_span(category, name, kProcess, thread, from_us, to_us - from_us).end_object().end_object();
  }

  void memory(std::int64_t bytes, std::uint64_t address, std::int64_t thread) {
    held_bytes_ += bytes;
    json_.begin_object().key("ph").text("i").key("s").text("t").key("cat").text("cpu_instant_event");
    json_.key("name").text("[memory]").key("pid").number(kProcess).key("tid").number(thread).key("ts").number(host_us_);
    json_.key("args").begin_object().key("Bytes").number(bytes).key("Addr").number(address);
    json_.key("Device Type").number(1).key("Device Id").number(rank_).key("Total Allocated").number(held_bytes_);
    json_.key("Total Reserved").number(std::int64_t{2'000'000'000}).end_object().end_object();
  }
  std::uint64_t hold(std::int64_t bytes, std::int64_t thread) {
    const std::uint64_t address = next_address_;
    next_address_ += static_cast<std::uint64_t>(bytes) + 512;
    memory(bytes, address, thread);
    return address;
  }

  // An operator that launches a kernel.
  void run(std::string_view op, std::string_view kernel, const std::vector<Shape>& shapes, std::int64_t dur_us,
           std::int64_t thread) {
    const std::int64_t correlation = ++correlation_;
    begin_span("cpu_op", op, kProcess, thread, host_us_, 14).key("External id").number(correlation);
    json_.key("Input Dims").begin_array();
    for (const auto& [rows, columns] : shapes) json_.begin_array().number(rows).number(columns).end_array();
    json_.end_array().key("Input type").begin_array();
    for (std::size_t i = 0; i < shapes.size(); ++i) json_.text("float");
    json_.end_array().end_object().end_object();
    launch(correlation, thread);
    compute(kernel, correlation, dur_us);
  }
  void launch(std::int64_t correlation, std::int64_t thread) {
    begin_span("cuda_runtime", "cudaLaunchKernel", kProcess, thread, host_us_ + 6, 5);
    json_.key("correlation").number(correlation).end_object().end_object();
    host_us_ += 18;
  }
  void compute(std::string_view kernel, std::int64_t correlation, std::int64_t dur_us) {
    // The second rank's device is slower.
    const std::int64_t dur = varied(rank_ == 1 ? dur_us * 6 / 5 : dur_us);
    device_us_ = std::max(device_us_ + 1, host_us_ + kLaunch_us);
    begin_span("kernel", kernel, device_, kComputeStream, device_us_, dur).key("device").number(rank_);
    json_.key("stream").number(kComputeStream).key("correlation").number(correlation).end_object().end_object();
    device_us_ += dur;
  }

  // Every rank ends at the same time: when the slower one has come, and the data has gone round.
  void all_reduce(std::int64_t elements) {
    const std::int64_t correlation = ++correlation_;
    begin_span("cpu_op", "c10d::allreduce_", kProcess, kBackwardThread, host_us_, 14);
    json_.key("External id").number(correlation).end_object().end_object();
    launch(correlation, kBackwardThread);
    const std::int64_t from = std::max({device_us_, host_us_ + kLaunch_us, collective_us_ + 1});
    const std::size_t number = ready_us_.size();
    ready_us_.push_back(from);
    const std::int64_t all_ready = number < others_ready_us_.size() ? std::max(from, others_ready_us_[number]) : from;
    const std::int64_t to = all_ready + elements / 20'000;
    begin_span("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", device_, kCollectiveStream, from, to - from);
    json_.key("device").number(rank_).key("stream").number(kCollectiveStream).key("correlation").number(correlation);
    json_.key("Collective name").text("allreduce").key("In msg nelems").number(elements);
    json_.key("Out msg nelems").number(elements).key("dtype").text("Float").key("Group size").number(kTrainingRanks);
    json_.key("Process Group Name").text("0").end_object().end_object();
    collective_us_ = to;
  }

  void forward(std::vector<std::uint64_t>& activations) {
    const std::int64_t from = host_us_;
    const Shape tokens{kTokens, kWidth}, weight{kWidth, kWidth}, wide{kWidth, 4 * kWidth}, tall{4 * kWidth, kWidth};
    for (std::int64_t block = 0; block < kBlocks; ++block) {
      const std::int64_t begin = host_us_;
      activations.push_back(hold(48'000'000, kHostThread));
      run("aten::native_layer_norm", "layer_norm_kernel", {tokens}, 28, kHostThread);
      run("aten::addmm", "sgemm_128x128_nn", {tokens, weight}, 130, kHostThread);
      run("aten::scaled_dot_product_attention", "fmha_forward", {tokens, tokens, tokens}, 210, kHostThread);
      run("aten::addmm", "sgemm_128x128_nn", {tokens, wide}, 420, kHostThread);
      activations.push_back(hold(64'000'000, kHostThread));
      run("aten::gelu", "vectorized_elementwise_gelu", {{kTokens, 4 * kWidth}}, 46, kHostThread);
      run("aten::addmm", "sgemm_128x128_nn", {{kTokens, 4 * kWidth}, tall}, 425, kHostThread);
      span("python_function", fmt::format("nn.Module: Block_{}", block), kHostThread, begin, host_us_);
    }
    span("python_function", "nn.Module: Transformer_0", kHostThread, from - 2, host_us_ + 2);
  }

  void backward(std::vector<std::uint64_t>& activations) {
    for (std::int64_t block = kBlocks; block-- > 0;) {
      const Shape tokens{kTokens, kWidth}, wide{kWidth, 4 * kWidth};
      run("MmBackward0", "sgemm_128x128_nt", {tokens, wide}, 840, kBackwardThread);
      run("GeluBackward0", "vectorized_elementwise_gelu_backward", {{kTokens, 4 * kWidth}}, 60, kBackwardThread);
      run("ScaledDotProductBackward0", "fmha_backward", {tokens, tokens}, 460, kBackwardThread);
      run("MmBackward0", "sgemm_128x128_tn", {tokens, wide}, 820, kBackwardThread);
      all_reduce(12'582'912);
      for (int i = 0; i < 2; ++i) {
        memory(i == 0 ? -64'000'000 : -48'000'000, activations.back(), kBackwardThread);
        activations.pop_back();
      }
    }
  }

  void train(std::int64_t step) {
    const std::int64_t begin = host_us_;
    const std::int64_t wait = step == kWaitingStep ? 2'600 : 90;
    span("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", kHostThread, host_us_,
         host_us_ + wait);
    host_us_ += wait + 4;
    std::vector<std::uint64_t> activations;
    forward(activations);
    run("aten::cross_entropy_loss", "softmax_forward", {{kTokens, 32'000}}, 90, kHostThread);
    backward(activations);
    // The host waits for the gradients.
    const std::int64_t synced = std::max({host_us_, collective_us_, device_us_}) + 10;
    span("cuda_runtime", "cudaDeviceSynchronize", kHostThread, host_us_, synced);
    host_us_ = device_us_ = synced;
    const std::int64_t optimizer = host_us_;
    for (std::int64_t group = 0; group < 3; ++group)
      run("aten::_fused_adam_", "multi_tensor_apply_adam", {{kWidth, 4 * kWidth}}, 120, kHostThread);
    span("user_annotation", "Optimizer.step#AdamW.step", kHostThread, optimizer, host_us_);
    host_us_ = std::max(host_us_, device_us_) + 20;
    span("python_function", "train.py(42): step", kHostThread, begin, host_us_);
    span("user_annotation", fmt::format("ProfilerStep#{}", step), kHostThread, begin, host_us_);
    host_us_ += 5;
  }

  static constexpr std::int64_t kProcess = 4242;

  const std::size_t rank_;
  const std::int64_t device_ = static_cast<std::int64_t>(rank_);
  const std::vector<std::int64_t> others_ready_us_;
  std::vector<std::int64_t> ready_us_;  // this rank, for each collective
  std::string text_;
  JsonWriter json_;
  std::uint32_t random_ = 1;
  std::int64_t host_us_ = 1000, device_us_ = 0, collective_us_ = 0;
  std::int64_t correlation_ = 0, held_bytes_ = 0;
  std::uint64_t next_address_ = 1u << 20;
};

}  // namespace

std::array<std::string, kTrainingRanks> training_traces() {
  TrainingTrace slower(1, {});
  std::string second = slower.write();
  return {TrainingTrace(0, slower.ready_us()).write(), std::move(second)};
}

}  // namespace vizd
