"""The server's tables, for SQLite and PostgreSQL alike. They are made by the migrations in `migrations/`; a test holds the two together.

Three kinds live here:

- what the tables in the hall said (`journal`, `fact`, `fork`): appended, never changed; everything else about play is read from it;
- what people decided (`person`, `assignment`, `result`, `orders`, `setting`, `code`, `device`) and the `audit` of every act of theirs,
  which the database itself refuses to change or delete;
- what is worked out from the facts and may be thrown away and made again (`match`, `face`).

Dates are nanoseconds since 1970 by the server's clock. JSON stands as canonical text.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Serial = BigInteger().with_variant(Integer, "sqlite")
"""A number that the database counts up; SQLite does so for INTEGER only."""

setting = Table("setting", metadata, Column("name", Text, primary_key=True), Column("value", Text, nullable=False))
"""`server` (id), `name` (event), `roster_salt`, `pause` (JSON or empty) and the like; secrets are files, never here."""

person = Table(
    "person",
    metadata,
    Column("id", Serial, primary_key=True),
    Column("name", Text, nullable=False),
    Column("folded", Text, nullable=False),  # the name as `Official.is_called` compares it
    Column("role", Text, nullable=False),  # referee, deputy, chief, organizer
    Column("password", Text),  # argon2; None: signs in at tables only
    Column("pin_salt", Text),  # as in a table's officials.json; None: signs in on pages only
    Column("pin_hash", Text),
    Column("created_ns", BigInteger, nullable=False),
    Column("removed_ns", BigInteger),
    Column("badge_salt", Text),  # as in a table's officials.json; None: no badge
    Column("badge_hash", Text),
    Index("uq_person_folded", "folded", unique=True, sqlite_where=text("removed_ns IS NULL"), postgresql_where=text("removed_ns IS NULL")),
)

login = Table(
    "login",
    metadata,
    Column("token_hash", Text, primary_key=True),  # SHA-256 of the cookie
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("csrf", Text, nullable=False),
    Column("created_ns", BigInteger, nullable=False),
    Column("seen_ns", BigInteger, nullable=False),
    Index("ix_login_person", "person"),
)

attempt = Table(
    "attempt",
    metadata,
    Column("what", Text, primary_key=True),  # `login address 10.0.0.7`, `login account ana`, `enrol address …`
    Column("failures", Integer, nullable=False),
    Column("since_ns", BigInteger, nullable=False),
)
"""Failed log-ins and codes lately, so that all workers count together; old rows go by themselves."""

audit = Table(
    "audit",
    metadata,
    Column("id", Serial, primary_key=True),
    Column("at_ns", BigInteger, nullable=False),
    Column("who", Text, nullable=False),  # a person's name and role, a device, or `command line`
    Column("act", Text, nullable=False),  # snake_case: match_assigned, device_revoked …
    Column("what", Text, nullable=False),  # JSON: what it was done to, old and new values, the reason
    Column("prev", Text, nullable=False),
    Column("hash", Text, nullable=False),
)

code = Table(
    "code",
    metadata,
    Column("id", Serial, primary_key=True),
    Column("key", LargeBinary, nullable=False),  # the code, stretched (kiosk.sync.proof); the code itself is kept nowhere
    Column("table_name", Text, nullable=False),  # empty: the table says what it is called
    Column("replaces", Text),  # a device's id: a spare device takes this one's place
    Column("created_ns", BigInteger, nullable=False),
    Column("until_ns", BigInteger, nullable=False),
    Column("uses_left", Integer, nullable=False),
    Column("made_by", Text, nullable=False),
)

device = Table(
    "device",
    metadata,
    Column("id", Text, primary_key=True),  # 32 hex digits, made by the table
    Column("table_name", Text, nullable=False),
    Column("secret_hash", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("code", ForeignKey("code.id"), nullable=False),  # by which it enrolled: by the same it may again, if the answer was lost
    Column("nonce", Text, nullable=False),  # of its last enrolment: a request that is sent twice is refused
    Column("enrolled_ns", BigInteger, nullable=False),
    Column("revoked_ns", BigInteger),
    Column("replaced_by", Text),
    Column("practice", Boolean, nullable=False),
    Column("seen_ns", BigInteger, nullable=False),
    Column("last_order", BigInteger, nullable=False),  # the highest number given to an order of its
    Column("takes_over", Text),  # a match whose rows it may fetch, as it replaces another device
    Index(
        "uq_device_table", "table_name", unique=True, sqlite_where=text("revoked_ns IS NULL"), postgresql_where=text("revoked_ns IS NULL")
    ),
)

journal = Table(
    "journal",
    metadata,
    Column("id", Serial, primary_key=True),
    Column("device", ForeignKey("device.id"), nullable=False),
    Column("ident", Text, nullable=False),  # the hash of its first row
    Column("branch", Integer, nullable=False),  # 0, or the number of a fork
    Column("parent", ForeignKey("journal.id")),  # rows below `forked_at` are the parent's
    Column("forked_at", BigInteger, nullable=False),  # the first row of its own: 1 for branch 0
    Column("head_seq", BigInteger, nullable=False),
    Column("head_hash", Text, nullable=False),
    Column("pending", BigInteger, nullable=False),  # what the table said waits behind the last batch
    Column("created_ns", BigInteger, nullable=False),
    Column("opening_seq", BigInteger, nullable=False),  # the newest match_opened in it; 0: none
    UniqueConstraint("device", "ident", "branch"),
)

fact = Table(
    "fact",
    metadata,
    Column("journal", ForeignKey("journal.id"), nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("boot", Text, nullable=False),
    Column("mono_ns", BigInteger, nullable=False),
    Column("wall_ns", BigInteger, nullable=False),
    Column("wall_trusted", Boolean, nullable=False),
    Column("type", Text, nullable=False),
    Column("data", Text, nullable=False),
    Column("prev", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("received_ns", BigInteger, nullable=False),
    PrimaryKeyConstraint("journal", "seq"),
    sqlite_with_rowid=False,
)

match = Table(
    "match",
    metadata,
    Column("journal", ForeignKey("journal.id"), nullable=False),
    Column("first_seq", BigInteger, nullable=False),  # its match_opened
    Column("last_seq", BigInteger, nullable=False),
    Column("id", Text, nullable=False),  # the match's id; two rows of one id are two histories of one match: shown, a person decides
    Column("device", ForeignKey("device.id"), nullable=False),
    Column("attached", Text),  # the assignment that it counts for; None: started by hand and not attached yet
    Column("left_out", Boolean, nullable=False),  # a person said that it counts for nothing
    Column("practice", Boolean, nullable=False),
    Column("phase", Text, nullable=False),
    Column("summary", Text, nullable=False),  # JSON: players, length, rulebook, score, standing, winner, how, revision, provisional, …
    Column("search", Text, nullable=False),  # the players' names, folded
    Column("opened_ns", BigInteger, nullable=False),
    Column("changed_ns", BigInteger, nullable=False),
    PrimaryKeyConstraint("journal", "first_seq"),
    Index("ix_match_id", "id"),
    Index("ix_match_attached", "attached"),
)

face = Table(
    "face",
    metadata,
    Column("device", ForeignKey("device.id"), primary_key=True),
    Column("data", Text, nullable=False),  # JSON: see kiosk/server/faces.py; without what is below, and what stands elsewhere
    Column("worker", Text),  # the process that holds the device's stream; None: it is offline
    Column("changed_ns", BigInteger, nullable=False),
)

worker = Table(
    "worker",
    metadata,
    Column("id", Text, primary_key=True),  # one for each process that serves
    Column("beat", BigInteger, nullable=False),  # counts up; one that stands still has died
)

assignment = Table(
    "assignment",
    metadata,
    Column("id", Text, primary_key=True),  # becomes the match's id at the table
    Column("version", Integer, nullable=False),
    Column("data", Text, nullable=False),  # JSON of the setup: players, rulebook, length, control, …
    Column("search", Text, nullable=False),
    Column("table_name", Text, nullable=False),  # empty: no table yet
    Column("round", Text, nullable=False),
    Column("starts_ns", BigInteger),
    Column("practice", Boolean, nullable=False),
    Column("state", Text, nullable=False),  # draft, offered, opened, ended, withdrawn
    Column("created_ns", BigInteger, nullable=False),
    Index("ix_assignment_table", "table_name"),
)

result = Table(
    "result",
    metadata,
    Column("match", Text, nullable=False),  # the assignment's id, or an attached match's
    Column("version", Integer, nullable=False),
    Column("source", Text, nullable=False),  # sheet, desk, or organizer
    Column("data", Text, nullable=False),  # JSON: score, standing, winner, how, revision, digest
    Column("by", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("at_ns", BigInteger, nullable=False),
    PrimaryKeyConstraint("match", "version"),
)

happening = Table(
    "happening",  # what happened in the tournament: appended, never changed; draws and tables are read from it
    metadata,
    Column("n", Serial, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("data", Text, nullable=False),  # JSON
    Column("by", Text, nullable=False),
    Column("at_ns", BigInteger, nullable=False),
)

release = Table(
    "release",  # which match of the tournament an assignment lets the tables play
    metadata,
    Column("stage", Integer, nullable=False),
    Column("key", Text, nullable=False),
    Column("assignment", Text, nullable=False),
    PrimaryKeyConstraint("stage", "key"),
    UniqueConstraint("assignment"),
)

ledger = Table(
    "ledger",  # money of the event: appended, never changed; nothing of the draw is read from it, and it is in no published seed
    metadata,
    Column("n", Integer, primary_key=True, autoincrement=False),  # 1, 2, 3 … without gaps: an entry that reverses another names its number
    Column("kind", Text, nullable=False),
    Column("data", Text, nullable=False),  # JSON
    Column("by", Text, nullable=False),
    Column("at_ns", BigInteger, nullable=False),
)

orders = Table(
    "orders",
    metadata,
    Column("device", ForeignKey("device.id"), nullable=False),
    Column("n", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("data", Text, nullable=False),  # JSON as on the wire; times relative to `at_ns` are brought up to date when it is sent
    Column("by", Text, nullable=False),
    Column("at_ns", BigInteger, nullable=False),
    Column("answered_ns", BigInteger),
    Column("done", Boolean),
    Column("answer", Text),  # JSON of the OrderAnswer
    PrimaryKeyConstraint("device", "n"),
    Index("ix_orders_open", "device", sqlite_where=text("answered_ns IS NULL"), postgresql_where=text("answered_ns IS NULL")),
)

conflict = Table(
    "conflict",
    metadata,
    Column("id", Serial, primary_key=True),
    Column("kind", Text, nullable=False),  # fork, two_devices, truncated, journal_gone, sheet_differs, duplicate_ruling, unknown_fact
    Column("device", Text, nullable=False),
    Column("match", Text, nullable=False),
    Column("what", Text, nullable=False),  # JSON: both sides of it
    Column("at_ns", BigInteger, nullable=False),
    Column("settled_ns", BigInteger),
    Column("settled", Text),  # JSON: who decided what, and why
)
