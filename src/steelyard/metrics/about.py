"""What a metric's page says beside its name: plain data, a field a question."""

from dataclasses import dataclass

BETTER = ("higher", "lower", "nearer 1", "nearer 0", "depends")


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """The answers that a metric's record carries.

    formula, tex: the definition, in plain signs and in TeX (without the dollars)
    reading: what a value says, in a sentence or two, to someone who meets it for the first time
    range: which values there are, such as "0 to 1"; better: one of BETTER
    pitfalls: what goes wrong in practice, a sentence each
    reference: who defined it, and where; seed: the article it comes from, "000" to "004"
    chinese: its usual Chinese name
    example: an expression whose value is computed when the page is shown, such as "sy.auc(…)"
    """

    formula: str
    tex: str
    reading: str
    range: str
    better: str
    pitfalls: tuple[str, ...]
    reference: str
    chinese: str
    example: str
    seed: str | None = None
