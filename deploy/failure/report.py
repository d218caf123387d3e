"""What a test prints: figures that were measured, and bounds that must hold."""


class Report:
    def __init__(self, name):
        self.name = name
        self.part = ""
        self.held = 0
        self.broken = []

    def begin(self, part):
        """Begins a part of the test."""
        self.part = part
        print(f"\n== {self.name}: {part}", flush=True)

    def figure(self, text):
        print(f"   {text}", flush=True)

    def bound(self, holds, text):
        """Notes whether a bound holds, described by `text` together with what was measured."""
        print(f"   {'holds' if holds else 'BROKEN'}: {text}", flush=True)
        if holds:
            self.held += 1
        else:
            self.broken.append(f"{self.part}: {text}")
