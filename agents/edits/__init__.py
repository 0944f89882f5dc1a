"""How files are edited: replacing text, applying patches, making diffs. Pure functions of bytes, text and nothing else."""
