"""The agent library: history in, facts out.

It knows no Django, no database and no sockets; a host (see `ports.py`) gives it a place to keep facts, memories and files.
"""
