"""What stands on the shelf."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """One kind of thing. `price` is in cents, for one piece."""

    name: str
    price: int
    quantity: int = 1


def total(items):
    """What all items are worth together, in cents."""
    return sum(item.price for item in items)


def cheapest(items):
    """The item with the lowest price, or None when the shelf is empty."""
    return min(items, key=lambda item: item.price, default=None)
