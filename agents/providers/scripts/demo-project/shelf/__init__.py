"""A small shop's shelf: what stands on it and what it is worth."""
