"""What a request costs and how much a model can read, from the price list that is shipped with `genai_prices`."""

from __future__ import annotations

import importlib
from typing import Any

UNKNOWN_WINDOW = 128_000


def cost(usage: Any, model: str, vendor: str, base_url: str) -> float | None:
    """US dollars for the library's usage record, None where the price is not known."""
    found = _calculation(usage, model, vendor, base_url)
    return None if found is None else float(found.total_price)


def context_window(model: str, vendor: str, base_url: str) -> int:
    """Tokens of context of this model; 128,000 where it is not known."""
    return known_window(model, vendor, base_url) or UNKNOWN_WINDOW


def known_window(model: str, vendor: str, base_url: str) -> int:
    """Tokens of context of this model, 0 where it is not known."""
    usage = importlib.import_module("genai_prices").Usage(input_tokens=1)
    found = _calculation(usage, model, vendor, base_url)
    return (found and found.model.context_window) or 0


def _calculation(usage: Any, model: str, vendor: str, base_url: str) -> Any:
    """`vendor` names one the list knows; where it is "" the list is searched by the address."""
    prices = importlib.import_module("genai_prices")
    try:
        if vendor:
            return prices.calc_price(usage, model, provider_id=vendor)
        return prices.calc_price(usage, model, provider_api_url=base_url)
    except (LookupError, ValueError):
        return None
