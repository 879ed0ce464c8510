/**
 * Images of databases that are made on the machine from its distribution's packages, for where no registry is asked.
 *
 * They take what the official images of the same engines take, so that one adapter drives both. In each:
 * - The first start, and only that one, fills an empty data folder; later starts find what is there, and the variables
 *   below that name a user, a password or a database then say nothing.
 * - The server listens on all addresses at its port, and runs as `user`, which has the numbers `uid` and `uid`. Only the
 *   entrypoint is root's: it gives the data folder to that user. A file that the server reads must be readable by it.
 * - Arguments of the container (`Group.args`) that begin with `-` go to the server behind its own, and win over them.
 * - {@link DATABASE_FILES} names where our own files go. The password file and scripts matter to the first start alone, the
 *   rest to each start.
 * - Programs on the path are for `execute`: see each engine. There is a user `nobody` (65534), which nothing else runs as.
 * - `/bin/sh` is busybox, with the applets that scripts of the engines need.
 *
 * postgres — `POSTGRES_PASSWORD_FILE` (needed), `POSTGRES_USER` (`postgres` unless given), `POSTGRES_DB` (as the user unless
 *   given), `POSTGRES_INITDB_ARGS` (words; with `--no-sync` the first start waits for no disk), `PGDATA`. Connections over the
 *   network need the password (scram-sha-256), those over the socket in the container none. `/docker-entrypoint-initdb.d/*.sql` and `*.sh` are run at the first start. All
 *   extensions of the package's contrib; `psql pg_dump pg_dumpall pg_restore pg_basebackup pg_isready initdb pg_ctl`.
 *   A configuration of one's own: `-c config_file=…`, or single settings, as `-c ssl=on -c ssl_cert_file=… -c
 *   ssl_key_file=…`. The server refuses a key that others may read: give it mode 0600 and the user's uid.
 * mariadb — `MARIADB_ROOT_PASSWORD_FILE` (needed), `MARIADB_ROOT_HOST` (`%` unless given: root may come from everywhere),
 *   `MARIADB_DATABASE`, `MARIADB_USER` and `MARIADB_PASSWORD_FILE` (a user with all rights on that database). Settings:
 *   `/etc/mysql/conf.d/*.cnf`, or arguments as `--ssl-cert=… --ssl-key=…`. `mariadb mariadb-dump mariadb-admin
 *   mariadb-upgrade mariadb-check`, and the names with `mysql` of the first three. Also over the socket, root has a password.
 * redis — no variables: its password and the rest stand in a configuration, given as the first argument (`/…/redis.conf`) or
 *   as arguments (`--appendonly yes`). Without a password it answers the programs in its container alone. It keeps its data
 *   in the working folder, `/data`. `redis-server redis-cli redis-check-rdb redis-check-aof`.
 */

export type MadeEngine = 'postgres' | 'mariadb' | 'redis';

/** What the adapter may count on, for this image and the official one of the engine (Debian's variant) alike. */
export interface MadeImage {
  engine: MadeEngine;
  /** For example `15`. */
  version: string;
  /** Its local name, for example `davit/postgres:15`; shown, and never pulled. */
  reference: string;
}

/** What is the same in every version. */
export interface MadeEngineFacts {
  port: number;
  /** Where the volume goes. */
  dataPath: string;
  /** Whom the server runs as, … */
  user: string;
  /** … by number; its group has the same. */
  uid: number;
}

/** The official images of Debian have these users under the same numbers; those of other distributions may not. */
export const MADE_ENGINES: Record<MadeEngine, MadeEngineFacts> = {
  postgres: { port: 5432, dataPath: '/var/lib/postgresql/data', user: 'postgres', uid: 999 },
  mariadb: { port: 3306, dataPath: '/var/lib/mysql', user: 'mysql', uid: 999 },
  redis: { port: 6379, dataPath: '/data', user: 'redis', uid: 999 },
};

/** Whether images of an engine are made on this machine. */
export function isMadeEngine(engine: string): engine is MadeEngine {
  return Object.hasOwn(MADE_ENGINES, engine);
}

/** Where files of ours go in containers of databases (`Group.files`), whichever image they are made from. */
export const DATABASE_FILES = {
  /** The first password, without a line feed; what `*_PASSWORD_FILE` names. */
  password: '/etc/davit/password',
  /** A configuration of the server. */
  config: '/etc/davit/server.conf',
  /** What the server shows to clients over TLS, with its chain … */
  tlsCertificate: '/etc/davit/tls.crt',
  /** … and its key, of mode 0600 and the server's user. */
  tlsKey: '/etc/davit/tls.key',
} as const;

/** The image's local name. */
export function madeReference(engine: MadeEngine, version: string): string {
  return `davit/${engine}:${version}`;
}
