"""The table's screen: the only home of pygame.

Pictures are data (`draw`, `page`, `screens`), who decides what is open and what a touch does is `desk`; these know no pygame. Pixels
are made by `type` and `paint`, events taken by `window`.
"""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # pygame greets on standard output, where programs read
