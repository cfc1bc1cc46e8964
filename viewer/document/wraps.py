"""Wraps: what lies around the values of a file, taken off when it is opened and put on again when it is saved.

Bytes that nobody changed keep their wrap to the last byte. Before bytes are wrapped anew for a file, the result is
unwrapped again and compared: what would not read back is not written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache

from viewer.base.buffer import Buffer, in_memory, stretches
from viewer.base.record import dataclass, replace
from viewer.container.codecs import BROKEN, CODECS, GUESSES, LateCodec, find
from viewer.container.layer import (
    Codec,
    ContainerFormat,
    Damage,
    KeyNeeded,
    KeyWrong,
    Layer,
    Secret,
    SourceText,
    TooLarge,
    Unwrapped,
    WrapError,
)
from viewer.container.unpacking import FACTOR, PIECE, Differs, Output, size_in_words, unasked
from viewer.variant.dialect import load_text_values

MOST_LAYERS = 8
MOST_TRIES = 24
"""So many wraps are tried at most, those that led nowhere among them."""
TEXT_FACTOR = 16
"""So many times the bytes that are saved is always enough to read them again, as text too."""
LONG_TEXT = 1 << 20
"""A text of so many bytes may be begun first, and read whole when its beginning is seen."""

MakesSense = Callable[[Buffer], bool]


@dataclass(frozen=True, slots=True)
class UnwrapOptions:
    """What not to look for in the wraps of a file.

    Args:
        codecs: the names of the wraps, outermost first; None finds them, none at all leaves the file as it is.
        secret: for what is encrypted.
        limit: how many bytes may come out of all of them together; None is as many as come out without asking.
    """

    codecs: tuple[str, ...] | None = None
    secret: Secret | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Wrap:
    """One wrap: the bytes around, the bytes inside, and how to get from these to those."""

    codec: Codec
    outside: Buffer
    inside: bytes
    form: ContainerFormat
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
        """How many bytes to allow to get further, where more would come out of all wraps than may; else 0."""
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

    @property
    def text(self) -> SourceText | None:
        """The text that the values were read from; None where they lie in the bytes themselves."""
        form = self.around[-1].form if self.around else None
        return form if isinstance(form, SourceText) else None

    @property
    def around_text(self) -> Wraps:
        """The same wraps with the text itself as what is inside."""
        return self if self.text is None else replace(self, around=self.around[:-1], inside=self.around[-1].outside)

    def with_text(self, text: bytes, before: SourceText | None = None, is_kept: bool = False) -> Wraps:
        """The same wraps around another text, in which there are other values.

        Args:
            text: it.
            before: the text as it was, of which much may have stayed; None where that is not known.
            is_kept: whether a text of which nothing can be read is kept: then it holds no value.

        Raises:
            WrapError: nothing in it can be read, or more comes of it than may.
        """
        codec = self.around[-1].codec
        found = before.retyped(text) if before is not None else None
        if found is None:
            found = self._read_anew(text, before, is_kept)
        last = Wrap(codec, text, found.inside, found.form, found.damages)
        outer = self.around_text.put_on(text)
        return replace(self, around=(*outer.around, last), inside=found.inside)

    def _read_anew(self, text: bytes, before: SourceText | None, is_kept: bool) -> Unwrapped:
        """All of another text, read as the innermost wrap is; the arguments and errors are those of `with_text`."""
        try:
            found = self.around[-1].codec.unwrap(text)
        except WrapError as error:
            if before is None or not is_kept or isinstance(error, TooLarge):
                raise
            found = before.unread(text, str(error))
        if before is not None and isinstance(found.form, SourceText):
            found.form.follow(before)
        return found

    def read_whole(self, opening: UnwrapOptions) -> Wraps:
        """The same wraps with all of a text read that was only begun; where it cannot be, why.

        Args:
            opening: how the file was opened.
        """
        outer, last, size = self.around[:-1], self.around[-1], len(self.outside)
        limit = unasked(size) if opening.limit is None else opening.limit
        spent = sum(len(wrap.inside) for wrap in outer)
        try:
            found = _unwrapped(last.codec, last.outside, self.secret, limit - spent)
        except WrapError as error:
            blocked = _asked(error, spent, limit, size) if isinstance(error, TooLarge) else error.with_traceback(None)
            return replace(self.around_text, blocked=blocked)
        whole = Wrap(last.codec, last.outside, found.inside, found.form, found.damages)
        return replace(self, around=(*outer, whole), inside=found.inside)

    def text_of(self, inside: Buffer, known: Wrap | None = None) -> Wrap:
        """The innermost wrap, which is a text, around these values.

        Args:
            inside: the values.
            known: what this came to the last time; it is taken where the values are those.

        Raises:
            WrapError: it cannot hold them.
        """
        last = self.around[-1]
        if holds(inside, last.inside):
            return last
        if known is not None and holds(inside, known.inside):
            return known
        return _wrapped(last, _in_one(inside), self.secret)

    def layers(self, inside: Buffer) -> list[Layer]:
        """The buffers of the file, the file itself first; *inside* is what is in the innermost wrap now."""
        buffers: list[Buffer] = [*(wrap.outside for wrap in self.around), inside]
        names = ["file", *self.names]
        out = [Layer(names[0], buffers[0])]
        for name, buffer, wrap in zip(names[1:], buffers[1:], self.around, strict=True):
            out.append(Layer(name, buffer, wrap.form, wrap.damages))
        return out

    def put_on(self, inside: Buffer, innermost: Wrap | None = None) -> Wraps:
        """The same wraps around other bytes, each proven to give these back.

        Args:
            inside: these bytes.
            innermost: the innermost wrap around them, where that was made before.

        Raises:
            WrapError: one of them cannot be put on.
        """
        if not self.around or _same(inside, self.around[-1].inside):
            return self if self.around else replace(self, inside=inside)
        data = _in_one(inside)
        done: list[Wrap] = []
        waiting = list(self.around)
        if innermost is not None:
            waiting.pop()
            done.append(innermost)
            data = bytes(innermost.outside[:])
        for wrap in reversed(waiting):
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


def holds(buffer: Buffer, data: bytes) -> bool:
    """Whether a buffer holds these bytes; only a piece at a time is copied."""
    if isinstance(buffer, bytes):
        return buffer == data
    return len(buffer) == len(data) and all(
        bytes(piece) == data[start : start + len(piece)] for start, piece in stretches(buffer, size=PIECE)
    )


def _in_one(buffer: Buffer) -> bytes:
    """All bytes in one piece of memory, of which there is no copy where they were so already."""
    if isinstance(buffer, bytes):
        return buffer
    out = Output()
    for _, piece in stretches(buffer, size=PIECE):
        out.write(piece)
    return out.take()


def _wrapped(wrap: Wrap, inside: bytes, secret: Secret | None) -> Wrap:
    """One wrap around other bytes.

    Raises:
        WrapError: it cannot be put on, or would not give the same bytes back.
    """
    if inside == wrap.inside:
        return wrap
    if isinstance(wrap.form, SourceText):
        outside, known = wrap.form.rewritten(inside)
        if known is not None:
            return Wrap(wrap.codec, outside, known.inside, known, known.damages)
    else:
        outside = wrap.form.wrap(inside)
    limit = TEXT_FACTOR * max(len(inside), len(outside))
    try:
        again = wrap.codec.unwrap(outside, secret, limit, inside)
        survived = again.inside == inside
    except Differs:
        survived = False
    if not survived and isinstance(wrap.form, SourceText):
        from viewer.text.patching import is_as_near_as_can_be

        again = wrap.codec.unwrap(outside, secret, limit)
        if is_as_near_as_can_be(again.inside, inside, load_text_values(wrap.form.dialect)):
            return Wrap(wrap.codec, outside, again.inside, again.form, again.damages)
        raise WrapError(
            "Written as text, these values would be read as others; undo the last change, or change the text."
        )
    as_read = getattr(wrap.form, "as_read", None)
    if not survived and as_read is not None:
        again = wrap.codec.unwrap(outside, secret, limit)
        if again.inside == as_read(inside):
            return Wrap(wrap.codec, outside, again.inside, again.form, again.damages)
    if not survived:
        raise WrapError(f"These bytes do not survive being wrapped as {wrap.form.label}; remove that wrap, then save.")
    return Wrap(wrap.codec, outside, inside, again.form, again.damages)


def take_off(
    buffer: Buffer,
    opening: UnwrapOptions,
    makes_sense: MakesSense,
    is_sound: MakesSense = lambda _: False,
    begins: bool = False,
) -> Wraps:
    """Take all wraps off a file.

    Args:
        buffer: the file's bytes.
        opening: what not to look for.
        makes_sense: whether bytes look like values; asked where a wrap is doubtful.
        is_sound: whether bytes are values to the last one; asked where a wrap is a guess.
        begins: whether of a long text the beginning is enough, see :meth:`Wraps.read_whole`.

    Returns:
        The wraps; where one cannot be taken off, those around it, and why.
    """
    limit = unasked(len(buffer)) if opening.limit is None else opening.limit
    peeling = _Peeling(buffer, opening.secret, limit, makes_sense, is_sound, begins)
    if opening.codecs is None:
        peeling.search(buffer)
    else:
        peeling.follow([find(name) for name in opening.codecs])
    around = tuple(peeling.around)
    return Wraps(around, around[-1].inside if around else buffer, peeling.blocked, opening.secret)


@cache
def get_ready() -> None:
    """Load what texts are read with, once, in an idle moment: the first file that is one does not wait for it then."""
    texts = (  # a text of each kind that holds what most of them do; two are longer than what tells the kind
        b"[%b{}]" % (b'{"a": [1, -2.5, "b", true, null]}, ' * 2000),
        b"[a]\n" + b'b={ "c": [ 1, -2.5, "d", true, null ] }\ne=Vector2( 1, 2 )\n' * 1000,
        b'[gd_resource type="Resource" format=2]\n[resource]\na = [ 1, -2.5, "b", true, null ]\n',
    )
    for text in texts:
        take_off(text, UnwrapOptions(), bool)


class _Peeling:
    """Takes wraps off, and remembers what came out of all of them together.

    Args:
        buffer: the file's bytes.
        secret: for what is encrypted.
        limit: how many bytes may come out.
        makes_sense, is_sound, begins: as for :func:`take_off`.
    """

    def __init__(
        self,
        buffer: Buffer,
        secret: Secret | None,
        limit: int,
        makes_sense: MakesSense,
        is_sound: MakesSense,
        begins: bool,
    ) -> None:
        self.around: list[Wrap] = []
        self.blocked: WrapError | None = None
        self._buffer = buffer
        self._secret = secret
        self._limit = limit
        self._makes_sense = makes_sense
        self._is_sound = is_sound
        self._begins = begins
        self._spent = 0
        self._tries = MOST_TRIES

    def follow(self, codecs: Sequence[Codec]) -> None:
        """Take off these wraps, the outermost first."""
        inside = self._buffer
        for codec in codecs:
            if len(self.around) == MOST_LAYERS:
                self.blocked = _too_deep(codec)
                return
            try:
                inside = self._taken(codec, inside)
            except WrapError as error:
                self.blocked = self._asked(error)
                return

    def search(self, inside: Buffer) -> bool:
        """Take off whatever is around; whether that leads to a wrap beyond doubt, or to values."""
        for codec in CODECS:
            if not codec.probe(inside):
                continue
            is_sure = not codec.is_doubtful
            if len(self.around) == MOST_LAYERS or not self._tries:
                self.blocked = _too_deep(codec) if is_sure else None
                return is_sure
            try:
                found = self._taken(codec, inside)
            except WrapError as error:
                if is_sure or isinstance(error, TooLarge):
                    self.blocked = self._asked(error)
                    return True
                continue
            if self._is_text or self.search(found) or is_sure or self._makes_sense(found):
                return True
            self.around.pop()
        return self._guess(inside)

    @property
    def _is_text(self) -> bool:
        """Whether the innermost wrap is a text of values, in which there is no other wrap."""
        return isinstance(self.around[-1].form, SourceText)

    def _guess(self, inside: Buffer) -> bool:
        """Take off a wrap that nothing tells but the values inside, where these bytes make no sense themselves."""
        if len(self.around) == MOST_LAYERS or not self._tries or not in_memory(inside):
            return False
        for codec in GUESSES:
            if not codec.probe(inside) or self._makes_sense(inside):
                continue
            try:
                found = self._taken(codec, inside)
            except WrapError:
                continue
            if not self.around[-1].damages and self._is_sound(found):
                return True
            self.around.pop()
        return self._broken_text(inside)

    def _broken_text(self, inside: Buffer) -> bool:
        """Take off what is plainly a text, though much of it is broken, where these bytes make no sense themselves."""
        for codec in BROKEN:
            if not codec.probe(inside) or self._makes_sense(inside):
                continue
            with suppress(WrapError):
                self._taken(codec, inside)
                return True
        return False

    def _taken(self, codec: Codec, inside: Buffer) -> bytes:
        """Take off one wrap.

        Raises:
            WrapError: it cannot be taken off.
        """
        self._tries -= 1
        begun = _begun(codec, inside) if self._begins else None
        found = begun or _unwrapped(codec, inside, self._secret, self._limit - self._spent)
        self._spent += len(found.inside)
        self.around.append(Wrap(codec, inside, found.inside, found.form, found.damages))
        return found.inside

    def _asked(self, error: WrapError) -> WrapError:
        """The error, or what to ask a person where too much would come out; without what came out until then."""
        if isinstance(error, TooLarge):
            return _asked(error, self._spent, self._limit, len(self._buffer))
        return error.with_traceback(None)


def _begun(codec: Codec, outside: Buffer) -> Unwrapped | None:
    """What the beginning of a long text holds, None for all else."""
    is_long = isinstance(codec, LateCodec) and in_memory(outside) and len(outside) >= LONG_TEXT
    return codec.begun(bytes(outside[:])) if is_long and isinstance(codec, LateCodec) else None


def _unwrapped(codec: Codec, outside: Buffer, secret: Secret | None, left: int) -> Unwrapped:
    """What comes out of the next wrap, of which *left* bytes may.

    Raises:
        WrapError: see :meth:`viewer.container.layer.Codec.unwrap`; what has no room in memory is too large as well.
    """
    if not in_memory(outside) and len(outside) > left:
        raise TooLarge("This file is not held in memory, and would have to be.", len(outside), exact=False)
    try:
        return codec.unwrap(outside, secret, left)
    except MemoryError:
        raise WrapError("There is not enough memory to unpack this file; close other programs, or files.") from None


def _asked(error: TooLarge, spent: int, limit: int, size: int) -> TooLarge:
    """What to ask a person where more comes out of all wraps than may.

    Args:
        error: of the wrap that it is too much in.
        spent: what came out of those around it.
        limit: what may come out of all.
        size: bytes of the file.
    """
    needed = spent + error.size
    if not error.exact:
        needed = max(needed, FACTOR * limit)
    file = f"This file of {size_in_words(size)}"
    if error.exact:
        sentence = f"{file} says that it unpacks to {size_in_words(needed)}; {size_in_words(limit)} are allowed."
    else:
        sentence = f"{file} unpacks to more than the {size_in_words(limit)} that are allowed."
    return TooLarge(sentence, needed, error.exact)


def _too_deep(codec: Codec) -> WrapError:
    return WrapError(
        f"Inside {MOST_LAYERS} wraps there is one more ({codec.name}), and no more are taken off at once: "
        "take these off with “unwrap”, then open what is inside."
    )
