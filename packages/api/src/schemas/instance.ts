import { z } from 'zod';

export const DISK_STATES = ['ok', 'warning', 'refusing'] as const;
export type DiskState = (typeof DISK_STATES)[number];

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
    disk: z
      .object({
        path: z.string().describe('Where: the data directory, or the folder of the engine’s images and volumes.'),
        total_bytes: z.int().describe('Without what is reserved for root.'),
        free_bytes: z.int(),
        state: z
          .enum(DISK_STATES)
          .describe('`warning`: it fills up. `refusing`: no new release is deployed until there is room again.'),
      })
      .nullable()
      .describe('The fullest of the disks that it needs; null when none was seen yet.'),
    warnings: z.array(z.string()).describe('What an operator should know, in sentences.'),
  })
  .meta({ id: 'DavitInstance' });
export type Instance = z.infer<typeof Instance>;
