"""The doctor: what went wrong with bytes that do not read, and which edit would mend them."""

from viewer.document.doctor.causes import Cause
from viewer.document.doctor.diagnose import diagnose, examine
from viewer.document.doctor.kept import DOUBTFUL
from viewer.document.doctor.preview import preview
from viewer.document.doctor.repair import Answer, ByteSample, Repair

__all__ = ["DOUBTFUL", "Answer", "ByteSample", "Cause", "Repair", "diagnose", "examine", "preview"]
