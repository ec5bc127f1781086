// AddressMap: values by address, in the order of addresses, in small sorted pieces: adding and removing moves a few
// dozen neighbours, and finding looks at two cache lines or three. Pointers hold until the next change. One thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace vizd::torch_memory {

template <typename Value>
class AddressMap {
 public:
  struct Item {
    std::uint64_t address = 0;
    Value value{};
  };

  std::size_t size() const { return size_; }

  // The last item at or before the address; the first one at or after it, and behind it; null where there is none.
  const Item* at_or_before(std::uint64_t address) const {
    const std::size_t place = piece_of(address);
    if (place == pieces_.size()) return nullptr;
    const auto& piece = pieces_[place];
    const auto after = std::ranges::upper_bound(piece, address, {}, &Item::address);
    return after == piece.begin() ? nullptr : &*std::prev(after);
  }
  const Item* at_or_after(std::uint64_t address) const {
    const std::size_t place = piece_of(address);
    if (place == pieces_.size()) return nullptr;
    return item_or_next(place, std::ranges::lower_bound(pieces_[place], address, {}, &Item::address));
  }
  const Item* after(std::uint64_t address) const {
    const std::size_t place = piece_of(address);
    if (place == pieces_.size()) return nullptr;
    return item_or_next(place, std::ranges::upper_bound(pieces_[place], address, {}, &Item::address));
  }
  const Value* find(std::uint64_t address) const {
    const Item* const item = at_or_before(address);
    return item != nullptr && item->address == address ? &item->value : nullptr;
  }

  // Takes the place of what is at that address.
  void put(std::uint64_t address, const Value& value) {
    if (pieces_.empty()) {
      pieces_.emplace_back();
      firsts_.push_back(address);
    }
    const std::size_t place = piece_of(address);
    auto& piece = pieces_[place];
    const auto at = std::ranges::lower_bound(piece, address, {}, &Item::address);
    if (at != piece.end() && at->address == address) {
      at->value = value;
      return;
    }
    piece.insert(at, {address, value});
    firsts_[place] = piece.front().address;
    ++size_;
    if (piece.size() > kMostInPiece) split(place);
  }

  void erase(std::uint64_t address) {
    const std::size_t place = piece_of(address);
    if (place == pieces_.size()) return;
    auto& piece = pieces_[place];
    const auto at = std::ranges::lower_bound(piece, address, {}, &Item::address);
    if (at == piece.end() || at->address != address) return;
    piece.erase(at);
    --size_;
    if (!piece.empty()) {
      firsts_[place] = piece.front().address;
      return;
    }
    pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(place));
    firsts_.erase(firsts_.begin() + static_cast<std::ptrdiff_t>(place));
  }

  // Calls f(address, value) for each, in order.
  template <typename F>
  void for_each(F&& f) const {
    for (const auto& piece : pieces_) {
      for (const Item& item : piece) f(item.address, item.value);
    }
  }

 private:
  static constexpr std::size_t kMostInPiece = 128;
  using Piece = std::vector<Item>;

  // The piece that has the address, or would; the number of pieces where there is none at all.
  std::size_t piece_of(std::uint64_t address) const {
    if (pieces_.empty()) return 0;
    const auto after = std::ranges::upper_bound(firsts_, address);
    return after == firsts_.begin() ? 0 : static_cast<std::size_t>(after - firsts_.begin()) - 1;
  }

  const Item* item_or_next(std::size_t place, typename Piece::const_iterator at) const {
    if (at != pieces_[place].end()) return &*at;
    return place + 1 < pieces_.size() ? &pieces_[place + 1].front() : nullptr;
  }

  void split(std::size_t place) {
    Piece& full = pieces_[place];
    const auto middle = full.begin() + static_cast<std::ptrdiff_t>(full.size() / 2);
    Piece second(middle, full.end());
    full.erase(middle, full.end());
    firsts_.insert(firsts_.begin() + static_cast<std::ptrdiff_t>(place) + 1, second.front().address);
    pieces_.insert(pieces_.begin() + static_cast<std::ptrdiff_t>(place) + 1, std::move(second));
  }

  std::vector<Piece> pieces_;          // none is empty
  std::vector<std::uint64_t> firsts_;  // the first address of each
  std::size_t size_ = 0;
};

}  // namespace vizd::torch_memory
