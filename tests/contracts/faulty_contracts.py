"""Contract texts with one fault each, and what the message must say about it."""

from __future__ import annotations

import re
from importlib import resources

EXAMPLE = (resources.files("model") / "contracts" / "example-refund.toml").read_text(encoding="utf-8")
EVIDENCE = '[evidence]\n"undo.grade" = { source = "manual", date = "2026-09-30", confidence = "high" }\n'


def edited(section: str, key: str, value: str) -> str:
    """The example with one key of one section changed, or removed by an empty value."""
    head, start, rest = EXAMPLE.partition(f"[{section}]")
    line = f"{key} = {value}" if value else ""
    body, count = re.subn(rf"(?m)^{key} = [^#\n]*", lambda _: line, rest, count=1)
    assert start and count == 1
    return head + start + body


def with_line(section: str, line: str) -> str:
    """The example with one more line in a section."""
    return re.sub(rf"(?m)^(\[{section}\].*)$", lambda m: f"{m[1]}\n{line}", EXAMPLE, count=1)


def evidence(text: str) -> str:
    """The example with this evidence."""
    return f"{EXAMPLE}\n[evidence]\n{text}\n"


LASTING = 'give a duration of at least 0s, or "forever", or "undefined"'
MECHANISMS = 'give "none", "key", "natural", "conditional", "transactional" or "undefined"'

FAULTS = {
    "negative duration": (edited("idempotency", "retention", '"-1h"'), f'idempotency.retention is "-1h"; {LASTING}'),
    "no unit": (edited("idempotency", "retention", '"30"'), f'idempotency.retention is "30"; {LASTING}'),
    "fraction": (edited("reservation", "expiry", '"1.5h"'), f'reservation.expiry is "1.5h"; {LASTING}'),
    "other digits": (edited("idempotency", "retention", '"٣d"'), f'idempotency.retention is "٣d"; {LASTING}'),
    "number": (edited("idempotency", "retention", "30"), f"idempotency.retention is 30; {LASTING}"),
    "unbounded retention": (
        edited("idempotency", "retention", '"unbounded"'),
        f'idempotency.retention is "unbounded"; {LASTING}',
    ),
    "delay for ever": (
        edited("delivery", "max_delay", '"forever"'),
        'delivery.max_delay is "forever"; give a duration of at least 0s, or "unbounded", or "undefined"',
    ),
    "skew without bound": (
        edited("recovery", "clock_skew", '"unbounded"'),
        'recovery.clock_skew is "unbounded"; give a duration of at least 0s',
    ),
    "caller undefined": (
        edited("recovery", "longest_resume", '"undefined"'),
        'recovery.longest_resume is "undefined"; give a duration of at least 0s, or "unbounded"',
    ),
    "judgement undefined": (
        edited("authority", "judged_at", '"undefined"'),
        'authority.judged_at is "undefined"; give "admission" or "commit"',
    ),
    "misspelt word": (
        edited("idempotency", "mechanism", '"keey"'),
        f'idempotency.mechanism is "keey"; {MECHANISMS} (nearest: "key")',
    ),
    "wrong word": (edited("idempotency", "mechanism", '"zzz"'), f'idempotency.mechanism is "zzz"; {MECHANISMS}'),
    "several lines": (
        edited("contract", "name", '"a\\nb"'),
        'contract.name is "a\\nb"; give one line of text in quotes',
    ),
    "line separator": (
        edited("contract", "effect", '"a\\u2028b"'),
        'contract.effect is "a\\u2028b"; give one line of text in quotes',
    ),
    "empty key": (
        with_line("undo", '"" = 1'),
        'undo."" is 1, but there is no such key; remove it or use one of grade, keyed',
    ),
    "empty text": (edited("contract", "name", '""'), 'contract.name is ""; give one line of text in quotes'),
    "text for a truth": (
        edited("idempotency", "remembers_errors", '"true"'),
        'idempotency.remembers_errors is "true"; give true, false or "undefined"',
    ),
    "number for a truth": (
        edited("delivery", "copies", "1"),
        'delivery.copies is 1; give true, false or "undefined"',
    ),
    "truth for a number": (
        edited("recovery", "workers", "true"),
        "recovery.workers is true; give a whole number from 1 to 4",
    ),
    "too many workers": (edited("recovery", "workers", "5"), "recovery.workers is 5; give a whole number from 1 to 4"),
    "no uses": (edited("authority", "uses", "0"), "authority.uses is 0; give a whole number of at least 1"),
    "fraction of uses": (edited("authority", "uses", "1.0"), "authority.uses is 1.0; give a whole number of at least"),
    "unknown fence": (
        edited("fencing", "at", '["gate"]'),
        'fencing.at is ["gate"]; give a list of "checkpoint", "gateway" and "compensation", each at most once',
    ),
    "fence twice": (
        edited("fencing", "at", '["gateway", "gateway"]'),
        'fencing.at is ["gateway", "gateway"]; give a list of "checkpoint", "gateway" and "compensation", each at',
    ),
    "one fence": (edited("fencing", "at", '"gateway"'), 'fencing.at is "gateway"; give a list of "checkpoint",'),
    "survives anything": (
        edited("authority", "survives", '["anything"]'),
        'authority.survives is ["anything"]; give a list of "expiry", "revocation" and "policy", each at most once',
    ),
    "date for a duration": (
        edited("idempotency", "retention", "2026-09-30"),
        f"idempotency.retention is 2026-09-30; {LASTING}",
    ),
    "missing clause": (edited("idempotency", "retention", ""), f"idempotency.retention is missing; {LASTING}"),
    "missing practice": (
        edited("authority", "judged_at", ""),
        'authority.judged_at is missing; give "admission" or "commit"',
    ),
    "missing section": (
        EXAMPLE.partition("[recovery]")[0],
        "[recovery] is missing; give a table [recovery] with the keys attempt_recorded, longest_resume,",
    ),
    "misspelt key": (
        EXAMPLE.replace('retention = "30d"', 'retenion = "30d"'),
        'idempotency.retenion is "30d", but there is no such key; did you mean idempotency.retention?',
    ),
    "key of another section": (
        with_line("idempotency", 'lag = "0s"'),
        'idempotency.lag is "0s", but there is no such key; did you mean readback.lag?',
    ),
    "strange key": (
        with_line("undo", '"who knows?\\n" = 1'),
        'undo."who knows?\\n" is 1, but there is no such key; remove it or use one of grade, keyed',
    ),
    "misspelt section": (
        EXAMPLE.replace("[idempotency]", "[idempotence]"),
        "[idempotence] is a table, but there is no such key; did you mean [idempotency]?",
    ),
    "strange section": (
        f"{EXAMPLE}\n[zzz]\n",
        "[zzz] is a table, but there is no such key; remove it or use one of contract, identity, idempotency,",
    ),
    "section is a word": (
        'undo = "automatic"\n' + re.sub(r"\[undo\][^\[]*", "", EXAMPLE),
        '[undo] is "automatic"; give a table [undo] with the keys grade, keyed',
    ),
    "section twice": (
        EXAMPLE.replace("[undo]", "[[undo]]"),
        '[undo] is [{"grade": "reviewed", "keyed": true}]; give a table [undo] with the keys grade, keyed',
    ),
    "evidence for a caller": (
        evidence('"authority.judged_at" = { source = "x", date = "2026-09-30", confidence = "high" }'),
        'evidence names "authority.judged_at"; give a provider clause as "section.key" in quotes',
    ),
    "evidence misspelt": (
        EXAMPLE + EVIDENCE.replace("undo.grade", "undo.grad"),
        'evidence names "undo.grad"; give a provider clause as "section.key" in quotes, did you mean "undo.grade"?',
    ),
    "evidence without quotes": (
        EXAMPLE + EVIDENCE.replace('"undo.grade"', "undo.grade"),
        'evidence names "undo"; give a provider clause as "section.key" in quotes, did you mean "undo.',
    ),
    "evidence without source": (
        evidence('"undo.grade" = { date = "2026-09-30", confidence = "high" }'),
        'evidence."undo.grade".source is missing; give the address or title of the source, or "no source found"',
    ),
    "empty source": (
        EXAMPLE + EVIDENCE.replace('"manual"', '""'),
        'evidence."undo.grade".source is ""; give the address or title of the source, or "no source found"',
    ),
    "no such day": (
        EXAMPLE + EVIDENCE.replace("2026-09-30", "2026-02-30"),
        'evidence."undo.grade".date is "2026-02-30"; give a day in quotes, such as "2026-09-30"',
    ),
    "day without quotes": (
        EXAMPLE + EVIDENCE.replace('"2026-09-30"', "2026-09-30"),
        'evidence."undo.grade".date is 2026-09-30; give a day in quotes, such as "2026-09-30"',
    ),
    "confidence": (
        EXAMPLE + EVIDENCE.replace('"high"', '"hihg"'),
        'evidence."undo.grade".confidence is "hihg"; give "high", "medium" or "low" (nearest: "high")',
    ),
    "evidence is a word": (
        evidence('"undo.grade" = "manual"'),
        'evidence."undo.grade" is "manual"; give a table { source, date, confidence }',
    ),
    "evidence is a list": (f"evidence = []\n{EXAMPLE}", "[evidence] is []; give a table [evidence] of"),
    "long value": (
        edited("contract", "governed", f'"{"x" * 500}"'),
        'contract.governed is "' + "x" * 79 + '...; give "accepted", "committed" or "settled"',
    ),
    "not TOML": (
        EXAMPLE.replace('source = "case-state"', "source case-state"),
        'line 10, column 8 is "source case-state             # case-state | regenerated | server',
    ),
    "cut off": (
        '[contract]\nname = "a',
        'line 2, column 1 is "name = \\"a": ',
    ),
    "key twice": (with_line("undo", 'grade = "automatic"'), 'is "grade = \\"reviewed\\"'),
    "too deep": ("a = " + "[" * 100_000, "is nested too deeply to be a contract; start from"),
    "huge number": (f"a = {'9' * 5000}", "line 1 has the number 999999999999...; give one of at most 18 digits"),
}
