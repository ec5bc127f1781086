#include "query/table.h"

namespace vizd::sql {

Plan plan_for_arguments(const PlanRequest& request, int first, int count, bool is_ordered) {
  Plan plan;
  std::vector<bool> given(static_cast<std::size_t>(count));
  for (const Constraint& constraint : request.constraints) {
    const int argument = constraint.column - first;
    const bool takes = constraint.compare == Compare::kEqual && argument >= 0 && argument < count &&
                       !given[static_cast<std::size_t>(argument)];
    plan.takes.push_back(takes);
    if (takes) given[static_cast<std::size_t>(argument)] = true;
  }
  plan.is_impossible = std::ranges::find(given, false) != given.end();
  plan.is_ordered = is_ordered;
  plan.rows = 20;
  plan.cost = 200;
  return plan;
}

}  // namespace vizd::sql
