import { type AppSpec, appReference } from '@davit/api';
import type { AppRow } from '../db/tables/app.ts';
import { storedSpec } from '../db/tables/app-spec.ts';
import type { ReleaseApp } from '../db/tables/release.ts';

/** An app at the time of its lookup for an operation. */
export interface AppTarget extends ReleaseApp {
  spec: AppSpec;
  revision: number;
  /** Number of the newest revision that needs a deployment to take effect. */
  settingsRevision: number;
  liveDeployment: number | null;
  /** Revision of the live deployment. */
  liveRevision: number | null;
  liveTag: string | null;
  /** JSON of the volumes and ports with which the live deployment was created, or `null` if it has none. */
  liveMounts: string | null;
  stopped: boolean;
  createdAt: number;
  updatedAt: number;
}

/** Returns the app of a row, as all operations get it. */
export function appTarget(row: AppRow): AppTarget {
  return {
    id: row.id,
    name: row.name,
    reference: appReference(row.project, row.environment, row.name),
    project: { id: row.project_id, slug: row.project },
    environment: { id: row.environment_id, slug: row.environment },
    spec: storedSpec(row.spec),
    revision: row.revision,
    settingsRevision: row.settings_revision,
    liveDeployment: row.live_deployment,
    liveRevision: row.live_revision,
    liveTag: row.live_tag,
    liveMounts: row.live_mounts,
    stopped: row.stopped === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
