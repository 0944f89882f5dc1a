"""Where tools act: the only code that touches files and processes."""
