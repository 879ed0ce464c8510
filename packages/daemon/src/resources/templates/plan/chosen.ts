/** Selects the parts of a template whose conditions are true for the user's answers, for example apps and databases. */
import {
  admits,
  type Manifest,
  type ManifestApp,
  type ManifestCondition,
  type ManifestJob,
} from '@davit/template/parts';
import type { Answers } from './answers.ts';

/**
 * Template that contains only the parts to install, for example apps and databases. A part is removed if its condition
 * is false for the user's answers.
 */
export type ChosenManifest = Omit<Manifest, 'apps' | 'jobs'> & {
  apps: Omit<ManifestApp, 'env_when'>[];
  jobs: ManifestJob[];
};

export function chosenOf(manifest: Manifest, answers: Answers): ChosenManifest {
  const isThere = ({ when }: { when?: ManifestCondition }) =>
    when === undefined || admits(when, answers[when.input] ?? '');
  const databases = manifest.databases.filter(isThere);
  const stores = manifest.stores.filter(isThere);
  // Databases and object stores to install. Attachments of other databases and object stores are removed from the apps.
  const known = new Set([
    ...databases.map(({ key }) => `database ${key}`),
    ...[...stores, ...manifest.inputs.filter(({ type, key }) => type === 'store' && (answers[key] ?? '') !== '')].map(
      ({ key }) => `store ${key}`,
    ),
  ]);
  const apps = manifest.apps.filter(isThere).map(({ env_when = [], ...app }) => ({
    ...app,
    // Copy the variables one by one. A variable can have the name of a special object property, such as `__proto__`.
    env: Object.fromEntries(
      [app.env, ...env_when.filter(isThere).map(({ env }) => env)].flatMap(Object.entries),
    ) as Record<string, string>,
    domains: app.domains.filter(isThere),
    attach: app.attach.filter((one) => isThere(one) && known.has(`${one.kind} ${one.key}`)),
    volumes: app.volumes.filter(isThere),
    tcp: app.tcp.filter(isThere),
  }));
  const there = new Set(apps.map(({ key }) => key));
  const jobs = (manifest.jobs ?? []).filter((job) => isThere(job) && there.has(job.app));
  return { ...manifest, databases, stores, apps, jobs };
}
