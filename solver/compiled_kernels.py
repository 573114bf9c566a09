"""The part of a compiled search that is the same for every system: loops that numba compiles once.

What belongs to one system is an LLVM function that these loops call by its address, so nothing here is
compiled again for another system; numba keeps its code on disk.

The table is open addressing. Where it is *direct*, a slot holds a state of one word plus one, and the
state's number is not kept. Otherwise it holds 32 bits of a state's hash and its number plus one. The states
are in ``rows``, ``width`` words each. A slot is taken with compare-and-swap after the row was written, so
several threads insert at once and a reader that sees a number sees the row.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from solver.native import add, borrowed, call_successors, call_values, load, prefetch, swap

U = np.uint64
_MIX = U(0xD6E8FEB86659FD93)
_LOW = U(0xFFFFFFFF)
BATCH = 64
"""States that are expanded before their successors are looked up, so that memory has time to answer."""

CHUNK = 256
"""Numbers that a thread takes at once."""

# The entries of a thread's own counters.
NEXT, LAST, STEPS = 0, 1, 2


@njit(inline="always")
def mixed(value, high):
    """One round of the hash; the same as in ``solver.visited``."""
    value = (value ^ high) * _MIX
    high = value >> U(29)
    value = (value ^ high) * _MIX
    return value ^ (value >> U(32))


@njit(inline="always")
def hash_of(words, at, width):
    """The hash of the state at ``words[at]``."""
    value = mixed(words[at], words[at] >> U(32))
    for w in range(1, width):
        value ^= words[at + w]
        value = mixed(value, value >> U(32))
    return value


@njit(inline="always")
def same(rows, number, words, at, width):
    """Whether a numbered state is the one at ``words[at]``."""
    for w in range(width):  # noqa: SIM110 numba has no all()
        if rows[number * width + w] != words[at + w]:
            return False
    return True


@njit(inline="always")
def take_number(shared, own):
    """The next number of this thread."""
    if own[NEXT] == own[LAST]:
        own[NEXT] = add(shared, 0, CHUNK)
        own[LAST] = own[NEXT] + CHUNK
    own[NEXT] += 1
    return own[NEXT] - 1


@njit(inline="always")
def appended(rows, words, at, width, shared, own):
    """Write a state where the next number wants it; the number."""
    number = take_number(shared, own)
    for w in range(width):
        rows[number * width + w] = words[at + w]
    return number


@njit(inline="always")
def append_if_new(table, rows, word, key, shared, own):
    """Insert a state of one word into a direct table."""
    mask = U(table.size - 1)
    slot = np.int64(key & mask)
    wanted = word + U(1)
    while True:
        entry = load(table, slot)
        if entry == U(0):
            entry = swap(table, slot, U(0), wanted)
            if entry == U(0):
                rows[take_number(shared, own)] = word
                return
        if entry == wanted:
            return
        slot = np.int64(U(slot + 1) & mask)


@njit(inline="always")
def number_of(table, rows, words, at, width, key, shared, own):
    """The number of the state at ``words[at]``, which is inserted if it is new."""
    mask = U(table.size - 1)
    slot = np.int64(key & mask)
    mine = np.int64(-1)
    while True:
        entry = load(table, slot)
        if entry == U(0):
            if mine < 0:
                mine = appended(rows, words, at, width, shared, own)
            entry = swap(table, slot, U(0), (key & ~_LOW) | U(mine + 1))
            if entry == U(0):
                return mine
        if ((entry ^ key) & ~_LOW) == U(0):
            found = np.int64((entry & _LOW) - U(1))
            if same(rows, found, words, at, width):
                if mine >= 0:
                    own[NEXT] -= 1  # the number that was taken last goes back
                return found
        slot = np.int64(U(slot + 1) & mask)


@njit(nogil=True, cache=True)
def expand(
    address,
    direct,
    table,
    rows,
    width,
    cursor,
    stop,
    room,
    most,
    shared,
    own,
    fired,
    edges,
    keys,
    after,
    action,
    astray,
):
    """Expand batches of states until there are none, or more than ``room`` numbers are taken.

    ``cursor[0]`` is the next state (threads share it), ``most`` the steps that a batch can have.
    ``edges`` has three columns (source, target, action) and is not written if it has no rows.
    """
    table, rows, keys, after = borrowed(table), borrowed(rows), borrowed(keys), borrowed(after)
    action, edges, own, fired = borrowed(action), borrowed(edges), borrowed(own), borrowed(fired)
    shared, cursor, astray = borrowed(shared), borrowed(cursor), borrowed(astray)
    while astray[0] == U(0):
        if shared[0] > room or (edges.shape[0] and own[STEPS] + most > edges.shape[0]):
            return
        first = add(cursor, 0, BATCH)
        if first >= stop:
            return
        last = min(first + BATCH, stop)
        count = 0
        for state in range(first, last):
            before = count
            count = call_successors(address, rows, state * width, count, after, action, keys, table, fired, astray)
            if edges.shape[0]:
                for j in range(before, count):
                    edges[own[STEPS] + j, 0] = state
        if direct:
            for j in range(count):
                append_if_new(table, rows, after[j], keys[j], shared, own)
            continue
        for j in range(count):
            entry = load(table, np.int64(keys[j] & U(table.size - 1)))
            if entry != U(0) and ((entry ^ keys[j]) & ~_LOW) == U(0):
                prefetch(rows, np.int64((entry & _LOW) - U(1)) * width)
        for j in range(count):
            number = number_of(table, rows, after, j * width, width, keys[j], shared, own)
            if edges.shape[0]:
                edges[own[STEPS] + j, 1] = number
                edges[own[STEPS] + j, 2] = action[j]
        if edges.shape[0]:
            own[STEPS] += count


@njit(nogil=True, cache=True)
def insert(direct, table, rows, width, words, numbers, shared, own):
    """The number of each state in ``words``, inserted if it is new; no numbers if the table is direct."""
    table, rows, words, shared, own = borrowed(table), borrowed(rows), borrowed(words), borrowed(shared), borrowed(own)
    for j in range(numbers.size):
        key = hash_of(words, j * width, width)
        if direct:
            append_if_new(table, rows, words[j], key, shared, own)
        else:
            numbers[j] = number_of(table, rows, words, j * width, width, key, shared, own)


@njit(nogil=True, cache=True)
def enter(direct, table, rows, width, start, stop):
    """Put the states start <= i < stop, which have their numbers, into a table; how many were there already."""
    table, rows = borrowed(table), borrowed(rows)
    mask = U(table.size - 1)
    keys = np.empty(BATCH, np.uint64)
    twice = 0
    for first in range(start, stop, BATCH):
        count = min(BATCH, stop - first)
        for j in range(count):
            keys[j] = hash_of(rows, (first + j) * width, width)
            prefetch(table, np.int64(keys[j] & mask))
        for j in range(count):
            entry = rows[first + j] + U(1) if direct else (keys[j] & ~_LOW) | U(first + j + 1)
            twice += enter_one(direct, table, rows, width, first + j, keys[j], entry)
    return twice


@njit(inline="always")
def enter_one(direct, table, rows, width, number, key, wanted):
    """Put one state into a table; 1 if it was there already, perhaps under another number."""
    mask = U(table.size - 1)
    slot = np.int64(key & mask)
    while True:
        entry = load(table, slot)
        if entry == U(0):
            entry = swap(table, slot, U(0), wanted)
            if entry == U(0):
                return 0
        if entry == wanted:
            return 1
        alike = not direct and ((entry ^ key) & ~_LOW) == U(0)
        if alike and same(rows, np.int64((entry & _LOW) - U(1)), rows, number * width, width):
            return 1
        slot = np.int64(U(slot + 1) & mask)


@njit(nogil=True, cache=True)
def renumber(direct, table, rows, width, old, new):
    """Move the state numbered ``old`` to the free number ``new``."""
    if direct:
        rows[new] = rows[old]
        return
    mask = U(table.size - 1)
    key = hash_of(rows, old * width, width)
    slot = np.int64(key & mask)
    while table[slot] != (key & ~_LOW) | U(old + 1):
        slot = np.int64(U(slot + 1) & mask)
    for w in range(width):
        rows[new * width + w] = rows[old * width + w]
    table[slot] = (key & ~_LOW) | U(new + 1)


@njit(nogil=True, cache=True)
def successors(address, words, width, states, start, most, after, action, keys, source, astray):
    """The successors of states from ``start`` on, while there is room; the next state and their number."""
    count = 0
    table, fired = np.zeros(1, np.uint64), np.zeros(most, np.int64)
    while start < states and count + most <= action.size and astray[0] == U(0):
        before = count
        count = call_successors(address, words, start * width, count, after, action, keys, table, fired, astray)
        for j in range(before, count):
            source[j] = start
        start += 1
    return start, count


@njit(nogil=True, cache=True)
def values(address, words, width, states, terms, found):
    """Every term in every state, ``terms`` numbers a state."""
    for i in range(states):
        call_values(address, words, i * width, found, i * terms)
