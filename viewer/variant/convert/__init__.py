"""Values as values of another type, or of another engine line, with what gets lost on the way in plain words."""

from viewer.variant.convert.defaults import default
from viewer.variant.convert.tally import Converted, ConvertError
from viewer.variant.convert.translate import translate
from viewer.variant.convert.types import convert, targets

__all__ = ["ConvertError", "Converted", "convert", "default", "targets", "translate"]
