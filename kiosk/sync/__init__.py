"""Sync: how a table's facts reach the tournament server, and the desk's orders reach the table.

`wire` and `proof` are both ends' common language, `outbox` decides what is sent when; all three are pure.
`transport` is the only HTTP client.
"""
