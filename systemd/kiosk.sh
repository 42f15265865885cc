#!/bin/sh
# Tableside's command on an installed box, with the table's settings; root acts as the table's user, so that no file of the table becomes root's.
TABLESIDE_CONFIG="${TABLESIDE_CONFIG:-/etc/tableside}"
export TABLESIDE_CONFIG
program=/opt/tableside/current/bin/kiosk
case "${1:-}" in prepare) exec "$program" "$@" ;; esac
[ "$(id -u)" != 0 ] || exec runuser -u tableside -- "$program" "$@"
exec "$program" "$@"
