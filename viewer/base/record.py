"""Records: the standard library's dataclasses, made twenty times as fast when a module is loaded.

``dataclasses`` writes and compiles the source of each method of each class whenever the program starts; for the classes
of a window that is a sixth of the start. Here a method is compiled once for each number of fields, and a class takes it
with its own names. A type checker sees the standard library's.

There is what the program needs of them: no fields of a base class, no ``__post_init__``, no ``kw_only``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass, field, fields, replace  # noqa: TID251
else:
    from functools import cache, partial
    from types import FunctionType

    class _Missing:
        """Stands for a default that there is not, and for an argument that was not given."""

        __slots__ = ()

        def __repr__(self):
            return "<made>"

    MISSING = _Missing()
    ORDERS = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}

    class _Field:
        """What a class says about one of its fields; the names are the standard library's."""

        __slots__ = ("compare", "default", "default_factory", "hash", "name", "repr")

        def __init__(self, default, default_factory, repr, hash, compare):
            self.name = ""
            self.default, self.default_factory = default, default_factory
            self.repr, self.compare = repr, compare
            self.hash = compare if hash is None else hash

        @property
        def is_optional(self):
            """Whether an argument for it may be left out."""
            return self.default is not MISSING or self.default_factory is not MISSING

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True, order=False):
        """As in the standard library."""
        if cls is None:
            return lambda decorated: _made(decorated, frozen, slots, eq, order)
        return _made(cls, frozen, slots, eq, order)

    def field(*, default=MISSING, default_factory=MISSING, repr=True, hash=None, compare=True):
        """As in the standard library."""
        return _Field(default, default_factory, repr, hash, compare)

    def fields(record):
        """As in the standard library."""
        return tuple(record.__dataclass_fields__.values())

    def replace(record, /, **changes):
        """As in the standard library."""
        take = changes.pop
        values = [take(name) if name in changes else getattr(record, name) for name in record.__match_args__]
        return record.__class__(*values, **changes)

    def _made(cls, frozen, slots, eq, order):
        """The class with its methods: another one where it has slots, which a class gets when it is made or never."""
        found = {name: _field(cls, name) for name in cls.__annotations__}
        if slots:
            body = {name: said for name, said in cls.__dict__.items() if name not in found}
            body.pop("__dict__", None)
            body.pop("__weakref__", None)
            made = type(cls)(cls.__name__, cls.__bases__, {**body, "__slots__": tuple(found)})
            made.__qualname__ = cls.__qualname__
        else:
            made = cls
            for name, each in found.items():
                if each.default is not MISSING:
                    setattr(cls, name, each.default)
                elif name in cls.__dict__:
                    delattr(cls, name)
        for name, method in _methods(made, found, frozen, eq, order):
            if name not in cls.__dict__:
                setattr(made, name, method)
        return made

    def _field(cls, name):
        said = cls.__dict__.get(name, MISSING)
        if not isinstance(said, _Field):
            said = field(default=said)
        said.name = name
        return said

    def _methods(cls, found, frozen, eq, order):
        """The names that a class gets, with methods that are made at their first call: most never are."""
        yield "__match_args__", tuple(found)
        yield "__dataclass_fields__", found
        yield "__init__", _late("__init__", partial(_init, cls, found, frozen), cls)
        yield "__repr__", _repr
        yield "__reduce__", _reduce
        if eq:
            yield "__eq__", _late("__eq__", partial(_compared, "__eq__", "==", found), cls)
            yield "__hash__", _late("__hash__", partial(_hashed, found), cls) if frozen else None
        if order:
            for name, sign in ORDERS.items():
                yield name, _late(name, partial(_compared, name, sign, found), cls)
        if frozen:
            yield "__setattr__", _refuse
            yield "__delattr__", _refuse

    def _late(name, make, cls):
        """A method that puts the one that is made in its place, and calls that."""

        def method(*arguments, **named):
            made = make()
            if cls.__dict__.get(name) is method:
                setattr(cls, name, made)
            return made(*arguments, **named)

        method.__name__ = name
        method.__qualname__ = f"{cls.__qualname__}.{name}"
        return method

    def _compared(name, sign, found):
        names = [name for name, each in found.items() if each.compare]
        return _method(name, _comparison(sign, len(names)), names)

    def _hashed(found):
        names = [name for name, each in found.items() if each.hash]
        return _method("__hash__", _hashing(len(names)), names)

    def _init(cls, found, frozen):
        known = {"MISSING": MISSING}
        defaults = []
        for place, (name, each) in enumerate(found.items()):
            known[f"make{place}"] = each.default_factory
            if frozen:
                known[f"set{place}"] = _setter(cls, name)
            if each.is_optional:
                defaults.append(each.default)
        made = tuple(each.default_factory is not MISSING for each in found.values())
        return _method("__init__", _filling(made, frozen), found, known, defaults)

    def _setter(cls, name):
        """What writes a field of an instance that refuses to be written."""
        slot = cls.__dict__.get(name)
        if hasattr(slot, "__set__"):
            return slot.__set__
        return lambda record, value: object.__setattr__(record, name, value)

    @cache
    def _filling(made, frozen):
        """The steps of ``__init__``; *made* says of each field whether it is made where it is not given."""
        steps = ["pass"]
        for place, is_made in enumerate(made):
            value = f"make{place}() if f{place} is MISSING else f{place}" if is_made else f"f{place}"
            steps.append(f"set{place}(self, {value})" if frozen else f"self.f{place} = {value}")
        return _compiled("".join(f", f{place}" for place in range(len(made))), steps)

    @cache
    def _comparison(sign, count):
        same = "if other.__class__ is not self.__class__: return NotImplemented"
        return _compiled(", other", [same, f"return {_values('self', count)} {sign} {_values('other', count)}"])

    @cache
    def _hashing(count):
        return _compiled("", [f"return hash({_values('self', count)})"])

    def _values(of, count):
        return f"({''.join(f'{of}.f{place}, ' for place in range(count))})"

    def _compiled(arguments, steps):
        """Code in which the fields are called f0, f1, and so on."""
        space = {}
        exec("\n ".join([f"def method(self{arguments}):", *steps]), space)
        return space["method"].__code__

    def _method(name, code, names, known=None, defaults=()):
        """A function of one class from the code of all."""
        own = {f"f{place}": field_name for place, field_name in enumerate(names)}
        code = code.replace(
            co_name=name,
            co_names=tuple(own.get(each, each) for each in code.co_names),
            co_varnames=tuple(own.get(each, each) for each in code.co_varnames),
        )
        return FunctionType(code, {} if known is None else known, name, tuple(defaults))

    def _repr(self):
        said = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
        return f"{self.__class__.__qualname__}({said})"

    def _reduce(self):
        return self.__class__, tuple(getattr(self, name) for name in self.__match_args__)

    def _refuse(self, name, *_):
        raise AttributeError(f"{self.__class__.__name__} is frozen: {name} stays as it is")


__all__ = ["dataclass", "field", "fields", "replace"]
