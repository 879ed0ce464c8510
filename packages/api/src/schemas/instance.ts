import { z } from 'zod';

export const Instance = z
  .object({
    id: z.string().describe('Permanent; in the name and the labels of everything this Davit makes.'),
    version: z.string().describe('Of Davit.'),
    engine: z
      .object({
        kind: z.enum(['docker', 'memory']),
        version: z.string().nullable().describe('The engine’s own word; null until it has answered.'),
        simulated: z.boolean().describe('Nothing real runs.'),
        available: z.boolean().describe('It answered when it was last asked, seconds ago.'),
      })
      .describe('What runs the containers.'),
    domain: z.string().describe('The instance’s own host; apps get hosts below it.'),
    ports: z
      .object({ http: z.int(), https: z.int(), registry: z.int() })
      .describe('Where the proxy and the registry are to be reached.'),
    limits: z
      .object({
        body_bytes: z.int().describe('The largest body of a request.'),
        slug_length: z.int().describe('The longest name of a project, environment or app, in characters.'),
        scale: z.int().describe('The most instances of an app.'),
        pull_s: z.int().describe('How long an image may take to be pulled.'),
        release_command_s: z.int().describe('How long a release command may run.'),
      })
      .describe('What this instance holds requests and deployments to.'),
    warnings: z.array(z.string()).describe('What an operator should know, in sentences.'),
  })
  .meta({ id: 'DavitInstance' });
export type Instance = z.infer<typeof Instance>;
