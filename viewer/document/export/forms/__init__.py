"""The forms in which values and bytes stand in text: to copy, paste, export and import.

:func:`write` puts an item or a run of bytes into a form, :func:`read` takes it out, :func:`recognise` finds out which
form a text is in, :func:`value_of` turns bytes into the value that they encode.
"""

from viewer.container.armor.byte_text import FormError
from viewer.document.export.forms.copying import CopiedText, read, value_of, write, write_bytes
from viewer.document.export.forms.form_table import BYTE_FORMS, FORMS, FormContent, TextForm, form, forms_for
from viewer.document.export.forms.recognising import Recognised, decode, recognise

__all__ = [
    "BYTE_FORMS",
    "FORMS",
    "CopiedText",
    "FormContent",
    "FormError",
    "Recognised",
    "TextForm",
    "decode",
    "form",
    "forms_for",
    "read",
    "recognise",
    "value_of",
    "write",
    "write_bytes",
]
