"""The version of rogsim."""

__version__ = "0.1.0"
