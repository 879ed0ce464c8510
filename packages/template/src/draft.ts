/**
 * A template whose shape is right, as written: keys and types are the format's, nothing is filled in, and what one part
 * says about another is not yet looked at. An absent key is `undefined`.
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

/** Only keys of its own type are there; `type` tells which those are. */
export interface DraftInput {
  key: string;
  type: InputType;
  label: string;
  help?: string;
  required?: boolean;
  /** Of a text or a choice: a string; of a number: a number. */
  default?: string | number;
  pattern?: string;
  min?: number;
  max?: number;
  options?: string[];
  generate?: number;
  /** How a generated secret is written; `generate` counts the characters of `alphanumeric` alone. */
  format?: SecretFormat;
  /** How many random bytes `hex`, `base64` and `base64url` carry. */
  bytes?: number;
}

/** The block is there only when the answer says so: it is `equals`, or is not `not`, or, with neither, is not empty. */
export interface DraftCondition {
  input: string;
  equals?: string;
  not?: string;
}

export interface DraftLimits {
  cpu?: number;
  /** As written: `1Gi`, `512M`, `1073741824`. */
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
  /** As memory is written: how much room it is expected to need. */
  size?: string;
  when?: DraftCondition;
}

export interface DraftTcpPort {
  port: number;
  /** A number as written, digits in quotes, or `${input.key}`. */
  host?: string;
  when?: DraftCondition;
}

export interface DraftFile {
  path: string;
  content: string;
  /** Octal with a leading zero, as `0644`. */
  mode?: string;
}

/** Variables that an app gets only under a condition; they win over its `env`. */
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
  /** Values are the text as written. */
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
  /** Keys of apps and jobs that are there before it starts. */
  depends_on?: string[];
  when?: DraftCondition;
}

/** When a job runs: at the first install, at each update, or at both. */
export const JOB_MOMENTS = ['install', 'update', 'always'] as const;

/** A command that runs once to its end, with the image, the variables and the attachments of an app. */
export interface DraftJob {
  key: string;
  name?: string;
  /** The key of the app. */
  app: string;
  command: string[];
  on?: (typeof JOB_MOMENTS)[number];
  /** Seconds, 1 to 3600. */
  timeout?: number;
  depends_on?: string[];
  when?: DraftCondition;
}
