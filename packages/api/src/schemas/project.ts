import { z } from 'zod';
import { Slug, Timestamp } from './common.ts';

export const Project = z
  .object({
    slug: z.string().describe('Its name in paths; permanent.'),
    environments: z.array(z.string()).describe('The names of its environments.'),
    created_at: Timestamp,
  })
  .meta({ id: 'Project' });
export type Project = z.infer<typeof Project>;

export const ProjectCreate = z.strictObject({ slug: Slug }).meta({ id: 'ProjectCreate' });

export const Environment = z
  .object({
    slug: z.string().describe('Its name in paths; permanent.'),
    project: z.string().describe('The name of its project.'),
    created_at: Timestamp,
  })
  .meta({ id: 'Environment' });
export type Environment = z.infer<typeof Environment>;

export const EnvironmentCreate = z.strictObject({ slug: Slug }).meta({ id: 'EnvironmentCreate' });
