import { z } from 'zod';

export const Instance = z
  .object({
    id: z.string().describe('Permanent; in the name and the labels of everything this Davit makes.'),
    version: z.string(),
    engine: z.object({
      kind: z.enum(['docker', 'memory']),
      version: z.string().nullable(),
      simulated: z.boolean().describe('Nothing real runs.'),
      available: z.boolean(),
    }),
    domain: z.string(),
    ports: z.object({ http: z.int(), https: z.int(), registry: z.int() }),
    limits: z.object({
      body_bytes: z.int(),
      slug_length: z.int(),
      scale: z.int(),
      pull_s: z.int(),
      release_command_s: z.int(),
    }),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'DavitInstance' });
export type Instance = z.infer<typeof Instance>;
