import type { AppSpec } from '@davit/api';
import type { DeploymentRow } from '../store/deployments.ts';

export interface ProjectTarget {
  id: number;
  slug: string;
  createdAt: number;
}

export interface EnvironmentTarget {
  id: number;
  slug: string;
  createdAt: number;
  project: ProjectTarget;
}

export interface AppTarget {
  id: number;
  name: string;
  /** `project/environment/app`. */
  reference: string;
  project: { id: number; slug: string };
  environment: { id: number; slug: string };
  spec: AppSpec;
  revision: number;
  liveDeployment: number | null;
  stopped: boolean;
  createdAt: number;
  updatedAt: number;
}

export interface DeploymentTarget {
  app: AppTarget;
  deployment: DeploymentRow;
}

/** What an operation of each scope acts on. */
export interface Targets {
  instance: null;
  project: ProjectTarget;
  environment: EnvironmentTarget;
  app: AppTarget;
  deployment: DeploymentTarget;
}
