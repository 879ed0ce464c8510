import type { AppTarget } from '../../app-spec/app-target.ts';
import { attachmentKeys } from '../../app-spec/attachment-values.ts';
import type { EffectiveVariable } from '../../app-spec/effective-variables.ts';
import type { Reader } from '../../db/store.ts';
import { namedAttachmentsOfApp } from '../../db/tables/attachment.ts';
import { variablesOf } from '../../db/tables/variables.ts';

/**
 * Returns a function that checks whether a variable is a secret. If a variable is secret now, it is secret in all
 * revisions. An old value of the variable may still be in use.
 */
export function secretVariables(
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
