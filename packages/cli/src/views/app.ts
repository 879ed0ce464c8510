import { type App, bytes, count, type WebHost } from '@davit/api';
import type { Style } from '../output/paint.ts';
import type { ListView } from '../output/printer.ts';
import type { Field } from '../output/record.ts';
import { minute, statusWord } from '../output/words.ts';
import { domainName } from './domain.ts';

const STYLES: Record<App['status'], Style> = {
  pending: 'dim',
  running: 'green',
  degraded: 'yellow',
  down: 'red',
  stopped: 'dim',
};

export const appList: ListView<App> = {
  columns: [
    { header: 'app', value: ({ reference }) => reference, style: () => 'bold' },
    { header: 'status', value: ({ status }) => status, style: ({ status }) => STYLES[status] },
    { header: 'replicas', value: (app) => `${readyOf(app)}/${app.scale}`, align: 'right' },
    { header: 'live deployment', value: ({ live_deployment }) => live_deployment, align: 'right' },
    {
      header: 'last deployment',
      value: lastDeploymentText,
      style: (app) => (hasFailed(app) ? 'red' : undefined),
    },
    { header: 'image', value: ({ image, source }) => image ?? source },
    { header: 'host', value: mainHostName },
  ],
  id: ({ reference }) => reference,
  isCompleted: true,
  empty: 'No apps found. Create an app with `davit app create`, or run `davit up` in the folder of the app.',
};

export function appFields(app: App): Field[] {
  const { limits } = app;
  const limited = [
    ...(limits.cpu === null ? [] : [count(limits.cpu, 'core')]),
    ...(limits.memory_bytes === null ? [] : [bytes(limits.memory_bytes)]),
  ];
  return [
    ['app', app.reference, 'bold'],
    ['status', `${app.status}${app.pending_changes ? ' (some changes are not deployed yet)' : ''}`, STYLES[app.status]],
    ['reason', app.status_reason ?? undefined, 'red'],
    ['image', `${app.image ?? 'registry of the instance'}${app.tag === null ? '' : `, pinned to ${app.tag}`}`],
    ['live', app.live_deployment === null ? 'none' : `deployment ${app.live_deployment}`],
    ['last deployment', lastDeploymentText(app) ?? undefined, hasFailed(app) ? 'red' : undefined],
    ['hosts', [...app.domains.map(domainName), ...(app.port === null ? [] : [app.suggested_host])]],
    ['port', app.port === null ? 'none (worker)' : (app.port ?? 'exposed by the image')],
    ['scale', `${readyOf(app)} of ${app.scale} ready`],
    [
      'replicas',
      app.replicas.map(
        (one) => `${one.name}  ${one.state}${one.restarts > 0 ? `, restarted ${count(one.restarts, 'time')}` : ''}`,
      ),
    ],
    ['limits', limited.length > 0 ? limited.join(', ') : undefined],
    ['health', app.health.path ?? undefined],
    ['volumes', app.volumes.map(({ path }) => path)],
    ['TCP ports', app.tcp_ports.map(({ host_port, container_port }) => `${host_port} → ${container_port}`)],
    ['labels', Object.entries(app.labels).map(([key, value]) => `${key}=${value}`)],
    ['internal host', app.internal_host],
    ['revision', app.revision],
    ['created', minute(app.created_at)],
  ];
}

/**
 * Formats the ID and the status of an app's newest deployment. Adds the error code if the deployment has one. Returns
 * `null` if the app has no deployment.
 */
function lastDeploymentText({ last_deployment: last }: App): string | null {
  // An older instance does not send the field `last_deployment`.
  if (last == null) return null;
  return `${last.id} ${statusWord(last.status)}${last.error_code === null ? '' : ` (${last.error_code})`}`;
}

function hasFailed({ last_deployment: last }: App): boolean {
  return last?.status === 'failed';
}

interface AppProblem {
  text: string;
  style: Style;
}

/** Returns the problems of an app: replicas that are not running, and a failed last deployment. */
export function appProblems({ reference, status, status_reason, last_deployment: last }: App): AppProblem[] {
  const problems: AppProblem[] = [];
  if (status === 'down' || status === 'degraded') {
    const reason = status_reason === null ? '' : `: ${status_reason}`;
    problems.push({ text: `${reference} is ${status}${reason}`, style: STYLES[status] });
  }
  if (last?.status === 'failed') {
    const show = `davit deployment get ${reference} ${last.id}`;
    problems.push({ text: `The last deployment of ${reference} failed. Show the reason: ${show}`, style: 'yellow' });
  }
  return problems;
}

/**
 * Returns the host and path for the URL of an app. A domain without a path is preferred, and redirecting domains are
 * ignored. Returns `null` if there is no host.
 */
export function mainHostOf(app: App): (WebHost & { path: string | null }) | null {
  const own = app.domains.filter(({ redirect_to }) => redirect_to === null);
  const main = own.find(({ path }) => path === null) ?? own[0];
  return main ?? (app.port === null ? null : { host: app.suggested_host, path: null });
}

function mainHostName(app: App): string | null {
  const main = mainHostOf(app);
  return main && domainName(main);
}

function readyOf({ replicas, live_deployment }: App): number {
  return replicas.filter(({ state, deployment }) => state === 'ready' && deployment === live_deployment).length;
}
