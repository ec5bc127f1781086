// Result<T>: a value, or an Error that a user can act on. For what users cause (files, formats, requests); a broken
// invariant is VIZD_ASSERT's. Spelled like std::expected, to be replaced by it under C++23.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace vizd {

enum class ErrorKind { kNotFound, kBadInput, kTooLarge, kBusy, kForbidden, kInternal };

struct Error {
  ErrorKind kind = ErrorKind::kInternal;
  std::string message;  // "what is wrong; what to do", without the place
  std::string where;    // "FILE:OFFSET", a request, or empty

  std::string text() const { return where.empty() ? message : where + ": " + message; }
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  Error& error() { return std::get<1>(state_); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool has_value() const { return !error_; }
  explicit operator bool() const { return has_value(); }
  Error& error() { return *error_; }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace vizd

// Returns the error of EXPR from the function around it, if EXPR is one: VIZD_TRY(read_header(in));
#define VIZD_TRY(expr)                                                                  \
  do {                                                                                  \
    if (auto vizd_result = (expr); !vizd_result) return std::move(vizd_result).error(); \
  } while (false)
