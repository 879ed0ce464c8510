import type { DraftApp, DraftAttachment, DraftFile } from './draft.ts';
import type { ManifestApp, ManifestSource } from './manifest.ts';
import { normalizeLimits, normalizeWhen } from './normalize-parts.ts';
import { parseBytes } from './rules/amounts.ts';
import { FEWEST_COPIES } from './rules/copies.ts';
import { cleanMountPath } from './rules/mount-path.ts';
import { byName } from './rules/sorted.ts';

export const USUAL_PORT = 8080;
const USUAL_MODE = '0644';

/**
 * Converts an app from the template file to the manifest format. The app gets the name that the template suggests. Its
 * internal host name contains the same name.
 */
export function normalizeApp(app: DraftApp, project: string, environment: string): ManifestApp {
  const { key, name = key, port, autoscale } = app;
  return {
    key,
    name,
    source: normalizeSource(app),
    port: port ?? null,
    health: app.health ?? null,
    domains: (app.domains ?? []).map(({ host, port: own, when }) => ({
      host,
      port: own ?? port ?? USUAL_PORT,
      ...normalizeWhen(when),
    })),
    attach: (app.attach ?? []).map(normalizeAttachment),
    env: sortedByName(app.env),
    limits: normalizeLimits(app.limits),
    scale: app.scale ?? null,
    spread: app.spread ?? false,
    autoscale: autoscale ? { min: autoscale.min ?? FEWEST_COPIES, max: autoscale.max, cpu: autoscale.cpu } : null,
    volumes: (app.volumes ?? []).map(({ path, size, when }) => ({
      path: cleaned(path),
      ...(size !== undefined && { size_bytes: parseBytes(size) ?? 0 }),
      ...normalizeWhen(when),
    })),
    tcp: (app.tcp ?? []).map(({ port: own, host, when }) => ({
      port: own,
      host: host ?? null,
      ...normalizeWhen(when),
    })),
    internal_host: `${name}.${environment}.${project}.internal`,
    ...normalizeAdditions(app),
  };
}

function normalizeAdditions(app: DraftApp): Partial<ManifestApp> {
  const { envWhen, command, args, files, depends_on, when, worker } = app;
  return {
    ...(worker === true && { worker }),
    ...(envWhen && {
      env_when: envWhen.map(({ when: condition, env }) => ({
        when: condition,
        ...normalizeWhen(condition),
        env: sortedByName(env),
      })),
    }),
    ...(command && { command }),
    ...(args && { args }),
    ...(files && { files: files.map(normalizeFile) }),
    ...(depends_on && { depends_on }),
    ...normalizeWhen(when),
  };
}

function normalizeSource({ image, tag, repo = '', ref, build, dockerfile }: DraftApp): ManifestSource {
  if (image !== undefined) return { type: 'image', image, tag: tag ?? null };
  // This default is never used. The template check rejects an app with neither an image nor a build.
  return { type: build ?? 'dockerfile', repo, ref: ref ?? null, dockerfile: dockerfile ?? null };
}

function normalizeAttachment(attachment: DraftAttachment): ManifestApp['attach'][number] {
  const { database, store, bucket, prefix = '', when } = attachment;
  return {
    kind: database === undefined ? 'store' : 'database',
    key: database ?? store ?? '',
    bucket: bucket ?? null,
    prefix,
    ...normalizeWhen(when),
  };
}

function normalizeFile({ path, content, mode = USUAL_MODE }: DraftFile): NonNullable<ManifestApp['files']>[number] {
  return { path: cleaned(path), content, mode };
}

function sortedByName(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(env).sort(([a], [b]) => byName(a, b)));
}

/** Normalizes the mount path of a volume. The template check has already rejected invalid paths. */
function cleaned(path: string): string {
  return cleanMountPath(path) ?? path;
}
