// Catch2 2 (Debian 12) and 3 have different headers; tests include this one and run under both.
#pragma once
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

// REQUIRE of each of very many things. An assertion of Catch takes microseconds in a build for sanitizers, so that this
// makes one only where it fails.
#define REQUIRE_EACH(...)                     \
  do {                                        \
    if (!(__VA_ARGS__)) REQUIRE(__VA_ARGS__); \
  } while (false)
