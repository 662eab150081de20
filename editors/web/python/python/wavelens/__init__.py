"""Checks LLVM IR, LLVM Machine IR, SPIR-V assembly and AMDGPU assembly.

    >>> import wavelens
    >>> wavelens.check("define i32 @f() {\\n  ret i32 %x\\n}\\n")
    [Finding(line=2, column=11, severity='error', code='undefined-value', message='use of undefined value `%x`')]

Lines and columns count from 1, columns in bytes. A mistake in the question is a `ValueError`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Optional

from ._native import __version__, call as _call

__all__ = [
    "Edit",
    "Fix",
    "Finding",
    "InvalidText",
    "__version__",
    "assert_valid",
    "check",
    "control_flow",
    "disassemble",
    "encode",
    "explain",
    "format",
    "hover",
]


@dataclass(frozen=True)
class Edit:
    """The text that replaces a range."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True)
class Fix:
    title: str
    #: It can be applied without a look.
    certain: bool
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True)
class Finding:
    line: int
    column: int
    #: error, warning, info or hint
    severity: str
    code: str
    message: str
    end_line: int = field(default=0, repr=False)
    end_column: int = field(default=0, repr=False)
    fixes: tuple[Fix, ...] = field(default=(), repr=False)
    #: Everything that `wavelens check --format json` prints of it.
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.severity}[{self.code}]: {self.message}"


class InvalidText(AssertionError):
    """Raised by `assert_valid`."""

    def __init__(self, findings: list[Finding], text: str) -> None:
        self.findings = findings
        lines = text.splitlines()
        shown = []
        for finding in findings:
            shown.append(str(finding))
            if finding.line <= len(lines):
                shown.append(f"    {lines[finding.line - 1].strip()}")
        super().__init__("\n" + "\n".join(shown))


def _ask(function: str, /, **question: Any) -> Any:
    given = {key: value for key, value in question.items() if value is not None}
    return json.loads(_call(function, json.dumps(given)))


def _options(
    name: Optional[str], dialect: Optional[str], target: Optional[str], target_env: Optional[str], llvm_level: Optional[int]
) -> dict[str, Any]:
    return {"name": name, "dialect": dialect, "target": target, "targetEnv": target_env, "llvmLevel": llvm_level}


def check(
    text: str,
    *,
    name: Optional[str] = None,
    dialect: Optional[str] = None,
    target: Optional[str] = None,
    target_env: Optional[str] = None,
    llvm_level: Optional[int] = None,
    pedantic: bool = False,
    disabled: tuple[str, ...] = (),
) -> list[Finding]:
    """The findings of a text, in order. Without `dialect` (llvm, mir, spirv, amdgpu) name and content decide."""
    options = _options(name, dialect, target, target_env, llvm_level)
    answer = _ask("check", text=str(text), pedantic=pedantic, disabled=list(disabled), **options)
    return [_finding(raw) for raw in answer["diagnostics"]]


def _finding(raw: dict[str, Any]) -> Finding:
    keys = ("line", "column", "end_line", "end_column")
    fixes = tuple(
        Fix(fix["title"], fix["certain"], tuple(Edit(*(edit[key] for key in keys), edit["text"]) for edit in fix["edits"]))
        for fix in raw.get("fixes", [])
    )
    return Finding(
        raw["line"], raw["column"], raw["severity"], raw["code"], raw["message"], raw["end_line"], raw["end_column"], fixes, raw
    )


def assert_valid(text: str, **options: Any) -> None:
    """Raises `InvalidText`, an `AssertionError`, if a check of the text finds an error."""
    errors = [finding for finding in check(text, **options) if finding.severity == "error"]
    if errors:
        raise InvalidText(errors, str(text))


def format(text: str, *, name: Optional[str] = None, dialect: Optional[str] = None, spirv_layout: Optional[str] = None) -> str:
    """The text in its usual form: only white space changes."""
    return _ask("format", text=text, name=name, dialect=dialect, spirvLayout=spirv_layout)["text"]


def hover(
    text: str,
    line: int,
    column: int,
    *,
    name: Optional[str] = None,
    dialect: Optional[str] = None,
    target: Optional[str] = None,
    target_env: Optional[str] = None,
    llvm_level: Optional[int] = None,
) -> Optional[str]:
    """What is known of a place, as Markdown."""
    options = _options(name, dialect, target, target_env, llvm_level)
    answer = _ask("hover", text=text, line=line, column=column, **options)
    return answer and answer["markdown"]


def encode(
    text: str,
    *,
    name: Optional[str] = None,
    dialect: Optional[str] = None,
    target: Optional[str] = None,
    target_env: Optional[str] = None,
) -> bytes:
    """The bytes of SPIR-V or AMDGPU assembly; `ValueError` if something in it has none."""
    answer = _ask("encode", text=text, **_options(name, dialect, target, target_env, None))
    if answer["refused"]:
        raise ValueError("something in the text has no encoding; `check` reports what")
    return b"".join(bytes.fromhex(line["bytes"]) for line in answer["lines"])


def disassemble(data: bytes, *, raw_id: bool = False) -> str:
    """The text of a SPIR-V binary or an AMDGPU code object."""
    return _ask("disassemble", hex=data.hex(), rawId=raw_id)["text"]


def control_flow(text: str, *, name: Optional[str] = None, dialect: Optional[str] = None, function: Optional[str] = None) -> str:
    """A picture (SVG) of the control flow of all functions, or of one."""
    return _ask("controlFlow", text=text, name=name, dialect=dialect, function=function)["svg"]


def explain(code: str) -> list[dict[str, Any]]:
    """The documentation of a code, of each dialect that has it."""
    return _ask("explain", code=code)
