"""The rules of each game once more, slow and obvious: what the fast engines are compared with."""
