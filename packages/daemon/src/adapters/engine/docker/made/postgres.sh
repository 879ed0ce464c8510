#!/bin/sh
# Starts PostgreSQL. If the data folder is empty, initializes it first. For the variables, see
# adapters/engine/made-images.ts.
set -eu
# Prints the value of an environment variable, or the content of the file that the variable with the suffix _FILE names.
value() { eval "v=\${$1-} f=\${$1_FILE-}"; if [ -n "$f" ]; then cat "$f"; else printf %s "$v"; fi; }
fail() { echo "$1" >&2; exit 1; }
# Returns whether a database must be created or a script must run before the first start.
has_first_words() {
  [ "$1" = postgres ] || return 0
  for script in /docker-entrypoint-initdb.d/*.sh /docker-entrypoint-initdb.d/*.sql; do [ ! -e "$script" ] || return 0; done
  return 1
}

case "${1-}" in postgres) shift ;; esac

if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" /run/postgresql
  chmod 1777 /tmp
  chmod 700 "$PGDATA"
  # Only the owner of the folder is checked. A check of all files in a large folder would slow down each start.
  [ "$(stat -c %u "$PGDATA")" = 999 ] || chown -R 999:999 "$PGDATA"
  chown 999:999 /run/postgresql
  exec /usr/bin/setpriv --reuid=999 --regid=999 --clear-groups /bin/sh "$0" "$@"
fi
# The data is created in a temporary folder and then moved. The file that marks a complete database is moved last, so
# that the next start can repeat the initialization after a crash.
aside="$PGDATA/.davit-first"
# With --no-sync, the server does not wait for the disk, because its data may be lost after a crash.
case " ${POSTGRES_INITDB_ARGS-} " in *' --no-sync '*) unhurried='-F' ;; *) unhurried='' ;; esac
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  if [ ! -e "$aside/complete" ]; then
    for entry in "$PGDATA"/* "$PGDATA"/.[!.]*; do
      case "${entry##*/}" in '*' | '.[!.]*' | lost+found | .davit-first) ;; *)
        fail "The data folder has ${entry##*/} and no PG_VERSION: it is not one of PostgreSQL, and is left alone." ;;
      esac
    done
    rm -rf "$aside"
    mkdir -m 700 "$aside"
    user="${POSTGRES_USER:-postgres}"
    database="${POSTGRES_DB:-$user}"
    umask 077
    value POSTGRES_PASSWORD > "$aside/password"
    [ -s "$aside/password" ] || fail 'There is no password: set POSTGRES_PASSWORD_FILE to a file that has one.'
    # shellcheck disable=SC2086 -- each word is an argument
    initdb -D "$aside/data" --username="$user" --pwfile="$aside/password" --encoding=UTF8 --locale=C.UTF-8 \
      --auth-local=trust --auth-host=scram-sha-256 --no-instructions ${POSTGRES_INITDB_ARGS-}
    rm "$aside/password"
    echo 'host all all all scram-sha-256' >> "$aside/data/pg_hba.conf"
    # This temporary server accepts only connections of this script.
    if has_first_words "$database"; then
      pg_ctl -D "$aside/data" -o "-c listen_addresses='' -p 5432 $unhurried" -s -w start
      ask() { psql -v ON_ERROR_STOP=1 --no-psqlrc --quiet --username "$user" "$@"; }
      case "$database" in
        postgres) ;;
        *) printf '%s\n' 'CREATE DATABASE :"db";' | ask --dbname postgres --set db="$database" ;;
      esac
      for script in /docker-entrypoint-initdb.d/*; do
        case "$script" in
          *.sh) POSTGRES_USER="$user" POSTGRES_DB="$database" /bin/sh "$script" ;;
          *.sql) ask --dbname "$database" --file "$script" ;;
        esac
      done
      pg_ctl -D "$aside/data" -s -m fast -w stop
    fi
    # initdb has already synced all other files. A sync of all disks would also wait for files of other programs.
    [ -n "$unhurried" ] || sync "$aside/data/pg_hba.conf" "$aside/data"
    : > "$aside/complete"
  fi
  for entry in "$aside"/data/*; do
    case "$entry" in */PG_VERSION | "$aside/data/*") ;; *) mv "$entry" "$PGDATA/" ;; esac
  done
  [ -n "$unhurried" ] || sync "$PGDATA"
  mv "$aside/data/PG_VERSION" "$PGDATA/"
fi
rm -rf "$aside"

exec postgres -D "$PGDATA" -c listen_addresses='*' "$@"
