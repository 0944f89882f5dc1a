"""Where a project's issues and pull requests live: GitHub, Gitea, and what speaks like them."""
