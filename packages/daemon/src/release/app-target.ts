import type { AppSpec } from '@davit/api';

/** An app as it was when it was looked up for an operation. */
export interface AppTarget {
  id: number;
  name: string;
  /** `project/environment/app`. */
  reference: string;
  project: { id: number; slug: string };
  environment: { id: number; slug: string };
  spec: AppSpec;
  revision: number;
  /** The newest revision that needs a deploy to take effect. */
  settingsRevision: number;
  liveDeployment: number | null;
  /** The revision that the live deployment runs. */
  liveRevision: number | null;
  /** JSON of the volumes and ports that it was created with; null: with none. */
  liveMounts: string | null;
  stopped: boolean;
  createdAt: number;
  updatedAt: number;
}
