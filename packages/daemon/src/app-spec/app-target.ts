import { type AppSpec, appReference } from '@davit/api';
import type { AppRow } from '../db/tables/app.ts';
import { storedSpec } from '../db/tables/app-spec.ts';
import type { ReleaseApp } from '../db/tables/release.ts';

/** An app as it was when it was looked up for an operation. */
export interface AppTarget extends ReleaseApp {
  spec: AppSpec;
  revision: number;
  /** The newest revision that needs a deploy to take effect. */
  settingsRevision: number;
  liveDeployment: number | null;
  /** The revision that the live deployment runs. */
  liveRevision: number | null;
  liveTag: string | null;
  /** JSON of the volumes and ports that it was created with; null: with none. */
  liveMounts: string | null;
  stopped: boolean;
  createdAt: number;
  updatedAt: number;
}

/** The app of a row, as every operation gets it. */
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
