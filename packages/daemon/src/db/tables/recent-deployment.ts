import type { DeploymentStatus } from '@davit/api';
import { columnsOf, type Row, select } from '../select.ts';
import type { Reader } from '../store.ts';
import { APP_REFERENCE } from './app-reference.ts';

const RECENT = select({
  id: columnsOf('deployments', 'd').id,
  app: APP_REFERENCE,
  /** The live deployment of the app. */
  live: columnsOf('apps', 'a').live_deployment,
});

export type RecentDeployment = Row<typeof RECENT>;

export interface RecentAsk {
  limit: number;
  /** Only those before this number; null: all. */
  before: number | null;
  /** Null: whatever it is. */
  status: DeploymentStatus | null;
}

const OF = `apps a JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id`;

/** The newest deployments of all apps in these projects, or of all there are for null. */
export function recentDeployments(db: Reader, projects: readonly number[] | null, ask: RecentAsk): RecentDeployment[] {
  return projects === null ? ofAll(db, ask) : ofProjects(db, projects, ask);
}

/** From the newest on, until there are enough: CROSS JOIN keeps the order in which the tables are gone through. */
function ofAll(db: Reader, { limit, before, status }: RecentAsk): RecentDeployment[] {
  const [isOfStatus, values] = condition(status);
  return db.all(
    RECENT.from(
      `deployments d CROSS JOIN apps a ON a.id = d.app_id
         CROSS JOIN environments e ON e.id = a.environment_id CROSS JOIN projects p ON p.id = e.project_id
       WHERE d.id < ? ${isOfStatus} AND a.deleted_at IS NULL ORDER BY d.id DESC LIMIT ?`,
    ),
    before ?? Number.MAX_SAFE_INTEGER,
    ...values,
    limit,
  );
}

/**
 * The newest of each app, and of those the newest: who sees one project would otherwise have to wait until the newest of
 * all the others had been gone through.
 */
function ofProjects(db: Reader, projects: readonly number[], { limit, before, status }: RecentAsk): RecentDeployment[] {
  const [isOfStatus, values] = condition(status);
  return db.all(
    RECENT.from(
      `${OF} CROSS JOIN deployments d ON d.id IN
         (SELECT d.id FROM deployments d WHERE d.app_id = a.id AND d.id < ? ${isOfStatus} ORDER BY d.id DESC LIMIT ?)
       WHERE a.deleted_at IS NULL AND p.id IN (SELECT value FROM json_each(?)) ORDER BY d.id DESC LIMIT ?`,
    ),
    before ?? Number.MAX_SAFE_INTEGER,
    ...values,
    limit,
    JSON.stringify(projects),
    limit,
  );
}

function condition(status: DeploymentStatus | null): [sql: string, values: string[]] {
  return status === null ? ['', []] : ['AND d.status = ?', [status]];
}
