"""What LLVM 22 knows and the facts lack: processors, features and instruction rows, and corrections to rows."""
import copy, re


def machine(m):
    """Adds gfx1251, which LLVM 22 has as gfx1250 with a few features more."""
    have = {p["name"] for p in m.processors}
    if "gfx1251" not in have:
        p = next(p for p in m.processors if p["name"] == "gfx1250")
        q = copy.deepcopy(p)
        q["name"] = "gfx1251"
        m.processors.append(q)


def rows(rows, aliases, operands):
    pass
