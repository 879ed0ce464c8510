import { z } from 'zod';
import { DATABASE_STATUSES } from '../states/database.ts';
import { SLUG_LENGTH, Slug, Timestamp } from './common.ts';

export const DATABASE_ENGINES = ['postgres', 'mysql', 'mariadb', 'redis', 'mongodb'] as const;
export type DatabaseEngine = (typeof DATABASE_ENGINES)[number];

const Engine = z.enum(DATABASE_ENGINES, `must be one of ${DATABASE_ENGINES.join(', ')}`);

/** The ports of the machine that exposed databases are given unless one is named. */
export const DATABASE_PORTS = { first: 15_000, last: 15_999 } as const;

/** How a database is named where one field has to do. */
export const DatabaseReference = z
  .string()
  .max(3 * SLUG_LENGTH + 2)
  .regex(/^[a-z0-9-]+\/[a-z0-9-]+\/[a-z0-9-]+$/, 'must be a database’s reference, «project/environment/name»')
  .describe('`project/environment/name`.');

/** What every engine takes as the name of a user or a database without a doubt about its spelling. */
const EngineName = z
  .string()
  .max(32, 'must be at most 32 characters')
  .regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, 'must be letters, digits, «_» and «-», and begin with a letter or «_»');

/** What can stand in an address and in every engine's own words once it is escaped. */
const EnginePassword = z
  .string()
  .min(8, 'must be at least 8 characters')
  .max(128, 'must be at most 128 characters')
  .regex(/^[!#-&(-[\]-_a-~]*$/, 'must be printable ASCII without blanks, quotes and «\\»');

export const DatabaseLimits = z
  .strictObject({
    cpu: z.number().min(0.01).max(1_024).nullable().default(null).describe('Cores; null: no limit.'),
    memory_bytes: z
      .int()
      .min(64 * 1024 * 1024)
      .nullable()
      .default(null)
      .describe('Null: the machine less what the platform keeps for itself.'),
  })
  .meta({ id: 'DatabaseLimits', description: 'What a database may use; acts at once.' });
export type DatabaseLimits = z.infer<typeof DatabaseLimits>;

const Description = z.string().max(500).nullable();
const Extensions = z.array(z.string().min(1).max(64)).max(64);

export const DatabaseCreate = z
  .strictObject({
    project: Slug,
    environment: Slug.default('production').describe('An environment of the project.'),
    name: Slug.describe('Unique among the databases of the environment; an app may have the same name.'),
    engine: Engine,
    version: z
      .string()
      .max(20)
      .optional()
      .describe('One of those that `GET /database-engines` lists; absent: the first of them.'),
    description: Description.default(null),
    extensions: Extensions.default([]).describe('Of postgres: what is installed in it, with what that stands on.'),
    username: EngineName.optional().describe('Absent: the engine’s own; of redis it is always `default`.'),
    database: EngineName.optional().describe('Absent: the name, with «_» for «-». Redis has none.'),
    password: EnginePassword.optional().describe('Absent: one is made. It is in no answer but the credentials.'),
    limits: DatabaseLimits.prefault({}),
    expose: z
      .int()
      .refine((port) => port === 0 || (port >= 1_024 && port <= 65_535), 'must be 0 or a port from 1024 to 65535')
      .nullable()
      .default(null)
      .describe('The port of the machine that leads to it from outside; 0: the first free one. Null: none.'),
  })
  .meta({ id: 'DatabaseCreate' });
export type DatabaseCreate = z.infer<typeof DatabaseCreate>;

export const DatabasePatch = z
  .strictObject({
    description: Description.optional(),
    limits: z
      .strictObject({
        cpu: DatabaseLimits.shape.cpu.unwrap().optional(),
        memory_bytes: DatabaseLimits.shape.memory_bytes.unwrap().optional(),
      })
      .nullable()
      .optional()
      .describe('What is absent stays; null: no limits.'),
  })
  .meta({ id: 'DatabasePatch', description: 'What is absent stays.' });
export type DatabasePatch = z.infer<typeof DatabasePatch>;

export const DatabaseExpose = z
  .strictObject({
    port: z
      .int()
      .min(1_024)
      .max(65_535)
      .optional()
      .describe(
        `A free port of the machine. Absent: the first free one from ${DATABASE_PORTS.first} to ${DATABASE_PORTS.last}.`,
      ),
  })
  .meta({ id: 'DatabaseExpose' });
export type DatabaseExpose = z.infer<typeof DatabaseExpose>;

export const DatabaseExposed = z
  .object({
    port: z.int().describe('Of the machine.'),
    tls: z.boolean().describe('It speaks TLS there; the credentials have the certificate.'),
  })
  .meta({ id: 'DatabaseExposed' });

export const DatabaseAttachment = z
  .object({
    app: z.string().describe('`project/environment/app`.'),
    prefix: z.string().describe('What the variables begin with; mostly nothing.'),
  })
  .meta({ id: 'DatabaseAttachment' });
export type DatabaseAttachment = z.infer<typeof DatabaseAttachment>;

const Deleted = z
  .object({ at: Timestamp, expires_at: Timestamp.describe('When its data is removed for good.') })
  .nullable()
  .describe('Null outside the trash.');

export const Database = z
  .object({
    id: z.int().describe('Its number, which the trash is asked by; never given again.'),
    reference: z.string().describe('`project/environment/name`.'),
    project: z.string(),
    environment: z.string(),
    name: z.string(),
    engine: Engine,
    version: z.string(),
    image: z.string().describe('What its container is of.'),
    description: z.string().nullable(),
    extensions: z.array(z.string()).describe('By name; of postgres alone.'),
    username: z.string(),
    database: z.string().nullable().describe('Null: the engine has none with names.'),
    status: z
      .enum(DATABASE_STATUSES)
      .describe('`degraded`: up, and it does not answer. `down`: it should run and does not. `trash`: deleted.'),
    status_reason: z.string().nullable().describe('Why it is not as it should be, in a sentence.'),
    limits: DatabaseLimits,
    host: z.string().describe('Where apps of the environment find it.'),
    port: z.int(),
    exposed: DatabaseExposed.nullable().describe('Null: only apps of its environment reach it.'),
    attachments: z.array(DatabaseAttachment),
    size_bytes: z.int().nullable().optional().describe('Of its data, where it was asked for; null: it cannot be said.'),
    task: z.int().nullable().describe('The task that is open for it.'),
    created_at: Timestamp,
    updated_at: Timestamp,
    deleted: Deleted,
  })
  .meta({ id: 'Database' });
export type Database = z.infer<typeof Database>;

export const DatabaseCredentials = z
  .object({
    username: z.string(),
    password: z.string(),
    database: z.string().nullable(),
    host: z.string(),
    port: z.int(),
    url: z.string().describe('All of that in one address, for apps of the environment.'),
    exposed: z
      .object({
        host: z.string(),
        port: z.int(),
        url: z.string(),
        certificate: z.string().describe('PEM: what the database proves itself with; nobody else has signed it.'),
      })
      .nullable()
      .describe('The same from outside.'),
  })
  .meta({ id: 'DatabaseCredentials', description: 'What a database is reached with.' });
export type DatabaseCredentials = z.infer<typeof DatabaseCredentials>;

export const DatabaseEngineOffer = z
  .object({
    engine: Engine,
    port: z.int(),
    stem: z.enum(['DATABASE', 'REDIS', 'MONGO']).describe('What the variables of an attachment begin with.'),
    named: z.boolean().describe('It has databases with names.'),
    only_user: z.string().nullable().describe('The only user it has, where it has but one.'),
    refused_users: z.array(z.string()),
    versions: z
      .array(
        z.object({
          version: z.string(),
          image: z.string(),
          made_here: z
            .boolean()
            .describe('This machine makes the image itself, of its system’s packages; otherwise it is pulled.'),
        }),
      )
      .describe('Those on offer, the one that is taken unless said first.'),
    extensions: z.array(
      z.object({
        name: z.string(),
        needs: z.array(z.string()).describe('Others that are added with it.'),
        versions: z.array(z.string()).describe('Those of the engine that have it.'),
      }),
    ),
  })
  .meta({ id: 'DatabaseEngine', description: 'A kind of database that can be made here.' });
export type DatabaseEngineOffer = z.infer<typeof DatabaseEngineOffer>;

export const RestoreDatabaseInput = z
  .strictObject({
    name: Slug.optional().describe('Absent: the name that it had.'),
  })
  .meta({ id: 'RestoreDatabase' });
export type RestoreDatabaseInput = z.infer<typeof RestoreDatabaseInput>;

export const DatabaseMetrics = z
  .object({
    window: z.enum(['1h', '6h', '24h', '7d']),
    step_s: z.int().describe('The length of a step.'),
    samples: z
      .array(
        z.object({
          at: Timestamp.describe('The end of the step.'),
          cpu_percent: z.number().nullable().describe('The mean over the step; 100 is one core.'),
          memory_bytes: z.int().nullable().describe('The most in the step, without the page cache.'),
          memory_limit_bytes: z.int().nullable(),
          received_bytes_per_s: z.number().nullable(),
          sent_bytes_per_s: z.number().nullable(),
        }),
      )
      .describe('One for each step of the window, oldest first; null in every field where nothing was measured.'),
  })
  .meta({ id: 'DatabaseMetrics' });
export type DatabaseMetrics = z.infer<typeof DatabaseMetrics>;

export const DatabaseLogLines = z
  .object({
    lines: z.array(z.object({ at: Timestamp, stream: z.enum(['stdout', 'stderr']), line: z.string() })),
  })
  .meta({ id: 'DatabaseLogLines', description: 'Lines that a database wrote, oldest first.' });
export type DatabaseLogLines = z.infer<typeof DatabaseLogLines>;
