"""Bulk edits: ``party[*].hp < 10 -> 99`` in a small language of its own, as one edit."""

from viewer.document.bulk.bulk_rows import BulkRow
from viewer.document.bulk.frame_values import BulkError
from viewer.document.bulk.planning import BulkPlan, check, plan

__all__ = ["BulkError", "BulkPlan", "BulkRow", "check", "plan"]
