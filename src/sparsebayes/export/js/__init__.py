"""A fitted model as one module of JavaScript: constant tables, loops over them, a test of itself.

`language` has the words of the loops and what they call, `writing` has texts that nothing can end,
`comment` says what the module is, and `module` puts it together.
"""

from sparsebayes.export.js.module import to_js

__all__ = ["to_js"]
