/**
 * Template with valid keys and types, but without defaults. References are not checked yet. An absent key is
 * `undefined`.
 */
export interface Draft {
  version: 1;
  name?: string;
  minCubeship?: string;
  minVersion?: string;
  project: string;
  environment?: string;
  inputs?: DraftInput[];
  databases?: DraftDatabase[];
  stores?: DraftStore[];
  apps: DraftApp[];
  jobs?: DraftJob[];
}

export const INPUT_TYPES = ['domain', 'text', 'number', 'choice', 'secret', 'store'] as const;
export type InputType = (typeof INPUT_TYPES)[number];

export const SECRET_FORMATS = ['alphanumeric', 'hex', 'base64', 'base64url', 'uuid'] as const;
export type SecretFormat = (typeof SECRET_FORMATS)[number];

/**
 * Input of a template. Users enter a value when they install the template. The key `type` determines which other keys
 * are allowed.
 */
export interface DraftInput {
  key: string;
  type: InputType;
  label: string;
  help?: string;
  required?: boolean;
  /** Default value of the input: a number for the type `number`, and a string for any other type. */
  default?: string | number;
  pattern?: string;
  min?: number;
  max?: number;
  options?: string[];
  generate?: number;
  /**
   * Format of the generated secret. For `alphanumeric`, the key `generate` is the number of characters. Other formats
   * do not allow the key `generate`.
   */
  format?: SecretFormat;
  /** Number of random bytes in the secret, for the formats `hex`, `base64` and `base64url`. */
  bytes?: number;
}

/**
 * Condition (`when`) for a part of a template. The input must equal `equals` or differ from `not`. If both keys are
 * absent, the input must not be empty.
 */
export interface DraftCondition {
  input: string;
  equals?: string;
  not?: string;
}

export interface DraftLimits {
  cpu?: number;
  /** Memory limit in the notation of the template file, such as `1Gi`, `512M` or `1073741824`. */
  memory?: string;
}

export interface DraftDatabase {
  key: string;
  name?: string;
  engine: string;
  version?: string;
  extensions?: string[];
  username?: string;
  database?: string;
  expose?: number | null;
  limits?: DraftLimits;
  when?: DraftCondition;
}

export interface DraftStore {
  key: string;
  name?: string;
  version?: string;
  buckets?: string[];
  limits?: DraftLimits;
  when?: DraftCondition;
}

export interface DraftDomain {
  host: string;
  port?: number;
  when?: DraftCondition;
}

export interface DraftAttachment {
  database?: string;
  store?: string;
  bucket?: string;
  prefix?: string;
  when?: DraftCondition;
}

export interface DraftVolume {
  path: string;
  /** Expected size of the volume in the notation of the template file, such as `10Gi`. */
  size?: string;
  when?: DraftCondition;
}

export interface DraftTcpPort {
  port: number;
  /**
   * Server port on which a TCP port of an app is published. The text is a number or a reference such as
   * `${input.port}`.
   */
  host?: string;
  when?: DraftCondition;
}

export interface DraftFile {
  path: string;
  content: string;
  /** File permissions as an octal number with a leading zero, such as `0644`. */
  mode?: string;
}

/**
 * Environment variables of an app that apply only under a condition. These variables override the variables in `env`.
 */
export interface DraftConditionalEnv {
  when: DraftCondition;
  env: Record<string, string>;
}

export interface DraftApp {
  key: string;
  name?: string;
  image?: string;
  tag?: string;
  repo?: string;
  ref?: string;
  build?: 'dockerfile' | 'railpack';
  dockerfile?: string;
  port?: number;
  /** Whether the app is a worker. A worker receives no requests, so it has no port, health check or domain. */
  worker?: boolean;
  health?: string;
  domains?: DraftDomain[];
  attach?: DraftAttachment[];
  /** Environment variables of an app. The values are unchanged from the template file. */
  env?: Record<string, string>;
  envWhen?: DraftConditionalEnv[];
  limits?: DraftLimits;
  scale?: number;
  spread?: boolean;
  autoscale?: { min?: number; max: number; cpu: number };
  volumes?: DraftVolume[];
  tcp?: DraftTcpPort[];
  command?: string[];
  args?: string[];
  files?: DraftFile[];
  /** Keys of apps and jobs that must be ready before the app starts. */
  depends_on?: string[];
  when?: DraftCondition;
}

/** Time at which a job runs: at the first installation of the template, at each update, or both. */
export const JOB_MOMENTS = ['install', 'update', 'always'] as const;

/**
 * Job of a template: a command that runs once and then exits. It uses the image, variables, databases and buckets of an
 * app.
 */
export interface DraftJob {
  key: string;
  name?: string;
  app: string;
  command: string[];
  on?: (typeof JOB_MOMENTS)[number];
  /** Maximum duration of the job in seconds. Allowed values are 1 to 3600. */
  timeout?: number;
  depends_on?: string[];
  when?: DraftCondition;
}
