"""Commands with a module of their own; `cli` adds them to the command line. They import nothing heavy at the top."""
