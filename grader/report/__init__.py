"""Plots and the HTML page for graded labs: reads results.json and its profiles, writes one folder."""
