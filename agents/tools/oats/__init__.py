"""The OATS toolset: tools for a coding agent that shares a workspace with people."""
