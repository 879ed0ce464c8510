import { anyText, key, limits, slug, textOrEmpty, when } from './forms.ts';
import { list, type ObjectShape, object, optional, required, text } from './shape.ts';

const ENGINES = ['postgres', 'mysql', 'mariadb', 'redis', 'mongodb'];
const VERSIONS = ['18', '17', '16', '15', '8.4', '8.0', '11.4', '10.11', '7.4', '7.2', '7.0'];
const EXTENSIONS = (
  'pgvector vectorchord pg_trgm btree_gin btree_gist bloom citext cube earthdistance fuzzystrmatch hstore intarray isn ' +
  'ltree pgcrypto seg tablefunc tsm_system_rows unaccent uuid-ossp dblink postgres_fdw pg_prewarm pgstattuple ' +
  'pg_buffercache pg_stat_statements'
).split(' ');

export const database: ObjectShape = object({
  key: required(key, 'Key for references, such as `${db.<key>.host}`.', 'db'),
  name: optional(slug, 'Name of the database on the instance. Default: the key.', 'shop-db'),
  engine: required(text({ suggests: ENGINES }), 'Database engine.', 'postgres'),
  version: optional(
    text({ suggests: VERSIONS }),
    'Version of the database engine, as text in quotes. Default: the newest available version.',
    '18',
  ),
  extensions: optional(
    list(text({ suggests: EXTENSIONS, mayBeEmpty: true })),
    'PostgreSQL extensions to install. Only for the engine `postgres`.',
    ['pg_trgm'],
  ),
  username: optional(anyText, 'Name of the database user. Default: the default user of the engine.', 'shop'),
  database: optional(anyText, 'Name of the database on the database server, as in a connection string.', 'shop'),
  expose: optional(
    { is: 'integer', orNull: true },
    'Port of the server for connections to the database from outside the instance. `0`: the instance chooses the port. `null`: no port.',
    0,
  ),
  limits,
  when,
});

export const store: ObjectShape = object({
  key: required(key, 'Key for references, such as `${store.<key>.bucket}`.', 'files'),
  name: optional(slug, 'Name of the object store on the instance. Default: the key.', 'shop-files'),
  version: optional(anyText, 'Version of the object store, as text in quotes.', '3.97'),
  buckets: optional(list(textOrEmpty), 'Buckets to create.', ['uploads']),
  limits,
  when,
});
