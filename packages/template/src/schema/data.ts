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
  key: required(key, 'What the file refers to it by, as `${db.<key>.host}`.', 'db'),
  name: optional(slug, 'Its name on the instance; the key unless said.', 'shop-db'),
  engine: required(text({ suggests: ENGINES }), 'Which database it is.', 'postgres'),
  version: optional(text({ suggests: VERSIONS }), 'In quotes; the newest on offer unless said.', '18'),
  extensions: optional(
    list(text({ suggests: EXTENSIONS, mayBeEmpty: true })),
    'Of postgres: what is to be installed in it.',
    ['pg_trgm'],
  ),
  username: optional(anyText, 'The name of its user; the engine’s own unless said.', 'shop'),
  database: optional(anyText, 'The name of the database in it.', 'shop'),
  expose: optional(
    { is: 'integer', orNull: true },
    'The port of the host it is reached at from outside; 0 picks one, null is none.',
    0,
  ),
  limits,
  when,
});

export const store: ObjectShape = object({
  key: required(key, 'What the file refers to it by, as `${store.<key>.bucket}`.', 'files'),
  name: optional(slug, 'Its name on the instance; the key unless said.', 'shop-files'),
  version: optional(anyText, 'The version of the object store, in quotes.', '3.97'),
  buckets: optional(list(textOrEmpty), 'What is created in it.', ['uploads']),
  limits,
  when,
});
