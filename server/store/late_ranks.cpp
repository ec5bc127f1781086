#include "store/late_ranks.h"

#include <fmt/format.h>

#include "store/store.h"

namespace vizd::store {

std::string late_ranks_query(const std::string& job) {
  // PREWHERE: all other columns are read where a name fits, which is hardly anywhere.
  return fmt::format(
      "SELECT rank, toUInt64(sum(middle - took)) AS wait_ns, count() AS collectives FROM (SELECT groupArray(rank) AS "
      "ranks, groupArray(took) AS tooks, quantileExact(0.5)(took) AS middle FROM (SELECT rank, name, took, nth FROM "
      "(SELECT rank, name, groupArray(dur) AS durs FROM (SELECT rank, name, ts, dur FROM slice PREWHERE name GLOBAL IN "
      "(SELECT name FROM kernel WHERE {0} AND is_communication = 1) WHERE {1} ORDER BY rank, name, ts) GROUP BY rank, "
      "name) ARRAY JOIN durs AS took, arrayEnumerate(durs) AS nth) GROUP BY name, nth) ARRAY JOIN ranks AS rank, tooks "
      "AS took WHERE took < middle GROUP BY rank",
      is_of_job(job), is_of_listed_ranks(job));
}

}  // namespace vizd::store
