// The routes about memories whose allocators told of themselves.
#pragma once

namespace vizd {

class Router;
struct Services;

void add_allocator_routes(Router& router, const Services& services);        // allocator, and what belongs to it
void add_allocation_life_routes(Router& router, const Services& services);  // allocator/…/lives, life
void add_compared_memory_routes(Router& router, const Services& services);  // compare/memory

}  // namespace vizd
