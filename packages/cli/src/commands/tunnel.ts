import { type DatabaseCredentials, DavitError } from '@davit/api';
import { type AppParams, paramsOf, referenceOf } from '../arguments/app.ts';
import { wholeNumber } from '../arguments/values.ts';
import { defineCommand } from '../declaration/command.ts';
import type { Context } from '../declaration/context.ts';
import { CliError, EXIT } from '../errors/exit.ts';
import { openTunnel } from '../terminal/tunnel.ts';

const KINDS = ['database', 'app'] as const;
const MOST_PORT = 65_535;

export const command = defineCommand({
  path: ['tunnel'],
  summary: 'Connect a local port to a database or an app',
  description:
    'Opens a port on 127.0.0.1. Each connection to this port goes through the instance to the database or to a replica of the app. Ctrl-C closes the port. The URL of a database has no password: show the password with `davit database credentials`. An instance closes a connection after 15 minutes without data. Required permission: read secrets (database), or operate (app).',
  arguments: {
    target: { description: 'database or app, as project/environment/name' },
    localPort: { description: 'port on this computer (default: a free port)', optional: true },
  },
  options: {
    kind: { value: 'kind', choices: KINDS, description: 'kind of the target, if a database and an app have this name' },
    port: { value: 'port', description: 'port in the container of an app (default: the port of the app)' },
  },
  examples: [
    { line: 'davit tunnel shop/production/db', does: 'Connect a free local port to a database' },
    { line: 'davit tunnel shop/production/web 9000', does: 'Connect the local port 9000 to an app' },
  ],
  async run(ctx) {
    const { args, options, out, signal } = ctx;
    const params = paramsOf(args.target);
    if (params === null)
      throw new CliError('usage', `"${args.target}" is no database or app: write project/environment/name.`);
    const local = args.localPort === undefined ? 0 : portIn(args.localPort);
    const remote = options.port === undefined ? undefined : portIn(options.port);
    if (remote !== undefined && options.kind === 'database') throw new CliError('usage', '--port is only for apps.');
    const { path, credentials } = await targetOf(ctx, params, options.kind, remote);
    const { port, ended } = await openTunnel(ctx, path, local);
    const address = `127.0.0.1:${port}`;
    const url = credentials === null ? null : urlThrough(credentials, port);
    if (out.isJson) out.jsonLine({ address, url });
    else out.line(out.isQuiet ? (url ?? address) : `Listening on ${address}${url === null ? '' : `: ${url}`}`);
    if (url !== null) out.note(`Show the password: davit database credentials ${args.target}`);
    await ended;
    return signal.aborted ? EXIT.interrupted.code : EXIT.ok.code;
  },
});

function portIn(text: string): number {
  const port = wholeNumber(text, 'port');
  if (port < 1 || port > MOST_PORT)
    throw new CliError('usage', `"${text}" is not a valid port: write 1 to ${MOST_PORT}.`);
  return port;
}

interface Target {
  /** URL path of the WebSocket. */
  path: string;
  /** Credentials of the database. `null` if the target of the tunnel is an app. */
  credentials: DatabaseCredentials | null;
}

/**
 * Finds the app or database with the given name. Checks that the user may connect to this resource.
 * @throws CliError if both an app and a database have this name
 * @throws DavitError if an API request fails
 */
async function targetOf(
  { client }: Pick<Context, 'client'>,
  params: AppParams,
  kind: (typeof KINDS)[number] | undefined,
  port: number | undefined,
): Promise<Target> {
  const reference = referenceOf(params);
  const path = reference.split('/').map(encodeURIComponent).join('/');
  const { project, environment, app: database } = params;
  const api = await client();
  const credentials =
    kind === 'app' || port !== undefined
      ? null
      : await orNull(api.getDatabaseCredentials({ params: { project, environment, database } }), kind === undefined);
  const app = kind === 'database' ? null : await orNull(api.getApp({ params }), credentials !== null);
  if (credentials !== null && app !== null)
    throw new CliError('usage', `A database and an app have the name ${reference}. Use --kind database or --kind app.`);
  if (credentials !== null) return { path: `/api/databases/${path}/tunnel`, credentials };
  const query = port === undefined ? '' : `?port=${port}`;
  return { path: `/api/apps/${path}/tunnel${query}`, credentials: null };
}

/**
 * Waits for the response of an API request.
 * @param isOptional if `true`, returns `null` if the resource does not exist
 */
async function orNull<T>(request: Promise<T>, isOptional: boolean): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (isOptional && error instanceof DavitError && error.code === 'not_found') return null;
    throw error;
  }
}

/** Returns the URL for a connection to a database through a local port, without the password. */
function urlThrough(credentials: DatabaseCredentials, port: number): string {
  const url = new URL(credentials.url);
  url.password = '';
  url.hostname = '127.0.0.1';
  url.port = String(port);
  // PostgreSQL requires TLS, because the instance connects from outside the environment's network.
  if (url.protocol === 'postgresql:') url.searchParams.set('sslmode', 'require');
  return url.href;
}
