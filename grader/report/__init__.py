"""Plots and the HTML page for graded labs: reads results.json and the profiles it names, writes one folder."""
