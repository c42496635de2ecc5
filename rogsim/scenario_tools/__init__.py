"""Working with scenario files: a first one, checking, telling in words, and their schema."""
