// FlatBuffer: a message in FlatBuffers' encoding, as Arrow's files have their metadata: tables whose fields are told by
// number, vectors and texts. What a field refers to is written after it. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vizd::sql {

class FlatBuffer {
 public:
  // A field of a table, by its number there: so many bytes of a number, or, of 0 bytes, what is written after it.
  struct Field {
    std::uint16_t number;
    std::size_t size_bytes;
    std::uint64_t value = 0;
  };
  // Where a reference stands, to be told what it refers to.
  using Reference = std::size_t;

  // The root is the first table that is added.
  FlatBuffer() : bytes_(4, '\0') {}

  // Adds a table; returns where those of its fields stand that refer, in their order. what: the reference to the table;
  // 0: that of the root.
  std::vector<Reference> add_table(Reference what, std::span<const Field> fields);
  void add_text(Reference what, std::string_view text);
  // A vector of so many tables or texts; returns where each is told.
  std::vector<Reference> add_references(Reference what, std::size_t count);
  // A vector of structures of whole numbers of 64 bits.
  void add_structures(Reference what, std::span<const std::uint64_t> numbers, std::size_t numbers_each);

  const std::string& bytes() const { return bytes_; }

 private:
  void put(std::uint64_t value, std::size_t size_bytes);
  void set(std::size_t at, std::uint64_t value, std::size_t size_bytes);
  // Until the place is so many beyond a multiple.
  void pad(std::size_t multiple, std::size_t beyond = 0);
  void refer(Reference what) { set(what, bytes_.size() - what, 4); }

  std::string bytes_;
};

}  // namespace vizd::sql
