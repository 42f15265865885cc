#!/bin/sh
# Tableside's command on an installed server, with its data; root acts as the server's user, so that no file of it becomes root's.
TABLESIDE_SERVER="${TABLESIDE_SERVER:-/var/lib/tableside-server}"
export TABLESIDE_SERVER
program=/opt/tableside/current/bin/kiosk-server
[ "$(id -u)" != 0 ] || exec runuser -u tableside-server -- "$program" "$@"
exec "$program" "$@"
