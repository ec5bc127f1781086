#include "analysis/xla/xla_times.h"

#include "base/parallel.h"

namespace vizd {
namespace {

// The pieces of a stream's work by one of its clocks; of kernels, which do not nest, their whole time.
std::vector<XlaPiece> pieces_of(const XlaHost& host, const XlaStream& stream, XlaSpan XlaWork::*clock) {
  std::vector<XlaSpan> spans;
  spans.reserve(stream.count);
  for (std::size_t i = 0; i < stream.count; ++i) spans.push_back(host.work[stream.first + i].*clock);
  std::vector<XlaPiece> pieces;
  if (stream.is_nested) {
    pieces = innermost_pieces(spans);
  } else {
    for (std::size_t i = 0; i < spans.size(); ++i) pieces.push_back({spans[i], static_cast<std::uint32_t>(i)});
  }
  for (XlaPiece& piece : pieces) piece.op += static_cast<std::uint32_t>(stream.first);
  return pieces;
}

}  // namespace

XlaTimes find_xla_times(const XlaHost& host, const StringTable& strings) {
  XlaTimes times{.traits = find_op_traits(host, strings),
                 .self_ps = std::vector<std::int64_t>(host.work.size()),
                 .pieces = {},
                 .first_piece = {0},
                 .device_self_ps = std::vector<std::int64_t>(host.devices.size())};
  std::vector<std::vector<XlaPiece>> drawn(host.streams.size());
  for_each_index(host.streams.size(), core_count(), [&](std::size_t s) {
    drawn[s] = pieces_of(host, host.streams[s], &XlaWork::drawn);
    for (const XlaPiece& piece : pieces_of(host, host.streams[s], &XlaWork::timed))
      times.self_ps[piece.op] += piece.span.dur_ps();
  });
  for (std::size_t s = 0; s < host.streams.size(); ++s) {
    const XlaStream& stream = host.streams[s];
    times.pieces.insert(times.pieces.end(), drawn[s].begin(), drawn[s].end());
    times.first_piece.push_back(times.pieces.size());
    for (std::size_t i = 0; i < stream.count; ++i)
      times.device_self_ps[stream.device] += times.self_ps[stream.first + i];
  }
  return times;
}

}  // namespace vizd
