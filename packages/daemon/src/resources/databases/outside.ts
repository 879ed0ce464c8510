/**
 * Creates addresses of exposed databases for clients outside the environment. These clients verify the TLS
 * certificate of the database.
 */
import { CA_FILE, type DatabaseCredentials, type DatabaseEngine, shellWord } from '@davit/api';

/** Database login with the host and port for clients outside the environment. */
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
 * Returns the address of an exposed database for clients outside the environment. If the URL format allows it, the
 * address requires TLS and contains the path of the CA file.
 */
export function outsideUrl(access: OutsideAccess): string {
  return ADDRESSES[access.engine](access);
}

/**
 * Returns one command or line of code for each common database client. With this line, the client connects to the
 * database and verifies its certificate. Commands get the password from an environment variable, because other users of
 * a computer can see the arguments of a process.
 */
export function clientsOf(access: OutsideAccess): ClientLine[] {
  return CLIENTS[access.engine](access);
}

/**
 * `mysql2` uses TLS only with this URL parameter, and parses the value of the parameter as JSON. The URL cannot contain
 * a CA file.
 */
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

/**
 * Environment variable with the password for `mongosh`. `mongosh` itself reads no environment variable for the
 * password, so the command reads the variable.
 */
const MONGOSH_PASSWORD = 'MONGOSH_PASSWORD';

/** Path of the CA file for Prisma. The path is relative to the folder of the Prisma schema. */
const FROM_PRISMA = `../${CA_FILE}`;

const CLIENTS: Record<DatabaseEngine, (access: OutsideAccess) => ClientLine[]> = {
  postgres: (access) => [
    { client: 'psql', line: `PGPASSWORD=${shellWord(access.password)} psql ${shellWord(psqlUrl(access))}` },
    {
      client: 'node-postgres (pg)',
      line: `new pg.Client({ connectionString: ${codeText(outsideUrl(access))} })`,
    },
    { client: 'Prisma Client', line: `new PrismaPg({ connectionString: ${codeText(outsideUrl(access))} })` },
    {
      client: 'Prisma Migrate',
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
    { client: 'Prisma Client', line: `new PrismaMariaDb(${mariadbConfig(access)})` },
    {
      client: 'Prisma Migrate',
      line: `DATABASE_URL=${shellWord(`${mysqlUrl(access)}?sslaccept=strict&sslcert=${FROM_PRISMA}`)}`,
    },
  ];
}

/** Returns the connection settings of the npm package `mariadb`, which Prisma uses for MariaDB and MySQL. */
function mariadbConfig({ host, port, username, password, database }: OutsideAccess): string {
  const texts = Object.entries({ host, user: username, password, database });
  const settings = texts.map(([name, text]) => `${name}: ${JSON.stringify(text)}`).join(', ');
  return `{ ${settings}, port: ${port}, ssl: { ca: readFileSync(${codeText(CA_FILE)}) } }`;
}

/**
 * Returns the options of the programs `mariadb` and `mysql`. Without these options, the programs use a Unix socket for
 * the host `localhost`.
 */
function mysqlOptions({ host, port, username }: OutsideAccess): string {
  return `--protocol=tcp --host=${host} --port=${port} --user=${shellWord(username)} --ssl-ca=${CA_FILE}`;
}

/**
 * Returns a URL without a password. With this URL, `psql` reads the password from the environment variable
 * `PGPASSWORD`.
 */
function psqlUrl(access: OutsideAccess): string {
  return `postgresql://${encoded(access.username)}@${hostOf(access)}/${named(access)}?${POSTGRES_TLS}`;
}

/**
 * Returns the options of `redis-cli`. The options replace a URL, because `redis-cli` would read a user name without a
 * password in a URL as the password.
 */
function redisOptions({ host, port, username }: OutsideAccess): string {
  return `--tls --cacert ${CA_FILE} -h ${host} -p ${port} --user ${shellWord(username)}`;
}

/**
 * Returns the options of `mongosh` with a script that signs in. The last value of the script is a value that `mongosh`
 * does not print.
 */
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

/** Encodes a text for a URL. The function also encodes `'`, because `encodeURIComponent` does not. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}

/** Returns a text as a JavaScript string. The text must be URL-encoded, so that it contains no quotation marks. */
function codeText(text: string): string {
  return `'${text}'`;
}
