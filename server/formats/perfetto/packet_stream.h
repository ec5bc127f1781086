// PacketStream: a trace's packets out of its bytes as they come. Holds no more than the packet that is not whole yet.
// One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace vizd::perfetto {

class PacketStream {
 public:
  using Take = std::function<void(std::string_view packet)>;

  explicit PacketStream(Take take) : take_(std::move(take)) {}

  // False where what comes is no trace from here on.
  bool feed(std::span<const std::byte> part);

  std::uint64_t packet_count() const { return packet_count_; }
  // Counts what is between the packets and does not belong to a trace.
  std::uint64_t stranger_count() const { return stranger_count_; }
  // Whether something is left that is no whole packet, and where it begins.
  bool is_cut() const { return is_damaged_ || at_ < text_.size(); }
  std::uint64_t offset() const { return dropped_bytes_ + at_; }

 private:
  // False where the next field is not all there, or is none.
  bool take_field();

  const Take take_;
  std::string text_;
  std::size_t at_ = 0;
  std::uint64_t dropped_bytes_ = 0, packet_count_ = 0, stranger_count_ = 0;
  bool is_damaged_ = false;
};

}  // namespace vizd::perfetto
