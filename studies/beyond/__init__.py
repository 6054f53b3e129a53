"""Studies: `papers` reproduces what the papers print, `speed` measures against peers."""
