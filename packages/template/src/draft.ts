/**
 * A template with a valid shape, as written. Keys and types are those of the format, defaults are not applied, and
 * references between parts are not checked yet. An absent key is `undefined`.
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

/** An input. Which keys are present depends on `type`. */
export interface DraftInput {
  key: string;
  type: InputType;
  label: string;
  help?: string;
  required?: boolean;
  /** Default: a string for a text or a choice, a number for a number. */
  default?: string | number;
  pattern?: string;
  min?: number;
  max?: number;
  options?: string[];
  generate?: number;
  /** Format of a generated secret. `generate` is the number of characters and applies only to `alphanumeric`. */
  format?: SecretFormat;
  /** Number of random bytes in `hex`, `base64` and `base64url`. */
  bytes?: number;
}

/**
 * Condition of a block. The block is present if the answer is `equals`, if it is not `not`, or, with neither key, if it
 * is not empty.
 */
export interface DraftCondition {
  input: string;
  equals?: string;
  not?: string;
}

export interface DraftLimits {
  cpu?: number;
  /** Memory as written: `1Gi`, `512M`, `1073741824`. */
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
  /** Expected size in the notation of memory. */
  size?: string;
  when?: DraftCondition;
}

export interface DraftTcpPort {
  port: number;
  /** Number as written, digits in quotes, or `${input.key}`. */
  host?: string;
  when?: DraftCondition;
}

export interface DraftFile {
  path: string;
  content: string;
  /** Octal number with a leading zero, such as `0644`. */
  mode?: string;
}

/** Variables of an app that are set only under a condition. These variables override its `env`. */
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
  health?: string;
  domains?: DraftDomain[];
  attach?: DraftAttachment[];
  /** Variables with their values as written. */
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
  /** Keys of apps and jobs that must be ready before this app starts. */
  depends_on?: string[];
  when?: DraftCondition;
}

/** Moments at which a job runs: the first installation, each update, or both. */
export const JOB_MOMENTS = ['install', 'update', 'always'] as const;

/** A command that runs once until it ends, with the image, the variables and the attachments of an app. */
export interface DraftJob {
  key: string;
  name?: string;
  /** Key of the app. */
  app: string;
  command: string[];
  on?: (typeof JOB_MOMENTS)[number];
  /** Timeout in seconds, from 1 to 3600. */
  timeout?: number;
  depends_on?: string[];
  when?: DraftCondition;
}
