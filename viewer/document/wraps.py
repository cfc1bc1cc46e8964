"""Wraps: what lies around the values of a file, taken off when it is opened and put on again when it is saved.

Bytes that nobody changed keep their wrap to the last byte. Before bytes are wrapped anew for a file, the result is
unwrapped again and compared: what would not read back is not written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from viewer.buffer import Buffer, in_memory
from viewer.container.codecs import CODECS, find
from viewer.container.layer import MOST_INSIDE, Codec, Damage, Form, KeyNeeded, KeyWrong, Layer, TooLarge, WrapError
from viewer.container.secret import Secret

MOST_LAYERS = 8
DOUBTFUL = frozenset({"base64", "hex", "hexdump", "escaped", "list", "zlib"})
"""Wraps that other bytes may look like: they are believed only where what is inside makes sense."""

MakesSense = Callable[[Buffer], bool]


@dataclass(frozen=True, slots=True)
class Opening:
    """What not to look for in the wraps of a file.

    Args:
        codecs: the names of the wraps, outermost first; None finds them, none at all leaves the file as it is.
        secret: for what is encrypted.
        limit: how many bytes may come out of one.
    """

    codecs: tuple[str, ...] | None = None
    secret: Secret | None = None
    limit: int = MOST_INSIDE


@dataclass(frozen=True, slots=True)
class Wrap:
    """One wrap: the bytes around, the bytes inside, and how to get from these to those."""

    codec: Codec
    outside: Buffer
    inside: bytes
    form: Form
    damages: tuple[Damage, ...] = ()


@dataclass(frozen=True, slots=True)
class Wraps:
    """All wraps of a file, outermost first.

    Args:
        around: the wraps.
        inside: the bytes in the innermost one, those of the file where there is none.
        blocked: why the next wrap could not be taken off, None where there is none.
        secret: the key that some of them were opened with.
    """

    around: tuple[Wrap, ...]
    inside: Buffer
    blocked: WrapError | None = None
    secret: Secret | None = None

    @property
    def needs_key(self) -> bool:
        """Whether a password or key would open the next wrap."""
        return isinstance(self.blocked, KeyNeeded | KeyWrong)

    @property
    def too_large(self) -> int:
        """How many bytes are inside the next wrap where that are more than were allowed; else 0."""
        return self.blocked.size if isinstance(self.blocked, TooLarge) else 0

    @property
    def is_secret(self) -> bool:
        """Whether the bytes inside were encrypted: they must not reach a disk as they are."""
        return any(wrap.codec.name == "gdec" for wrap in self.around)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the codecs, outermost first."""
        return tuple(wrap.codec.name for wrap in self.around)

    @property
    def damages(self) -> list[tuple[Wrap, Damage]]:
        """What is wrong with any of them."""
        return [(wrap, damage) for wrap in self.around for damage in wrap.damages]

    def layers(self, inside: Buffer) -> list[Layer]:
        """The buffers of the file, the file itself first; *inside* is what is in the innermost wrap now."""
        buffers: list[Buffer] = [*(wrap.outside for wrap in self.around), inside]
        names = ["file", *self.names]
        out = [Layer(names[0], buffers[0])]
        for name, buffer, wrap in zip(names[1:], buffers[1:], self.around, strict=True):
            out.append(Layer(name, buffer, wrap.form, wrap.damages))
        return out

    def put_on(self, inside: Buffer) -> Wraps:
        """The same wraps around other bytes, each proven to give these back.

        Raises:
            WrapError: one of them cannot be put on.
        """
        if not self.around or _same(inside, self.around[-1].inside):
            return self if self.around else replace(self, inside=inside)
        data = bytes(inside[:])
        done: list[Wrap] = []
        for wrap in reversed(self.around):
            done.append(_wrapped(wrap, data, self.secret))
            data = bytes(done[-1].outside[:])
        return replace(self, around=tuple(reversed(done)), inside=done[0].inside)

    def writable(self) -> Wraps | None:
        """The same wraps with Zstd for what no engine compresses (Brotli); None where nothing needs it."""
        from viewer.container.blocks import BlockForm
        from viewer.container.inflate import Method

        changed = tuple(
            replace(wrap, form=wrap.form.as_zstd())
            if isinstance(wrap.form, BlockForm) and wrap.form.method is Method.BROTLI
            else wrap
            for wrap in self.around
        )
        return None if changed == self.around else replace(self, around=changed)

    @property
    def outside(self) -> Buffer:
        """The bytes of the file."""
        return self.around[0].outside if self.around else self.inside


def _same(one: Buffer, other: Buffer) -> bool:
    return one is other or (len(one) == len(other) and in_memory(one) and bytes(one) == other)


def _wrapped(wrap: Wrap, inside: bytes, secret: Secret | None) -> Wrap:
    """One wrap around other bytes.

    Raises:
        WrapError: it cannot be put on, or would not give the same bytes back.
    """
    if inside == wrap.inside:
        return wrap
    outside = wrap.form.wrap(inside)
    again = wrap.codec.unwrap(outside, secret, max(MOST_INSIDE, len(inside)))
    if again.inside != inside:
        raise WrapError(f"These bytes do not survive being wrapped as {wrap.form.label}; remove that wrap, then save.")
    return Wrap(wrap.codec, outside, inside, again.form, again.damages)


def take_off(buffer: Buffer, opening: Opening, makes_sense: MakesSense) -> Wraps:
    """Take all wraps off a file.

    Args:
        buffer: the file's bytes.
        opening: what not to look for.
        makes_sense: whether bytes look like values; asked where a wrap is doubtful.

    Returns:
        The wraps; where one cannot be taken off, those around it, and why.
    """
    wanted = None if opening.codecs is None else [find(name) for name in opening.codecs]
    around: list[Wrap] = []
    blocked: WrapError | None = None
    while len(around) < MOST_LAYERS and blocked is None:
        inside = around[-1].inside if around else buffer
        codec = _next(inside, wanted, len(around))
        if codec is None:
            break
        try:
            found = codec.unwrap(inside, opening.secret, opening.limit)
        except WrapError as error:
            blocked = error if wanted is not None or codec.name not in DOUBTFUL else None
            break
        if wanted is None and codec.name in DOUBTFUL and not _leads_somewhere(found.inside, makes_sense):
            break
        around.append(Wrap(codec, inside, found.inside, found.form, found.damages))
    return Wraps(tuple(around), around[-1].inside if around else buffer, blocked, opening.secret)


def _next(inside: Buffer, wanted: Sequence[Codec] | None, depth: int) -> Codec | None:
    """The codec of the next wrap, None where there is none."""
    if wanted is not None:
        return wanted[depth] if depth < len(wanted) else None
    return next((codec for codec in CODECS if codec.probe(inside)), None)


def _leads_somewhere(inside: bytes, makes_sense: MakesSense) -> bool:
    """Whether what was doubtful holds a wrap that is not, or values."""
    return any(codec.probe(inside) for codec in CODECS if codec.name not in DOUBTFUL) or makes_sense(inside)
