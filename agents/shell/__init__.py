"""The craft of running commands for a model: live output, bounded windows, secrets taken out."""
