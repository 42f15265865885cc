"""Step 0001: every table of the first version, and the triggers that keep the audit as it is."""

from __future__ import annotations

from alembic import op
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    Text,
    UniqueConstraint,
    text,
)

revision = "0001"
down_revision = None

Serial = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Make the tables."""
    _people()
    _devices()
    _facts()
    _matches()
    if op.get_bind().dialect.name == "sqlite":
        _audit_stays_on_sqlite()
    else:
        _audit_stays_on_postgresql()


def _people() -> None:
    op.create_table(
        "setting",
        Column("name", Text, nullable=False),
        Column("value", Text, nullable=False),
        PrimaryKeyConstraint("name", name="pk_setting"),
    )
    op.create_table(
        "person",
        Column("id", Serial, nullable=False),
        Column("name", Text, nullable=False),
        Column("folded", Text, nullable=False),
        Column("role", Text, nullable=False),
        Column("password", Text),
        Column("pin_salt", Text),
        Column("pin_hash", Text),
        Column("created_ns", BigInteger, nullable=False),
        Column("removed_ns", BigInteger),
        PrimaryKeyConstraint("id", name="pk_person"),
    )
    op.create_index(
        "uq_person_folded",
        "person",
        ["folded"],
        unique=True,
        sqlite_where=text("removed_ns IS NULL"),
        postgresql_where=text("removed_ns IS NULL"),
    )
    op.create_table(
        "login",
        Column("token_hash", Text, nullable=False),
        Column("person", Serial, nullable=False),
        Column("csrf", Text, nullable=False),
        Column("created_ns", BigInteger, nullable=False),
        Column("seen_ns", BigInteger, nullable=False),
        ForeignKeyConstraint(["person"], ["person.id"], name="fk_login_person_person"),
        PrimaryKeyConstraint("token_hash", name="pk_login"),
    )
    op.create_index("ix_login_person", "login", ["person"])
    op.create_table(
        "attempt",
        Column("what", Text, nullable=False),
        Column("failures", Integer, nullable=False),
        Column("since_ns", BigInteger, nullable=False),
        PrimaryKeyConstraint("what", name="pk_attempt"),
    )
    op.create_table(
        "audit",
        Column("id", Serial, nullable=False),
        Column("at_ns", BigInteger, nullable=False),
        Column("who", Text, nullable=False),
        Column("act", Text, nullable=False),
        Column("what", Text, nullable=False),
        Column("prev", Text, nullable=False),
        Column("hash", Text, nullable=False),
        PrimaryKeyConstraint("id", name="pk_audit"),
    )


def _devices() -> None:
    op.create_table(
        "code",
        Column("id", Serial, nullable=False),
        Column("key", LargeBinary, nullable=False),
        Column("table_name", Text, nullable=False),
        Column("replaces", Text),
        Column("created_ns", BigInteger, nullable=False),
        Column("until_ns", BigInteger, nullable=False),
        Column("uses_left", Integer, nullable=False),
        Column("made_by", Text, nullable=False),
        PrimaryKeyConstraint("id", name="pk_code"),
    )
    op.create_table(
        "device",
        Column("id", Text, nullable=False),
        Column("table_name", Text, nullable=False),
        Column("secret_hash", Text, nullable=False),
        Column("version", Text, nullable=False),
        Column("code", Serial, nullable=False),
        Column("nonce", Text, nullable=False),
        Column("enrolled_ns", BigInteger, nullable=False),
        Column("revoked_ns", BigInteger),
        Column("replaced_by", Text),
        Column("practice", Boolean, nullable=False),
        Column("seen_ns", BigInteger, nullable=False),
        Column("last_order", BigInteger, nullable=False),
        Column("takes_over", Text),
        ForeignKeyConstraint(["code"], ["code.id"], name="fk_device_code_code"),
        PrimaryKeyConstraint("id", name="pk_device"),
    )
    op.create_index(
        "uq_device_table",
        "device",
        ["table_name"],
        unique=True,
        sqlite_where=text("revoked_ns IS NULL"),
        postgresql_where=text("revoked_ns IS NULL"),
    )
    op.create_table(
        "worker",
        Column("id", Text, nullable=False),
        Column("beat", BigInteger, nullable=False),
        PrimaryKeyConstraint("id", name="pk_worker"),
    )
    op.create_table(
        "face",
        Column("device", Text, nullable=False),
        Column("data", Text, nullable=False),
        Column("worker", Text),
        Column("changed_ns", BigInteger, nullable=False),
        ForeignKeyConstraint(["device"], ["device.id"], name="fk_face_device_device"),
        PrimaryKeyConstraint("device", name="pk_face"),
    )
    op.create_table(
        "orders",
        Column("device", Text, nullable=False),
        Column("n", BigInteger, nullable=False),
        Column("kind", Text, nullable=False),
        Column("data", Text, nullable=False),
        Column("by", Text, nullable=False),
        Column("at_ns", BigInteger, nullable=False),
        Column("answered_ns", BigInteger),
        Column("done", Boolean),
        Column("answer", Text),
        ForeignKeyConstraint(["device"], ["device.id"], name="fk_orders_device_device"),
        PrimaryKeyConstraint("device", "n", name="pk_orders"),
    )
    op.create_index(
        "ix_orders_open", "orders", ["device"], sqlite_where=text("answered_ns IS NULL"), postgresql_where=text("answered_ns IS NULL")
    )


def _facts() -> None:
    op.create_table(
        "journal",
        Column("id", Serial, nullable=False),
        Column("device", Text, nullable=False),
        Column("ident", Text, nullable=False),
        Column("branch", Integer, nullable=False),
        Column("parent", Serial),
        Column("forked_at", BigInteger, nullable=False),
        Column("head_seq", BigInteger, nullable=False),
        Column("head_hash", Text, nullable=False),
        Column("pending", BigInteger, nullable=False),
        Column("created_ns", BigInteger, nullable=False),
        Column("opening_seq", BigInteger, nullable=False),
        ForeignKeyConstraint(["device"], ["device.id"], name="fk_journal_device_device"),
        ForeignKeyConstraint(["parent"], ["journal.id"], name="fk_journal_parent_journal"),
        PrimaryKeyConstraint("id", name="pk_journal"),
        UniqueConstraint("device", "ident", "branch", name="uq_journal_device"),
    )
    op.create_table(
        "fact",
        Column("journal", Serial, nullable=False),
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
        ForeignKeyConstraint(["journal"], ["journal.id"], name="fk_fact_journal_journal"),
        PrimaryKeyConstraint("journal", "seq", name="pk_fact"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "match",
        Column("journal", Serial, nullable=False),
        Column("first_seq", BigInteger, nullable=False),
        Column("last_seq", BigInteger, nullable=False),
        Column("id", Text, nullable=False),
        Column("device", Text, nullable=False),
        Column("attached", Text),
        Column("left_out", Boolean, nullable=False),
        Column("practice", Boolean, nullable=False),
        Column("phase", Text, nullable=False),
        Column("summary", Text, nullable=False),
        Column("search", Text, nullable=False),
        Column("opened_ns", BigInteger, nullable=False),
        Column("changed_ns", BigInteger, nullable=False),
        ForeignKeyConstraint(["device"], ["device.id"], name="fk_match_device_device"),
        ForeignKeyConstraint(["journal"], ["journal.id"], name="fk_match_journal_journal"),
        PrimaryKeyConstraint("journal", "first_seq", name="pk_match"),
    )
    op.create_index("ix_match_attached", "match", ["attached"])
    op.create_index("ix_match_id", "match", ["id"])


def _matches() -> None:
    op.create_table(
        "assignment",
        Column("id", Text, nullable=False),
        Column("version", Integer, nullable=False),
        Column("data", Text, nullable=False),
        Column("search", Text, nullable=False),
        Column("table_name", Text, nullable=False),
        Column("round", Text, nullable=False),
        Column("starts_ns", BigInteger),
        Column("practice", Boolean, nullable=False),
        Column("state", Text, nullable=False),
        Column("created_ns", BigInteger, nullable=False),
        PrimaryKeyConstraint("id", name="pk_assignment"),
    )
    op.create_index("ix_assignment_table", "assignment", ["table_name"])
    op.create_table(
        "result",
        Column("match", Text, nullable=False),
        Column("version", Integer, nullable=False),
        Column("source", Text, nullable=False),
        Column("data", Text, nullable=False),
        Column("by", Text, nullable=False),
        Column("reason", Text, nullable=False),
        Column("at_ns", BigInteger, nullable=False),
        PrimaryKeyConstraint("match", "version", name="pk_result"),
    )
    op.create_table(
        "conflict",
        Column("id", Serial, nullable=False),
        Column("kind", Text, nullable=False),
        Column("device", Text, nullable=False),
        Column("match", Text, nullable=False),
        Column("what", Text, nullable=False),
        Column("at_ns", BigInteger, nullable=False),
        Column("settled_ns", BigInteger),
        Column("settled", Text),
        PrimaryKeyConstraint("id", name="pk_conflict"),
    )


def _audit_stays_on_sqlite() -> None:
    for act in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER audit_stays_{act.lower()} BEFORE {act} ON audit BEGIN SELECT RAISE(ABORT, 'the audit stays as it is'); END"
        )


def _audit_stays_on_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION audit_stays() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the audit stays as it is' USING ERRCODE = 'integrity_constraint_violation'; END $$"
    )
    op.execute("CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_stays()")
