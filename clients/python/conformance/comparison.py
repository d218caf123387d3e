"""Comparing what the service says with what the vectors say."""

from __future__ import annotations

from dataclasses import dataclass, field

# Of a long list, only the beginning is shown.
SHOWN = 200


@dataclass
class Comparison:
    """What was compared, and where the two differ."""

    rows: int = 0
    checks: int = 0
    disagreements: list[str] = field(default_factory=list)

    def same(self, what: str, got: object, wanted: object) -> bool:
        """Compares two values."""
        self.checks += 1
        if got == wanted:
            return True
        self.disagreements.append(f"{what}: {_shown(got)}, not {_shown(wanted)}")
        return False


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}... ({len(text)} characters)"
