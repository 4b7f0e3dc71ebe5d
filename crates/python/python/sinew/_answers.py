"""Answers: what the program prints with --json, with keys as attributes."""

import json
from typing import Any, Dict, List


class Answer(Dict[str, Any]):
    """An object of JSON. Its keys are attributes, too: `answer.verdict.mode`."""

    def __getattr__(self, key: str) -> Any:
        try:
            return self[key]
        except KeyError:
            raise AttributeError(f"no {key!r}; there are {', '.join(self)}") from None

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self]

    def __str__(self) -> str:
        verdict = self.get("verdict")
        if isinstance(verdict, dict) and "sentence" in verdict:
            return verdict["sentence"]
        return json.dumps(self, indent=2)


def parse(text):
    """Reads JSON."""
    return json.loads(text, object_hook=Answer)
