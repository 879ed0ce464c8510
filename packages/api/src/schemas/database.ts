import { z } from 'zod';
import { DATABASE_STATUSES } from '../states/database.ts';
import { SLUG_LENGTH, Timestamp } from './common.ts';
import { Engine } from './database-engine.ts';
import { keptLimits } from './limits.ts';

/** Reference of a database as one string: `project/environment/name`. */
export const DatabaseReference = z
  .string()
  .max(3 * SLUG_LENGTH + 2)
  .regex(/^[a-z0-9-]+\/[a-z0-9-]+\/[a-z0-9-]+$/, 'must be the address of a database, “project/environment/name”')
  .describe('Address of a database: `project/environment/name`.');

export const DatabaseLimits = z
  .strictObject(keptLimits)
  .meta({ id: 'DatabaseLimits', description: 'Limits of a database. A change takes effect immediately.' });
export type DatabaseLimits = z.infer<typeof DatabaseLimits>;

export const DatabaseExposed = z
  .object({
    port: z.int().describe('Port on the server that clients outside the environment use to connect to the database.'),
    tls: z
      .boolean()
      .describe(
        'Whether the port uses TLS. The credentials of the database contain the CA certificate that verifies the database.',
      ),
  })
  .meta({ id: 'DatabaseExposed' });

export const DatabaseAttachment = z
  .object({
    app: z.string().describe('Address of the app: `project/environment/app`.'),
    prefix: z.string().describe('Prefix for the names of the environment variables that the app gets. Usually empty.'),
  })
  .meta({ id: 'DatabaseAttachment' });
export type DatabaseAttachment = z.infer<typeof DatabaseAttachment>;

const Deleted = z
  .object({
    at: Timestamp,
    expires_at: Timestamp.describe('Time when Davit permanently deletes the database and its data.'),
  })
  .nullable()
  .describe(
    'Time when the database was moved to the trash, and time of its permanent deletion. `null` if the database is not in the trash.',
  );

export const Database = z
  .object({
    id: z
      .int()
      .describe('ID of the database. Requests for databases in the trash use the ID. Davit never reuses the ID.'),
    reference: z.string().describe('Address of the database: `project/environment/name`.'),
    project: z.string(),
    environment: z.string(),
    name: z.string(),
    engine: Engine,
    version: z.string(),
    image: z.string().describe('Image of the database container.'),
    description: z.string().nullable(),
    extensions: z.array(z.string()).describe('Names of the installed extensions. Only for PostgreSQL.'),
    username: z.string(),
    database: z
      .string()
      .nullable()
      .describe(
        'Name of the database on the database server, as in a connection string. `null` for Redis, whose databases have no names.',
      ),
    allow_config: z
      .boolean()
      .describe('Whether apps may use the Redis command `CONFIG`. Always `false` for other database engines.'),
    status: z
      .enum(DATABASE_STATUSES)
      .describe(
        'Status of the database. `degraded`: the container is running, but the database does not respond. `down`: the container has stopped unexpectedly. `trash`: the database is in the trash.',
      ),
    status_reason: z
      .string()
      .nullable()
      .describe(
        'Reason for the status of the database, in one sentence. For a database in the trash: the task that replaced the data, or `null` if a user deleted the database. Otherwise, `null` if the status is `running` or the reason is not known.',
      ),
    limits: DatabaseLimits,
    host: z.string().describe('Host name that apps of the same environment use to connect to the database.'),
    port: z.int(),
    exposed: DatabaseExposed.nullable().describe(
      'Port on the server that clients outside the environment use to connect to the database. `null` if only apps of the environment can connect.',
    ),
    attachments: z.array(DatabaseAttachment),
    used_by: z
      .array(z.string())
      .describe(
        'Addresses of the apps that use the database: attached apps, and apps whose variables, files or commands contain the host name of the database. The settings of the live release count too, until the next deployment. Davit does not delete a database in use.',
      ),
    size_bytes: z
      .int()
      .nullable()
      .optional()
      .describe('Size of the data in bytes. Present only with `sizes=true`. `null` if the size cannot be determined.'),
    task: z
      .int()
      .nullable()
      .describe('ID of the unfinished task of the database. `null` if there is no unfinished task.'),
    created_at: Timestamp,
    updated_at: Timestamp,
    deleted: Deleted,
  })
  .meta({ id: 'Database' });
export type Database = z.infer<typeof Database>;

const DatabaseClient = z
  .object({
    client: z.string().describe('Name of the client program or library.'),
    line: z
      .string()
      .describe('Command, code or connection string with which the client connects and verifies the certificate.'),
  })
  .meta({ id: 'DatabaseClient' });

export const DatabaseCredentials = z
  .object({
    username: z.string(),
    password: z.string(),
    database: z.string().nullable(),
    host: z.string(),
    port: z.int(),
    url: z.string().describe('Connection string for apps of the environment.'),
    exposed: z
      .object({
        host: z.string(),
        port: z.int(),
        url: z
          .string()
          .describe('Connection string. Clients that support its parameters verify the certificate of the database.'),
        certificate: z
          .string()
          .describe(
            'CA certificate of the instance in PEM format. Clients verify the TLS certificate of the database with it.',
          ),
        ca_file: z
          .string()
          .describe('File name of the CA certificate in `url` and in `clients`. Save `certificate` under this name.'),
        clients: z
          .array(DatabaseClient)
          .describe('Connection lines for common clients, which contain the password of the database.'),
      })
      .nullable()
      .describe('Connection details for clients outside the environment. `null` if the database is not exposed.'),
  })
  .meta({
    id: 'DatabaseCredentials',
    description: 'Connection details of a database, including the user name and the password.',
  });
export type DatabaseCredentials = z.infer<typeof DatabaseCredentials>;
