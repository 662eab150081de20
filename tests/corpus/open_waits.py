"""Whether a wait that was taken out leaves anything open: all ways through a function of gfx12 or later are simulated, one operation at a time.

This is not the data flow of the product, and not LLVM's: a state is the list of the operations that are open on one way, in the order of
their issue, and every state that can be reached is visited. What is used of the hardware:

- Operations of one unit and counter end in the order of their issue, except scalar loads: a wait for n covers one that n newer ones follow.
- An operation whose result has come, or whose store is done, has read its registers and translated its addresses.
- One unit reads the registers of its operations in the order of their issue. Addresses of vector memory are translated in order. Vector and scalar memory are not translated at the same time: the second waits.
- Branches, calls, barriers, messages, traps and accesses to hardware registers wait for all translations.
- Vector instructions see each other's results. Simple ones end in the order of their issue.

A function with too many states or a line that is not understood proves nothing.
"""
import re

from delete_wait import END, LABEL, dwords, memory, waits

# Of these, results may come in another order.
NOT_SIMPLE = re.compile(r"64|wmma|swmmac|dot|_(exp|log|rcp|rsq|sqrt|sin|cos|tanh)_")
MOST_STATES = 200000
MOST_OPEN = 64
SPLIT = {"s_wait_storecnt": "store", "s_wait_xcnt": "x"}
CALLS = ("s_swap", "s_call")
DRAINS = CALLS + ("s_barrier", "s_branch", "s_cbranch", "s_getreg", "s_setreg", "s_sendmsg", "s_set_vgpr_msb", "s_trap")


def registers(text):
    return dwords(text) | set(re.findall(r"\b(?:vcc|m0|ttmp|exec)", text))


class Line:
    """What one instruction does."""

    def __init__(self, name, rest):
        self.name, self.goal = name, rest.strip() if re.match(r"s_c?branch", name) else None
        self.waits = waits(name, rest)
        number = re.search(r"\b(0x[0-9a-f]+|\d+)\s*$", rest)
        if name in SPLIT:
            self.waits = [(SPLIT[name], int(number[1], 0))]
        if name == "s_wait_storecnt_dscnt":
            self.waits.append(("store", int(number[1], 0) >> 8 & 63))
        self.waits += [("source", int(n)) for n in re.findall(r"depctr_vm_vsrc\((\d+)\)", rest)]
        self.waits += [("result", int(n)) for n in re.findall(r"depctr_va_vdst\((\d+)\)", rest)]
        self.is_vector = name.startswith("v_") and name != "v_nop"
        self.is_simple = self.is_vector and not NOT_SIMPLE.search(name)
        self.drains = name.startswith(DRAINS)
        self.counters, self.unit, fills = memory(name, rest, 12)
        is_access = bool(self.unit) and "prefetch" not in name and not re.match(r"global_(wb|inv)", name)
        if is_access and self.unit == "vector" and not self.counters[:1] == ["load"] and not fills:
            self.counters = ["store"] + self.counters
        first, _, others = rest.partition(",")
        both = registers(rest)
        self.written = both if "swap" in name or name.startswith("v_dual") or not is_access and not name.startswith(("v_", "s_")) else registers(first)
        self.fills = is_access and fills
        # What reads registers in order.
        self.reader = self.unit, name.startswith(("flat_", "global_", "scratch_"))
        if is_access and not fills:
            self.written = set()
        self.filled = self.written if self.fills else set()
        # Of a register with 32 bits, the half that a load fills or a store reads.
        is_half = "_d16" in name if fills else re.search(r"_store_(b8|b16|d16)", name)
        self.half = ("hi" if "_d16_hi" in name else "lo") if is_access and is_half else None
        self.data = registers(others.partition(",")[0]) if is_access and not fills else set()
        if re.match(r"(v_cmpx?_|s_cmpk?_|s_bitcmp)", name) and not re.match(r"\s*s", rest):
            self.written = set()
        if "cmpx" in name or "saveexec" in name or "wrexec" in name:
            self.written = self.written | {"exec"}
        self.read = (registers(others) if fills else both) if is_access else set()
        if self.unit == "vector":
            self.read = self.read | {"exec"}
        if not is_access:
            self.counters = []
            # Of other instructions every register may be a source.
            self.read = both


def read(text):
    """The instructions of a function and the places of its labels, or None."""
    lines, labels = [], {}
    for line in text:
        line = re.split(r"//|;", line)[0].strip()
        label = LABEL.match(line)
        if label:
            labels[label[1]] = len(lines)
            continue
        name, _, rest = line.partition(" ") if " " in line else line.partition("\t")
        if not name or name.startswith("."):
            continue
        if name.startswith("s_set_vgpr_msb") or "async" in name or "tensor" in name:
            return None
        lines.append(Line(name, rest))
    return lines, labels


def vectors(registers):
    return {r for r in registers if r[:1] == ("v",)}


def step_vector(lines, at, state):
    """The same for vector instructions, whose results and sources others must wait for."""
    line = lines[at]
    if line.name.startswith(CALLS):
        return None
    for op in () if line.is_vector else state:
        own = lines[op]
        if vectors((line.read | line.written) & own.written or line.written & own.read):
            return None
    for left in (left for counter, left in line.waits if counter == "result"):
        newer, kept = 0, []
        for op in reversed(state):
            if not (left == 0 or lines[op].is_simple and newer >= left):
                kept.append(op)
            newer += lines[op].is_simple
        state = tuple(reversed(kept))
    return tuple(op for op in state if op != at) + (at,) if line.is_vector else state


def is_early(line, load):
    """Whether an instruction uses what a load still fills. Loads of one unit fill registers in order."""
    is_ordered = line.fills and line.unit == load.unit != "scalar" and line.counters == load.counters
    is_other_half = line.half and load.half and line.half != load.half
    read = line.read - line.data if is_other_half else line.read
    return bool(read & load.filled or line.written & load.filled and not is_ordered)


def step(lines, at, state, what):
    """The state after an instruction, or None if it uses a register too early. An operation is its place and the counters that it has not lowered."""
    if what == "result":
        return step_vector(lines, at, state)
    line = lines[at]
    issues = bool(line.counters)
    if line.name.startswith(CALLS) and what != "x":
        return None
    if what == "x" and line.drains:
        state = ()
    if what == "x" and issues:
        # The unit that translates changes.
        state = tuple(o for o in state if (lines[o[0]].unit == "scalar") == (line.unit == "scalar"))
    for op, _ in state:
        is_ordered = what == "x" and issues and line.unit != "scalar" and lines[op].unit != "scalar"
        touched = line.written & lines[op].read
        if (vectors(touched) if what == "source" else touched) and not is_ordered:
            return None
    for counter, left in line.waits:
        newer, kept, readers = {}, [], set()
        for op, open_ in reversed(state):
            own = lines[op]
            counts = counter in own.counters or counter == what
            is_done = counts and (left == 0 or own.unit != "scalar" and counter != "store" and newer.get(own.unit, 0) >= left)
            if counts and counter in (open_ | {what}):
                newer[own.unit] = newer.get(own.unit, 0) + 1
            if is_done:
                open_ = frozenset() if counter == what else open_ - {counter}
            # What is translated, or read, after another shows that the other is.
            if own.reader in readers or not open_:
                readers |= {own.reader} if what in ("x", "source") and own.unit != "scalar" else set()
                continue
            kept.append((op, open_))
        state = tuple(reversed(kept))
    if issues:
        is_lds = line.unit == "lds"
        if not (what == "x" and is_lds):
            state = tuple(o for o in state if o[0] != at) + ((at, frozenset(line.counters)),)
    return state[-MOST_OPEN:] if len(state) <= MOST_OPEN else None


def next_lines(lines, labels, at):
    """Where an instruction goes on; the number of lines stands for code that is not here."""
    line = lines[at]
    after = [] if line.name.startswith(END) or line.name == "s_branch" else [at + 1]
    return after + ([labels.get(line.goal, len(lines))] if line.goal else [])


def are_values_there(text, counter):
    """Whether no instruction uses what a load of a counter still fills: each load is followed on its own to the waits that cover it."""
    made = read(text)
    if made is None:
        return False
    lines, labels = made
    for load in (at for at, line in enumerate(lines) if line.fills and counter in line.counters):
        own = lines[load]
        work = [(at, 0) for at in next_lines(lines, labels, load)]
        seen = set(work)
        while work:
            at, newer = work.pop()
            if at >= len(lines) or is_early(lines[at], own) or lines[at].name.startswith(CALLS):
                return False
            line = lines[at]
            if at == load or any(c == counter and (n == 0 or own.unit != "scalar" and newer >= n) for c, n in line.waits):
                continue
            newer = min(newer + (line.unit == own.unit and counter in line.counters), 64)
            for goal in next_lines(lines, labels, at):
                if (goal, newer) not in seen:
                    seen.add((goal, newer))
                    work.append((goal, newer))
    return True


def is_nothing_open(text, what):
    """Whether no instruction, on any way, writes a register that an operation may still read; `what` is "x" for addresses that are not
    translated, "source" for registers that are not read, "result" for what vector instructions still write."""
    made = read(text)
    if made is None:
        return False
    lines, labels = made
    work, seen = [(0, ())], {(0, ())}
    while work:
        at, state = work.pop()
        state = step(lines, at, state, what)
        if state is None or len(seen) > MOST_STATES:
            return False
        for goal in next_lines(lines, labels, at):
            if goal >= len(lines):
                return False
            if (goal, state) not in seen:
                seen.add((goal, state))
                work.append((goal, state))
    return True


WHAT = {"xcnt": "x", "vm_vsrc": "source", "va_vdst": "result"}
LOADS = {"loadcnt": "load", "samplecnt": "sample", "bvhcnt": "bvh", "dscnt": "ds", "kmcnt": "km"}


def leaves_nothing_open(text, counters):
    """Whether a function lacks no wait for the counters that LLVM asks for."""
    is_enough = lambda c: are_values_there(text, LOADS[c]) if c in LOADS else c in WHAT and is_nothing_open(text, WHAT[c])
    return bool(counters) and all(map(is_enough, counters))
