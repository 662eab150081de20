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


# rows that LLVM 22 no longer has
GONE = re.compile(r"^V_PK_FMAC_F16_dpp8?_gfx1[12]|^S_SETKILL_gfx12")


def rows(rows, aliases, operands):
    rows[:] = [r for r in rows if not GONE.match(r["name"])]
    for r in rows:
        # LLVM 22 takes float compares with DPP only when the result is written out
        if re.match(r"V_CMP_(?!CLASS_F32)\w+F(16|32)(_t16|_fake16)?_e32_dpp_gfx1", r["name"]):
            r["variant"] = "NonParsable"
        if r.get("match_converter") == "cvtScaledMFMA":
            # scales are registers or inline constants
            r["ins"] = [["VCSrc_b32" if n.startswith("scale_src") else k, n] for k, n in r["ins"]]
