// The table of a capture's rules, made once a reading of the capture for all routes that ask. Any thread.
#pragma once

#include "http/routes/routes.h"
#include "rewrite/rule_table.h"

namespace vizd {

// It takes as long as all passes together: ask the ticket how far it is, and come again.
Derived::Ticket<RuleTable> rules_of(const std::shared_ptr<const LoadedCapture>& loaded, const Services& services);

}  // namespace vizd
