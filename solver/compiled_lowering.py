"""A system compiled through LLVM: used where there are many states, or where it is asked for.

Needs the packages of the extra ``fast`` (llvmlite and numba); importing this module without them is an
ImportError.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir

from model.folding import simplifier
from model.kernel import ModelError, System, Term
from solver import compiled_kernels as kernels
from solver.compiled_states import CompiledStates
from solver.llvm_successors import field_loader, successors_function
from solver.llvm_writer import NUMBER, WORD, LlvmWriter, Value
from solver.lowering import Predicates, Transitions
from solver.numpy_lowering import compile_successors
from solver.packing import Layout, Words

_ROOM = 1 << 16


class Compiled:
    """An LLVM module in memory; the addresses of its functions are good as long as it lives.

    Few of LLVM's passes are run: the usual pipeline takes a second for a large model and makes the search no
    faster than these.
    """

    def __init__(self, module: ir.Module):
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        target = llvm.Target.from_default_triple().create_target_machine(
            cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=2
        )
        parsed = llvm.parse_assembly(str(module))
        parsed.verify()
        passes = llvm.create_new_module_pass_manager()
        passes.add_sroa_pass()
        passes.add_new_gvn_pass()
        passes.add_simplify_cfg_pass()
        passes.run(parsed, llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(speed_level=1)))
        self.engine = llvm.create_mcjit_compiler(parsed, target)
        self.engine.finalize_object()

    def address(self, function: str) -> int:
        """Where a function is."""
        return int(self.engine.get_function_address(function))


class CompiledLowering:
    """A system run by compiled code on some threads."""

    def __init__(self, system: System, layout: Layout, threads: int = 1):
        self.system, self.layout, self.threads = system, layout, threads
        module = _module()
        successors_function(module, system, layout)
        self.compiled = Compiled(module)
        self.address = self.compiled.address("successors")

    @property
    def name(self) -> str:
        """Compiled, and on how many threads."""
        return f"compiled, {self.threads} thread{'s' * (self.threads > 1)}"

    def successors(self, words: Words) -> Transitions:
        """Every step out of a block of states."""
        width, states = words.shape
        rows = np.ascontiguousarray(words.T).reshape(-1)
        most = max(1, len(self.system.actions))
        parts: list[tuple[Any, Any, Any]] = []
        start, astray = 0, np.zeros(1, np.uint64)
        while start < states:
            after = np.empty(_ROOM * width + most * width, np.uint64)
            action, source = np.empty(_ROOM + most, np.uint16), np.empty(_ROOM + most, np.int64)
            keys = np.empty(action.size, np.uint64)
            start, count = kernels.successors(
                self.address, rows, width, states, start, most, after, action, keys, source, astray
            )
            if astray[0]:
                self.refuse(words)
            parts.append((source[:count], action[:count], after[: count * width].reshape(count, width).T))
        if not parts:
            return Transitions(np.empty(0, np.int64), np.empty(0, np.uint16), np.empty((width, 0), np.uint64))
        return Transitions(*(np.concatenate(part, axis=-1) for part in zip(*parts, strict=True)))

    def refuse(self, words: Words) -> None:
        """ModelError: an update left its range in one of these states. The numpy kernel says which and how."""
        compile_successors(self.system, self.layout)(words)
        raise ModelError("an update left its declared range where numpy says that none does: this is a defect")

    def predicates(self, terms: Mapping[str, Term]) -> Predicates:
        """A function that evaluates named terms."""
        return _Values(self.system, self.layout, terms)

    def state_set(self, keep_edges: bool, budget: int | None = None) -> CompiledStates:
        """An empty set of states."""
        return CompiledStates(self, keep_edges, budget)


class _Values:
    """Named terms, compiled together."""

    def __init__(self, system: System, layout: Layout, terms: Mapping[str, Term]):
        self.names = list(terms)
        self.width = layout.width
        module = _module()
        self.found = _values_function(module, system, layout, terms)
        self.compiled = Compiled(module)
        self.address = self.compiled.address("values")

    def __call__(self, words: Words) -> dict[str, Any]:
        """Bool arrays for formulas, codes for other terms."""
        states = words.shape[1]
        values = np.empty((states, max(1, len(self.names))), np.int32)
        rows = np.ascontiguousarray(words.T).reshape(-1)
        kernels.values(self.address, rows, self.width, states, len(self.names), values.reshape(-1))
        return {n: values[:, i].astype(_dtype(v)) for i, (n, v) in enumerate(zip(self.names, self.found, strict=True))}


def _dtype(value: Value) -> Any:
    if value.code.type.width == 1:
        return np.bool_
    return np.uint8 if value.low >= 0 and value.high <= 255 else np.int32


def _values_function(module: ir.Module, system: System, layout: Layout, terms: Mapping[str, Term]) -> list[Value]:
    """``void values(i64* state, i32* found)``: the code of each term, formulas as 0 or 1."""
    kind = ir.FunctionType(ir.VoidType(), [WORD.as_pointer(), NUMBER.as_pointer()])
    function = ir.Function(module, kind, "values")
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    state, found = function.args
    words = [builder.load(builder.gep(state, [WORD(w)])) for w in range(layout.width)]
    flags = frozenset(v.name for v in system.variables if v.kind == "flag")
    write = LlvmWriter(builder, field_loader(layout, flags, words))
    simplify = simplifier({v.name: v.value(0) for v in system.variables if v.high == 0})
    values = [write(simplify(term)) for term in terms.values()]
    for i, value in enumerate(values):
        code = value.code if value.code.type == NUMBER else builder.zext(value.code, NUMBER)
        builder.store(code, builder.gep(found, [WORD(i)]))
    builder.ret_void()
    return values


def _module() -> ir.Module:
    module = ir.Module()
    module.triple = llvm.get_default_triple()
    return module
