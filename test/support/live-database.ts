/** Access to databases of a live instance with the database clients inside their containers. */
import { randomBytes } from 'node:crypto';
import { finished } from 'node:stream/promises';
import type { Client, Database, Task } from '@davit/api';
import type Docker from 'dockerode';
import type { Instance } from './instance.ts';

export interface DatabaseHarness {
  docker: Docker;
  client: Client;
  /** Instance of the databases. Other instances on the engine may have databases with the same name. */
  instance: Pick<Instance, 'id'>;
}

type Path = { project: string; environment: string; database: string };

/** Creates a project with one environment, for databases. */
export async function projectOf({ client }: DatabaseHarness): Promise<string> {
  const slug = `d${randomBytes(4).toString('hex')}`;
  await client.createProject({ body: { slug } });
  return slug;
}

export function pathOf(reference: string): Path {
  const [project = '', environment = '', database = ''] = reference.split('/');
  return { project, environment, database };
}

/**
 * Waits for a task to succeed.
 * @throws Error with the steps of the task if it did not succeed
 */
export async function done(request: Promise<unknown>): Promise<Task> {
  const task = (await request) as Task;
  if (task.status === 'succeeded') return task;
  const steps = task.steps.map(({ name, error }) => `${name}${error === null ? '' : `: ${error}`}`);
  throw new Error(`${task.kind} ${task.status}: ${task.error}\n${steps.join('\n')}\n${task.log?.join('\n')}`);
}

export async function createdDatabase(
  { client }: DatabaseHarness,
  body: { project: string; name: string; engine: Database['engine'] },
): Promise<string> {
  await done(client.createDatabase({ body, query: { wait: 'true' } }));
  return `${body.project}/production/${body.name}`;
}

/** User and environment of a program in a container, in addition to those of the image. */
export interface RunAs {
  User: string;
  Env: string[];
}

/** Davit's own user in a container of PostgreSQL, which may sign in as `davit_admin`. */
export const PLATFORM: RunAs = { User: 'nobody', Env: ['PGPASSFILE=/etc/davit/pgpass'] };

/**
 * Runs a program in the container of a database.
 * @throws Error with its output if it fails
 */
export async function inDatabase(
  { docker, instance }: DatabaseHarness,
  reference: string,
  command: string[],
  stdin = '',
  as?: RunAs,
): Promise<string> {
  const label = [`davit.instance=${instance.id}`, 'davit.kind=database', `davit.app=${reference}`];
  const [container] = await docker.listContainers({ filters: { label } });
  if (container === undefined) throw new Error(`${reference} has no container`);
  const exec = await docker
    .getContainer(container.Id)
    .exec({ ...as, Cmd: command, AttachStdin: true, AttachStdout: true, AttachStderr: true });
  const stream = await exec.start({ hijack: true, stdin: true });
  const chunks: Buffer[] = [];
  const collect = { write: (chunk: Buffer) => chunks.push(chunk) } as unknown as NodeJS.WritableStream;
  docker.modem.demuxStream(stream, collect, collect);
  stream.end(stdin);
  await finished(stream, { writable: false });
  const text = Buffer.concat(chunks).toString();
  const { ExitCode } = await exec.inspect();
  if (ExitCode !== 0) throw new Error(`${command[0]} ended with ${ExitCode}: ${text}`);
  return text;
}

/** Returns the complete log of a database's container. */
export async function logsOf({ docker, instance }: DatabaseHarness, reference: string): Promise<string> {
  const label = [`davit.instance=${instance.id}`, 'davit.kind=database', `davit.app=${reference}`];
  const [{ Id = '' } = {}] = await docker.listContainers({ filters: { label } });
  const log = await docker.getContainer(Id).logs({ stdout: true, stderr: true });
  return log.toString();
}

/** Runs statements with Davit's own login in a database of the server. */
export function psql(harness: DatabaseHarness, reference: string, database: string, sql: string): Promise<string> {
  const command = ['psql', '-XqAt', '-v', 'ON_ERROR_STOP=1', '-U', 'davit_admin', '-d', database];
  return inDatabase(harness, reference, command, sql, PLATFORM);
}
