/**
 * Measures the time from a fresh clone until the example app answers: `git clone`, then `npm start` with an empty data
 * directory and an empty npm cache. The details list what this machine already has and a new machine would have to
 * download.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from '@davit/testkit/ports';
import Docker from 'dockerode';
import { davitIdOf } from '../test/support/instance-environment.ts';
import { removeEverythingOf } from '../test/support/instance-removal.ts';
import { conclude, formOf, say } from './support/result.ts';

const ROOT = dirname(import.meta.dirname);
const LIMIT_S = 180;

const folder = await mkdtemp(join(tmpdir(), 'davit-clean-'));
const dataDir = join(folder, 'data');
let command: ChildProcess | null = null;
try {
  const from = performance.now();
  await promisify(execFile)('git', ['clone', '--quiet', ROOT, join(folder, 'davit')]);
  const cloneMs = performance.now() - from;
  const httpPort = await freePort();
  command = await start(httpPort);
  const { host, steps } = await readSteps(command);
  await requestExampleApp(host, httpPort);
  const seconds = (performance.now() - from) / 1_000;
  await conclude(
    {
      name: 'clean-start',
      promise: 'Time from git clone and npm start until the example app answers',
      limit: `≤ ${LIMIT_S} s`,
      value: Math.round(seconds * 10) / 10,
      unit: 's',
      ok: seconds <= LIMIT_S,
      details: {
        git_clone: `${Math.round(cloneMs)} ms, from this machine's disk`,
        ...steps,
        empty_at_the_start: 'the working tree, the npm cache and node_modules, the data directory, the compile cache',
        already_on_this_machine: await warmParts(),
      },
    },
    formOf(),
  );
} finally {
  await stop(command);
  const id = davitIdOf(dataDir);
  if (id !== null) await removeEverythingOf(new Docker(), id);
  await rm(folder, { recursive: true, force: true });
}

async function start(httpPort: number): Promise<ChildProcess> {
  const listen = `127.0.0.1:${await freePort()}`;
  const flags = ['--data-dir', dataDir, '--listen', listen, '--http-port', String(httpPort), '--engine', 'docker'];
  return spawn('npm', ['start', '--', ...flags], {
    cwd: join(folder, 'davit'),
    // A separate process group, so that `stop` can interrupt npm and its child processes, as Ctrl-C in a terminal does.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...shell(), npm_config_cache: join(folder, 'npm-cache') },
  });
}

/**
 * Returns the environment of a user's shell, without the variables and folders that npm added for this command, and
 * without settings of Davit.
 */
function shell(): NodeJS.ProcessEnv {
  const variables = Object.entries(process.env).filter(([name]) => !/^(npm_|DAVIT_|INIT_CWD$|NODE$)/.test(name));
  const path = (process.env.PATH ?? '').split(':').filter((part) => !part.includes('node_modules'));
  return { ...Object.fromEntries(variables), PATH: path.join(':') };
}

/**
 * Reads the completed steps from the output, up to the address of the example app.
 * @throws Error if the command ends before it prints the address
 */
async function readSteps({ stdout }: ChildProcess): Promise<{ host: string; steps: Record<string, string> }> {
  if (stdout === null) throw new Error('npm start has no output stream');
  const steps: Record<string, string> = {};
  let last = '';
  for await (const line of createInterface({ input: stdout })) {
    if (line.trim() !== '') say(line);
    const [, name, took] = /^ {2}✓ (.+?) {2,}([\d.]+ .*)$/.exec(line) ?? [];
    if (name !== undefined && took !== undefined) steps[name] = took.trim();
    const url = /^ *Example app +(\S+)/.exec(line)?.[1];
    if (url !== undefined) return { host: new URL(url).host, steps };
    last = line;
  }
  throw new Error(`npm start ended before it printed the address of the example app; the last line: ${last}`);
}

async function requestExampleApp(host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const clientRequest = request({ host: '127.0.0.1', port, headers: { host }, agent: false }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  clientRequest.on('error', reject);
  clientRequest.end();
  const status = await promise;
  if (status !== 200) throw new Error(`the example app answered with status code ${status}`);
}

/** Returns what this machine already has, so that the start does not need to install or build it. */
async function warmParts(): Promise<string> {
  const tags = (await new Docker().listImages()).flatMap((image) => image.RepoTags ?? []);
  const images = ['haproxy', 'names', 'busybox'].filter((name) => tags.some((tag) => tag.startsWith(`davit/${name}:`)));
  return `Docker, running; platform images: ${images.join(', ') || 'none'}; the package lists of apt`;
}

async function stop(child: ChildProcess | null): Promise<void> {
  if (child === null || child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGINT');
  await ended;
}
