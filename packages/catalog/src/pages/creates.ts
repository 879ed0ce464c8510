import { bytes } from '@davit/api/byte-size.ts';
import type { Manifest, ManifestDatabase, ManifestJob, ManifestStore } from '@davit/template';
import { appFacts } from './creates-app.ts';
import { codes, commonFacts, conditionFact, cpus, type Facts, fact } from './facts.ts';
import { type Mark, mark } from './marks.ts';
import { type Html, html } from './markup.ts';
import { counted, listed, number } from './words.ts';

const ENGINES: Record<string, string> = {
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  mariadb: 'MariaDB',
  redis: 'Redis',
  mongodb: 'MongoDB',
};
const MOMENTS = {
  install: 'when the template is installed',
  update: 'each time the template is updated',
  always: 'when the template is installed and each time it is updated',
};

/**
 * Returns the HTML list of all resources that a template creates, such as apps and databases. A line above the list
 * shows their total CPU and memory limits.
 */
export function createsView(manifest: Manifest): Html {
  const { apps, databases, stores, jobs = [] } = manifest;
  return html`<p class="total">${totalOf(manifest)}</p>
<ul class="things">
${apps.map((app) => thing('app', 'App', app.name, appFacts(manifest, app)))}
${databases.map((database) => thing('database', 'Database', database.name, databaseFacts(manifest, database)))}
${stores.map((store) => thing('store', 'Object store', store.name, storeFacts(manifest, store)))}
${jobs.map((job) => thing('job', 'Job', job.name, jobFacts(manifest, job)))}
</ul>`;
}

/**
 * Returns a summary of a template's resources, such as `2 apps and 1 database. Total limits: 2 CPUs and 2 GiB of
 * memory.`
 */
export function totalOf({ apps, databases, stores, jobs = [] }: Manifest): string {
  const things = [
    counted(apps.length, 'app'),
    ...(databases.length > 0 ? [counted(databases.length, 'database')] : []),
    ...(stores.length > 0 ? [counted(stores.length, 'object store')] : []),
    ...(jobs.length > 0 ? [counted(jobs.length, 'job')] : []),
  ];
  const limited = [
    ...apps.map((app) => ({ limits: app.limits, copies: app.autoscale?.max ?? app.scale ?? 1 })),
    ...[...databases, ...stores].map(({ limits }) => ({ limits, copies: 1 })),
  ];
  const open = limited.filter(({ limits }) => limits?.memory_bytes == null).length;
  const cpu = limited.reduce((sum, { limits, copies }) => sum + (limits?.cpu ?? 0) * copies, 0);
  const memory = limited.reduce((sum, { limits, copies }) => sum + (limits?.memory_bytes ?? 0) * copies, 0);
  const most = [...(cpu > 0 ? [cpus(cpu)] : []), ...(memory > 0 ? [`${bytes(memory)} of memory`] : [])];
  return [
    `${listed(things)}.`,
    ...(most.length > 0 ? [`Total limits: ${listed(most)}.`] : []),
    ...(open > 0 ? [`${number(open)} of the resources ${open === 1 ? 'has' : 'have'} no memory limit.`] : []),
  ].join(' ');
}

function databaseFacts(manifest: Manifest, database: ManifestDatabase): Facts {
  const { engine, version, extensions, expose } = database;
  const outside = expose === 0 ? 'on a port that the instance chooses' : `on port ${expose}`;
  return [
    ['Engine', `${ENGINES[engine] ?? engine} ${version ?? '(newest version)'}`],
    ...fact(database.database !== null, 'Name', html`<code>${database.database}</code>`),
    ...fact(extensions.length > 0, 'Extensions', codes(extensions)),
    ...fact(expose !== null, 'Exposed', outside),
    ...commonFacts(manifest, database),
  ];
}

function storeFacts(manifest: Manifest, store: ManifestStore): Facts {
  return [...fact(store.buckets.length > 0, 'Buckets', codes(store.buckets)), ...commonFacts(manifest, store)];
}

function jobFacts(manifest: Manifest, { on, app, command, when }: ManifestJob): Facts {
  return [
    ['Runs', `${MOMENTS[on]}, with the image and variables of the app ${app}`],
    ['Command', html`<code>${command.join(' ')}</code>`],
    ...conditionFact(manifest, when),
  ];
}

function thing(kind: Mark, noun: string, name: string, rows: Facts): Html {
  return html`<li class="thing"><h3>${mark(kind)}<span><span class="kind">${noun}</span> <bdi>${name}</bdi></span></h3>
<dl>${rows.map(([what, value]) => html`<div><dt>${what}</dt><dd>${value}</dd></div>`)}</dl></li>`;
}
