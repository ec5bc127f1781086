#include "analysis/devices/host_work.h"

#include <algorithm>
#include <map>

#include "analysis/devices/host_calls.h"
#include "analysis/devices/kernel_names.h"
#include "analysis/devices/step_times.h"

namespace vizd {
namespace {

// Operators of PyTorch that neither compute nor copy: they allocate, or describe the same memory otherwise.
constexpr std::string_view kWithoutWork[] = {"aten::_reshape_alias",
                                             "aten::_unsafe_view",
                                             "aten::alias",
                                             "aten::as_strided",
                                             "aten::as_strided_",
                                             "aten::chunk",
                                             "aten::detach",
                                             "aten::detach_",
                                             "aten::diagonal",
                                             "aten::empty",
                                             "aten::empty_like",
                                             "aten::empty_strided",
                                             "aten::expand",
                                             "aten::expand_as",
                                             "aten::flatten",
                                             "aten::is_pinned",
                                             "aten::lift_fresh",
                                             "aten::movedim",
                                             "aten::narrow",
                                             "aten::new_empty",
                                             "aten::new_empty_strided",
                                             "aten::permute",
                                             "aten::pin_memory",
                                             "aten::real",
                                             "aten::record_stream",
                                             "aten::reshape",
                                             "aten::resize_",
                                             "aten::resize_as_",
                                             "aten::resolve_conj",
                                             "aten::resolve_neg",
                                             "aten::result_type",
                                             "aten::select",
                                             "aten::set_",
                                             "aten::slice",
                                             "aten::split",
                                             "aten::split_with_sizes",
                                             "aten::squeeze",
                                             "aten::squeeze_",
                                             "aten::swapaxes",
                                             "aten::t",
                                             "aten::t_",
                                             "aten::tensor_split",
                                             "aten::transpose",
                                             "aten::transpose_",
                                             "aten::unbind",
                                             "aten::unflatten",
                                             "aten::unfold",
                                             "aten::unsafe_chunk",
                                             "aten::unsafe_split",
                                             "aten::unsqueeze",
                                             "aten::unsqueeze_",
                                             "aten::view",
                                             "aten::view_as",
                                             "detach",
                                             "detach_"};

class HostWorkFinder {
 public:
  explicit HostWorkFinder(const Capture& capture) : capture_(capture) {}

  DeviceAnalysis find() {
    const std::vector<std::uint32_t> roots = rank_roots(capture_);
    for (const std::uint32_t root : roots) add_rank(root);
    analysis_.work.steps = find_step_times(capture_, analysis_.work, roots);
    analysis_.figures = find_work_figures(capture_, analysis_.work, analysis_.operators);
    return std::move(analysis_);
  }

 private:
  void add_rank(std::uint32_t root) {
    const HostCalls calls = find_host_calls(capture_, root);
    const std::vector<std::int64_t> below_ns = work_below(calls);
    std::vector<bool> is_within(calls.size(), false);  // another kernel
    std::vector<std::uint32_t> kernels;
    for (std::uint32_t i = 0; i < calls.size(); ++i) {
      is_within[i] = calls[i].parent != kNoId && is_within[calls[i].parent];
      if (is_within[i] || !is_kernel(calls[i], below_ns[i])) continue;
      is_within[i] = true;
      kernels.push_back(i);
    }
    if (kernels.empty()) return;
    std::ranges::stable_sort(kernels, {}, [&](std::uint32_t i) { return calls[i].order; });
    add_device(root);
    for (const std::uint32_t kernel : kernels) add(calls[kernel]);
  }

  // By call, how much of it passed in operators that work, called by it directly or within ranges.
  std::vector<std::int64_t> work_below(const HostCalls& calls) {
    std::vector<std::int64_t> below_ns(calls.size(), 0);
    for (std::size_t i = calls.size(); i-- > 0;) {  // callees come after their callers
      if (calls[i].parent == kNoId) continue;
      const bool works = calls[i].is_operator && (tell(calls[i]).is_work || below_ns[i] > 0);
      below_ns[calls[i].parent] += works ? calls[i].dur_ns() : below_ns[i];
    }
    return below_ns;
  }

  // Calls that allocate or describe tensors are part of it, and so is a copy that prepares its inputs. An operator
  // of autograd only calls others.
  bool is_kernel(const HostCall& call, std::int64_t below_ns) {
    if (!call.is_operator || !tell(call).is_work) return false;
    return below_ns == 0 || (2 * below_ns <= call.dur_ns() && !tell(call).is_autograd);
  }

  void add_device(std::uint32_t root) {
    WorkDevice device{.root = root, .rank = rank_of(capture_, root), .number = {}, .name = std::string(kHostDevice)};
    const StringId offset = capture_.strings.find(fact::kTimeOffset_ns);
    for (const Fact& fact : capture_.facts) {
      const auto* const ns = std::get_if<std::int64_t>(&fact.value);
      if (fact.is_hidden && fact.track == root && fact.name == offset && ns != nullptr) device.offset_ns = *ns;
    }
    analysis_.work.devices.push_back(std::move(device));
    streams_.clear();
  }

  void add(const HostCall& call) {
    DeviceWork& work = analysis_.work;
    const auto [stream, is_new] = streams_.try_emplace(call.track, static_cast<std::uint32_t>(work.streams.size()));
    if (is_new)
      work.streams.push_back(
          {static_cast<std::uint32_t>(work.devices.size() - 1), FileValue(capture_.profile.tracks[call.track].name)});
    const auto item = static_cast<std::uint32_t>(work.items.size());
    work.items.push_back({call, stream->second, kNoId, EventRole::kKernel, tell(call).is_communication});
    analysis_.operators.of_item.set(item, static_cast<std::uint32_t>(analysis_.operators.all.size()));
    analysis_.operators.all.push_back(call);
  }

  struct NameTells {
    bool is_work = true, is_communication = false, is_autograd = false;
  };

  const NameTells& tell(const HostCall& call) {
    const StringId id = capture_.profile.tracks[call.track].events.name(call.event);
    const auto [known, is_new] = tells_.try_emplace(id);
    if (is_new) {
      const std::string_view name = capture_.strings.get(id);
      known->second = {std::ranges::find(kWithoutWork, name) == std::end(kWithoutWork),
                       name.starts_with("c10d::") || name == "record_param_comms" || is_communication_kernel(name),
                       name.starts_with("autograd::")};
    }
    return known->second;
  }

  const Capture& capture_;
  DeviceAnalysis analysis_;
  std::map<std::uint32_t, std::uint32_t> streams_;  // of the rank, by the thread's track
  std::map<StringId, NameTells> tells_;             // by name
};

}  // namespace

DeviceAnalysis analyse_host(const Capture& capture, const DeviceAnalysis& devices) {
  // Operators of a host that launched work only enqueue it, wherever the records of that work are.
  if (!devices.work.items.empty() || !devices.work.calls.empty() || !capture.profile.is_trace) return {};
  return HostWorkFinder(capture).find();
}

}  // namespace vizd
