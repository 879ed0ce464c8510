import type { Path } from '../diagnostic.ts';
import { isSlug, RESERVED_EVERYWHERE } from '../rules/slug.ts';
import { excerpt } from '../shape/words.ts';
import type { Scope } from './scope.ts';

interface Named {
  key: string;
  name?: string;
}

/**
 * Reserved names of databases, object stores and apps. A resource cannot have such a name, because the name is part of
 * dashboard URLs.
 */
const RESERVED = {
  databases: [RESERVED_EVERYWHERE, 'engines'],
  stores: [RESERVED_EVERYWHERE, 'providers'],
  apps: [RESERVED_EVERYWHERE],
} as const;

/** Checks that the keys and names of inputs, databases, object stores and apps are unique. */
export function checkNames(scope: Scope): void {
  const { inputs = [], databases = [], stores = [], apps } = scope.draft;
  const keys = new Set<string>();
  for (const [index, { key }] of inputs.entries()) checkKey(scope, keys, key, ['inputs', index]);
  checkNamed(scope, 'databases', databases);
  checkNamed(scope, 'stores', stores);
  checkNamed(scope, 'apps', apps);
}

function checkNamed(scope: Scope, kind: keyof typeof RESERVED, items: readonly Named[]): void {
  const [keys, names] = [new Set<string>(), new Set<string>()];
  for (const [index, item] of items.entries()) {
    checkKey(scope, keys, item.key, [kind, index]);
    checkName(scope, names, item, [kind, index], RESERVED[kind]);
  }
}

/**
 * Adds a key to `keys`. Reports an error if `keys` already contains the key.
 * @param keys keys that are already used, for example by other apps
 */
export function checkKey(scope: Scope, keys: Set<string>, key: string, path: Path): void {
  if (keys.has(key)) {
    scope.error('key.duplicate', [...path, 'key'], `The key ${excerpt(key)} is used twice. Use another key.`);
  }
  keys.add(key);
}

/**
 * Checks the name of a database, object store, app or job. Without a name, checks the key.
 * @param names used names. This function adds the checked name
 */
export function checkName(
  scope: Scope,
  names: Set<string>,
  { key, name }: Named,
  path: Path,
  reserved: readonly string[],
): void {
  const effective = name ?? key;
  const at = [...path, 'name'];
  if (!isSlug(effective)) {
    const message = `The key ${excerpt(key)} cannot be used as a name, because names have only lower-case letters, digits and hyphens.`;
    scope.error('name.reserved', at, message, 'Add a `name`.');
  } else if (reserved.includes(effective)) {
    scope.error('name.reserved', at, `The name ${excerpt(effective)} is reserved. Choose another name.`);
  }
  if (names.has(effective)) {
    scope.error('name.duplicate', at, `The name ${excerpt(effective)} is used twice. Choose another name.`);
  }
  names.add(effective);
}
