// VIZD_ASSERT(condition): on in every build; prints where and ends the program. For bugs of ours, never for input.
#pragma once

#include <cstdio>
#include <cstdlib>

#define VIZD_ASSERT(condition)                                                                               \
  do {                                                                                                       \
    if (!(condition)) {                                                                                      \
      std::fprintf(stderr, "%s:%d: assertion failed: %s (a bug in vizd)\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                                          \
    }                                                                                                        \
  } while (false)
