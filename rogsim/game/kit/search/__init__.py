"""Bots for any game: one that chooses at random, one that plans, and one that searches by rollouts."""
