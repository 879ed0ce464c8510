import { type AppSpec, appReference } from '@davit/api';
import type { AppRow } from '../db/tables/app.ts';
import { storedSpec } from '../db/tables/app-spec.ts';
import type { ReleaseApp } from '../db/tables/release.ts';

/** App with its settings and its live release. Deployments and other operations read this data from the database. */
export interface AppTarget extends ReleaseApp {
  spec: AppSpec;
  revision: number;
  /**
   * Number of the newest revision that needs a deployment to take effect. Revisions that change only scale, limits or
   * labels need no deployment.
   */
  settingsRevision: number;
  liveDeployment: number | null;
  /** Settings revision of the live deployment, or `null` if the app has no live release. */
  liveRevision: number | null;
  liveTag: string | null;
  /** Volumes and published ports of the live deployment's containers, as JSON. `null` if there are none. */
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
