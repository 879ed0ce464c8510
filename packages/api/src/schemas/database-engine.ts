import { z } from 'zod';

export const DATABASE_ENGINES = ['postgres', 'mysql', 'mariadb', 'redis', 'mongodb'] as const;
export type DatabaseEngine = (typeof DATABASE_ENGINES)[number];

export const Engine = z.enum(DATABASE_ENGINES, `must be one of ${DATABASE_ENGINES.join(', ')}`);

export const DatabaseEngineOffer = z
  .object({
    engine: Engine,
    port: z.int(),
    stem: z
      .enum(['DATABASE', 'REDIS', 'MONGO'])
      .describe('Prefix of the environment variables that an attached app gets, such as `DATABASE` in `DATABASE_URL`.'),
    named: z
      .boolean()
      .describe(
        'Whether clients specify the name of a database when they connect, as with PostgreSQL and MySQL. `false` for Redis.',
      ),
    only_user: z
      .string()
      .nullable()
      .describe(
        'Name of the user, if databases of this engine have exactly one user. `null` for engines with several users.',
      ),
    refused_users: z.array(z.string()),
    versions: z
      .array(
        z.object({
          version: z.string(),
          image: z.string(),
          made_here: z
            .boolean()
            .describe(
              'Whether Davit builds the image of this database version from packages of the Linux distribution. `false`: Davit pulls the image.',
            ),
        }),
      )
      .describe('Available versions of the database server. The first version is the default.'),
    extensions: z.array(
      z.object({
        name: z.string(),
        needs: z
          .array(z.string())
          .describe('Other extensions that this extension requires. Davit also installs these extensions.'),
        versions: z.array(z.string()).describe('Versions of the database server that have the extension.'),
      }),
    ),
  })
  .meta({ id: 'DatabaseEngine', description: 'Database engine, such as PostgreSQL, that this instance offers.' });
export type DatabaseEngineOffer = z.infer<typeof DatabaseEngineOffer>;
