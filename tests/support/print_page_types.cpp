// Prints web/src/lib/device-fields.ts, for scripts/page-types.
#include <cstdio>

#include "analysis/answers/page_types.h"

int main() { std::fputs(vizd::page_types().c_str(), stdout); }
