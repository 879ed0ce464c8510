/** Determines to which apps a database can be attached, and which variables they get. */
import type { App, Database } from '@davit/api';

const STEMS: Readonly<Record<Database['engine'], string>> = {
  postgres: 'DATABASE',
  mysql: 'DATABASE',
  mariadb: 'DATABASE',
  redis: 'REDIS',
  mongodb: 'MONGO',
};

type Place = Pick<Database, 'project' | 'environment' | 'attachments'>;

/** Returns the apps of the database's environment without an attachment to the database. */
export function attachable(apps: readonly App[], { project, environment, attachments }: Place): App[] {
  const attached = new Set(attachments.map(({ app }) => app));
  return apps.filter(
    (app) => app.project === project && app.environment === environment && !attached.has(app.reference),
  );
}

/** Returns the name of the URL variable that an app gets from an attachment. */
export function firstVariable(engine: Database['engine'], prefix: string): string {
  return `${prefix}${STEMS[engine]}_URL`;
}
