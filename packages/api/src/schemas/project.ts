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

export const ProjectDeletionInput = z
  .strictObject({
    confirm: z.string().max(100).describe('Name of the project, repeated to confirm the deletion.'),
    checksum: z
      .string()
      .max(100)
      .describe(
        'Value of `checksum` from the preview. If the contents of the project have changed since then, Davit refuses the request.',
      ),
  })
  .meta({ id: 'ProjectDeletionInput' });
export type ProjectDeletionInput = z.infer<typeof ProjectDeletionInput>;

const AppInDeletion = z
  .object({
    reference: z.string().describe('Address of the app: `project/environment/app`.'),
    domains: z.array(z.string()).describe('Hosts of the domains of the app.'),
    tcp_ports: z.array(z.int()).describe('Published TCP ports of the server that lead to the app.'),
    volumes: z
      .array(z.string())
      .describe('Mount paths of the volumes of the app. Davit moves the volumes to the trash.'),
    schedules: z.int().describe('Number of schedules of the app.'),
  })
  .meta({ id: 'AppInDeletion' });

const DatabaseInDeletion = z
  .object({
    reference: z.string().describe('Name of the database: `project/environment/name`. Davit moves it to the trash.'),
    engine: z.string().describe('Database engine, for example `postgres`.'),
    backups: z.int().describe('Number of successful backups of the database. Davit keeps the backups.'),
  })
  .meta({ id: 'DatabaseInDeletion' });

const ObjectStoreInDeletion = z
  .object({
    name: z.string().describe('Name of the object store.'),
    outcome: z
      .enum(['trash', 'unlinked', 'kept'])
      .describe(
        'What happens to the object store. `trash`: Davit moves a managed object store to the trash. `unlinked`: Davit removes its access keys, but not the data at the provider. `kept`: the object store stays linked, because it contains backups.',
      ),
  })
  .meta({ id: 'ObjectStoreInDeletion' });

export const ProjectDeletion = z
  .object({
    project: z.string().describe('Name of the project.'),
    checksum: z.string().describe('Checksum of the contents. The request that deletes the project repeats it.'),
    environments: z.array(z.string()).describe('Names of the environments.'),
    apps: z.array(AppInDeletion).describe('Apps of the project.'),
    unused_volumes: z
      .array(z.object({ app: z.string(), path: z.string() }))
      .describe('Volumes that no app uses, with their former app and mount path. Davit moves them to the trash.'),
    databases: z.array(DatabaseInDeletion).describe('Databases of the project.'),
    object_stores: z.array(ObjectStoreInDeletion).describe('Object stores of the project.'),
    kept_backups: z
      .array(z.object({ database: z.string(), backups: z.int() }))
      .describe(
        'Successful backups of the project, which the deletion does not remove. Each entry contains the number of backups, and the name that the database had at the time of these backups. The database may be in the trash or no longer exist.',
      ),
    template_installs: z
      .array(z.object({ id: z.int(), title: z.string() }))
      .describe('Template installations of the project. Davit marks them as uninstalled.'),
    registries: z
      .array(z.object({ host: z.string(), is_deleted: z.boolean() }))
      .describe(
        'Registry credentials of the project. `is_deleted` is `false` if other projects use the credentials, which then only lose this project.',
      ),
    variables: z.int().describe('Number of variables of the project, its environments and its apps.'),
    has_quota: z.boolean().describe('Whether the project has a quota.'),
    members: z
      .array(z.string())
      .describe('Names of the users who have access to certain projects, including this one.'),
    trash_days: z
      .object({ databases: z.int(), volumes: z.int() })
      .describe('Number of days for which databases, object stores and volumes stay in the trash.'),
    problems: z
      .array(z.string())
      .describe(
        'Reasons why Davit cannot delete the project now, as sentences. Empty if Davit can delete the project.',
      ),
  })
  .meta({
    id: 'ProjectDeletion',
    description: 'What the deletion of a project with its contents deletes, moves to the trash and keeps.',
  });
export type ProjectDeletion = z.infer<typeof ProjectDeletion>;
