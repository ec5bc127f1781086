"""The answers of tinygrad's own viewer to its endpoints, as a file keeps them, and vizd's held against them.

The file, compressed JSON, keeps
  ctxs      the contexts with their steps; of a step the fields that `step_fields` names
  rewrites  by "CONTEXT,STEP" the events of that stream. A graph is kept as the set of its nodes' digests: whole at first
            ("set": a digest of them all), then what each match added and deleted ("add", "del"). The printed graph is
            kept as its digest, so are the changed nodes; a diff and a rule's location as they are
  nodes     what a digest stands for: the node's `fields`, and its sources by port
  profile   the timeline's binary answer, taken apart
A node's digest is of its fields and, in order, of its sources' digests: neither the numbers of nodes nor their order
count. Source lines read from disk are not compared; they need not be there.
"""
import gzip, hashlib, json, struct


def digest(parts):
    joined = "\x00".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha1(joined).hexdigest()[:16]


def digests_of(graph, fields):
    """By node's number, as text. Sources come first: a stack in place of recursion, for graphs deeper than Python goes."""
    known = {}
    for first in graph:
        stack = [first]
        while stack:
            number = stack[-1]
            node = graph[number]
            waiting = [str(source) for _, source in node["src"] if str(source) not in known]
            if number in known or not waiting:
                stack.pop()
                sources = [[int(port), known[str(source)]] for port, source in node["src"]]
                known[number] = digest([*(str(node[field]) for field in fields), json.dumps(sources)])
            elif len(stack) > len(graph):
                raise ValueError("the graph has a cycle")
            else:
                stack.extend(waiting)
    return known


class Reader:
    """Little-endian numbers, one after the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, layout):
        numbers = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return numbers

    def text(self, size_bytes):
        (text,) = self.take(f"{size_bytes}s")
        return text.decode()


def profile_layout(contexts):
    """The layout of /get_profile of the viewer that lists its contexts so."""
    steps = [step for context in contexts for step in context["steps"]]
    if any(step["name"] == "View Program" and step.get("query", "").startswith("/code") for step in steps):
        return "0.12"
    return "2026" if any("/graph-rewrites" in step.get("query", "") for step in steps) else "2025-09"


def read_profile(data, layout):
    """What /get_profile answers: a head, an index in JSON, then the lanes, each of spans or of a memory's events.

    layout: from 0.12 on it has runs and the users of buffers, after that series of numbers too."""
    newer = layout != "2025-09"
    reader = Reader(data)
    dur, peak, index_bytes, lane_count = reader.take("IQII")
    index = json.loads(reader.text(index_bytes))
    strings = index["strings"]
    lanes = {}
    for _ in range(lane_count):
        name = reader.text(*reader.take("B"))
        is_memory, count = reader.take("BI")
        if is_memory:
            is_series, lane_peak = reader.take("BQ") if layout == "2026" else (0, *reader.take("Q"))
            read = read_memory_event if not newer else read_point if is_series else read_newer_memory_event
            events = [read(reader, strings) for _ in range(count)]
            lanes[name] = {"type": "memory", "peak": lane_peak, "events": events}
        else:
            read = read_newer_span if newer else read_span
            lanes[name] = {"type": "timeline", "events": [read(reader, strings) for _ in range(count)]}
    if reader.at != len(data):
        raise ValueError(f"{len(data) - reader.at} bytes are left over")
    return {"dur": dur, "peak": peak, "dtypeSize": index["dtypeSize"], "markers": index["markers"], "lanes": lanes}


def read_span(reader, strings):
    name, context, start, dur, info = reader.take("IIIfI")
    return [strings[name], context - 1 if context else None, start, round(dur, 3), strings[info]]


def read_newer_span(reader, strings):
    name, context, run, start, dur, info = reader.take("IIIIfI")
    number = lambda one_more: one_more - 1 if one_more else None
    return [strings[name], number(context), number(run), start, round(dur, 3), strings[info]]


def read_point(reader, strings):
    return list(reader.take("IQ"))


def read_newer_memory_event(reader, strings):
    (is_allocation,) = reader.take("B")
    if is_allocation:
        at, key, dtype, count = reader.take("IIIQ")
        return ["alloc", at, key, strings[dtype], count]
    at, key, count = reader.take("III")
    users = [reader.take("IIIB") for _ in range(count)]
    return ["free", at, key, [[run, strings[name], argument, mode] for run, name, argument, mode in users]]


def read_memory_event(reader, strings):
    (is_allocation,) = reader.take("B")
    if not is_allocation:
        return ["free", *reader.take("II")]
    at, key, dtype, count = reader.take("IIIQ")
    return ["alloc", at, key, strings[dtype], count]


class Tally:
    """How many of each kind are equal, and the first differences in words."""

    MOST_TOLD = 20

    def __init__(self):
        self.equal, self.of, self.differences = {}, {}, []

    def hold(self, kind, found, expected, where):
        self.of[kind] = self.of.get(kind, 0) + 1
        if found == expected:
            self.equal[kind] = self.equal.get(kind, 0) + 1
        elif len(self.differences) < self.MOST_TOLD:
            self.differences.append(f"{kind} of {where}: {str(found)[:300]}, the reference has {str(expected)[:300]}")

    def summary(self):
        return ", ".join(f"{kind} {self.equal.get(kind, 0)}/{count}" for kind, count in self.of.items())


def compare_state(tally, where, found, expected, nodes_expected, fields):
    ids = digests_of(found["graph"], fields)
    nodes = set(ids.values())
    if nodes_expected is None:
        tally.hold("graphs", digest(sorted(nodes)), expected["set"], where)
    else:
        tally.hold("graphs", sorted(nodes), sorted(nodes_expected), where)
    tally.hold("printed graphs", digest([found["uop"]]), expected["uop"], where)
    if "changed" in expected:
        changed = digest(sorted(ids[str(number)] for number in found["change" if "change" in found else "changed_nodes"]))
        tally.hold("changed nodes", changed, expected["changed"], where)
    if "diff" in expected:
        diff = found["diff"] if isinstance(expected["diff"], list) else digest(found["diff"])
        tally.hold("diffs", diff, expected["diff"], where)
    if "upat" in expected:
        tally.hold("rules' locations", list(found["upat"][0]), expected["upat"], where)


def compare_contexts(tally, contexts, reference):
    tally.hold("contexts", len(contexts), len(reference["ctxs"]), "the capture")
    kept = reference["step_fields"]
    for i, (found, expected) in enumerate(zip(contexts, reference["ctxs"])):
        tally.hold("names", [found["name"], found.get("fmt")], [expected["name"], expected.get("fmt")], f"context {i}")
        steps = lambda context: [{field: step[field] for field in kept if field in step} for step in context["steps"]
                                 if reference["all_steps"] or "match_count" in step]
        tally.hold("steps", steps(found), steps(expected), f"context {i}")


def compare(served, path):
    """A Tally of a running vizd's answers (its get() and states()) against those of the file."""
    with gzip.open(path, "rt") as file:
        reference = json.load(file)
    tally = Tally()
    contexts = json.loads(served.get("/ctxs"))
    compare_contexts(tally, contexts, reference)
    for place, expected in reference["rewrites"].items():
        context, step = place.split(",")
        found = served.states(context, step)
        if place not in reference.get("failed", {}):  # there the reference itself raised, and vizd goes on
            tally.hold("states", len(found), len(expected), f"context {context}, pass {step}")
        nodes = set()
        for state, (ours, theirs) in enumerate(zip(found, expected)):
            if "add" in theirs:
                nodes = (nodes - set(theirs["del"])) | set(theirs["add"])
            where = f"context {context}, pass {step}, state {state}"
            compare_state(tally, where, ours, theirs, nodes if "add" in theirs else None, reference["fields"])
    if reference["profile"] is not None:
        profile = read_profile(served.get("/get_profile"), profile_layout(contexts))
        expected = reference["profile"]
        for field in ("dur", "peak", "dtypeSize", "markers"):
            tally.hold("profile", profile[field], expected[field], field)
        for lane in sorted(profile["lanes"].keys() | expected["lanes"].keys()):
            tally.hold("lanes", profile["lanes"].get(lane), expected["lanes"].get(lane), lane)
    return tally
