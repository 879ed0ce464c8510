import { didYouMean } from '../hint.ts';
import type { ReferenceKind } from '../references.ts';
import type { Scope } from './scope.ts';

/**
 * Returns whether a template declares a key. For object stores, the keys of inputs of type `store` are included,
 * because users select an object store in such an input.
 */
export function isDeclared({ inputs, apps, databases, stores }: Scope, kind: ReferenceKind, key: string): boolean {
  switch (kind) {
    case 'input':
      return inputs.has(key);
    case 'app':
      return apps.has(key);
    case 'db':
      return databases.has(key);
    case 'store':
      return stores.has(key) || inputs.get(key)?.type === 'store';
  }
}

/** Returns a function that creates a hint for an unknown key. The hint names the most similar existing key. */
export function keyMeant(scope: Scope, key: string, ...kinds: readonly (ReferenceKind | 'job')[]) {
  return (): string | undefined =>
    didYouMean(
      key,
      kinds.flatMap((kind) => keysOf(scope, kind)),
    );
}

function keysOf({ inputs, apps, jobs, databases, stores }: Scope, kind: ReferenceKind | 'job'): string[] {
  if (kind === 'store') {
    const storeInputs = [...inputs.values()].filter(({ type }) => type === 'store');
    return [...stores.keys(), ...storeInputs.map(({ key }) => key)];
  }
  return [...{ input: inputs, app: apps, db: databases, job: jobs }[kind].keys()];
}
