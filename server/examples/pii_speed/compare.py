#!/usr/bin/env python3
"""Compares how fast Sidehook and Hyperscan look through texts for personal data.

usage: server/examples/pii_speed/compare.py [PROGRAM]

PROGRAM is the example pii_speed when it is built already.

Both look for the same eight kinds in the same texts on one core, in turns, and the
best of their turns counts. Hyperscan reports where its matches begin
(HS_FLAG_SOM_LEFTMOST), since nothing can be masked without that; what it reports has
no checksum verified yet. It comes from PyPI, into target/hyperscan.
"""

import pathlib
import re
import subprocess
import sys
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parents[3]
TARGET = ROOT / "target"
VERSION = "hyperscan==0.9.1"
ROUNDS = 3
TURNS = 5

# As people write them for Hyperscan: the forms that Sidehook finds, by their shape.
PATTERNS = {
    "email": rb"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}",
    "credit_card": rb"\b(?:\d[ -]?){11,18}\d\b",
    "iban": rb"\b[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]{4}){2,7}(?:[ -]?[A-Za-z0-9]{1,3})?\b",
    "us_ssn": rb"\b\d{3}[- .]\d{2}[- .]\d{4}\b",
    "ipv4": rb"\b(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)\b",
    "ipv6": rb"(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}"
    rb"|(?:[0-9A-Fa-f]{1,4}:){1,6}(?::[0-9A-Fa-f]{1,4}){1,6}|::[0-9A-Fa-f]{1,4}",
    "phone": rb"(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,4}\)[ .-]?|\b\d{2,4}[ .-])\d{2,4}"
    rb"(?:[ .-]\d{2,4}){1,4}\b",
    "mac_address": rb"\b(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}\b"
    rb"|\b[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\b",
}


def main() -> None:
    python = environment()
    if pathlib.Path(sys.prefix).resolve() != python.parents[1].resolve():
        sys.exit(subprocess.call([python, __file__, *sys.argv[1:]]))
    texts = TARGET / "pii_speed"
    texts.mkdir(parents=True, exist_ok=True)
    ours: dict[str, float] = {}
    theirs: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, speed in sidehook(texts).items():
            ours[name] = max(speed, ours.get(name, 0))
        for name in ours:
            theirs[name] = max(hyperscan(texts / name), theirs.get(name, 0))
    print("| Text | Sidehook, MB/s | Hyperscan, MB/s | Ratio |")
    print("| --- | ---: | ---: | ---: |")
    for name, speed in ours.items():
        print(f"| {name} | {speed:.0f} | {theirs[name]:.0f} | {speed / theirs[name]:.1f} |")


def environment() -> pathlib.Path:
    """The Python that has Hyperscan."""
    folder = TARGET / "hyperscan"
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    if not list(folder.glob("lib/*/site-packages/hyperscan")):
        subprocess.run([python, "-m", "pip", "install", "-q", VERSION], check=True)
    return python


def sidehook(texts: pathlib.Path) -> dict[str, float]:
    """Megabytes a second for each text; writes the texts too."""
    command = ["cargo", "run", "-q", "--release", "-p", "sidehook-server"]
    command += ["--example", "pii_speed", "--"]
    command = sys.argv[1:2] or command
    out = subprocess.run([*command, texts], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    lines = re.findall(r"^(.+?) +8 kinds +(\d+) MB/s", out, re.MULTILINE)
    return {name: float(speed) for name, speed in lines}


def hyperscan(path: pathlib.Path) -> float:
    """The same for one text."""
    import hyperscan as engine

    database = engine.Database(mode=engine.HS_MODE_BLOCK)
    count = len(PATTERNS)
    database.compile(
        expressions=list(PATTERNS.values()),
        ids=list(range(count)),
        elements=count,
        flags=[engine.HS_FLAG_SOM_LEFTMOST] * count,
    )
    text = path.read_bytes()
    best = min(seconds(lambda: database.scan(text, match_event_handler=ignore)) for _ in range(TURNS))
    return len(text) / 1e6 / best


def ignore(*_found: object) -> None:
    """Takes a match."""


def seconds(work) -> float:
    """Processor time, so that a long turn that is interrupted does not count against it."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


if __name__ == "__main__":
    main()
