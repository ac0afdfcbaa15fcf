"""Draws which thread of which block adds which element (docs/pictures.py vector_add)."""

from pictures import EMPTY, NOTE, SKY, Sheet

BLOCKS = [SKY, "#f5c99b", "#b7dfb9"]
THREADS, COUNT = 8, 21  # 8 threads in a block drawn for 256; the last 3 threads have no element


def draw(sheet: Sheet) -> None:
    sheet.font = 10
    panel = sheet.panel("i = blockIdx.x * blockDim.x + threadIdx.x   (8 threads in a block drawn for 256)", (-5, 26), (-2.4, 4.4), 1.35)
    rows = {"a": 3.2, "b": 1.9, "c": -2.2}
    for y in rows.values():
        panel.row(0, y, [BLOCKS[i // THREADS] for i in range(COUNT)], high=0.8)
        panel.labels(0, y - 0.08, range(COUNT), "black", size=-2)
    panel.row(0, 0, ["white"] * COUNT + [EMPTY] * (24 - COUNT), high=0.8)
    panel.labels(0, -0.08, [i % THREADS for i in range(24)], "black", size=-2)
    for i in range(COUNT):
        panel.arrow((i + 0.5, -0.1), (i + 0.5, -1.35))
        panel.arrow((i + 0.5, 1.85), (i + 0.5, 0.88))
    panel.arrow((COUNT + 1.5, 2.0), (COUNT + 1.5, 0.88))
    panel.text(COUNT + 2.1, 2.6, "i >= count:\nnothing to do", NOTE, size=-1)
    for block in range(len(BLOCKS)):
        panel.box(block * THREADS, -0.06, THREADS, 0.92, edge="black", line=1.8)
        panel.text((block + 0.5) * THREADS, -0.7, f"block {block}", bold=True, on="white")
    for name, y in {**rows, "threadIdx.x": 0.0}.items():
        panel.text(-0.4, y + 0.4, name, at="right", code=True)
