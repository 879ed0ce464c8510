#!/bin/sh
# Starts Redis. adapters/engine/made-images.ts lists the variables.
set -eu
case "${1-}" in redis-server) shift ;; esac
mkdir -p /data
[ "$(stat -c %u /data)" = 999 ] || chown -R 999:999 /data
cd /data
umask 077
exec /usr/bin/setpriv --reuid=999 --regid=999 --clear-groups redis-server "$@"
