"""Summaries of scales."""

from __future__ import annotations

from studies.summaries import Summaries

TABLES: Summaries = {}
