import { z } from 'zod';
import { DATABASE_STATUSES } from '../states/database.ts';
import { SLUG_LENGTH, Timestamp } from './common.ts';
import { Engine } from './database-engine.ts';
import { keptLimits } from './limits.ts';

/** How a database is named where one field has to do. */
export const DatabaseReference = z
  .string()
  .max(3 * SLUG_LENGTH + 2)
  .regex(/^[a-z0-9-]+\/[a-z0-9-]+\/[a-z0-9-]+$/, 'must be a database’s reference, «project/environment/name»')
  .describe('`project/environment/name`.');

export const DatabaseLimits = z
  .strictObject(keptLimits)
  .meta({ id: 'DatabaseLimits', description: 'What a database may use; acts at once.' });
export type DatabaseLimits = z.infer<typeof DatabaseLimits>;

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
    allow_config: z
      .boolean()
      .describe('Whether the login of apps may use the command `CONFIG`. Always false for engines other than redis.'),
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
