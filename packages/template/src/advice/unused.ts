import { conditionsWritten } from '../additions/conditions.ts';
import type { Scope } from '../meaning/scope.ts';
import { excerpt } from '../shape/words.ts';

const CALLED = { inputs: 'The input', databases: 'The database', stores: 'The object store' } as const;

/** Warns about inputs, databases and object stores that are not used in the template. */
export function adviseUnused(scope: Scope): void {
  const used = usedKeys(scope);
  for (const kind of ['inputs', 'databases', 'stores'] as const) {
    for (const [index, { key }] of (scope.draft[kind] ?? []).entries()) {
      if (used[kind].has(key)) continue;
      const message = `${CALLED[kind]} ${excerpt(key)} is not used.`;
      scope.warning('advice.unused', [kind, index, 'key'], message, `Use ${excerpt(key)}, or remove the declaration.`);
    }
  }
}

function usedKeys({ texts, draft }: Scope): Record<keyof typeof CALLED, Set<string>> {
  const references = texts.flatMap((text) => text.references);
  const referred = (...kinds: string[]) => references.filter(({ kind }) => kinds.includes(kind)).map(({ key }) => key);
  const attached = draft.apps.flatMap(({ attach = [] }) => attach);
  const stores = [...referred('store'), ...attached.flatMap(({ store }) => store ?? [])];
  const conditions = conditionsWritten(draft).map(({ condition }) => condition.input);
  return {
    // An input of type `store` is used if an app attaches its object store or refers to it.
    inputs: new Set([...referred('input'), ...stores, ...conditions]),
    databases: new Set([...referred('db'), ...attached.flatMap(({ database }) => database ?? [])]),
    stores: new Set(stores),
  };
}
