"""Looking for text and for files in a workspace, with ripgrep inside the sandbox."""
