"""pytest: a front end whose IR is checked after each test. Here llvmlite builds it."""

import pytest
import wavelens
from llvmlite import ir


def build(wrong: bool) -> str:
    module = ir.Module()
    i32 = ir.IntType(32)
    function = ir.Function(module, ir.FunctionType(i32, [i32]), "increment")
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    sum_ = builder.add(function.args[0], ir.Constant(i32, 1))
    # llvmlite does not look at the type of what a function returns.
    builder.ret(builder.zext(sum_, ir.IntType(64)) if wrong else sum_)
    return str(module)


def test_the_module_is_valid():
    wavelens.assert_valid(build(wrong=False), dialect="llvm")


def test_a_wrong_type_is_found():
    with pytest.raises(wavelens.InvalidText) as raised:
        wavelens.assert_valid(build(wrong=True), dialect="llvm")
    assert "i64" in str(raised.value)
