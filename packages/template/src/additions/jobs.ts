import { keyMeant } from '../meaning/keys.ts';
import { checkKey, checkName } from '../meaning/names.ts';
import type { Scope } from '../meaning/scope.ts';
import { RESERVED_EVERYWHERE } from '../rules/slug.ts';
import { excerpt } from '../shape/words.ts';

/** Checks that apps and jobs have unique keys and names. Also checks that the app of each job exists. */
export function checkJobs(scope: Scope): void {
  const { apps, jobs = [] } = scope.draft;
  const keys = new Set(apps.map(({ key }) => key));
  const names = new Set(apps.map(({ key, name }) => name ?? key));
  for (const [index, job] of jobs.entries()) {
    const path = ['jobs', index];
    checkKey(scope, keys, job.key, path);
    checkName(scope, names, job, path, [RESERVED_EVERYWHERE]);
    if (!scope.apps.has(job.app)) {
      const message = `No app has the key ${excerpt(job.app)}.`;
      scope.error('job.app', [...path, 'app'], message, keyMeant(scope, job.app, 'app'));
    }
  }
}
