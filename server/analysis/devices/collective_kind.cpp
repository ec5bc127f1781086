#include "analysis/devices/collective_kind.h"

#include <string>
#include <utility>

#include "base/ascii_case.h"

namespace vizd {

std::string_view collective_kind_name(CollectiveKind kind) {
  constexpr std::string_view kNames[] = {"all_reduce", "all_gather", "reduce_scatter", "all_to_all",
                                         "broadcast",  "reduce",     "send_receive",   "other"};
  return kNames[static_cast<std::size_t>(kind)];
}

CollectiveKind collective_kind(std::string_view name) {
  // The more particular first: a reduce-scatter is no reduce.
  constexpr std::pair<std::string_view, CollectiveKind> kWords[] = {{"reducescatter", CollectiveKind::kReduceScatter},
                                                                    {"allreduce", CollectiveKind::kAllReduce},
                                                                    {"deviceallreduce", CollectiveKind::kAllReduce},
                                                                    {"crossdevicereduce", CollectiveKind::kAllReduce},
                                                                    {"allgather", CollectiveKind::kAllGather},
                                                                    {"alltoall", CollectiveKind::kAllToAll},
                                                                    {"dispatch", CollectiveKind::kAllToAll},
                                                                    {"combine", CollectiveKind::kAllToAll},
                                                                    {"broadcast", CollectiveKind::kBroadcast},
                                                                    {"sendrecv", CollectiveKind::kSendReceive},
                                                                    {"reduce", CollectiveKind::kReduce},
                                                                    {"send", CollectiveKind::kSendReceive},
                                                                    {"recv", CollectiveKind::kSendReceive},
                                                                    {"receive", CollectiveKind::kSendReceive}};
  std::string plain;
  for (const char c : name) {
    if (c != '_' && c != '-') plain += c;
  }
  for (const auto& [word, kind] : kWords) {
    if (contains_in_any_case(plain, word)) return kind;
  }
  return CollectiveKind::kOther;
}

double bus_factor(CollectiveKind kind, std::int64_t ranks) {
  if (ranks < 1) return 1;
  const auto n = static_cast<double>(ranks);
  switch (kind) {
    case CollectiveKind::kAllReduce:
      return 2 * (n - 1) / n;
    case CollectiveKind::kAllGather:
    case CollectiveKind::kReduceScatter:
    case CollectiveKind::kAllToAll:
      return (n - 1) / n;
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kReduce:
    case CollectiveKind::kSendReceive:
    case CollectiveKind::kOther:
      break;
  }
  return 1;
}

}  // namespace vizd
