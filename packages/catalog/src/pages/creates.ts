import type { Manifest, ManifestApp, ManifestCondition, ManifestLimits, ManifestSource } from '@davit/template';
import { type Mark, mark } from './marks.ts';
import { type Html, html, joined, outward } from './markup.ts';
import { bytes, counted, listed, number } from './words.ts';

/** Rows of one thing that is made: what it is about, and what is said of it. */
type Facts = [name: string, value: Html | string][];

const ENGINES: Record<string, string> = {
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  mariadb: 'MariaDB',
  redis: 'Redis',
  mongodb: 'MongoDB',
};
const MOMENTS = { install: 'at the first install', update: 'at each update', always: 'at the install and each update' };

/** What an install makes, thing by thing, with its limits in all. */
export function createsView(manifest: Manifest): Html {
  return html`<p class="total">${totalOf(manifest)}</p>
<ul class="things">
${manifest.apps.map((app) => thing('app', 'App', app.name, appFacts(manifest, app)))}
${manifest.databases.map((database) =>
  thing('database', 'Database', database.name, [
    ['Engine', `${ENGINES[database.engine] ?? database.engine} ${database.version ?? '(its newest version)'}`],
    ...facts(database.database !== null, 'Name', html`<code>${database.database}</code>`),
    ...facts(database.extensions.length > 0, 'Extensions', codes(database.extensions)),
    ...facts(database.expose !== null, 'Open to the outside', exposed(database.expose)),
    ...common(manifest, database),
  ]),
)}
${manifest.stores.map((store) =>
  thing('store', 'Object store', store.name, [
    ...facts(store.buckets.length > 0, 'Buckets', codes(store.buckets)),
    ...common(manifest, store),
  ]),
)}
${(manifest.jobs ?? []).map((job) =>
  thing('job', 'Job', job.name, [
    ['Runs', `${MOMENTS[job.on]}, with what the app ${job.app} has`],
    ['Command', html`<code>${job.command.join(' ')}</code>`],
    ...condition(manifest, job.when),
  ]),
)}
</ul>`;
}

/** `2 apps and 1 database. Limits in all: 2 CPUs and 2 GiB of memory.` */
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
  const unlimited = limited.filter(({ limits }) => limits?.memory_bytes == null).length;
  const cpu = limited.reduce((sum, { limits, copies }) => sum + (limits?.cpu ?? 0) * copies, 0);
  const memory = limited.reduce((sum, { limits, copies }) => sum + (limits?.memory_bytes ?? 0) * copies, 0);
  const parts = [...(cpu > 0 ? [cpus(cpu)] : []), ...(memory > 0 ? [`${bytes(memory)} of memory`] : [])];
  const most = parts.length > 0 ? ` Limits in all: ${listed(parts)}.` : '';
  const open =
    unlimited > 0 ? ` ${number(unlimited)} of these ${unlimited === 1 ? 'has' : 'have'} no limit of memory.` : '';
  return `${listed(things)}.${most}${open}`;
}

function appFacts(manifest: Manifest, app: ManifestApp): Facts {
  const when = (each: { when?: ManifestCondition }) => conditionWords(manifest, each.when);
  return [
    [app.source.type === 'image' ? 'Image' : 'Built from', sourceOf(app.source)],
    ...facts(
      app.domains.length > 0,
      'Domains',
      lines(
        app.domains.map((domain) => html`${reference(manifest, domain.host)}, to port ${domain.port}${when(domain)}`),
      ),
    ),
    ...facts(app.port !== null && app.domains.length === 0, 'Port', String(app.port)),
    ...facts(
      app.tcp.length > 0,
      'TCP ports',
      lines(
        app.tcp.map(
          (port) =>
            html`${port.port}, on ${port.host === null ? 'a port that the instance picks' : reference(manifest, port.host)}${when(port)}`,
        ),
      ),
    ),
    ...facts(
      app.volumes.length > 0,
      'Keeps data in',
      lines(
        app.volumes.map(
          (volume) =>
            html`<code>${volume.path}</code>${volume.size_bytes === undefined ? '' : ` (about ${bytes(volume.size_bytes)})`}${when(volume)}`,
        ),
      ),
    ),
    ...facts(
      app.attach.length > 0,
      'Uses',
      lines(
        app.attach.map(
          (attached) =>
            html`${attached.kind === 'store' ? 'the store' : 'the database'} <code>${attached.key}</code>${attached.bucket ? html`, bucket <code>${attached.bucket}</code>` : ''}${when(attached)}`,
        ),
      ),
    ),
    ...facts(app.health !== null, 'Health check', html`<code>${app.health}</code>`),
    ...facts(app.command !== undefined, 'Command', html`<code>${app.command?.join(' ')}</code>`),
    ...facts(app.args !== undefined, 'Arguments', html`<code>${app.args?.join(' ')}</code>`),
    ...facts((app.files ?? []).length > 0, 'Files', codes((app.files ?? []).map(({ path }) => path))),
    ...facts((app.depends_on ?? []).length > 0, 'Starts after', codes(app.depends_on ?? [])),
    ...copies(app),
    ...common(manifest, app),
  ];
}

function copies({ scale, spread, autoscale }: ManifestApp): Facts {
  const words = autoscale
    ? `${autoscale.min} to ${autoscale.max}, by the CPU it uses`
    : `${number(scale ?? 1)}${spread ? ', spread over machines' : ''}`;
  return facts(autoscale !== null || (scale ?? 1) > 1 || spread, 'Copies', words);
}

/** What every kind of thing may say. */
function common(
  manifest: Manifest,
  { limits, when }: { limits: ManifestLimits | null; when?: ManifestCondition },
): Facts {
  const parts = [
    ...(limits?.cpu == null ? [] : [cpus(limits.cpu)]),
    ...(limits?.memory_bytes == null ? [] : [bytes(limits.memory_bytes)]),
  ];
  return [['Limits', parts.length > 0 ? parts.join(', ') : 'none'], ...condition(manifest, when)];
}

function thing(kind: Mark, noun: string, name: string, rows: Facts): Html {
  return html`<li class="thing"><h3>${mark(kind)}<span><span class="kind">${noun}</span> <bdi>${name}</bdi></span></h3>
<dl>${rows.map(([fact, value]) => html`<div><dt>${fact}</dt><dd>${value}</dd></div>`)}</dl></li>`;
}

function facts(isThere: boolean, name: string, value: Html | string): Facts {
  return isThere ? [[name, value]] : [];
}

function condition(manifest: Manifest, when: ManifestCondition | undefined): Facts {
  return facts(when !== undefined, 'Only', conditionWords(manifest, when).replace(/^, only /, ''));
}

/** `, only when “Mail” is “smtp”`; nothing: an empty text. */
function conditionWords(manifest: Manifest, when: ManifestCondition | undefined): string {
  if (!when) return '';
  const label = labelOf(manifest, when.input);
  if (when.equals !== undefined) return `, only when “${label}” is “${when.equals}”`;
  return when.not === undefined ? `, only when “${label}” is answered` : `, only when “${label}” is not “${when.not}”`;
}

function sourceOf(source: ManifestSource): Html {
  if (source.type === 'image') {
    const tag = source.tag && (source.image.includes('@') ? source.tag : `:${source.tag}`);
    return html`<code>${source.image}${tag ?? ''}</code>`;
  }
  const by =
    source.type === 'dockerfile' ? html` by <code>${source.dockerfile ?? 'Dockerfile'}</code>` : ' by Railpack';
  return html`${outward(source.repo, source.repo.replace(/^\w+:\/\//, ''))}${source.ref ? html` at <code>${source.ref}</code>` : ''}${by}`;
}

/** `${input.x}` as the question it is the answer to; other text as it stands. */
function reference(manifest: Manifest, text: string): Html {
  const key = /^\$\{input\.([\w-]+)\}$/.exec(text)?.[1];
  return key === undefined ? html`<code>${text}</code>` : html`<bdi>“${labelOf(manifest, key)}”</bdi>`;
}

function labelOf({ inputs }: Manifest, key: string): string {
  return inputs.find((input) => input.key === key)?.label ?? key;
}

function exposed(port: number | null): string {
  return port === 0 ? 'on a port that the instance picks' : `on port ${port}`;
}

function cpus(value: number): string {
  return counted(Number(value.toFixed(2)), 'CPU');
}

function codes(words: readonly string[]): Html {
  return html`${joined(
    words.map((word) => html`<code>${word}</code>`),
    ', ',
  )}`;
}

function lines(values: Html[]): Html {
  return values.length === 1 ? html`${values}` : html`<ul>${values.map((value) => html`<li>${value}</li>`)}</ul>`;
}
