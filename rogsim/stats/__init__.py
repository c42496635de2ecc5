"""Estimates from results: every estimate with its interval."""

from rogsim.stats.estimates import Clusters, Estimate, clusters, mean, share

__all__ = ["Clusters", "Estimate", "clusters", "mean", "share"]
