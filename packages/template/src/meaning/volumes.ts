import type { Path } from '../diagnostic.ts';
import type { DraftApp } from '../draft.ts';
import { areExclusive, type Conditions, conditionsOf } from '../rules/conditions.ts';
import { cleanMountPath } from '../rules/mount-path.ts';
import { excerpt } from '../shape/words.ts';
import { hasCopies } from './copies.ts';
import type { Scope } from './scope.ts';
import { checkGate } from './versions.ts';

/**
 * Checks that the volumes of an app have valid and different paths. Also checks that an app with volumes has only one
 * replica.
 */
export function checkVolumes(scope: Scope, app: DraftApp, path: Path): void {
  const { volumes = [] } = app;
  if (volumes.length === 0) return;
  const seen = new Map<string, Conditions[]>();
  for (const [index, volume] of volumes.entries()) {
    const at = [...path, 'volumes', index, 'path'];
    const clean = cleanMountPath(volume.path);
    if (clean === null) {
      const message = `A volume cannot be mounted at ${excerpt(volume.path)}.`;
      const hint = 'Write an absolute path below the root, without `:` and `,` and outside `/proc`, `/sys` and `/dev`.';
      scope.error('volume.path', at, message, hint);
      continue;
    }
    const [conditions, others] = [conditionsOf(volume.when), seen.get(clean) ?? []];
    if (others.some((other) => !areExclusive(other, conditions))) {
      scope.error('volume.duplicate', at, `Another volume of the app is mounted at ${excerpt(clean)}.`);
    }
    seen.set(clean, [...others, conditions]);
  }
  if (hasCopies(app)) {
    const message = 'Several replicas that write to the same volume at the same time corrupt its data.';
    scope.error('volume.one-copy', [...path, 'volumes'], message, 'Remove `scale`, `spread` and `autoscale`.');
  }
  checkGate(scope, 'volumes', [...path, 'volumes']);
}
