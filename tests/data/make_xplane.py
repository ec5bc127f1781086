#!/usr/bin/env python3
"""Makes the small XPlane file of the goldens and of the fuzz corpus: one TPU, one GPU, their host and a module.

usage: make_xplane.py OUT.xplane.pb

Every time in it is chosen by hand, so that tests can name the figures: docs/formats/xplane.md says what the fields are.
"""
import struct, sys


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def real(field, value):
    return varint(field << 3 | 1) + struct.pack("<d", value)


def data(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


class Plane:
    def __init__(self, ident, name):
        self.head = number(1, ident) + data(2, name)
        self.names, self.metadata, self.lines, self.own = {}, {}, b"", b""

    def stat(self, name, value):
        body = number(1, self.names.setdefault(name, len(self.names) + 1))
        if isinstance(value, float):
            return body + real(2, value)
        if isinstance(value, bytes):
            return body + data(6, value)
        if isinstance(value, str):
            return body + data(5, value)
        return body + (number(4, value) if value < 0 else number(3, value))

    def stats(self, field, values):
        return b"".join(data(field, self.stat(k, v)) for k, v in values.items())

    def kind(self, name, display="", **stats):
        """The number of the metadata of events of that name."""
        if name not in self.metadata:
            ident = len(self.metadata) + 1
            self.metadata[name] = ident, number(1, ident) + data(2, name) + data(4, display) + self.stats(5, stats)
        return self.metadata[name][0]

    def event(self, name, offset_ps, dur_ps=None, **stats):
        body = number(1, self.kind(name)) + number(2, offset_ps)
        body += number(3, dur_ps) if dur_ps is not None else b""
        return body + self.stats(4, stats)

    def line(self, ident, name, events, timestamp_ns=0):
        self.lines += data(3, number(1, ident) + data(2, name) + number(3, timestamp_ns) + b"".join(data(4, e) for e in events))

    def message(self):
        entries = b"".join(data(4, number(1, i) + data(2, m)) for i, m in self.metadata.values())
        names = b"".join(data(5, number(1, i) + data(2, number(1, i) + data(2, n))) for n, i in self.names.items())
        return self.head + self.lines + entries + names + self.own


def tpu():
    p = Plane(1, "/device:TPU:0")
    p.kind("%while.1 = (s32[]) while(%p)", "while.1", hlo_category="while", program_id=17, flops=100, bytes_accessed=64)
    p.kind("%fusion.2 = f32[8] fusion(%a)", "fusion.2", hlo_category="loop fusion", program_id=17, flops=40, bytes_accessed=32, tf_op="jit(step)/mul:", source="step.py:7")
    p.kind("%all-reduce.3 = f32[8] all-reduce(%b)", "all-reduce.3", hlo_category="all-reduce", program_id=17)
    loop, fusion, reduce = ("%while.1 = (s32[]) while(%p)", "%fusion.2 = f32[8] fusion(%a)", "%all-reduce.3 = f32[8] all-reduce(%b)")

    def op(name, start, dur, own, own_dur):
        return p.event(name, start, dur, device_offset_ps=own, device_duration_ps=own_dur)

    p.line(2, "XLA Modules", [p.event("jit_step(17)", 1_000_000, 9_000_000, run_id=1, _ct=12, _c=-5)])
    p.line(3, "XLA Ops", [op(loop, 1_000_000, 8_000_500, 0, 8_000_500), op(fusion, 2_000_000, 3_000_250, 1_000_000, 3_100_000),
                          op(reduce, 6_000_000, 1_000_000, 5_000_000, 900_000), op(fusion, 9_500_000, 500_000, 9_000_000, 500_000)])
    p.line(4, "Async XLA Ops", [p.event("copy-start.4", 1_500_000, 2_000_000, _a=1)])
    p.line(1, "Steps", [p.event("0", 1_000_000, 9_000_000)])
    p.own = p.stats(6, {"device_type_string": "TPU test", "peak_teraflops_per_second": 918.0, "peak_hbm_bw_gigabytes_per_second": 1638.0})
    return p


def gpu():
    p = Plane(2, "/device:GPU:0")
    details = "regs:38 shm:0 grid:160,1,1 block:1024,1,1"
    p.line(7, "Stream #7(Compute,MemcpyH2D)", [
        p.event("MemcpyH2D", 1_000_000, 400_000, correlation_id=1, memcpy_details="kind_src:pinned size:4096 dest:0 async:1"),
        p.event("gemm_kernel", 2_000_000, 1_500_000, correlation_id=2, kernel_details=details, hlo_op="dot.1", hlo_module="jit_f", program_id=(1 << 63) + 9),
        p.event("gemm_kernel", 8_000_000, 1_500_000, correlation_id=3, kernel_details=details, hlo_op="dot.1", hlo_module="jit_f", program_id=(1 << 63) + 9)])
    p.line(0xFFFFFFFF, "XLA Ops", [p.event("dot.1", 2_000_000, 1_500_000)])
    p.own = p.stats(6, {"gpu_device_name": "NVIDIA H100 80GB HBM3", "memory_bandwidth": 3_350_000_000_000, "core_count": 132})
    return p


def host():
    p = Plane(3, "/host:CPU")
    p.line(-77, "python/123", [
        p.event("train", 500_000, 9_700_000, step_num=4, _r=1),
        p.event("cuMemcpyHtoDAsync", 600_000, 100_000, correlation_id=1), p.event("cuLaunchKernel", 800_000, 150_000, correlation_id=2),
        p.event("cuLaunchKernel", 5_000_000, 150_000, correlation_id=3),
        p.event("enqueue", 700_000, 50_000, _pt=12, _p=(1 << 64) - 5), p.event("mark", 900_000)])
    p.line(5, "allocator", [
        p.event("MemoryAllocation", 100_000, allocator_name="GPU_0_bfc", bytes_allocated=1024, bytes_reserved=0, bytes_available=7168, peak_bytes_in_use=1024, allocation_bytes=1024, addr=4096),
        p.event("MemoryAllocation", 200_000, allocator_name="GPU_0_bfc", bytes_allocated=3072, bytes_reserved=0, bytes_available=5120, peak_bytes_in_use=3072, allocation_bytes=2048, addr=8192),
        p.event("MemoryDeallocation", 300_000, allocator_name="GPU_0_bfc", bytes_allocated=2048, bytes_reserved=0, bytes_available=6144, peak_bytes_in_use=3072, allocation_bytes=1024, addr=4096)])
    return p


def metadata():
    """A module of one computation: two parameters and their product."""
    shape = number(2, 11) + number(3, 8)
    made = [data(1, n) + data(2, o) + data(3, shape) + number(35, i) for i, (n, o) in enumerate((("a", "parameter"), ("b", "parameter")), 1)]
    made.append(data(1, "multiply.1") + data(2, "multiply") + data(3, shape) + number(35, 3) + number(36, 1) + number(36, 2))
    computation = data(1, "main") + b"".join(data(2, i) for i in made) + number(5, 1) + number(6, 3)
    p = Plane(4, "/host:metadata")
    p.kind("jit_step(17)", **{"Hlo Proto": data(1, data(1, "jit_step") + data(2, "main") + data(3, computation) + number(5, 17) + number(6, 1))})
    return p


def environment():
    p = Plane(5, "Task Environment")
    p.own = p.stats(6, {"profile_start_time": 1_790_000_000_000_000_000, "profile_stop_time": 1_790_000_000_000_020_000})
    return p


if len(sys.argv) != 2:
    sys.exit(__doc__)
with open(sys.argv[1], "wb") as out:
    out.write(b"".join(data(1, p().message()) for p in (tpu, gpu, host, metadata, environment)) + data(4, "test-host"))
