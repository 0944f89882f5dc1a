"""Showing files to a model."""
