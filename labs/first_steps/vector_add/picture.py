#!/usr/bin/env python3
"""Draws picture.svg of lab vector_add: which thread of which block adds which element."""
import pathlib

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "vector_add", "font.size": 10,
                            "font.family": ["DejaVu Sans", "sans-serif"]})
import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

BLOCKS = ["#a6d3ee", "#f5c99b", "#b7dfb9"]
IDLE, EDGE = "#eeeeee", "#555555"
THREADS, COUNT = 8, 21  # 8 threads in a block drawn for 256; the last 3 threads have no element


def main():
    figure, axes = plt.subplots(figsize=(8.2, 3.6), layout="constrained")
    rows = {"a": 3.2, "b": 1.9, "c": -2.2}
    for i in range(THREADS * len(BLOCKS)):
        works = i < COUNT
        colour = BLOCKS[i // THREADS] if works else IDLE
        if works:
            for name, y in rows.items():
                axes.add_patch(Rectangle((i, y), 1, 0.8, facecolor=colour, edgecolor=EDGE, linewidth=0.5))
                axes.text(i + 0.5, y + 0.4, str(i), ha="center", va="center", fontsize=8)
            axes.annotate("", (i + 0.5, -1.35), (i + 0.5, -0.05), arrowprops={"arrowstyle": "-|>", "linewidth": 0.6})
            axes.annotate("", (i + 0.5, 0.85), (i + 0.5, 1.85), arrowprops={"arrowstyle": "-|>", "linewidth": 0.6})
        axes.add_patch(Rectangle((i, 0), 1, 0.8, facecolor="white" if works else IDLE, edgecolor=EDGE, linewidth=0.5,
                                 linestyle="-" if works else ":"))
        axes.text(i + 0.5, 0.4, str(i % THREADS), ha="center", va="center", fontsize=8,
                  color="black" if works else "#888888")
    for block, colour in enumerate(BLOCKS):
        axes.add_patch(Rectangle((block * THREADS, -0.06), THREADS, 0.92, fill=False, edgecolor="black", linewidth=1.8))
        axes.text((block + 0.5) * THREADS, -0.55, f"block {block}", ha="center", va="center", fontweight="bold",
                  bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})
    for name, y in {**rows, "threadIdx.x": 0}.items():
        axes.text(-0.4, y + 0.4, name, ha="right", va="center", family="monospace")
    axes.text(COUNT + 2.6, 2.6, "i >= count:\nnothing to do", ha="center", va="center", fontsize=9)
    axes.annotate("", (COUNT + 2, 0.9), (COUNT + 2, 2.0), arrowprops={"arrowstyle": "-|>", "linewidth": 0.6})
    axes.text(12, 4.5, "i = blockIdx.x * blockDim.x + threadIdx.x      (8 threads in a block drawn for 256)", ha="center",
              fontsize=9)
    axes.set_xlim(-5, THREADS * len(BLOCKS) + 2)
    axes.set_ylim(-2.4, 5)
    axes.axis("off")
    figure.savefig(pathlib.Path(__file__).with_name("picture.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
