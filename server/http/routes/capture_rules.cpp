#include "http/routes/capture_rules.h"

#include "base/parallel.h"
#include "derived/kept_rules.h"

namespace vizd {

Derived::Ticket<RuleTable> rules_of(const std::shared_ptr<const LoadedCapture>& loaded, const Services& services) {
  const auto make = [loaded, &cache = services.session.cache()](
                        const ReportProgress& report,
                        const std::stop_token& stop) -> Result<std::shared_ptr<const RuleTable>> {
    if (auto kept = load_kept_rules(*loaded, cache)) return std::make_shared<const RuleTable>(*std::move(kept));
    const auto progress = [&](std::uint32_t done, std::uint32_t of) { report({done, of, "replaying"}); };
    const auto so_far = [&](std::shared_ptr<const RuleTable> table) { report({0, 0, "replaying", std::move(table)}); };
    auto table = make_rule_table(loaded->capture, {stop, progress, core_count(), so_far});
    if (!table) return std::move(table).error();
    keep_rules(*loaded, cache, *table, stop);
    return std::make_shared<const RuleTable>(*std::move(table));
  };
  return services.tables.get<RuleTable>(loaded, "rules", make);
}

}  // namespace vizd
