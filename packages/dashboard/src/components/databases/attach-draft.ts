/** Which apps a database can be attached to, and what they get. */
import type { App, Database } from '@davit/api';

const STEMS: Readonly<Record<Database['engine'], string>> = {
  postgres: 'DATABASE',
  mysql: 'DATABASE',
  mariadb: 'DATABASE',
  redis: 'REDIS',
  mongodb: 'MONGO',
};

type Place = Pick<Database, 'project' | 'environment' | 'attachments'>;

/** Apps of its environment that have nothing of it yet. */
export function attachable(apps: readonly App[], { project, environment, attachments }: Place): App[] {
  const attached = new Set(attachments.map(({ app }) => app));
  return apps.filter(
    (app) => app.project === project && app.environment === environment && !attached.has(app.reference),
  );
}

/** The variables that tell the address, as an app gets them: the one that is looked for first. */
export function firstVariable(engine: Database['engine'], prefix: string): string {
  return `${prefix}${STEMS[engine]}_URL`;
}
