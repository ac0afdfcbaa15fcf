"""Lets the folder be run: `python3 grader/report RESULTS --output FOLDER`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from report.cli import main  # noqa: E402 (the path must be set first)

sys.exit(main())
