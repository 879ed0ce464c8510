#!/bin/sh
# Starts MariaDB. If the data folder is empty, initializes it first. adapters/engine/made-images.ts lists the variables.
set -eu
data=/var/lib/mysql
# Prints the value of an environment variable, or the content of the file that the variable with the suffix _FILE names.
value() { eval "v=\${$1-} f=\${$1_FILE-}"; if [ -n "$f" ]; then cat "$f"; else printf %s "$v"; fi; }
fail() { echo "$1" >&2; exit 1; }
quoted() { printf "'%s'" "$(sed "s/[\\\\']/\\\\&/g")"; }
named() { printf '`%s`' "$(sed 's/`/``/g')"; }

case "${1-}" in mariadbd | mysqld) shift ;; esac

if [ "$(id -u)" = 0 ]; then
  mkdir -p "$data" /run/mysqld
  chmod 1777 /tmp
  # Only the owner of the folder is checked. A check of all files in a large folder would slow down each start.
  [ "$(stat -c %u "$data")" = 999 ] || chown -R 999:999 "$data"
  chown 999:999 /run/mysqld
  exec /usr/bin/setpriv --reuid=999 --regid=999 --clear-groups /bin/sh "$0" "$@"
fi
# Prints the SQL statements of MariaDB's installer, and then the statements that create Davit's accounts.
statements() {
  echo 'CREATE DATABASE IF NOT EXISTS mysql;'
  echo 'USE mysql;'
  echo 'SET @auth_root_socket=NULL;'
  for part in mysql_system_tables mysql_performance_tables mysql_system_tables_data fill_help_tables \
    maria_add_gis_sp_bootstrap mysql_sys_schema; do
    cat "/usr/share/mysql/$part.sql"
  done
  mariadb-tzinfo-to-sql --skip-write-binlog /usr/share/zoneinfo 2> /dev/null
  echo "DELETE FROM mysql.global_priv WHERE User = '' OR (User = 'root' AND Host <> 'localhost');"
  echo 'FLUSH PRIVILEGES;'
  secret="$(value MARIADB_ROOT_PASSWORD | quoted)"
  from="$(printf %s "${MARIADB_ROOT_HOST-%}" | quoted)"
  echo "ALTER USER 'root'@'localhost' IDENTIFIED BY $secret;"
  case "${MARIADB_ROOT_HOST-%}" in localhost | '') ;; *)
    echo "CREATE USER 'root'@$from IDENTIFIED BY $secret;"
    echo "GRANT ALL PRIVILEGES ON *.* TO 'root'@$from WITH GRANT OPTION;" ;;
  esac
  [ -z "${MARIADB_DATABASE-}" ] || echo "CREATE DATABASE $(printf %s "$MARIADB_DATABASE" | named);"
  if [ -n "${MARIADB_USER-}" ]; then
    user="$(printf %s "$MARIADB_USER" | quoted)@'%'"
    echo "CREATE USER $user IDENTIFIED BY $(value MARIADB_PASSWORD | quoted);"
    # Escape the name, because the database name in GRANT is a pattern.
    [ -z "${MARIADB_DATABASE-}" ] ||
      echo "GRANT ALL PRIVILEGES ON $(printf %s "$MARIADB_DATABASE" | sed 's/[_%]/\\&/g' | named).* TO $user;"
  fi
}

# The data is created in a temporary folder and then moved. The file that marks a complete database is moved last, so
# that the next start can repeat the initialization after a crash.
aside="$data/.davit-first"
if [ ! -d "$data/mysql" ]; then
  if [ ! -e "$aside/complete" ]; then
    for entry in "$data"/* "$data"/.[!.]*; do
      case "${entry##*/}" in '*' | '.[!.]*' | lost+found | .davit-first) ;; *)
        fail "The data folder has ${entry##*/} and no folder mysql: it is not one of MariaDB, and is left alone." ;;
      esac
    done
    rm -rf "$aside"
    mkdir -p -m 700 "$aside/data"
    [ -n "$(value MARIADB_ROOT_PASSWORD)" ] ||
      fail 'There is no password: set MARIADB_ROOT_PASSWORD_FILE to a file that has one.'
    statements | mariadbd --no-defaults --bootstrap --silent-startup --character-set-server=utf8mb4 \
      --collation-server=utf8mb4_general_ci --datadir="$aside/data" --log-warnings=0 \
      --enforce-storage-engine= --max_allowed_packet=8M --net_buffer_length=16K
    [ -d "$aside/data/mysql" ] || fail 'The system tables could not be made.'
    sync -f "$aside"
    : > "$aside/complete"
  fi
  for entry in "$aside"/data/*; do
    case "$entry" in */mysql | "$aside/data/*") ;; *) mv "$entry" "$data/" ;; esac
  done
  sync -f "$data"
  mv "$aside/data/mysql" "$data/"
fi
rm -rf "$aside"

exec mariadbd --datadir="$data" --socket=/run/mysqld/mysqld.sock --bind-address='*' "$@"
