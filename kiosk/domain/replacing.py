"""`replace` for the domain's frozen values: what `dataclasses.replace` does, in half the time.

A table has some forty fields and changes with every fact, so that this is most of what reading a journal costs. The fields are read in
one go and handed to the class in their order; each class is looked over once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a type checker knows what may be replaced in which class
    from dataclasses import replace as replace  # noqa: PLC0414 - handed on under its own name
else:
    from collections.abc import Callable
    from dataclasses import fields
    from functools import cache
    from operator import attrgetter

    @cache
    def _plan(kind: type) -> tuple[Callable[[Any], tuple[Any, ...]], dict[str, int]]:
        names = tuple(field.name for field in fields(kind))
        read = attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)
        return read, {name: place for place, name in enumerate(names)}

    def replace(value: Any, /, **changes: Any) -> Any:  # noqa: ANN401 - any of the domain's values
        """The same value with some of its fields changed.

        Args:
            value: A frozen dataclass whose fields are all given to its class, in their order.
            changes: The new values by the fields' names.

        Raises:
            KeyError: There is no such field.
        """
        read, places = _plan(type(value))
        values = list(read(value))
        for name, new in changes.items():
            values[places[name]] = new
        return type(value)(*values)
