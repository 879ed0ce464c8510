/**
 * Paths of the dashboard's pages, which are defined three times: by the server, by the routes of the dashboard, and by
 * the functions for links.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { PAGES } from '@davit/api';
import { paths } from '../packages/dashboard/src/paths.ts';

const ROUTES = readFileSync(join(import.meta.dirname, '../packages/dashboard/src/routes.tsx'), 'utf8');
const APP = '/projects/$project/$environment/$app';

/**
 * Returns the paths of the dashboard's routes. Parameters such as `$project` are converted to the contract's form
 * `{project}`.
 */
function routed(): string[] {
  const written = [...ROUTES.matchAll(/\bpage\((?:root|shell), (?:'([^']+)'|`([^`]+)`|(app)),/g)];
  return written.map(([, plain, template, app]) => {
    const path = app === undefined ? (plain ?? template ?? '').replace('${' + 'app}', APP) : APP;
    return path.replaceAll(/\$(\w+)/g, '{$1}');
  });
}

it('every page that the instance serves has a dashboard route, and vice versa', () => {
  assert.ok(routed().length > 20, 'the routes are read as they are written in routes.tsx');
  assert.deepEqual(routed().toSorted(), [...PAGES].toSorted());
});

it('every page has a path function, and every path function leads to a page', () => {
  const names = 'project environment app deployment user database object_store task install owner name page'.split(' ');
  const marks = Object.fromEntries(names.map((name) => [name, `{${name}}`])) as Record<string, string>;
  const made = Object.values(paths).map((make) => decodeURIComponent((make as (of: typeof marks) => string)(marks)));
  assert.deepEqual(made.toSorted(), [...PAGES].toSorted());
});
