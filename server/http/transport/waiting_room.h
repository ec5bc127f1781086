// WaitingRoom: requests that wait for something that is not there yet. Each holds one of the server's threads, so no
// more wait at once than leave enough threads to those that can be answered. Any thread.
#pragma once

#include <atomic>
#include <utility>

#include "base/result.h"

namespace vizd {

class WaitingRoom {
 public:
  // For a capture that is being read or an answer that is being made; and for a store, which may be slow and keeps none
  // of those waiting. With event streams (16), uploads (4, and 4 that gave way) and large answers (12) they leave four
  // of the server's 64 threads.
  static constexpr unsigned kPlaces = 16, kStorePlaces = 8;

  explicit WaitingRoom(unsigned places) : places_(places) {}

  // Held while a request waits.
  class Place {
   public:
    explicit Place(WaitingRoom& room) : room_(&room) {}
    Place(Place&& other) noexcept : room_(std::exchange(other.room_, nullptr)) {}
    Place& operator=(Place&&) = delete;
    ~Place() {
      if (room_ != nullptr) --room_->taken_;
    }

   private:
    WaitingRoom* room_;
  };

  // Error: kBusy where so many wait already.
  Result<Place> enter() {
    Place place(*this);
    if (++taken_ <= places_) return Result<Place>(std::move(place));
    return Error{ErrorKind::kBusy, "too many requests are waiting; try again", ""};
  }

 private:
  const unsigned places_;
  std::atomic<unsigned> taken_{0};
};

}  // namespace vizd
