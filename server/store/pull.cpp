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
      client, fmt::format("SELECT 'done' AS what, toUInt64({1}) AS count FROM push WHERE {0}\n"
                          "UNION ALL SELECT 'piece' AS what, count() AS count FROM piece WHERE {0}",
                          is_of_rank(job, rank), kIsWhole));
  if (!counts) return counts.error();
  std::uint32_t pieces = 0;
  for (const auto& [what, count] : *counts) {
    if (count == 0) return not_whole(store, job, rank);
    if (what == "piece") pieces = count;
  }
  return pieces;
}

}  // namespace

Result<std::uint64_t> pull(const Store& store, const std::string& job, std::uint32_t rank, std::uint64_t most_bytes,
                           const std::function<void(std::string_view part)>& write) {
  Client client = store.connect();
  const auto pieces = piece_count(client, store, job, rank);
  if (!pieces) return pieces.error();
  if (std::uint64_t{*pieces} * kPieceBytes > most_bytes + kPieceBytes)
    return Error{ErrorKind::kTooLarge,
                 fmt::format("rank {} of job {} has more than {} MiB", rank, job, most_bytes >> 20),
                 store.address().text()};
  // A piece more than there can be: their numbers and sizes come on top.
  const Limits limits{.answer_bytes = (kPiecesAtOnce + 1) * kPieceBytes};
  std::uint64_t size_bytes = 0;
  for (std::uint32_t next = 0; next < *pieces;) {
    const auto answer = client.ask(fmt::format("SELECT number, bytes FROM piece WHERE {} AND number >= {} AND number < "
                                               "{} ORDER BY number FORMAT RowBinary",
                                               is_of_rank(job, rank), next, next + kPiecesAtOnce),
                                   limits);
    if (!answer) return answer.error();
    const std::uint32_t first = next;
    RowBinaryReader rows(*answer);
    while (!rows.at_end()) {
      const auto number = rows.unsigned32();
      const auto bytes = rows.text();
      if (!number || !bytes || *number != next || next == *pieces) return not_whole(store, job, rank);
      // All are of the one size but the last: a store cannot make this go on for ever, nor on and on for nothing.
      const bool is_last = next + 1 == *pieces;
      if (is_last ? bytes->empty() || bytes->size() > kPieceBytes : bytes->size() != kPieceBytes)
        return not_whole(store, job, rank);
      write(*bytes);
      size_bytes += bytes->size();
      ++next;
    }
    if (next == first) return not_whole(store, job, rank);
  }
  return size_bytes;
}

}  // namespace vizd::store
