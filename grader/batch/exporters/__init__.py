"""Exporters: the gradebook in the formats that other programs read."""
