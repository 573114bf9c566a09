"""The inputs of the decision table and its decisions, declared once, in the order of the file's columns.

Several inputs have a label in common (``none`` is one of five of them). z3 tells the constructors of
two sorts apart by their declaration and not by their name, so a term never confuses them; a text in
SMT-LIB has to qualify such a name with its sort, as in ``(as none Dedup)``.
"""

from __future__ import annotations

from dataclasses import dataclass

from model.kernel import Labels

Claim = Labels("Claim", "held lost")
History = Labels("History", "consistent diverged")
Intent = Labels("Intent", "stands withdrawn superseded")
AttemptState = Labels("AttemptState", "none open closable closed")
Effect = Labels("Effect", "absent reserved pending committed refused failed reversed unknown")
Match = Labels("Match", "same drifted foreign multiple unseen")
Admission = Labels("Admission", "none standing void")
Permission = Labels("Permission", "current expired revoked consumed none")
Precondition = Labels("Precondition", "holds moved unobserved")
Postcondition = Labels("Postcondition", "confirmed echoed contradicted unobserved unavailable")
Dedup = Labels("Dedup", "live spent none")
Readback = Labels("Readback", "available delayed none")
Undo = Labels("Undo", "automatic reviewed best_effort irreversible")
Decision = Labels("Decision", "execute adopt verify reauthorise compensate quarantine abandon stand_down")


@dataclass(frozen=True, eq=False)
class TableInput:
    """One column of the table: its labels, the label to use when the resumer cannot tell, and its meaning."""

    name: str
    labels: Labels
    cautious: str
    meaning: str

    @property
    def values(self) -> tuple[str, ...]:
        """The labels, in the order they are declared."""
        return self.labels.labels


INPUTS: tuple[TableInput, ...] = (
    TableInput("claim", Claim, "lost", "Whether the last compare-and-swap on the checkpoint kept the claim."),
    TableInput(
        "history", History, "diverged", "Whether replay agrees with the recorded results, revisions and payload."
    ),
    TableInput("intent", Intent, "withdrawn", "Whether the obligation, as of now, still wants this operation."),
    TableInput(
        "attempt", AttemptState, "open", "Whether any release recorded for the obligation can still land at the target."
    ),
    TableInput("effect", Effect, "unknown", "What all evidence of this obligation, joined, says about the effect."),
    TableInput(
        "match", Match, "foreign", "Whether identity, digest, lineage and version observed are those of the intent."
    ),
    TableInput("admission", Admission, "none", "What the authority's own record says about this operation and digest."),
    TableInput("permission", Permission, "none", "What the authority answers when it is asked now."),
    TableInput(
        "precondition", Precondition, "unobserved", "Whether the resource still has the version that was recorded."
    ),
    TableInput(
        "postcondition", Postcondition, "unobserved", "Whether the business result is seen, and by an independent path."
    ),
    TableInput(
        "dedup", Dedup, "none", "Whether the target recognises this identity and digest until the last copy is dead."
    ),
    TableInput("readback", Readback, "none", "Whether a further look can settle the effect now, later or never."),
    TableInput("undo", Undo, "irreversible", "How far the contract lets the effect be undone."),
)

INPUT_NAMES: tuple[str, ...] = tuple(i.name for i in INPUTS)
DECISIONS: tuple[str, ...] = Decision.labels
VALUES: dict[str, tuple[str, ...]] = {i.name: i.values for i in INPUTS}
LABELS: dict[str, Labels] = {i.name: i.labels for i in INPUTS}
CAUTIOUS: dict[str, str] = {i.name: i.cautious for i in INPUTS}

CAPABILITY: dict[str, str | None] = {
    "execute": "initiates",
    "compensate": "reverses",
    "adopt": "closes",
    "abandon": "closes",
    "reauthorise": "asks",
    "quarantine": "asks",
    "verify": "observes",
    "stand_down": None,
}
"""What a decision may do: initiate an effect, reverse one, close the case, ask a person, observe, or nothing."""

ACTING: tuple[str, ...] = ("initiates", "reverses", "closes")
"""The capabilities that a table is more permissive by."""
