import unittest

from shelf.inventory import Item, cheapest, total

TEA = Item("tea", price=450)
CUPS = Item("cup", price=300, quantity=4)


class InventoryTest(unittest.TestCase):
    def test_an_empty_shelf_is_worth_nothing(self):
        self.assertEqual(total([]), 0)

    def test_every_piece_counts(self):
        self.assertEqual(total([TEA, CUPS]), 450 + 4 * 300)

    def test_the_cheapest_item_is_found(self):
        self.assertEqual(cheapest([TEA, CUPS]), CUPS)


if __name__ == "__main__":
    unittest.main()
