"""The commands, one a file. They import nothing heavy at the top."""
