"""The doctor: what of this box works, what does not, and what to do about it.

Three layers. `figures` says what can be known of a part; `look_*` finds it out, each within its time, and changes nothing; `judge_*` makes
lines of it, and is pure. `checks` puts them together in their order, `run` has them done one after the other beside whoever asked.
"""
