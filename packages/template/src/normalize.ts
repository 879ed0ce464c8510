import type { Draft, DraftDatabase, DraftInput, DraftJob, DraftStore } from './draft.ts';
import type { Manifest, ManifestDatabase, ManifestInput, ManifestJob, ManifestStore } from './manifest.ts';
import { normalizeApp } from './normalize-app.ts';
import { given, normalizeLimits, normalizeWhen } from './normalize-parts.ts';
import { engineNamed } from './rules/engines.ts';
import { resolveExtensions } from './rules/extensions.ts';

/** Default environment if a template file contains no environment. */
const USUAL_ENVIRONMENT = 'production';
/** Default values of `on` and `timeout` for the jobs of a template. The timeout is in seconds. */
const USUAL_MOMENT = 'install';
const USUAL_TIMEOUT_S = 600;

/** Creates the manifest of a valid template. Lists have the same order as in the template file. */
export function normalize(draft: Draft): Manifest {
  const { name, minCubeship, minVersion, project, jobs } = draft;
  const environment = draft.environment ?? USUAL_ENVIRONMENT;
  return {
    schema_version: 1,
    ...(name !== undefined && { name }),
    min_cubeship: minCubeship ?? null,
    ...(minVersion !== undefined && { min_version: minVersion }),
    project,
    environment,
    inputs: (draft.inputs ?? []).map(normalizeInput),
    databases: (draft.databases ?? []).map(normalizeDatabase),
    stores: (draft.stores ?? []).map(normalizeStore),
    apps: draft.apps.map((app) => normalizeApp(app, project, environment)),
    ...(jobs !== undefined && { jobs: jobs.map(normalizeJob) }),
  };
}

/** Converts an input to the manifest format. The keys have a fixed order, and an empty help text is omitted. */
function normalizeInput(input: DraftInput): ManifestInput {
  const { key, type, label, help, required = true } = input;
  const { default: usual, pattern, min, max, options, generate, format, bytes } = input;
  return {
    key,
    type,
    label,
    ...(help !== undefined && help !== '' && { help }),
    required,
    ...given({ default: usual, pattern, min, max, options, generate, format, bytes }),
  };
}

function normalizeDatabase(database: DraftDatabase): ManifestDatabase {
  const { key, name = key, engine, when } = database;
  return {
    key,
    name,
    engine,
    version: database.version ?? null,
    extensions: resolveExtensions(database.extensions),
    username: database.username ?? null,
    database: database.database ?? null,
    expose: database.expose ?? null,
    limits: normalizeLimits(database.limits),
    // The port of the database is never 0, because the template check has already rejected unknown database engines.
    port: engineNamed(engine)?.port ?? 0,
    ...normalizeWhen(when),
  };
}

function normalizeStore({ key, name = key, version, buckets = [], limits, when }: DraftStore): ManifestStore {
  return { key, name, version: version ?? null, buckets, limits: normalizeLimits(limits), ...normalizeWhen(when) };
}

function normalizeJob(job: DraftJob): ManifestJob {
  const { key, name = key, app, command, on = USUAL_MOMENT, timeout = USUAL_TIMEOUT_S, depends_on = [], when } = job;
  return { key, name, app, command, on, timeout, depends_on, ...normalizeWhen(when) };
}
