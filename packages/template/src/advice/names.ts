import type { Path } from '../diagnostic.ts';
import type { Scope } from '../meaning/scope.ts';
import { LONGEST_SLUG, RESERVED_EVERYWHERE } from '../rules/slug.ts';
import { excerpt } from '../shape/words.ts';

interface Named {
  key: string;
  name?: string;
}

/** Warns about names that are too long or reserved. The installation of the template would reject such names. */
export function adviseNames(scope: Scope): void {
  const { project, environment, databases, stores, apps, jobs } = scope.draft;
  adviseName(scope, project, ['project']);
  if (environment !== undefined) adviseName(scope, environment, ['environment']);
  for (const [kind, items] of Object.entries({ databases, stores, apps, jobs })) {
    for (const [index, { key, name }] of ((items ?? []) as Named[]).entries()) {
      const effective = name ?? key;
      if (effective.length > LONGEST_SLUG)
        tooLong(scope, effective, [kind, index, name === undefined ? 'key' : 'name']);
    }
  }
}

function adviseName(scope: Scope, name: string, path: Path): void {
  if (name === RESERVED_EVERYWHERE) {
    const message = `${excerpt(name)} is reserved, so each user of the template must enter another name.`;
    scope.warning('advice.install-name', path, message, 'Suggest another name.');
  }
  if (name.length > LONGEST_SLUG) tooLong(scope, name, path);
}

function tooLong({ warning }: Scope, name: string, path: Path): void {
  const message = `${excerpt(name)} has more than ${LONGEST_SLUG} characters, so each user of the template must enter another name.`;
  warning('advice.install-name', path, message, 'Suggest a shorter name.');
}
