"""What numba cannot say by itself: calls by address, atomic access to arrays, prefetching."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def call_successors(
    context: Any, address: Any, rows: Any, at: Any, count: Any, after: Any, action: Any, keys: Any, table: Any,
    fired: Any, astray: Any,
) -> Any:  # fmt: skip
    """Call the function at ``address`` (see ``solver.llvm_successors``) on the state at ``rows[at]``."""
    number = types.int64
    signature = number(number, rows, number, number, after, action, keys, table, fired, astray)

    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        arrays = {i: ctx.make_array(sig.args[i])(ctx, builder, args[i]) for i in (1, 4, 5, 6, 7, 8, 9)}
        after, action, keys, table, fired, astray = (arrays[i].data for i in (4, 5, 6, 7, 8, 9))
        word = ir.IntType(64)
        words, steps = word.as_pointer(), ir.IntType(16).as_pointer()
        parameters = [words, word, words, steps, words, words, word, words, words]
        function = builder.inttoptr(args[0], ir.FunctionType(word, parameters).as_pointer())
        state = builder.gep(arrays[1].data, [args[2]])
        mask = builder.sub(arrays[7].nitems, word(1))
        return builder.call(function, [state, args[3], after, action, keys, table, mask, fired, astray])

    return signature, generate


@intrinsic
def call_values(context: Any, address: Any, words: Any, at: Any, values: Any, to: Any) -> Any:
    """Call the function at ``address`` on the state at ``words[at]``, its values to ``values[to]`` and on."""
    signature = types.void(types.int64, words, types.int64, values, types.int64)

    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        def at(i: int, offset: Any) -> Any:
            return builder.gep(ctx.make_array(sig.args[i])(ctx, builder, args[i]).data, [offset])

        word, number = ir.IntType(64).as_pointer(), ir.IntType(32).as_pointer()
        function = builder.inttoptr(args[0], ir.FunctionType(ir.VoidType(), [word, number]).as_pointer())
        builder.call(function, [at(1, args[2]), at(3, args[4])])
        return ctx.get_dummy_value()

    return signature, generate


@intrinsic
def borrowed(context: Any, array: Any) -> Any:
    """The same array without its owner, so that numba does not count references in inner loops.

    The caller's array must live as long as this one is used.
    """
    signature = array(array)

    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        view = ctx.make_array(array)(ctx, builder, args[0])
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()

    return signature, generate


@intrinsic
def prefetch(context: Any, array: Any, index: Any) -> Any:
    """Ask for the cache line of ``array[index]``."""
    signature = types.void(array, types.intp)

    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        at = builder.gep(ctx.make_array(sig.args[0])(ctx, builder, args[0]).data, [args[1]])
        at = builder.bitcast(at, ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [at.type, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [at, number(0), number(3), number(1)])
        return ctx.get_dummy_value()

    return signature, generate


@intrinsic
def load(context: Any, array: Any, index: Any) -> Any:
    """``array[index]``, with all that was written before it was stored."""
    signature = types.uint64(array, types.intp)

    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        at = builder.gep(ctx.make_array(sig.args[0])(ctx, builder, args[0]).data, [args[1]])
        return builder.load_atomic(at, "acquire", 8)

    return signature, generate


@intrinsic
def swap(context: Any, array: Any, index: Any, old: Any, new: Any) -> Any:
    """Compare and swap: ``array[index]`` becomes ``new`` if it is ``old``; what was there."""
    signature = types.uint64(array, types.intp, types.uint64, types.uint64)

    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        at = builder.gep(ctx.make_array(sig.args[0])(ctx, builder, args[0]).data, [args[1]])
        return builder.extract_value(builder.cmpxchg(at, args[2], args[3], "acq_rel", "acquire"), 0)

    return signature, generate


@intrinsic
def add(context: Any, array: Any, index: Any, amount: Any) -> Any:
    """Add atomically; what was there before."""
    signature = types.int64(array, types.intp, types.int64)

    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        at = builder.gep(ctx.make_array(sig.args[0])(ctx, builder, args[0]).data, [args[1]])
        return builder.atomic_rmw("add", at, args[2], "monotonic")

    return signature, generate
