import type { DeploymentStatus } from '@davit/api';
import { columnsOf, type Row, select } from '../select.ts';
import type { Reader } from '../store.ts';
import { APP_REFERENCE } from './app-reference.ts';

const RECENT = select({
  id: columnsOf('deployments', 'd').id,
  app: APP_REFERENCE,
  /** Id of the app's live deployment, or `null` if the app was never deployed. */
  live: columnsOf('apps', 'a').live_deployment,
});

export type RecentDeployment = Row<typeof RECENT>;

export interface RecentRequest {
  limit: number;
  /** Only deployments with a lower id are returned. `null` means no limit. */
  before: number | null;
  /** Status of the returned deployments, or `null` for all statuses. */
  status: DeploymentStatus | null;
}

const OF = `apps a JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id`;

/**
 * Returns the newest deployments of the apps in the given projects.
 * @param projects ids of the projects, or `null` for all projects
 */
export function recentDeployments(
  db: Reader,
  projects: readonly number[] | null,
  request: RecentRequest,
): RecentDeployment[] {
  return projects === null ? ofAll(db, request) : ofProjects(db, projects, request);
}

/**
 * Returns the newest deployments of all projects. Because of `CROSS JOIN`, SQLite reads the table `deployments` first,
 * and stops after `limit` rows.
 */
function ofAll(db: Reader, { limit, before, status }: RecentRequest): RecentDeployment[] {
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
 * Returns the newest deployments of some projects. The query starts with the apps of these projects, so it does not
 * read deployments of other projects.
 */
function ofProjects(
  db: Reader,
  projects: readonly number[],
  { limit, before, status }: RecentRequest,
): RecentDeployment[] {
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
