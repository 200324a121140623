"""The grammar of metric names: `name["(" args ")"]["@" k]["~"]`, and back to text.

This module knows the syntax only: `metrics` has the metrics, their parameters and their defaults.

>>> parse("fbeta(2, threshold=0.3)")
Spec(name='fbeta', args=(2.0,), options=(('threshold', 0.3),), k=None, approximate=False)
>>> str(parse(" ndcg ( gain = exp2 ) @ 10 "))
'ndcg(gain=exp2)@10'
"""

import json
import re
from dataclasses import dataclass
from math import isinf

from steelyard import errors
from steelyard.phrases import phrase

Argument = str | int | float | bool

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.])
      | (?P<word>[^\W\d][\w.]*)
      | (?P<quoted>"(?:[^"\\]|\\.)*")
      | (?P<mark>[()=,@~-])
    )""",
    re.VERBOSE,
)
_WORD = re.compile(r"[^\W\d][\w.]*")
LONGEST_CUT = 18  # digits; more than any list has rows
_FLAGS = {"true": True, "false": False}
CLOSES = {"(": ")", "[": "]", "{": "}"}
QUOTES = "\"'"


@dataclass(frozen=True, slots=True)
class Spec:
    """One metric as written, parsed; its text is the canonical form."""

    name: str
    args: tuple[Argument, ...] = ()
    options: tuple[tuple[str, Argument], ...] = ()
    k: int | None = None
    approximate: bool = False

    def __str__(self) -> str:
        inside = [_print(value) for value in self.args]
        inside += [f"{key}={_print(value)}" for key, value in sorted(self.options, key=_key)]
        arguments = f"({', '.join(inside)})" if inside else ""
        cut = "" if self.k is None else f"@{self.k}"
        return f"{self.name}{arguments}{cut}{'~' if self.approximate else ''}"


def parse(text: str) -> Spec:
    """The Spec of a text; a SpecError names the first unexpected character."""
    if not isinstance(text, str):
        raise errors.BAD_SPEC(text=text, position=1, reason=f"it is of type {type(text).__name__}")
    reader = _TokenReader(text)
    name = reader.name()
    args: list[Argument] = []
    options: list[tuple[str, Argument]] = []
    if reader.skip("("):
        reader.arguments(args, options)
    k = reader.cut() if reader.skip("@") else None
    approximate = reader.skip("~")
    reader.end()
    return Spec(name, tuple(args), tuple(options), k, approximate)


def written(value: Argument | None) -> str:
    """The value of a parameter as it is written in the name of a metric.

    >>> written(2.0), written(True), written("youden"), written(None)
    ('2', 'true', 'youden', 'none')
    """
    return "none" if value is None else _print(value)


def split_at_commas(text: str) -> list[str]:
    """The parts between commas, except for commas in parentheses or quotes.

    >>> (
    ...     split_at_commas("auc, fbeta(2, threshold=0.3)"),
    ...     split_at_commas("date_trunc('day,night', ts)"),
    ... )
    (['auc', 'fbeta(2, threshold=0.3)'], ["date_trunc('day,night', ts)"])
    """
    parts, start, depth, quote = [], 0, 0, ""
    for place, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in QUOTES:
            quote = sign
        elif sign in CLOSES:
            depth += 1
        elif sign in CLOSES.values():
            depth -= 1
        elif sign == "," and depth <= 0:
            parts.append(text[start:place])
            start = place + 1
    return [part.strip() for part in [*parts, text[start:]]]


class _TokenReader:
    """Tokens of one text, read from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.kind, self.token, self.start = "", "", 0
        self.advance()

    def advance(self) -> None:
        match = _TOKEN.match(self.text, self.position)
        if match is None:
            rest = self.text[self.position :]
            self.kind, self.token = ("invalid", rest.strip()[:1]) if rest.strip() else ("end", "")
            self.start = len(self.text) - len(rest.lstrip())
            return
        self.kind = match.lastgroup or ""
        self.token = match[self.kind]
        self.start = match.start(self.kind)
        self.position = match.end()

    def fail(self, wanted: str) -> errors.SteelyardError:
        found = f"{self.token!r} is" if self.token else "the text ends"
        # A phrase, so that of a long text only the text is cut.
        reason = phrase("{found} where {wanted} is expected", found=found, wanted=wanted)
        return errors.BAD_SPEC(text=self.text, position=self.start + 1, reason=reason)

    def word(self, wanted: str) -> str:
        if self.kind != "word":
            raise self.fail(wanted)
        word = self.token
        self.advance()
        return word

    def name(self) -> str:
        """A metric's name; "mean absolute error" and "log-loss" are one name."""
        name = self.word("a metric's name")
        while self.skip("-") or self.kind == "word":
            name += f"_{self.word('the rest of the name')}"
        return name

    def skip(self, mark: str) -> bool:
        if self.kind != "mark" or self.token != mark:
            return False
        self.advance()
        return True

    def arguments(self, args: list[Argument], options: list[tuple[str, Argument]]) -> None:
        while not self.skip(")"):
            is_word, value = self.kind == "word", self.value()
            if is_word and self.skip("="):
                options.append((str(value), self.value()))
            elif options:
                raise self.fail("= (a parameter without a name comes first)")
            else:
                args.append(value)
            if not self.skip(",") and self.token != ")":
                raise self.fail("',' or ')'")

    def value(self) -> Argument:
        kind, token = self.kind, self.token
        if kind not in ("number", "word", "quoted"):
            raise self.fail("a value")
        if kind == "number" and isinf(float(token)):
            raise self.fail("a number that fits float64")
        if kind == "quoted":
            try:
                token = str(json.loads(token))
            except ValueError:
                raise self.fail("a text with JSON's escapes") from None
        self.advance()
        if kind == "number":
            return float(token)
        if kind == "quoted":
            return token
        if self.kind == "mark" and self.token == "=":
            return token
        return _FLAGS.get(token, token)

    def cut(self) -> int:
        digits = self.kind == "number" and self.token.isdecimal() and len(self.token) <= LONGEST_CUT
        k = int(self.token) if digits else 0
        if k == 0:
            raise self.fail("a positive whole number")
        self.advance()
        return k

    def end(self) -> None:
        if self.kind != "end":
            raise self.fail("the end")


def _key(option: tuple[str, Argument]) -> str:
    return option[0]


def _print(value: Argument) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value).removesuffix(".0")
    if _WORD.fullmatch(value) and value not in _FLAGS:
        return value
    return json.dumps(value, ensure_ascii=False)
