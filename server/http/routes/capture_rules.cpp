#include "http/routes/capture_rules.h"

#include <algorithm>

#include "base/parallel.h"

namespace vizd {

// More would hold the histories of so many passes at once.
constexpr unsigned kMostThreads = 8;

Derived::Ticket<RuleTable> rules_of(const std::shared_ptr<const LoadedCapture>& loaded, const Services& services) {
  const auto make = [loaded](const ReportProgress& report,
                             std::stop_token stop) -> Result<std::shared_ptr<const RuleTable>> {
    const auto progress = [&](std::uint32_t done, std::uint32_t of) { report({done, of, "replaying"}); };
    auto table = make_rule_table(loaded->capture, {std::move(stop), progress, std::min(core_count(), kMostThreads)});
    if (!table) return std::move(table).error();
    return std::make_shared<const RuleTable>(*std::move(table));
  };
  return services.tables.get<RuleTable>(loaded, "rules", make);
}

}  // namespace vizd
