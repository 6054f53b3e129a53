"""`python -m studies`."""

import sys

from studies.command import main

if __name__ == "__main__":
    sys.exit(main())
