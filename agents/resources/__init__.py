"""What internal URLs stand for: skill://, rule://, artifact:// and their like, one module a scheme, one router."""
