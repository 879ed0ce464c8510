/** Schemas of requests that create or change a database. */
import { z } from 'zod';
import { Slug } from './common.ts';
import { DatabaseLimits, DatabaseReference } from './database.ts';
import { Engine } from './database-engine.ts';
import { keptLimitsChange } from './limits.ts';

/**
 * Range of TCP ports on the server for databases with public access. If the user specifies no port, Davit selects a
 * port from this range.
 */
export const DATABASE_PORTS = { first: 15_000, last: 15_999 } as const;

/**
 * Name of a database user, or of a database inside a database server. All database engines accept such a name without
 * quotes.
 */
const EngineName = z
  .string()
  .max(32, 'must be at most 32 characters')
  .regex(
    /^[A-Za-z_][A-Za-z0-9_-]*$/,
    'must contain only letters, digits, “_” and “-”, and must begin with a letter or “_”',
  );

/**
 * Password of a database user. All allowed characters are valid in a URL. After escaping, these characters are also
 * valid in the commands of all database engines.
 */
const EnginePassword = z
  .string()
  .min(8, 'must be at least 8 characters')
  .max(128, 'must be at most 128 characters')
  .regex(/^[!#-&(-[\]-_a-~]*$/, 'must contain only printable ASCII characters, without spaces, quotes and “\\”');

const Description = z.string().max(500).nullable();
const Extensions = z.array(z.string().min(1).max(64)).max(64);

const ALLOW_CONFIG =
  'Whether apps may use the Redis commands `CONFIG GET`, `CONFIG SET` and `CONFIG RESETSTAT`. Changes with these commands are lost when Redis restarts. Only for Redis.';

export const DatabaseCreate = z
  .strictObject({
    project: Slug,
    environment: Slug.default('production').describe('Name of the environment. Default: `production`.'),
    name: Slug.describe(
      'Name of the database. The name is unique among the databases of the environment. An app may have the same name.',
    ),
    engine: Engine,
    version: z
      .string()
      .max(20)
      .optional()
      .describe(
        'Version of the database server, from `GET /database-engines`. Default: the first version in the list.',
      ),
    description: Description.default(null),
    extensions: Extensions.default([]).describe(
      'PostgreSQL extensions to install. Davit also installs their dependencies. Other database engines have no extensions.',
    ),
    username: EngineName.optional().describe(
      'Name of the database user that apps use. Default: the default user of the database server. For Redis, the user is always `default`.',
    ),
    database: EngineName.optional().describe(
      'Name of the database on the database server, as in a connection string. Default: the value of `name` with `_` instead of `-`. Not for Redis.',
    ),
    password: EnginePassword.optional().describe(
      'Password of the database user that apps use. Default: a generated password. To read the password, get the credentials of the database.',
    ),
    allow_config: z.boolean().default(false).describe(`${ALLOW_CONFIG} Default: false.`),
    limits: DatabaseLimits.prefault({}),
    expose: z
      .int()
      .refine((port) => port === 0 || (port >= 1_024 && port <= 65_535), 'must be 0 or a port from 1024 to 65535')
      .nullable()
      .default(null)
      .describe(
        'Port on the server that clients outside the environment use to connect to the database. 0: the first free port. `null`: the database is not exposed.',
      ),
  })
  .meta({ id: 'DatabaseCreate' });
export type DatabaseCreate = z.infer<typeof DatabaseCreate>;

export const DatabasePatch = z
  .strictObject({
    description: Description.optional(),
    allow_config: z.boolean().optional().describe(`${ALLOW_CONFIG} The change takes effect immediately.`),
    limits: keptLimitsChange
      .nullable()
      .optional()
      .describe('Limits to change. Absent fields do not change. `null` removes all limits.'),
  })
  .meta({ id: 'DatabasePatch', description: 'Fields to change. Absent fields do not change.' });
export type DatabasePatch = z.infer<typeof DatabasePatch>;

export const DatabaseExpose = z
  .strictObject({
    port: z
      .int()
      .min(1_024)
      .max(65_535)
      .optional()
      .describe(
        `Free port on the server that clients outside the environment use to connect to the database. Default: the first free port from ${DATABASE_PORTS.first} to ${DATABASE_PORTS.last}.`,
      ),
  })
  .meta({ id: 'DatabaseExpose' });
export type DatabaseExpose = z.infer<typeof DatabaseExpose>;

export const RestoreDatabaseInput = z
  .strictObject({
    name: Slug.optional().describe('Name of the restored database. Default: its previous name.'),
    into: DatabaseReference.optional().describe(
      'Address of the restored database: `project/environment/name`. The project and the environment must exist. Default: the previous address of the database.',
    ),
  })
  .refine(({ name, into }) => name === undefined || into === undefined, {
    path: ['name'],
    error: 'cannot be combined with “into”: send one of the two',
  })
  .meta({ id: 'RestoreDatabase' });
export type RestoreDatabaseInput = z.infer<typeof RestoreDatabaseInput>;
