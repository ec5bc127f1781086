// Rules about what ranks exchange: communication that nothing hides, and ranks that the others wait for.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/figures/span_union.h"
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
  for (const WorkItem& item : examined.work_in_scope().items) {
    const auto length = [](const WorkItem& of) { return of.end_ns - of.start_ns; };
    if (item.is_communication && (longest == nullptr || length(item) > length(*longest))) longest = &item;
  }
  Finding finding = examined.of_devices("exposed communication: nothing computes meanwhile",
                                        fmt::format("{} of the time of collectives is hidden behind computing",
                                                    share_text(share_of(whole.overlap_ns, whole.communication_ns))),
                                        whole.exposed_communication_ns, Sureness::kMeasured);
  finding.next =
      "start collectives earlier or in smaller buckets, so that they overlap the backward pass; vizd kernels "
      "--collectives shows their bandwidth";
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
  if (std::ranges::none_of(collectives.rows, &CollectiveRow::has_skew)) {
    const std::vector<std::string> notes = pairing_notes(examined.job(), collectives);
    if (collectives.ranks_here > 1)
      return Absence{Nothing::kNotRecorded, fmt::format("{}", fmt::join(notes, "; ")),
                     "record all ranks over the same steps"};
    const std::string_view chrome = told_by_chrome_trace(examined.capture());
    return Absence{Nothing::kNotRecorded,
                   collectives.world_size && *collectives.world_size > 1
                       ? fmt::format("only one of the job's {} ranks was given", *collectives.world_size)
                   : chrome.empty() ? "only one rank of its collectives was given"
                                    : "only one rank of its collectives was given, and the file does not say which",
                   fmt::format("give the traces of all ranks together: vizd diagnose RANK0 RANK1 …; for the page, vizd "
                               "combine writes one trace of them{}{}",
                               chrome.empty() ? "" : "; for the rank: ", chrome)};
  }
  const std::vector<std::string> notes = pairing_notes(examined.job(), collectives);
  const std::string note = notes.empty() ? "" : fmt::format("; {}", fmt::join(notes, "; "));
  std::vector<Finding> findings;
  for (const Straggler& late : collectives.stragglers) {
    if (late.launch.profile != examined.of().place) continue;  // another capture's, which tells it
    const auto& items = examined.work().items;
    const WorkItem& own = items[late.launch.item];
    Finding finding =
        examined.of_devices(fmt::format("the other ranks wait for {} at collectives", rank_text(examined, own)),
                            fmt::format("it arrives later than most at {} of {}, they wait {} at most{}", late.times,
                                        late.of, time_text(late.longest_wait_ns), note),
                            late.waited_ns, Sureness::kMeasured);
    finding.next = "find what that rank does before it arrives: is its work larger, its device or its input slower?";
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

bool is_host_collective(std::string_view name) {
  constexpr std::string_view kLibraries[] = {"gloo:", "mpi:", "ucc:", "nccl:"};
  return std::ranges::any_of(kLibraries, [&](std::string_view library) { return name.starts_with(library); });
}

// For a run without devices: how long any of its threads is in a collective.
RuleAnswer host_communication(const Examined& examined) {
  if (!examined.capture().has_profile) return without_device_work(examined);
  if (examined.whole().events > 0) return Absence{Nothing::kNone, "its collectives run on devices", ""};
  std::vector<ProfileEvent> spans;
  examined.for_each_host_span([&](std::uint32_t track, std::uint32_t event) {
    const EventColumns& events = examined.profile().tracks[track].events;
    if (is_host_collective(examined.capture().strings.get(events.name(event))))
      spans.push_back({events.start_ns(event), events.end_ns(event), track, event, 0});
  });
  if (spans.empty()) return Absence{Nothing::kNone, "no collective ran", ""};
  std::ranges::stable_sort(spans, {}, &ProfileEvent::start_ns);
  SpanUnion all;
  const ProfileEvent* longest = &spans.front();
  for (const ProfileEvent& span : spans) {
    all.add(span.start_ns, span.end_ns);
    if (span.end_ns - span.start_ns > longest->end_ns - longest->start_ns) longest = &span;
  }
  Finding finding;
  finding.title = "communication bound: hosts exchange data for much of the time";
  finding.detail = fmt::format("{}, the longest {}: {}", count_text(std::ssize(spans), "collective"),
                               time_text(longest->end_ns - longest->start_ns), examined.name_of(*longest));
  finding.cost_ns = all.length_ns();
  finding.share = share_of(all.length_ns(), examined.extent_ns());
  finding.of = "the recording";
  finding.next =
      "exchange less often or in larger buckets, and overlap it with computing; use a faster network or library (MPI, "
      "NCCL on devices); check whether other ranks arrive late";
  finding.evidence = {{examined.id_of(*longest), "the longest"}};
  return std::vector{std::move(finding)};
}

constexpr std::array kCommunicationRules{
    DiagnosisRule{"host-communication", "collectives of hosts without device work", 0.2, host_communication},
    DiagnosisRule{"exposed-communication", "collectives that run while nothing computes", 0.05, exposed_communication},
    DiagnosisRule{"straggler", "ranks that arrive at collectives later than the others", 0.02, straggler},
};

}  // namespace

std::span<const DiagnosisRule> communication_rules() { return kCommunicationRules; }

}  // namespace vizd
