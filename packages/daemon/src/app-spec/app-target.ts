import { type AppSpec, appReference } from '@davit/api';
import type { AppRow } from '../db/tables/app.ts';
import { storedSpec } from '../db/tables/app-spec.ts';
import type { ReleaseApp } from '../db/tables/release.ts';

/** An app as operations use it: its settings and its live release, as read from the database. */
export interface AppTarget extends ReleaseApp {
  spec: AppSpec;
  revision: number;
  /**
   * Number of the newest revision that takes effect only with a deployment. Revisions that change scale, limits or
   * labels take effect without one.
   */
  settingsRevision: number;
  liveDeployment: number | null;
  /** Settings revision of the live deployment, or `null` if no release is live. */
  liveRevision: number | null;
  liveTag: string | null;
  /** JSON of the volumes and published ports that the live deployment's containers have. `null` if they have none. */
  liveMounts: string | null;
  stopped: boolean;
  createdAt: number;
  updatedAt: number;
}

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
