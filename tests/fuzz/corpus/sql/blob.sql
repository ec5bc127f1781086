SELECT hex(zeroblob(99999999))
