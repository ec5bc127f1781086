// PackedAnswers: answers as a page has them beside it: in packs, each compressed by itself and written as text, and an
// index that says where each answer lies. Never larger than it may be: a pack that has no room is left out. One thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/report/route_client.h"

namespace vizd {

class PackedAnswers {
 public:
  struct Named {
    std::string question;  // Question::text()
    RouteClient::Answer answer;
  };

  // most_bytes: of all packs and the index, as they stand in the page.
  explicit PackedAnswers(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  // Adds a pack of these answers; false where it has no room.
  bool add(std::span<const Named> answers);
  // So much may come still.
  std::uint64_t left_bytes() const { return most_bytes_ - size_bytes_; }

  // The packs in order, as base64.
  const std::vector<std::string>& packs() const { return packs_; }
  // "[[[question, status, content type, bytes], …], …]": the answers of each pack, in the order in which they lie
  // there.
  std::string index_json() const { return "[" + index_ + "]"; }

 private:
  std::uint64_t most_bytes_;
  std::uint64_t size_bytes_ = 0;
  std::vector<std::string> packs_;
  std::string index_;
};

std::string base64_text(std::string_view bytes);
// Compressed by gzip, and written so.
std::string packed_text(std::string_view bytes);

}  // namespace vizd
