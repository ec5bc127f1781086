#!/usr/bin/env python3
"""Makes small profile folders of Sophgo TPUs, with made-up records: make_bigtpu_folder.py KIND FOLDER

two_cores   two cores, functions and batches, the second core's clock wraps; transfers of each direction, messages
wide_items  one core of an SG2260E, items of three words, a block of unknown type and a cut one at the end
ports       eight cores, of which the last one gives commands to CDMA port 2
The goldens' inputs and the fuzzer's corpus are made by it.
"""
import pathlib, struct, sys

WRAP = 1 << 32
DDR, L2M, LMEM = 0, 1, 2
NODE, RESET, RVT_NODE, BATCH, FUNCTION_END = 1, 12, 13, 14, 15
TIU_MONITOR, GDMA_MONITOR, DYNAMIC, SDMA_MONITOR, CDMA_MONITOR = 3, 4, 5, 11, 12
TIU, GDMA, SDMA, CDMA, VSDMA = 0, 1, 3, 4, 5  # on a BM1690


def block(kind, content):
    return struct.pack("<II", kind, len(content)) + content


def tiu(start, dur, number, conflicts):
    return struct.pack("<4I", start % WRAP, (start + dur - 1) % WRAP, number, conflicts << 1)


def dma(start, dur, number, written=0, loaded=0, stall=0):
    requests = (written + loaded) // 128
    return struct.pack("<16I", start % WRAP, (start + dur - 1) % WRAP, number, 5 << 1, stall, written, requests, requests,
                       0, 0, loaded, loaded // 128, requests, requests, 0, 0)


def cdma(start, dur, number, written=0):
    return struct.pack("<32I", start % WRAP, (start + dur - 1) % WRAP, number, 0, written, written // 128, 0, 0,
                       written // 128, 3, 0, 0, written // 128, 1, 0, 0, *([0] * 16))


def item(kind, engine=0, command=0, special=0, extra=0, wide=False):
    if wide:
        return struct.pack("<3I", kind | engine << 8 | command << 11 | special << 16 | extra << 22, 0, 0)
    return struct.pack("<I", kind | engine << 7 | command << 10 | special << 15 | extra << 20)


def mark(kind, number=0):
    return struct.pack("<I", kind | number << 7)


def function(name):
    return mark(0, len(name)) + name.encode() + b"\0" * (-len(name) % 4)


def way(source, target, data_type):
    return target << 6 | source << 4 | data_type


class Core:
    def __init__(self, base, sdma=SDMA, wide=False):
        self.base, self.sdma, self.wide = base, sdma, wide
        self.records = {TIU_MONITOR: [], GDMA_MONITOR: [], SDMA_MONITOR: []}
        self.items = []
        for engine, monitor, command in ((TIU, TIU_MONITOR, 15), (GDMA, GDMA_MONITOR, 6), (sdma, SDMA_MONITOR, 6)):
            for place, special in enumerate((8, 9) if engine == TIU else (3, 4)):
                start = base + 40 * place + engine
                self.records[monitor].append(tiu(start, 30, place, 1) if engine == TIU else dma(start, 30, place))
                self.node(engine, command, special)
        self.numbers = {TIU: 2, GDMA: 2, sdma: 2}

    def node(self, engine, command, special, extra=0, kind=NODE):
        self.items.append(item(kind, engine, command, special, extra, self.wide))

    def reset(self):
        for engine in self.numbers:
            self.numbers[engine] = 0
            self.items.append(item(RESET, engine, wide=self.wide))

    def number(self, engine):
        self.numbers[engine] += 1
        return self.numbers[engine] - 1

    def compute(self, at, dur, command, special, data_type, kind=NODE):
        conflicts = 1 if command == 15 else 7
        self.records[TIU_MONITOR].append(tiu(self.base + at, dur, self.number(TIU), conflicts))
        self.node(TIU, command, special, data_type, kind)

    def move(self, at, dur, source, target, size_bytes, engine=GDMA, command=0, special=0, kind=NODE):
        to_ddr = target == DDR
        self.records[GDMA_MONITOR if engine == GDMA else SDMA_MONITOR].append(
            dma(self.base + at, dur, self.number(engine), size_bytes if to_ddr else 0, 0 if to_ddr else size_bytes, dur // 9))
        self.node(engine, command, special, way(source, target, 1) if size_bytes else 2, kind)

    def kernel(self, at, kind=NODE):
        self.compute(at, 11, 15, 8, 2)
        self.compute(at + 20, 60, 15, 9, 2)
        self.move(at, 11, DDR, DDR, 0, command=6, special=3)
        self.move(at + 20, 70, DDR, DDR, 0, command=6, special=4)
        self.move(at + 100, 900, DDR, LMEM, 65536, kind=kind)
        self.move(at + 1010, 300, L2M, LMEM, 16384, kind=kind)
        self.compute(at + 800, 1200, 2, 4, 1, kind)
        self.compute(at + 2050, 400, 3, 2, 1, kind)
        self.move(at + 2500, 700, LMEM, DDR, 32768, kind=kind)
        self.move(at + 1500, 350, DDR, DDR, 8192, engine=self.sdma, kind=kind)

    def content(self):
        return b"".join(block(kind, b"".join(records)) for kind, records in self.records.items()) + block(DYNAMIC, b"".join(self.items))


def write_global(folder, arch, cores, more=""):
    lines = [f"arch={arch}", "tpu_freq=1000", "max_record_num=4096"]
    for number, core in enumerate(cores):
        for engine, monitor in (("tiu", TIU_MONITOR), ("gdma", GDMA_MONITOR), ("sdma", SDMA_MONITOR)):
            lines.append(f"core{number}_{engine}_record={len(core.records[monitor])}")
    (folder / "global.profile").write_text("\n".join(lines) + "\n" + more)


def two_cores(folder):
    cores = [Core(1000), Core(WRAP - 2000)]
    for number, core in enumerate(cores):
        core.items.append(mark(BATCH, 3))
        core.items.append(function("matmul"))
        core.kernel(500 + 40 * number)
        core.items.append(mark(FUNCTION_END))
        core.reset()
        core.items.append(function("gelu"))
        core.kernel(4000, RVT_NODE)
        core.items.append(mark(FUNCTION_END))
        (folder / f"cdmlib0_{number}.profile").write_bytes(core.content())
    write_global(folder, 5, cores, "tail_offset_ns=42\n")


def wide_items(folder):
    core = Core(7000, sdma=2, wide=True)
    core.kernel(500)
    cut = block(TIU_MONITOR, tiu(1, 2, 3, 4))[:-3]
    (folder / "cdmlib0_0.profile").write_bytes(block(55, b"what is this") + core.content() + cut)
    write_global(folder, 6, [core])


def ports(folder):
    cores = [Core(1000 + 100 * number) for number in range(8)]
    for number, core in enumerate(cores):
        if number == 7:
            core.move(300, 11, DDR, DDR, 0, engine=SDMA, command=6, special=3)
            core.items[-1] = item(NODE, VSDMA, 6, 3)
        core.kernel(500)
    records = [cdma(90000, 12, 1), cdma(90020, 11, 2)]
    cores[7].items += [item(NODE, CDMA, 7, 4, 2 << 8), item(NODE, CDMA, 7, 1, 2 << 8), item(RESET, CDMA, extra=2 << 8)]
    for number in range(3):
        records.append(cdma(91000 + 2000 * number, 1500, number + 1, 65536))
        cores[7].items.append(item(NODE, CDMA, 0, 0, 2 << 8 | way(DDR, DDR, 1)))
    for number, core in enumerate(cores):
        (folder / f"cdmlib0_{number}.profile").write_bytes(core.content())
    (folder / "cdma_2.profile").write_bytes(block(CDMA_MONITOR, b"".join(records)))
    write_global(folder, 5, cores, f"cdma_port2_record={len(records)}\n")


def main():
    kind, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    {"two_cores": two_cores, "wide_items": wide_items, "ports": ports}[kind](folder)


main()
