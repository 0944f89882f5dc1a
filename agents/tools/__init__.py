"""What the model sees: names, schemas, wording. A class is a tool, its fields are its input; no tool does its own I/O."""
