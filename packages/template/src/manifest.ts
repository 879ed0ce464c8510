import type { InputType, JOB_MOMENTS, SecretFormat } from './draft.ts';

/**
 * Manifest: a template in which all names, defaults and internal host names are filled in. The catalog serves
 * manifests, and Davit instances install them.
 *
 * If the template file does not set an optional field, the manifest does not contain the field. The older platform
 * Cubeship does the same, so both platforms create equal manifests.
 */
export interface Manifest {
  schema_version: 1;
  name?: string;
  min_cubeship: string | null;
  min_version?: string;
  project: string;
  environment: string;
  inputs: ManifestInput[];
  databases: ManifestDatabase[];
  stores: ManifestStore[];
  apps: ManifestApp[];
  jobs?: ManifestJob[];
}

export interface ManifestInput {
  key: string;
  type: InputType;
  label: string;
  help?: string;
  required: boolean;
  default?: string | number;
  pattern?: string;
  min?: number;
  max?: number;
  options?: string[];
  generate?: number;
  format?: SecretFormat;
  bytes?: number;
}

export interface ManifestCondition {
  input: string;
  equals?: string;
  not?: string;
}

export interface ManifestLimits {
  cpu: number | null;
  memory_bytes: number | null;
}

export interface ManifestDatabase {
  key: string;
  name: string;
  engine: string;
  version: string | null;
  extensions: string[];
  username: string | null;
  database: string | null;
  expose: number | null;
  limits: ManifestLimits | null;
  port: number;
  when?: ManifestCondition;
}

export interface ManifestStore {
  key: string;
  name: string;
  version: string | null;
  buckets: string[];
  limits: ManifestLimits | null;
  when?: ManifestCondition;
}

export type ManifestSource =
  | { type: 'image'; image: string; tag: string | null }
  | { type: 'dockerfile' | 'railpack'; repo: string; ref: string | null; dockerfile: string | null };

export interface ManifestApp {
  key: string;
  name: string;
  source: ManifestSource;
  port: number | null;
  health: string | null;
  domains: { host: string; port: number; when?: ManifestCondition }[];
  attach: {
    kind: 'database' | 'store';
    key: string;
    bucket: string | null;
    prefix: string;
    when?: ManifestCondition;
  }[];
  /** Environment variables, sorted by name. */
  env: Record<string, string>;
  env_when?: { when: ManifestCondition; env: Record<string, string> }[];
  limits: ManifestLimits | null;
  scale: number | null;
  spread: boolean;
  autoscale: { min: number; max: number; cpu: number } | null;
  volumes: { path: string; size_bytes?: number; when?: ManifestCondition }[];
  tcp: { port: number; host: string | null; when?: ManifestCondition }[];
  internal_host: string;
  /** `true` if the app is a worker, which receives no requests. Absent for any other app. */
  worker?: true;
  command?: string[];
  args?: string[];
  files?: { path: string; content: string; mode: string }[];
  depends_on?: string[];
  when?: ManifestCondition;
}

export interface ManifestJob {
  key: string;
  name: string;
  app: string;
  command: string[];
  on: (typeof JOB_MOMENTS)[number];
  timeout: number;
  depends_on: string[];
  when?: ManifestCondition;
}
