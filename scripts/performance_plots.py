"""Plots as SVG text, with nothing but the standard library: lines and bars over a logarithmic axis."""

import math
from html import escape

COLOURS = ["#0b6e4f", "#c1440e", "#2c5f9e", "#8b5fbf", "#777777"]
FONT = 'font-family="sans-serif" font-size="12"'
WIDTH = 720


def lines(title, unit, series, ticks):
    """Lines over two logarithmic axes. `series`: name → [(x, y)], `ticks`: the values of x."""
    height, left, right, top, bottom = 360, 70, 170, 40, 40
    values = [y for points in series.values() for _, y in points]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    first, last = math.log10(ticks[0]), math.log10(ticks[-1])

    def x(value):
        return left + (math.log10(value) - first) / (last - first) * (WIDTH - left - right)

    def y(value):
        return height - bottom - (math.log10(value) - low) / (high - low) * (height - top - bottom)

    parts = [text(left, 20, title, "bold")]
    for power in range(low, high + 1):
        at = y(10**power)
        parts.append(rule(left, at, WIDTH - right, at))
        parts.append(text(left - 8, at + 4, short(10**power) + " " + unit, anchor="end"))
    for tick in ticks:
        parts.append(text(x(tick), height - bottom + 20, f"{tick:,}", anchor="middle"))
    labels = []
    for colour, (name, points) in zip(COLOURS, series.items()):
        path = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="3" fill="{colour}"/>' for a, b in points]
        labels.append((y(points[-1][1]), name, colour))
    # Labels at the end of their lines, pushed apart where they would lie on each other.
    previous = -math.inf
    for at, name, colour in sorted(labels):
        previous = max(at, previous + 15)
        parts.append(text(WIDTH - right + 10, previous + 4, name, colour=colour))
    return document(height, parts)


def bars(title, rows, goal_label="goal"):
    """Horizontal bars over a logarithmic axis. `rows`: [(label, ratio, goal or None)]."""
    step, left, right, top = 26, 330, 70, 40
    height = top + step * len(rows) + 40
    values = [value for _, ratio, goal in rows for value in (ratio, goal) if value]
    low = min(0, math.floor(math.log10(min(values))))
    high = math.ceil(math.log10(max(values)))

    def x(value):
        return left + (math.log10(value) - low) / (high - low) * (WIDTH - left - right)

    parts = [text(10, 20, title, "bold")]
    for power in range(low, high + 1):
        at = x(10**power)
        parts.append(rule(at, top, at, height - 30))
        parts.append(text(at, height - 12, short(10**power) + " ×", anchor="middle"))
    for i, (label, ratio, goal) in enumerate(rows):
        at = top + i * step
        met = goal is None or ratio >= goal
        start, end = sorted((x(1), x(ratio)))
        parts.append(text(left - 10, at + 16, label, anchor="end"))
        parts.append(
            f'<rect x="{start:.1f}" y="{at + 5}" width="{max(end - start, 1):.1f}" height="15"'
            f' fill="{COLOURS[0] if met else COLOURS[1]}"/>'
        )
        parts.append(text(max(end, x(goal or 1)) + 6, at + 17, short(ratio) + " ×"))
        if goal:
            parts.append(
                f'<line x1="{x(goal):.1f}" y1="{at + 2}" x2="{x(goal):.1f}" y2="{at + 23}"'
                ' stroke="black" stroke-width="2"/>'
            )
    return document(height, parts)


def short(value):
    """Three digits at most, k and M for thousands and millions."""
    for factor, letter in ((1e6, "M"), (1e3, "k")):
        if value >= factor:
            return f"{value / factor:.3g}{letter}"
    return f"{value:.3g}"


def text(x, y, words, weight="normal", anchor="start", colour="black"):
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" {FONT} font-weight="{weight}" text-anchor="{anchor}"'
        f' fill="{colour}">{escape(words)}</text>'
    )


def rule(x1, y1, x2, y2):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#dddddd"/>'


def document(height, parts):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}"'
        f' viewBox="0 0 {WIDTH} {height}">\n<rect width="100%" height="100%" fill="white"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )
