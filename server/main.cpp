// vizd: shows what a compiler did to a graph, and what the devices then did with it.
#include <cstdio>

int main() {
  std::puts("vizd " VIZD_VERSION);
  return 0;
}
