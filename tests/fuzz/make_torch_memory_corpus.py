#!/usr/bin/env python3
"""Writes the small memory snapshots of tests/golden/torch_memory and of the fuzz corpus: made-up programs, whose blocks
are placed by hand, as torch.cuda.memory._snapshot() would tell of them.

usage: tests/fuzz/make_torch_memory_corpus.py
"""
import pathlib, pickle, struct

TESTS = pathlib.Path(__file__).resolve().parent.parent
MIB = 1 << 20
START_US = 1_750_000_000_000_000
APP, TORCH = "/home/you/run", "/usr/lib/python3/dist-packages/torch"


def frame(name, filename, line=0):
    return {"name": name, "filename": filename, "line": line}


def operator(name):
    return frame(f"at::_ops::{name}::call(at::Tensor const&)", "??")


MAIN = frame("main", f"{APP}/train.py", 40)
FORWARD = [operator("mm"), frame("forward", f"{TORCH}/nn/linear.py", 9), frame("forward", f"{APP}/model.py", 12), MAIN]
WEIGHTS = [operator("empty"), frame("__init__", f"{APP}/model.py", 5), MAIN]
METRICS = [operator("clone"), frame("log", f"{APP}/metrics.py", 7), MAIN]
BACKWARD = [operator("mul"), frame("torch::autograd::Engine::thread_main(int)", "??")]


class Device:
    """A device's trace, and what lies where: the caller says at which address and of which size each block is."""

    def __init__(self, number, fields=()):
        self.number, self.fields, self.trace, self.segments, self.blocks, self.now = number, fields, [], {}, {}, START_US

    def record(self, action, address, size, frames, **more):
        self.now += 3
        entry = {"action": action, "addr": address, "size": size, "stream": 0}
        if "time_us" in self.fields: entry["time_us"] = self.now
        if "words" in self.fields: entry |= {"compile_context": "N/A", "user_metadata": more.pop("metadata", "")}
        if "pool_id" in self.fields: entry["pool_id"] = (0, 0)
        if frames is not None: entry["frames"] = frames
        self.trace.append(entry)

    def segment(self, address, size, expandable=False):
        self.segments[address] = (size, expandable)
        self.record("segment_map" if expandable else "segment_alloc", address, size, WEIGHTS)

    def alloc(self, address, size, requested, frames, **more):
        self.blocks[address] = (size, requested, "active_allocated", frames)
        self.record("alloc", address, requested, frames, **more)

    def free(self, address, completes=True):
        size, requested, _, frames = self.blocks.pop(address)
        self.record("free_requested", address, requested, frames)
        if completes:
            self.record("free_completed", address, requested, frames)
        else:
            self.blocks[address] = (size, requested, "active_pending_free", frames)

    def oom(self, asked, free):
        self.record("oom", 0, asked, FORWARD)
        del self.trace[-1]["addr"]
        self.trace[-1]["device_free"] = free

    def snapshot(self):
        for address, (size, expandable) in sorted(self.segments.items()):
            blocks, at = [], address

            def block(size, requested, state, frames):
                blocks.append({"address": at, "size": size, "requested_size": requested, "state": state, "frames": frames})

            for start in sorted(a for a in self.blocks if address <= a < address + size):
                if start > at: block(start - at, 0, "inactive", [])
                at = start
                block(*self.blocks[start])
                at += self.blocks[start][0]
            if at < address + size: block(address + size - at, 0, "inactive", [])
            active = [b for b in blocks if b["state"] != "inactive"]
            allocated = [b for b in blocks if b["state"] == "active_allocated"]
            yield {"device": self.number, "address": address, "total_size": size,
                   "allocated_size": sum(b["size"] for b in allocated), "active_size": sum(b["size"] for b in active),
                   "requested_size": sum(b["requested_size"] for b in active), "stream": 0,
                   "segment_type": "small" if size == 2 * MIB else "large", "segment_pool_id": (0, 0),
                   "is_expandable": expandable, "frames": [], "blocks": blocks}


def train():
    """Four steps, each of which leaves something of a metric; then memory runs out."""
    device, notes = Device(0, ("time_us", "words", "pool_id")), []
    small, large = 0x7F1000000000, 0x7F2000000000

    def note(stage, name):
        notes.append({"stage": stage, "name": name, "device": 0, "time_us": device.now + 1})

    device.segment(small, 2 * MIB)
    device.alloc(small, 1024, 1000, WEIGHTS, metadata="weights")
    device.segment(large, 20 * MIB)
    for step in range(4):
        note("START", f"ProfilerStep#{step}")
        device.alloc(large, 3 * MIB + 512, 3 * MIB + 1, FORWARD)
        device.alloc(large + 3 * MIB + 512, 17 * MIB - 512, 16 * MIB + 5, BACKWARD)
        device.alloc(small + 1024 + 512 * step, 512, 100 + step, METRICS)
        device.free(large)
        device.free(large + 3 * MIB + 512)
        note("END", f"ProfilerStep#{step}")
    device.alloc(large + 8 * MIB, 2 * MIB, 2 * MIB, FORWARD)
    device.oom(15 * MIB, 4096)
    device.free(large + 8 * MIB, completes=False)
    return {"segments": list(device.snapshot()), "device_traces": [device.trace, []],
            "allocator_settings": {"max_split_size": -1, "roundup_power2_divisions": {str(1 << i): 0 for i in range(16)}},
            "external_annotations": notes}


def expandable():
    """An expandable segment that grows and shrinks, on the second of two devices, without times; the first entries are
    lost, and one free was never recorded."""
    device, base = Device(1), 0x7E0000000000
    device.segment(base, 20 * MIB, True)
    device.alloc(base, 12 * MIB, 12 * MIB, FORWARD)
    device.segment(base + 20 * MIB, 20 * MIB, True)
    device.alloc(base + 12 * MIB, 25 * MIB, 25 * MIB, None)
    device.blocks.pop(base)
    device.alloc(base, 512, 1, METRICS)
    device.free(base + 12 * MIB)
    device.record("segment_unmap", base + 20 * MIB, 20 * MIB, None)
    device.record("defragment", 0, 0, None)
    device.segments = {base: (20 * MIB, True)}
    del device.trace[:1]
    return {"segments": list(device.snapshot()), "device_traces": [[], device.trace], "host_traces": []}


def as_torch_writes(value):
    """Protocol 2 as torch's own pickler has it: containers are remembered after they are filled, lists filled at once."""
    out, memo, texts, kept = bytearray(b"\x80\x02"), {}, {}, []

    def remember():
        number = len(memo) + len(texts)
        out.extend(b"q" + bytes([number]) if number < 256 else b"r" + struct.pack("<I", number))
        return number

    def recall(number):
        out.extend(b"h" + bytes([number]) if number < 256 else b"j" + struct.pack("<I", number))

    def write(value):
        if isinstance(value, bool):
            out.extend(b"\x88" if value else b"\x89")
        elif isinstance(value, int):
            small = -2**31 <= value < 2**31
            out.extend(b"J" + struct.pack("<i", value) if small else b"\x8a\x08" + struct.pack("<q", value))
        elif isinstance(value, str):
            if value in texts: return recall(texts[value])
            out.extend(b"X" + struct.pack("<I", len(value.encode())) + value.encode())
            texts[value] = remember()
        elif id(value) in memo:
            recall(memo[id(value)])
        else:
            if isinstance(value, dict):
                out.extend(b"}(")
                for key, item in value.items(): write(key), write(item)
                out.extend(b"u")
            elif isinstance(value, list):
                out.extend(b"](")
                for item in value: write(item)
                out.extend(b"e")
            else:
                for item in value: write(item)
                out.extend(b"\x86")
            memo[id(value)] = remember()
            kept.append(value)

    write(value)
    return bytes(out + b".")


def old():
    """As torch 2.0: blocks have no address, and tell in a history who asked for them."""
    snapshot = train()
    for segment in snapshot["segments"]:
        for key in ("segment_pool_id", "is_expandable", "frames"): del segment[key]
        for block in segment["blocks"]:
            history = [{"addr": block["address"], "real_size": block["requested_size"], "frames": block["frames"]}]
            if block["state"] != "inactive": block["history"] = history
            del block["address"], block["frames"]
    for entry in snapshot["device_traces"][0]: entry.pop("time_us"), entry.pop("pool_id")
    return {"segments": snapshot["segments"], "device_traces": snapshot["device_traces"]}


def main():
    snapshots = {"train": pickle.dumps(train(), 4), "cpp": as_torch_writes(train()),
                 "expandable": pickle.dumps(expandable(), 5), "old": pickle.dumps(old(), 4),
                 "segments": pickle.dumps(train()["segments"], 4)}
    for name, data in snapshots.items():
        places = [TESTS / "fuzz" / "corpus" / "torch_memory" / f"{name}.pickle"]
        if name in ("train", "cpp", "expandable"):
            places.append(TESTS / "golden" / "torch_memory" / name / "input" / f"{name}.pickle")
        for place in places:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)


main()
