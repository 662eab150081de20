"""The Python module, as it is installed from its wheel."""

import doctest
import threading

import pytest
import wavelens

MODULE = "define i32 @f(i32 %a) {\n  ret i32 %b\n}\n"


def test_documentation():
    assert doctest.testmod(wavelens).failed == 0


def test_findings_have_places_and_fixes():
    text = "define i32 @f(i32 %sum) {\n  ret i32 %sun\n}\n"
    (found,) = wavelens.check(text, name="a.ll")
    assert (found.code, found.severity, found.line, found.column) == ("undefined-value", "error", 2, 11)
    assert str(found).startswith("2:11: error[undefined-value]: ")
    assert [fix.edits[0].text for fix in found.fixes] == ["%sum"]
    assert wavelens.check(text, name="a.ll", disabled=("undefined-value",)) == []


def test_valid_text():
    wavelens.assert_valid(MODULE.replace("%b", "%a"))
    with pytest.raises(AssertionError, match="ret i32 %b"):
        wavelens.assert_valid(MODULE)


def test_mistakes_in_the_question():
    with pytest.raises(ValueError, match="unknown dialect"):
        wavelens.check("", dialect="c")
    with pytest.raises(ValueError, match="unknown code"):
        wavelens.explain("x")


def test_format_hover_explain():
    assert wavelens.format("define void @f() {\nret void\n}\n") == "define void @f() {\n  ret void\n}\n"
    assert "%a" in wavelens.hover(MODULE, 1, 20)
    assert wavelens.hover(MODULE, 2, 1) is None
    assert wavelens.explain("undefined-value")[0]["code"] == "undefined-value"
    assert wavelens.control_flow(MODULE).startswith("<svg")


def test_bytes():
    assert wavelens.encode("s_endpgm\n", dialect="amdgpu", target="gfx1100") == bytes.fromhex("0000b0bf")
    binary = wavelens.encode("OpCapability Shader\nOpMemoryModel Logical GLSL450\n", dialect="spirv")
    assert "OpCapability Shader" in wavelens.disassemble(binary)


def test_threads():
    results = []
    threads = [threading.Thread(target=lambda: results.append(len(wavelens.check(MODULE)))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [1] * 8
