"""The doctor: what went wrong with bytes that do not read, and which edit would mend them."""

from viewer.document.doctor.cause import Cause
from viewer.document.doctor.diagnose import diagnose
from viewer.document.doctor.preview import preview
from viewer.document.doctor.repair import Repair, Sample

__all__ = ["Cause", "Repair", "Sample", "diagnose", "preview"]
