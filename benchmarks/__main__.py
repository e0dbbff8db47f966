"""`python -m benchmarks`: see run.py."""

from __future__ import annotations

import sys
from pathlib import Path

# The benchmarks are programs that stand beside each other, not part of the installed package.
sys.path.insert(0, str(Path(__file__).parent))

from run import main

if __name__ == "__main__":
    sys.exit(main())
