"""Arrays in memory: NumPy, lists, and whatever knows how to become an array.

Nothing is written to; nothing is guessed. Values keep their own type where a kernel can use it:
float32 scores stay float32, integer weights stay integers.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from steelyard import errors
from steelyard.batch import Batch, plain_label, user_row
from steelyard.model import NAN_CHOICES, Array, Label, Reading

Mask = npt.NDArray[np.bool_]


def read_binary(
    label: Any,
    score: Any,
    weight: Any = None,
    *,
    positive: Label = None,
    nan: str = "error",
    names: tuple[str, str, str] = ("y_true", "y_score", "sample_weight"),
) -> Batch:
    """One batch of labels, scores and weights, checked column by column."""
    if nan not in NAN_CHOICES:
        raise errors.BAD_CHOICE(name="nan", value=nan, choices=", ".join(NAN_CHOICES))
    positive = _positive(positive)
    columns = {names[0]: _column(names[0], label), names[1]: _column(names[1], score)}
    if weight is not None:
        columns[names[2]] = _column(names[2], weight)
    _check_lengths({name: len(column) for name, (column, _) in columns.items()})

    keep = _keep(columns, drop=nan == "drop")
    arrays = {
        name: column if keep is None else column[keep] for name, (column, _) in columns.items()
    }
    dropped = 0 if keep is None else int(np.count_nonzero(~keep))

    if arrays[names[0]].dtype.kind not in "biufU":
        raise _bad_dtype(names[0], arrays[names[0]], keep, "numbers, words or booleans")
    scores = _score(names[1], arrays[names[1]], keep)
    reading = Reading(nan=nan, positive=positive, score_type=scores.dtype.name)
    labels, weights = arrays[names[0]], None
    if weight is not None:
        weights = _weight(names[2], arrays[names[2]], keep)
        if len(weights) and weights.min() == 0:  # weight zero is absence
            present = weights != 0
            labels, scores, weights = labels[present], scores[present], weights[present]
            if keep is None:
                keep = present
            else:
                keep[keep] = present
    return Batch(labels, scores, weights, reading, dropped, keep, names[0])


def _positive(positive: Any) -> Label:
    """The label that counts as positive, as a plain Python value."""
    if isinstance(positive, np.generic):
        positive = positive.item()
    is_label = positive is None or isinstance(positive, str | int | float)
    if not is_label or positive != positive:
        raise errors.BAD_CHOICE(name="positive", value=positive, choices="the labels")
    return plain_label(positive)


def _column(name: str, values: Any) -> tuple[Array, Mask | None]:
    """The values as a native array, and which of them are missing (None: none are)."""
    masked = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
    try:
        array = np.asarray(values)
    except Exception as error:  # the object's own __array__ may raise anything
        raise errors.NOT_ARRAY(name=name, reason=str(error) or type(error).__name__) from error
    if array.ndim == 0:
        raise errors.NOT_ARRAY(name=name, reason=f"it is one {type(values).__name__}")
    if array.ndim != 1:
        raise errors.NOT_1D(name=name, ndim=array.ndim, shape=array.shape)
    missing = masked
    if array.dtype.kind in "OST":  # objects, bytes and NumPy's own strings
        array, missing = _from_objects(name, array, masked)
    elif not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if array.dtype.kind == "f" and np.isnan(_checksum(array)):
        nan = np.isnan(array)  # all False when opposite infinities met in the sum
        missing = nan if missing is None else missing | nan
    return array, missing


def _checksum(array: Array) -> float:
    """A sum that is finite only if every value is: one quick pass that clears most columns."""
    with np.errstate(over="ignore", invalid="ignore"):
        return float(array.sum())


def _from_objects(name: str, array: Array, masked: Mask | None) -> tuple[Array, Mask]:
    """Python objects as one plain type: all numbers, all booleans or all words."""
    values = [_decoded(value) for value in array.tolist()]
    missing = np.fromiter((_is_missing(value) for value in values), bool, len(values))
    if masked is not None:
        missing |= masked
    words = np.fromiter((isinstance(value, str) for value in values), bool, len(values)) & ~missing
    if words.any() and not (words | missing).all():
        position = int(words.argmax())
        raise _bad_type(name, values[position], position, "values of one type")
    blank: Any = "" if words.any() else 0
    filled = [blank if gone else value for gone, value in zip(missing, values, strict=True)]
    try:
        plain = np.array(filled) if filled else np.zeros(0)
    except Exception as error:
        raise errors.NOT_ARRAY(name=name, reason=str(error) or type(error).__name__) from error
    if plain.ndim != 1 or plain.dtype.kind not in "biufU":
        position = next((i for i, value in enumerate(filled) if _is_odd(value)), 0)
        raise _bad_type(name, values[position], position, "64-bit numbers or words")
    return plain, missing


def _decoded(value: Any) -> Any:
    """Bytes as the word they spell, where they spell one."""
    try:
        return value.decode() if isinstance(value, bytes) else value
    except UnicodeDecodeError:
        return value


def _is_odd(value: Any) -> bool:
    if isinstance(value, int):
        return not -(2**63) <= value < 2**64
    return not isinstance(value, float | str | np.number | np.bool_)


def _is_missing(value: Any) -> bool:
    """None, a NaN, or pandas' NA and NaT (told by name: pandas is not imported)."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and value != value


def _keep(columns: dict[str, tuple[Array, Mask | None]], *, drop: bool) -> Mask | None:
    """The rows without a missing value; an error where that is the rule and some have one."""
    keep: Mask | None = None
    for name, (_, missing) in columns.items():
        if missing is None or not missing.any():
            continue
        if not drop:
            raise errors.MISSING(
                name=name, count=int(np.count_nonzero(missing)), position=int(missing.argmax())
            )
        keep = ~missing if keep is None else keep & ~missing
    return keep


def _check_lengths(lengths: dict[str, int]) -> None:
    first, *rest = lengths
    for name in rest:
        if lengths[name] != lengths[first]:
            raise errors.LENGTHS(
                name=name, count=lengths[name], other=first, other_count=lengths[first]
            )


def _score(name: str, array: Array, kept: Mask | None) -> Array:
    """Scores as float32 where they are, else float64; nothing is rounded on the way."""
    if array.dtype.kind not in "biuf":
        raise _bad_dtype(name, array, kept, "numbers")
    if array.dtype in (np.float16, np.float32):
        scores: Array = array.astype(np.float32, copy=False)
    else:
        with np.errstate(over="ignore"):  # a long double beyond float64 is reported below
            scores = array.astype(np.float64, copy=False)
        inexact = _inexact(array, scores)
        if len(inexact):
            raise errors.INEXACT_SCORE(
                name=name,
                count=len(inexact),
                position=user_row(int(inexact[0]), kept),
                value=str(array[inexact[0]]),
            )
    _check_finite(name, scores, kept)
    return scores


def _inexact(array: Array, scores: Array) -> npt.NDArray[np.intp]:
    """Where float64 lost something: wide integers and extended floats only."""
    if array.dtype.kind == "f":
        return np.flatnonzero((scores != array) & np.isfinite(array))
    if array.dtype.itemsize < 8:
        return np.zeros(0, np.intp)
    wide = np.flatnonzero((array > 2**53) | (array < -(2**53)))
    return wide[[int(scores[i]) != int(array[i]) for i in wide]] if len(wide) else wide


def _weight(name: str, array: Array, kept: Mask | None) -> Array:
    if array.dtype.kind not in "biuf":
        raise _bad_dtype(name, array, kept, "numbers")
    if array.dtype.kind == "f":
        if array.dtype.itemsize not in (4, 8):
            array = _score(name, array, kept)
        _check_finite(name, array, kept)
    if len(array) and array.min() < 0:
        negative = array < 0
        index = int(negative.argmax())
        raise errors.NEGATIVE_WEIGHT(
            name=name,
            count=int(np.count_nonzero(negative)),
            position=user_row(index, kept),
            value=str(array[index]),
        )
    if array.dtype.kind != "f" and array.max(initial=0) < 2**32:
        array = array.astype(np.uint32, copy=False)  # half the memory, and the faster sort
    return array


def _check_finite(name: str, array: Array, kept: Mask | None) -> None:
    if np.isfinite(_checksum(array)):
        return
    infinite = np.isinf(array)  # a sum of finite values may overflow: look before complaining
    if infinite.any():
        position = user_row(int(infinite.argmax()), kept)
        raise errors.INFINITE(name=name, count=int(np.count_nonzero(infinite)), position=position)


def _bad_dtype(name: str, array: Array, kept: Mask | None, wanted: str) -> errors.SteelyardError:
    position = user_row(0, kept) if len(array) else 0
    return errors.BAD_TYPE(name=name, type=array.dtype.name, position=position, wanted=wanted)


def _bad_type(name: str, value: Any, position: int, wanted: str) -> errors.SteelyardError:
    return errors.BAD_TYPE(name=name, type=type(value).__name__, position=position, wanted=wanted)
