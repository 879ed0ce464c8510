/**
 * Converts a manifest back to a template file, so that the template validator can check it. So manifests from the
 * catalog must follow the same rules as template files.
 */
import type {
  Manifest,
  ManifestApp,
  ManifestDatabase,
  ManifestInput,
  ManifestLimits,
  ManifestStore,
} from '@davit/template';

type Plain = Record<string, unknown>;

/**
 * Converts a manifest back to a template file, so that the template validator can check it. If the manifest is not
 * valid, the validator rejects the file.
 */
export function draftOf(manifest: Manifest): Plain {
  const { name, min_cubeship, min_version, project, environment, inputs, databases, stores, apps, jobs } = manifest;
  return given({
    version: manifest.schema_version,
    name,
    minCubeship: min_cubeship ?? undefined,
    minVersion: min_version,
    project,
    environment,
    inputs: inputs.map(inputOf),
    databases: databases.map(databaseOf),
    stores: stores.map(storeOf),
    apps: apps.map(appOf),
    jobs,
  });
}

function inputOf(input: ManifestInput): Plain {
  return { ...input };
}

function databaseOf({ port: _, limits, version, username, database, ...rest }: ManifestDatabase): Plain {
  const optional = { version: version ?? undefined, username: username ?? undefined, database: database ?? undefined };
  return given({ ...rest, ...optional, limits: limitsOf(limits) });
}

function storeOf({ version, limits, ...rest }: ManifestStore): Plain {
  return given({ ...rest, version: version ?? undefined, limits: limitsOf(limits) });
}

function appOf(app: ManifestApp): Plain {
  const { internal_host: _, source, limits, port, health, scale, autoscale, env_when, ...rest } = app;
  return given({
    ...rest,
    ...sourceOf(source),
    port: port ?? undefined,
    health: health ?? undefined,
    scale: scale ?? undefined,
    autoscale: autoscale ?? undefined,
    limits: limitsOf(limits),
    envWhen: env_when,
    attach: app.attach.map(({ kind, key, bucket, ...attachment }) =>
      given({ [kind]: key, ...attachment, bucket: bucket ?? undefined }),
    ),
    volumes: app.volumes.map(({ size_bytes, ...volume }) =>
      given({ ...volume, size: size_bytes === undefined ? undefined : String(size_bytes) }),
    ),
    tcp: app.tcp.map(({ host, ...port }) => given({ ...port, host: host ?? undefined })),
  });
}

function sourceOf(source: ManifestApp['source']): Plain {
  if (source.type === 'image') return given({ image: source.image, tag: source.tag ?? undefined });
  const { type, repo, ref, dockerfile } = source;
  return given({ build: type, repo, ref: ref ?? undefined, dockerfile: dockerfile ?? undefined });
}

function limitsOf(limits: ManifestLimits | null): Plain | undefined {
  if (limits === null) return undefined;
  const { cpu, memory_bytes } = limits;
  return given({ cpu: cpu ?? undefined, memory: memory_bytes === null ? undefined : String(memory_bytes) });
}

function given(fields: Plain): Plain {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
