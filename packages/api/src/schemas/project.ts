import { z } from 'zod';
import { Slug, Timestamp } from './common.ts';

export const Project = z
  .object({
    slug: z.string().describe('Name of the project. API paths contain this name, and the name cannot change.'),
    environments: z.array(z.string()).describe('Names of the environments of the project.'),
    created_at: Timestamp,
  })
  .meta({ id: 'Project' });
export type Project = z.infer<typeof Project>;

export const ProjectCreate = z.strictObject({ slug: Slug }).meta({ id: 'ProjectCreate' });

export const Environment = z
  .object({
    slug: z.string().describe('Name of the environment. API paths contain this name, and the name cannot change.'),
    project: z.string().describe('Name of the project.'),
    created_at: Timestamp,
  })
  .meta({ id: 'Environment' });
export type Environment = z.infer<typeof Environment>;

export const EnvironmentCreate = z.strictObject({ slug: Slug }).meta({ id: 'EnvironmentCreate' });
