"""`python -m sparsebayes` is the command `sparsebayes`."""

import sys

from sparsebayes.cli import main

if __name__ == "__main__":
    sys.exit(main())
