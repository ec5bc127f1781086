#include "store/pull.h"

#include <fmt/format.h>

#include "store/row_binary.h"

namespace vizd::store {
namespace {

constexpr std::uint32_t kPiecesAtOnce = 32;

Error not_whole(const Store& store, const std::string& job, std::uint32_t rank) {
  return {ErrorKind::kNotFound, fmt::format("rank {} of job {} is not there whole; push it again", rank, job),
          store.address().text()};
}

// How many pieces a rank has that was pushed to its end.
Result<std::uint32_t> piece_count(Client& client, const Store& store, const std::string& job, std::uint32_t rank) {
  const auto counts = ask_rows_of<std::string, std::uint32_t>(
      client, fmt::format("SELECT 'done' AS what, count() AS count FROM push WHERE {0} AND "
                          "state = 'done'\n"
                          "UNION ALL SELECT 'piece' AS what, count() AS count FROM piece WHERE {0}",
                          is_of_rank(job, rank)));
  if (!counts) return counts.error();
  std::uint32_t pieces = 0;
  for (const auto& [what, count] : *counts) {
    if (count == 0) return not_whole(store, job, rank);
    if (what == "piece") pieces = count;
  }
  return pieces;
}

}  // namespace

Result<std::uint64_t> pull(const Store& store, const std::string& job, std::uint32_t rank,
                           const std::function<void(std::string_view part)>& write) {
  Client client = store.connect();
  const auto pieces = piece_count(client, store, job, rank);
  if (!pieces) return pieces.error();
  std::uint64_t size_bytes = 0;
  for (std::uint32_t next = 0; next < *pieces;) {
    const auto answer =
        client.ask(fmt::format("SELECT number, bytes FROM piece WHERE {} AND number >= {} AND number < "
                               "{} ORDER BY number FORMAT RowBinary",
                               is_of_rank(job, rank), next, next + kPiecesAtOnce));
    if (!answer) return answer.error();
    const std::uint32_t first = next;
    RowBinaryReader rows(*answer);
    while (!rows.at_end()) {
      const auto number = rows.unsigned32();
      const auto bytes = rows.text();
      if (!number || !bytes || *number != next) return not_whole(store, job, rank);
      write(*bytes);
      size_bytes += bytes->size();
      ++next;
    }
    if (next == first) return not_whole(store, job, rank);
  }
  return size_bytes;
}

}  // namespace vizd::store
