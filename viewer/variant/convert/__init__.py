"""Values as values of another type, or of another engine line, with what gets lost on the way in plain words."""

from viewer.variant.convert.conversion_tally import Converted, ConvertError
from viewer.variant.convert.defaults import default
from viewer.variant.convert.retype import convert, targets
from viewer.variant.convert.translate import translate

__all__ = ["ConvertError", "Converted", "convert", "default", "targets", "translate"]
