"""The atloop toolset: plain files by path, literal content, and a shell whose stderr decides whether a command went well."""
