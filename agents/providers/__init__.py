"""Where replies come from: one library for all vendors, and `scripted`, which replays a script."""
