import type { App, Database } from '@davit/api';

const STEMS: Readonly<Record<Database['engine'], string>> = {
  postgres: 'DATABASE',
  mysql: 'DATABASE',
  mariadb: 'DATABASE',
  redis: 'REDIS',
  mongodb: 'MONGO',
};

type DatabaseToAttach = Pick<Database, 'project' | 'environment' | 'attachments'>;

/**
 * Returns the apps to which a database can be attached. These apps are in the database's environment and are not yet
 * attached to the database.
 */
export function attachable(apps: readonly App[], { project, environment, attachments }: DatabaseToAttach): App[] {
  const attached = new Set(attachments.map(({ app }) => app));
  return apps.filter(
    (app) => app.project === project && app.environment === environment && !attached.has(app.reference),
  );
}

/**
 * Returns the name of the environment variable that an app gets when a database is attached. The environment variable
 * contains the connection URL of the database.
 */
export function firstVariable(engine: Database['engine'], prefix: string): string {
  return `${prefix}${STEMS[engine]}_URL`;
}
