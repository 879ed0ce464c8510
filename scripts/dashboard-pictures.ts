/**
 * Takes the screenshots of the dashboard in docs/images/dashboard with Debian's Chromium. Each page of an instance with
 * a simulated engine has a wide, a phone and a dark screenshot. Their clock stands still and all random values have a
 * fixed seed, so a screenshot changes only when its page changes.
 *
 *     npm run pictures
 *     npm run pictures -- --only overview --to /tmp/pictures
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openInstances } from './pictures/grounds.ts';
import { shotsOf, USUAL } from './pictures/shots.ts';
import { take } from './pictures/take.ts';

const ROOT = join(import.meta.dirname, '..');

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, to: { type: 'string' }, built: { type: 'string' } },
});
const folder = values.to ?? join(ROOT, 'docs/images/dashboard');
await mkdir(folder, { recursive: true });
await using instances = await openInstances(values.built ?? join(ROOT, 'packages/dashboard/dist'));
const shots = shotsOf(await instances.deployments()).filter(({ name }) => name.startsWith(values.only));
let sum = 0;
for (const shot of shots) {
  for (const look of shot.looks ?? USUAL) {
    const name = `${shot.name}-${look}.png`;
    const bytes = await take(instances, shot, look, join(folder, name));
    console.log(`${name}: ${Math.round(bytes / 1024)} KiB`);
    sum += bytes;
  }
}
console.log(`${Math.round(sum / 1024)} KiB in all`);
