"""The commands, one per file. They import heavy modules inside functions only."""
