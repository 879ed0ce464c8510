import type { Scope } from '../meaning/scope.ts';
import { areExclusive, conditionsOf } from '../rules/conditions.ts';
import { excerpt } from '../shape/words.ts';

/**
 * Checks that no app waits for two of its own jobs. A job that runs before its own app becomes the release command of
 * the app. An app can have only one release command.
 */
export function checkOwnJobs(scope: Scope): void {
  for (const [index, { key, depends_on: on = [] }] of scope.draft.apps.entries()) {
    const jobs = [...new Set(on)].flatMap((name) => scope.jobs.get(name) ?? []).filter(({ app }) => app === key);
    const conditions = jobs.map(({ when }) => conditionsOf(when));
    const second = jobs.find((_, position) =>
      conditions.slice(0, position).some((other) => !areExclusive(other, conditions[position] ?? [])),
    );
    if (second === undefined) continue;
    const message = `${excerpt(key)} waits for several of its own jobs, but only one of them can run before the app starts.`;
    const at = ['apps', index, 'depends_on', on.indexOf(second.key)];
    scope.error('depends.own-jobs', at, message, 'Keep one job of this app in `depends_on`.');
  }
}
