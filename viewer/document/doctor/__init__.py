"""The doctor: what went wrong with bytes that do not read, and which edit would mend them."""

from viewer.document.doctor.cause import Cause
from viewer.document.doctor.diagnose import diagnose, examine
from viewer.document.doctor.kept import DOUBTFUL
from viewer.document.doctor.preview import preview
from viewer.document.doctor.repair import Answer, Repair, Sample

__all__ = ["DOUBTFUL", "Answer", "Cause", "Repair", "Sample", "diagnose", "examine", "preview"]
