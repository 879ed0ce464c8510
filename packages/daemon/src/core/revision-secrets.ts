import type { AppTarget } from '../release/app-target.ts';
import { attachmentKeys } from '../release/attachment-values.ts';
import type { EffectiveVariable } from '../release/effective.ts';
import { namedAttachmentsOfApp } from '../store/attachment.ts';
import type { Reader } from '../store/store.ts';
import { variablesOf } from '../store/variables.ts';

/**
 * Tells which variables of an app's revisions are secrets. One that has become a secret since is a secret in every
 * revision: what was told openly before is often what is in use still.
 */
export function secretsOf(
  db: Reader,
  { id, project, environment }: AppTarget,
): (variable: EffectiveVariable) => boolean {
  const now = [
    ...variablesOf(db, 'project', project.id),
    ...variablesOf(db, 'environment', environment.id),
    ...variablesOf(db, 'app', id),
  ];
  const attached = namedAttachmentsOfApp(db, id).flatMap(({ engine, prefix }) => attachmentKeys(engine, prefix));
  const inUse = new Map([
    ...now.map(({ key, secret }) => [key, secret === 1] as const),
    ...attached.flatMap(({ key, secret }) => (secret ? [[key, true] as const] : [])),
  ]);
  const atLevel = new Set(now.filter(({ secret }) => secret === 1).map(({ level, key }) => `${level} ${key}`));
  return ({ key, source, secret }) => secret || inUse.get(key) === true || atLevel.has(`${source} ${key}`);
}
