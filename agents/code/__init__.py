"""Code intelligence: language servers found, kept running in the sandbox, and asked what the code means."""
