/** Addresses of exposed databases for clients outside the environment, which verify the certificate of the database. */
import { CA_FILE, type DatabaseCredentials, type DatabaseEngine, shellWord } from '@davit/api';

/** Login of a database, with the host and port that clients outside the environment use. */
export interface OutsideAccess {
  engine: DatabaseEngine;
  username: string;
  password: string;
  /** Name of the database, or `null` if the database engine has no named databases. */
  database: string | null;
  host: string;
  port: number;
}

type ClientLine = NonNullable<DatabaseCredentials['exposed']>['clients'][number];

/**
 * Returns the address of an exposed database. It requires TLS and names the CA file, as far as the format of the engine
 * allows.
 */
export function outsideUrl(access: OutsideAccess): string {
  return ADDRESSES[access.engine](access);
}

/**
 * Returns a line for each common client, with which the client connects and verifies the certificate of the database.
 * Commands get the password in an environment variable, because other users of a computer can see process arguments.
 */
export function clientsOf(access: OutsideAccess): ClientLine[] {
  return CLIENTS[access.engine](access);
}

/** `mysql2` uses TLS only with this parameter, and reads it as JSON. The format of the URL has no CA file. */
const MYSQL2_TLS = `ssl=${encodeURIComponent(JSON.stringify({ verifyIdentity: true }))}`;

const POSTGRES_TLS = `sslmode=verify-full&sslrootcert=${CA_FILE}`;
const MONGODB_TLS = `tls=true&tlsCAFile=${CA_FILE}`;

const ADDRESSES: Record<DatabaseEngine, (access: OutsideAccess) => string> = {
  postgres: (access) => `${postgresUrl(access)}?${POSTGRES_TLS}`,
  mysql: (access) => `${mysqlUrl(access)}?${MYSQL2_TLS}`,
  mariadb: (access) => `${mysqlUrl(access)}?${MYSQL2_TLS}`,
  redis: (access) => `rediss://${loginAndHost(access)}/0`,
  mongodb: (access) => `mongodb://${loginAndHost(access)}/${named(access)}?authSource=${named(access)}&${MONGODB_TLS}`,
};

/** Environment variable of the line for `mongosh`, which has no variable of its own for the password. */
const MONGOSH_PASSWORD = 'MONGOSH_PASSWORD';

/** Folder of the Prisma schema. Prisma resolves the path of the CA file from there. */
const FROM_PRISMA = `../${CA_FILE}`;

const CLIENTS: Record<DatabaseEngine, (access: OutsideAccess) => ClientLine[]> = {
  postgres: (access) => [
    { client: 'psql', line: `PGPASSWORD=${shellWord(access.password)} psql ${shellWord(psqlUrl(access))}` },
    {
      client: 'node-postgres (pg)',
      line: `new pg.Client({ connectionString: ${codeText(outsideUrl(access))} })`,
    },
    {
      client: 'Prisma',
      line: `DATABASE_URL=${shellWord(`${postgresUrl(access)}?sslmode=require&sslaccept=strict&sslcert=${FROM_PRISMA}`)}`,
    },
    {
      client: 'DBeaver (JDBC)',
      line: `jdbc:postgresql://${hostOf(access)}/${named(access)}?${POSTGRES_TLS}`,
    },
  ],
  mysql: (access) => [
    {
      client: 'mysql',
      line: `MYSQL_PWD=${shellWord(access.password)} mysql ${mysqlOptions(access)} --ssl-mode=VERIFY_IDENTITY ${shellWord(access.database ?? '')}`,
    },
    ...mysqlLibraries(access),
  ],
  mariadb: (access) => [
    {
      client: 'mariadb',
      line: `MYSQL_PWD=${shellWord(access.password)} mariadb ${mysqlOptions(access)} --ssl-verify-server-cert ${shellWord(access.database ?? '')}`,
    },
    ...mysqlLibraries(access),
    {
      client: 'DBeaver (JDBC)',
      line: `jdbc:mariadb://${hostOf(access)}/${named(access)}?sslMode=verify-full&serverSslCert=${CA_FILE}`,
    },
  ],
  redis: (access) => [
    {
      client: 'redis-cli',
      line: `REDISCLI_AUTH=${shellWord(access.password)} redis-cli ${redisOptions(access)}`,
    },
    {
      client: 'ioredis',
      line: `new Redis(${codeText(outsideUrl(access))}, { tls: { ca: readFileSync(${codeText(CA_FILE)}) } })`,
    },
  ],
  mongodb: (access) => [
    { client: 'mongosh', line: `${MONGOSH_PASSWORD}=${shellWord(access.password)} mongosh ${mongoshOptions(access)}` },
  ],
};

function mysqlLibraries(access: OutsideAccess): ClientLine[] {
  const tls = `{ ca: readFileSync(${codeText(CA_FILE)}), verifyIdentity: true }`;
  return [
    { client: 'mysql2', line: `mysql.createConnection({ uri: ${codeText(mysqlUrl(access))}, ssl: ${tls} })` },
    {
      client: 'Prisma',
      line: `DATABASE_URL=${shellWord(`${mysqlUrl(access)}?sslaccept=strict&sslcert=${FROM_PRISMA}`)}`,
    },
  ];
}

/** Returns the options of the programs `mariadb` and `mysql`. For `localhost`, they use a Unix socket by default. */
function mysqlOptions({ host, port, username }: OutsideAccess): string {
  return `--protocol=tcp --host=${host} --port=${port} --user=${shellWord(username)} --ssl-ca=${CA_FILE}`;
}

/** Returns a URL without a password. With such a URL, `psql` uses the variable `PGPASSWORD`. */
function psqlUrl(access: OutsideAccess): string {
  return `postgresql://${encoded(access.username)}@${hostOf(access)}/${named(access)}?${POSTGRES_TLS}`;
}

/** Returns the options of `redis-cli`. In a URL, it would read a user name without a password as the password. */
function redisOptions({ host, port, username }: OutsideAccess): string {
  return `--tls --cacert ${CA_FILE} -h ${host} -p ${port} --user ${shellWord(username)}`;
}

/** Returns the options of `mongosh`, with a script that signs in. The script ends with a value that is not printed. */
function mongoshOptions(access: OutsideAccess): string {
  const url = `mongodb://${hostOf(access)}/${named(access)}?${MONGODB_TLS}`;
  const signIn = `db.auth(${JSON.stringify(access.username)}, process.env.${MONGOSH_PASSWORD}); undefined`;
  return `${shellWord(url)} --shell --eval ${shellWord(signIn)}`;
}

function postgresUrl(access: OutsideAccess): string {
  return `postgresql://${loginAndHost(access)}/${named(access)}`;
}

function mysqlUrl(access: OutsideAccess): string {
  return `mysql://${loginAndHost(access)}/${named(access)}`;
}

function loginAndHost(access: OutsideAccess): string {
  return `${encoded(access.username)}:${encoded(access.password)}@${hostOf(access)}`;
}

function hostOf({ host, port }: OutsideAccess): string {
  return `${host}:${port}`;
}

function named({ database }: OutsideAccess): string {
  return encoded(database ?? '');
}

/** Encodes a text for a URL. Also encodes `'`, which `encodeURIComponent` leaves unchanged. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}

/** Returns a text as a JavaScript string. The text must be URL-encoded, so that it contains no quotation marks. */
function codeText(text: string): string {
  return `'${text}'`;
}
