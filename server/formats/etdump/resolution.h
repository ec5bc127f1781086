// Finds the nodes of the exported program that the events of a block stand for, by the ETRecord's maps. Pure
// functions over plain data.
#pragma once

#include <string>
#include <vector>

#include "formats/etdump/blocks.h"
#include "formats/etdump/etrecord.h"

namespace vizd::etdump {

// Gives the block its method and its events their handles, delegates, nodes and op types. Each block by the method
// whose operators its events name best, or by the one of that name where it is not "".
void resolve(const EtRecord& record, const std::string& method_name, Block& block);

}  // namespace vizd::etdump
