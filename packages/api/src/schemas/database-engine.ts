import { z } from 'zod';

export const DATABASE_ENGINES = ['postgres', 'mysql', 'mariadb', 'redis', 'mongodb'] as const;
export type DatabaseEngine = (typeof DATABASE_ENGINES)[number];

export const Engine = z.enum(DATABASE_ENGINES, `must be one of ${DATABASE_ENGINES.join(', ')}`);

export const DatabaseEngineOffer = z
  .object({
    engine: Engine,
    port: z.int(),
    stem: z.enum(['DATABASE', 'REDIS', 'MONGO']).describe('First part of the variable names of an attachment.'),
    named: z.boolean().describe('Whether the engine has named databases.'),
    only_user: z.string().nullable().describe('Name of the only user, if the engine has only one. `null` otherwise.'),
    refused_users: z.array(z.string()),
    versions: z
      .array(
        z.object({
          version: z.string(),
          image: z.string(),
          made_here: z
            .boolean()
            .describe(
              'Whether the instance builds the image from packages of the distribution. Otherwise it pulls the image.',
            ),
        }),
      )
      .describe('Available versions. The first one is the default.'),
    extensions: z.array(
      z.object({
        name: z.string(),
        needs: z.array(z.string()).describe('Extensions that are installed with this one.'),
        versions: z.array(z.string()).describe('Versions of the engine that have the extension.'),
      }),
    ),
  })
  .meta({ id: 'DatabaseEngine', description: 'Database engine that this instance offers.' });
export type DatabaseEngineOffer = z.infer<typeof DatabaseEngineOffer>;
