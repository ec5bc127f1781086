// Catch2 2 (Debian 12) and 3 have different headers; tests include this one and run under both.
#pragma once
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
