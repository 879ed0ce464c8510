import { z } from 'zod';

export const DATABASE_ENGINES = ['postgres', 'mysql', 'mariadb', 'redis', 'mongodb'] as const;
export type DatabaseEngine = (typeof DATABASE_ENGINES)[number];

export const Engine = z.enum(DATABASE_ENGINES, `must be one of ${DATABASE_ENGINES.join(', ')}`);

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
