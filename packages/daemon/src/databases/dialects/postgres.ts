/**
 * PostgreSQL. The data belongs to a role without a login, {@link OWNER}, and every login is a member of it that acts as it from
 * the start: a login can be taken away without anything that it made.
 */
import { DATABASE_FILES } from '../../engine/made-images.ts';
import { ADMIN, type Ask, type DatabaseFacts, type Dialect, type Login, secretFile } from './dialect.ts';
import { scramVerifier } from './scram.ts';

const OWNER = 'davit_owner';

const UID = 999;
const HBA = '/etc/davit/pg_hba.conf';
/** In a folder below the volume's root, where the server insists on its own rights. */
export const PGDATA = '/var/lib/postgresql/data/pgdata';

/** Extensions that are loaded with the server, by their SQL names. */
const PRELOADED: Record<string, string> = { pg_stat_statements: 'pg_stat_statements', vchord: 'vchord' };

function loadedFor(extensions: readonly string[]): string[] {
  return extensions.flatMap((name) => PRELOADED[name] ?? []);
}

export const postgres: Dialect = {
  engine: 'postgres',
  dataPath: '/var/lib/postgresql/data',
  port: 5432,
  exposedPort: 5432,
  demandsTls: true,
  uid: UID,
  user: 'postgres',
  // Ends connections and writes everything down; SIGTERM would wait for who is connected.
  stop: { signal: 'SIGINT', graceS: 60 },
  serve(facts, gateway) {
    const { adminPassword, tls, extensions } = facts;
    const preloaded = loadedFor(extensions);
    const settings = {
      ssl: 'on',
      ssl_cert_file: DATABASE_FILES.tlsCertificate,
      ssl_key_file: DATABASE_FILES.tlsKey,
      hba_file: HBA,
      ...(preloaded.length > 0 && { shared_preload_libraries: preloaded.join(',') }),
    };
    return {
      env: { POSTGRES_USER: ADMIN, POSTGRES_DB: 'postgres', POSTGRES_PASSWORD_FILE: DATABASE_FILES.password, PGDATA },
      args: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      files: [
        secretFile(DATABASE_FILES.password, adminPassword, UID),
        secretFile(HBA, accessRules(gateway), UID),
        secretFile(DATABASE_FILES.tlsCertificate, tls.certificate, UID),
        secretFile(DATABASE_FILES.tlsKey, tls.key, UID),
      ],
    };
  },
  // Over the network: while an empty folder is filled the server answers on its socket alone.
  ready: () => ({
    command: ['pg_isready', '-q', '-h', '127.0.0.1', '-p', '5432', '-U', ADMIN, '-d', 'postgres'],
    user: 'postgres',
    stdin: '',
  }),
  setUp(facts) {
    const { login, otherLogins, extensions } = facts;
    const database = databaseOf(facts);
    return sql([
      role(OWNER, 'NOLOGIN CREATEDB'),
      ...[login, ...otherLogins].flatMap(loginStatements),
      `SELECT 'CREATE DATABASE ${identifier(database)} OWNER ${OWNER}' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = ${literal(database)})\\gexec`,
      `ALTER DATABASE ${identifier(database)} OWNER TO ${OWNER};`,
      `\\connect ${identifier(database)}`,
      `ALTER SCHEMA public OWNER TO ${OWNER};`,
      ...extensions.map(extensionStatement),
    ]);
  },
  addLogin: (_facts, login) => sql(loginStatements(login)),
  logIn: (facts, login) =>
    // Where it is not let in the program ends.
    sql([`\\connect ${literal(conninfo(login, databaseOf(facts)))}`, 'SELECT 1;']),
  dropLogin(facts, { username }) {
    const name = identifier(username);
    return sql([
      `\\connect ${identifier(databaseOf(facts))}`,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ${literal(username)} AND pid <> pg_backend_pid();`,
      `SELECT format('REASSIGN OWNED BY %I TO ${OWNER}', rolname) FROM pg_roles WHERE rolname = ${literal(username)}\\gexec`,
      `SELECT format('DROP OWNED BY %I', rolname) FROM pg_roles WHERE rolname = ${literal(username)}\\gexec`,
      `DROP ROLE IF EXISTS ${name};`,
    ]);
  },
  addExtensions: (facts, extensions) =>
    sql([`\\connect ${identifier(databaseOf(facts))}`, ...extensions.map(extensionStatement)]),
  loaded: loadedFor,
  available: () => sql(['SELECT name FROM pg_available_extensions;']),
  reserved: { users: /^(pg_.*|davit_.*)$/i, databases: /^template[01]$/ },
};

/** Apps of the environment may come without TLS; the machine itself, through which strangers come, and all others may not. */
function accessRules(gateway: string): string {
  return [
    'local all all trust',
    'local replication all trust',
    'host all all 127.0.0.1/32 scram-sha-256',
    'hostssl all all all scram-sha-256',
    `hostnossl all all ${gateway}/32 reject`,
    'hostnossl all all samenet scram-sha-256',
    '',
  ].join('\n');
}

/** As the server's superuser, over the socket, which nobody outside of the container has. */
function sql(statements: readonly string[]): Ask {
  return {
    command: ['psql', '-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-U', ADMIN, '-d', 'postgres'],
    user: 'postgres',
    // An older server's rules for passwords do not matter: what is said is what it keeps.
    stdin: `${statements.join('\n')}\n`,
  };
}

function loginStatements({ username, password }: Login): string[] {
  const name = identifier(username);
  return [
    role(username, 'LOGIN'),
    `ALTER ROLE ${name} WITH LOGIN NOSUPERUSER PASSWORD ${literal(scramVerifier(password))};`,
    `GRANT ${OWNER} TO ${name};`,
    `ALTER ROLE ${name} SET role = ${literal(OWNER)};`,
  ];
}

/** Made where it is not there. */
function role(name: string, options: string): string {
  const statement = `CREATE ROLE ${identifier(name)} ${options}`;
  return `SELECT ${literal(statement)} WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${literal(name)})\\gexec`;
}

function extensionStatement(name: string): string {
  return `CREATE EXTENSION IF NOT EXISTS ${identifier(name)} CASCADE;`;
}

/** As the client's library takes it; quotes and «\\» are escaped in it, and once more in what psql reads. */
function conninfo({ username, password }: Login, database: string): string {
  const value = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  return `host=127.0.0.1 port=5432 user=${value(username)} password=${value(password)} dbname=${value(database)}`;
}

function databaseOf({ database }: DatabaseFacts): string {
  return database ?? 'postgres';
}

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** With the standard strings that every server of today has. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
