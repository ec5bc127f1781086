// The enumerations that tinygrad's pickles refer to, by name (Python 3.11) or by number (3.12 and later), for each
// version of tinygrad that is read. Members are numbered from 1 in the order in which tinygrad declares them, which is
// the order of the tables. Constant data; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace vizd::tinygrad {

// Versions of the capture format, named for the month of the commit they were taken from.
enum class Version {
  k2025_09,  // commit 461e9becec
  k2026_08,  // commit a9069c177a
};

struct EnumTable {
  std::string_view type_name;  // "module.Class"
  std::span<const std::string_view> names;

  std::optional<std::int64_t> number(std::string_view member) const;
  std::optional<std::string_view> name(std::int64_t number) const;
};

std::span<const EnumTable> enum_tables(Version version);

// The names of tinygrad's Ops; the number of one, which is Op::kind, is its place plus 1.
std::span<const std::string_view> op_names(Version version);

}  // namespace vizd::tinygrad
