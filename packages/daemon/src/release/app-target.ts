import type { AppSpec } from '@davit/api';
import type { ReleaseApp } from '../store/release.ts';

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
