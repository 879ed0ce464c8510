/**
 * Database images that Davit builds on the server from Debian packages. Servers without access to an image registry use
 * these images.
 *
 * Davit's images accept the same settings as the official images, so the same code supports both. All of Davit's images
 * have these properties:
 * - The first start of a container fills an empty data folder. Later starts use the existing data and ignore the
 * variables for the user, the password and the database.
 * - The database server listens on all addresses at its port. The server runs as the Unix user `user`, whose user id
 * and group id are both `uid`. Only the entrypoint runs as root, because the entrypoint changes the owner of the data
 * folder. Files that the database server reads must be readable for `user`.
 * - If arguments of the container (`Group.args`) begin with `-`, they are appended to the server's arguments and
 * override them.
 * - `DATABASE_FILES` lists the paths of Davit's files. The password file and the scripts are used only at the first
 * start. The other files are used at each start.
 * - `execute` can run the programs that are listed below for each database engine. The user with the ID 65534 exists,
 * and no other process runs as this user.
 * - `/bin/sh` is busybox with the commands that the database scripts need.
 *
 * PostgreSQL: `POSTGRES_PASSWORD_FILE` is required. `POSTGRES_USER` is `postgres` by default, and `POSTGRES_DB` is the
 * user name by default. `POSTGRES_INITDB_ARGS` is a list of words. With `--no-sync` in this list, the first start does
 * not wait for the disk. `PGDATA` is supported too. Connections over the network need the password (scram-sha-256).
 * Connections over the socket in the container need no password. The first start runs
 * `/docker-entrypoint-initdb.d/*.sql` and `*.sh`. The image has all extensions of the contrib package. The image
 * contains the programs `psql pg_dump pg_dumpall pg_restore pg_basebackup pg_isready initdb pg_ctl`. A custom
 * configuration is passed with `-c config_file=…`. Single settings are passed as `-c ssl=on -c ssl_cert_file=… -c
 * ssl_key_file=…`. The server refuses a private key that other users can read. The key therefore needs mode 0600 and
 * the user id of the server.
 *
 * MariaDB: `MARIADB_ROOT_PASSWORD_FILE` is required. `MARIADB_ROOT_HOST` is `%` by default, so root can connect from
 * any host. `MARIADB_DATABASE`, `MARIADB_USER` and `MARIADB_PASSWORD_FILE` create a database and a user with all
 * permissions on the database. Settings are read from `/etc/mysql/conf.d/*.cnf`, or passed as arguments such as
 * `--ssl-cert=… --ssl-key=…`. The image contains the programs `mariadb mariadb-dump mariadb-admin mariadb-upgrade
 * mariadb-check`. The first three programs also exist as `mysql`, `mysqldump` and `mysqladmin`. Root also needs the
 * password for connections over the socket.
 *
 * Redis: The image uses no variables. The password and other settings are in a configuration file, whose path is the
 * first argument (`/…/redis.conf`). Settings can also be arguments (`--appendonly yes`). Without a password, the server
 * accepts only connections from inside its container. The data is in the working folder `/data`. The image contains the
 * programs `redis-server redis-cli redis-check-rdb redis-check-aof`.
 */

export type MadeEngine = 'postgres' | 'mariadb' | 'redis';

/**
 * A database image that can be built on this server. The image accepts the same settings as the official Debian image
 * of the database engine.
 */
export interface MadeImage {
  engine: MadeEngine;
  /** Version of the database engine, for example `15`. */
  version: string;
  /**
   * Local image name, for example `davit/postgres:15`. Users see this name, but Davit never pulls the image from a
   * registry.
   */
  reference: string;
}

/** Properties that are the same for all versions of a database engine. */
export interface MadeEngineFacts {
  port: number;
  /** Path in the container where the database's volume is mounted. */
  dataPath: string;
  /** Name of the Unix user that the database server runs as. */
  user: string;
  /** User id and group id of the Unix user that the database server runs as. */
  uid: number;
}

/**
 * Port, data path and Unix user of each database engine. User names and ids match the official Debian images. Images of
 * other distributions may differ.
 */
export const MADE_ENGINES: Record<MadeEngine, MadeEngineFacts> = {
  postgres: { port: 5432, dataPath: '/var/lib/postgresql/data', user: 'postgres', uid: 999 },
  mariadb: { port: 3306, dataPath: '/var/lib/mysql', user: 'mysql', uid: 999 },
  redis: { port: 6379, dataPath: '/data', user: 'redis', uid: 999 },
};

/** Returns whether images of a database engine can be built on this server. */
export function isMadeEngine(engine: string): engine is MadeEngine {
  return Object.hasOwn(MADE_ENGINES, engine);
}

/** Paths of the files that Davit writes into database containers. The paths are the same for all images. */
export const DATABASE_FILES = {
  /** File with the initial password, without a line feed. The variables `*_PASSWORD_FILE` contain this path. */
  password: '/etc/davit/password',
  config: '/etc/davit/server.conf',
  /** Certificate chain that the database server sends to TLS clients. */
  tlsCertificate: '/etc/davit/tls.crt',
  /** Private key of the TLS certificate. The file has mode 0600 and belongs to the Unix user of the database server. */
  tlsKey: '/etc/davit/tls.key',
} as const;

/** Returns the local name of a database image that is built on this server: `davit/<engine>:<version>`. */
export function madeReference(engine: MadeEngine, version: string): string {
  return `davit/${engine}:${version}`;
}
