// Rules about what ranks exchange: communication that nothing hides, and ranks that the others wait for.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "diagnosis/page_place.h"
#include "diagnosis/rules.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

RuleAnswer exposed_communication(const Examined& examined) {
  const DeviceBreakdown& whole = examined.whole();
  if (whole.events == 0) return without_device_work(examined);
  if (whole.communication_ns == 0) return Absence{Nothing::kNone, "no collective ran", ""};
  const WorkItem* longest = nullptr;
  for (const WorkItem& item : examined.work().items) {
    const auto length = [](const WorkItem& of) { return of.end_ns - of.start_ns; };
    if (item.is_communication && (longest == nullptr || length(item) > length(*longest))) longest = &item;
  }
  Finding finding = examined.of_devices("exposed communication: nothing computes meanwhile",
                                        fmt::format("{} of the time of collectives is hidden behind computing",
                                                    share_text(share_of(whole.overlap_ns, whole.communication_ns))),
                                        whole.exposed_communication_ns, Sureness::kMeasured);
  finding.next =
      "begin collectives earlier or in smaller buckets, so that they run beside the backward pass; vizd kernels "
      "--collectives tells their bandwidth";
  if (longest != nullptr) finding.evidence.push_back({examined.id_of(*longest), "the longest collective"});
  finding.evidence.push_back({"view:collectives", "all of them"});
  return std::vector{std::move(finding)};
}

std::string rank_text(const Examined& examined, const WorkItem& item) {
  const FileValue& rank = examined.work().device_of(item).rank;
  if (!rank) return "a rank";
  if (const auto* const number = std::get_if<std::int64_t>(&*rank)) return fmt::format("rank {}", *number);
  if (const auto* const text = std::get_if<StringId>(&*rank))
    return "rank " + shown_name(examined.capture().strings.get(*text));
  return "a rank";
}

RuleAnswer straggler(const Examined& examined) {
  if (examined.whole().events == 0) return without_device_work(examined);
  const Collectives& collectives = examined.collectives();
  if (collectives.rows.empty()) return Absence{Nothing::kNone, "no collective ran", ""};
  if (std::ranges::none_of(collectives.rows, &CollectiveRow::has_skew))
    return Absence{Nothing::kNotRecorded, "one rank of its collectives is here",
                   "name the traces of all ranks together: vizd diagnose RANK0 RANK1 …; for the page vizd combine "
                   "makes one of them"};
  std::vector<Finding> findings;
  for (const Straggler& late : collectives.stragglers) {
    if (late.launch.profile != examined.of().place) continue;  // another capture's, which tells it
    const auto& items = examined.work().items;
    const WorkItem& own = items[late.launch.item];
    Finding finding =
        examined.of_devices(fmt::format("the other ranks wait for {} at collectives", rank_text(examined, own)),
                            fmt::format("it comes later than most to {} of {}, they wait {} at most", late.times,
                                        late.of, time_text(late.longest_wait_ns)),
                            late.waited_ns, Sureness::kMeasured);
    finding.next = "find what that rank does before it comes: is its work larger, its device or its input slower?";
    std::int64_t from_ns = own.start_ns, to_ns = own.end_ns;
    for (const CollectiveLaunch& launch : collectives.all[late.worst].launches) {
      if (launch.profile != late.launch.profile) continue;
      from_ns = std::min(from_ns, items[launch.item].start_ns);
      to_ns = std::max(to_ns, items[launch.item].end_ns);
    }
    finding.evidence = {{time_id(examined.profile(), from_ns, to_ns), "where they wait longest"},
                        {examined.id_of(own), "its own kernel there"}};
    findings.push_back(std::move(finding));
  }
  return findings;
}

constexpr std::array kCommunicationRules{
    DiagnosisRule{"exposed-communication", "collectives that run while nothing computes", 0.05, exposed_communication},
    DiagnosisRule{"straggler", "ranks that come to collectives later than the others", 0.02, straggler},
};

}  // namespace

std::span<const DiagnosisRule> communication_rules() { return kCommunicationRules; }

}  // namespace vizd
