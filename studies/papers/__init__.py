"""The tables and figures of the papers; each module is named after the key of its paper."""
