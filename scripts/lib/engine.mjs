import { spawn } from 'node:child_process';
import { access, mkdir, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasApt, installWithApt } from './apt.mjs';
import { execute, findProgram, lastLines } from './command.mjs';
import { DEFAULT_SOCKET, engineAddress, fetchEngineVersion } from './engine-address.mjs';
import { decideEngine } from './engine-decision.mjs';
import { engineFlags, writeEngineSettings } from './engine-settings.mjs';
import { StepFailure } from './steps.mjs';

const PACKAGES = ['docker.io', 'iptables', 'ca-certificates'];
const START_LIMIT_MS = 60_000;
const POLL_MS = 50;
const PID_FILE = '/var/run/docker.pid';

/** This machine cannot have an engine, whatever this user does. An instance can simulate one. */
export class NoEngine extends StepFailure {
  constructor(message, advice, output = '') {
    super(message, advice, output);
    this.name = 'NoEngine';
  }
}

async function look(dockerHost) {
  const address = engineAddress(dockerHost);
  const exists = (path) =>
    access(path).then(
      () => true,
      () => false,
    );
  return {
    answer: await fetchEngineVersion(address),
    place: dockerHost || `unix://${DEFAULT_SOCKET}`,
    chosen: Boolean(dockerHost),
    isRoot: process.getuid?.() === 0,
    hasDockerd: (await findProgram('dockerd')) !== null,
    hasApt: await hasApt(),
    hasSystemd: await exists('/run/systemd/system'),
  };
}

/** Containers need control groups. Without systemd, they may not be mounted. */
async function ensureControlGroups() {
  if ((await readdir('/sys/fs/cgroup').catch(() => [])).length > 0) return;
  const { code, output } = await execute('mount', ['-t', 'cgroup2', 'cgroup2', '/sys/fs/cgroup']);
  if (code !== 0) {
    throw new NoEngine(
      'This machine has no control groups, which containers need, and they cannot be mounted.',
      'Run Davit outside of the sandbox or container that this is.',
      lastLines(output),
    );
  }
}

/**
 * Returns the environment variables that an engine uses. A daemon that keeps running must not get the other variables
 * of this command.
 */
function engineEnvironment() {
  const kept = /^(PATH|HOME|LANG|TMPDIR|DOCKER_.*|(https?|no|all)_proxy)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.test(name) && name !== 'DOCKER_HOST'));
}

/** Returns the errors that an engine logged before it ended, without informational lines. */
function reasonsIn(log) {
  return lastLines(log.replaceAll(/^time=\S+ level=(debug|info|warning) .*\n/gm, ''));
}

/**
 * Starts `dockerd` in a separate session, so that it keeps running when this command and the instance end. With
 * `--live-restore`, containers such as the proxy keep running while dockerd restarts.
 */
async function spawnDockerd(logFile) {
  const log = await open(logFile, 'a', 0o600);
  const { size } = await log.stat();
  const child = spawn((await findProgram('dockerd')) ?? 'dockerd', await engineFlags(), {
    cwd: '/',
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: engineEnvironment(),
  });
  let ended = null;
  child.on('error', (error) => {
    ended = error.message;
  });
  child.on('exit', (code, signal) => {
    ended = `ended with ${signal ?? `exit code ${code}`}`;
  });
  child.unref();
  await log.close();
  const words = async () => reasonsIn((await readFile(logFile)).subarray(size).toString());
  return { ended: () => ended, words };
}

async function waitForEngine(address, stopWhen = () => null) {
  const deadline = performance.now() + START_LIMIT_MS;
  while (performance.now() < deadline) {
    const answer = await fetchEngineVersion(address);
    if ('apiVersion' in answer) return answer;
    if (stopWhen() !== null) return null;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return null;
}

async function startOwn(address, dataDir) {
  await ensureControlGroups();
  const folder = join(dataDir, 'engine');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const logFile = join(folder, 'dockerd.log');
  const dockerd = await spawnDockerd(logFile);
  const answer = await waitForEngine(address, dockerd.ended);
  if (answer !== null) return `${answer.version}, started; log in ${logFile}`;
  const how = dockerd.ended() ?? `did not answer within ${START_LIMIT_MS / 1000} s`;
  throw new NoEngine(
    `The Docker Engine could not be started: it ${how}.`,
    `Its log is ${logFile}. In a sandbox or an unprivileged container no engine can run.`,
    await dockerd.words(),
  );
}

async function startWithSystemd(address) {
  const { code, output } = await execute('systemctl', ['start', 'docker']);
  const answer = code === 0 ? await waitForEngine(address) : null;
  if (answer !== null) return `${answer.version}, started`;
  throw new StepFailure(
    'systemd could not start the Docker Engine.',
    'See why with "journalctl -u docker", then run the command again.',
    lastLines(output),
  );
}

/** Returns whether the dockerd that owns the default socket is alive. A second dockerd would refuse to start. */
async function isStarting() {
  const pid = (await readFile(PID_FILE, 'utf8').catch(() => '')).trim();
  if (pid === '') return false;
  const comm = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  return comm.trim() === 'dockerd';
}

async function startEngine(address, dataDir, systemd) {
  if (systemd) return startWithSystemd(address);
  // The script of the package may have started it during the installation.
  if (await isStarting()) {
    const answer = await waitForEngine(address);
    if (answer !== null) return `${answer.version}, started`;
    throw new StepFailure(
      `A dockerd runs on this machine but does not answer at ${DEFAULT_SOCKET}.`,
      'Set DOCKER_HOST to where it answers, or stop it and run the command again.',
    );
  }
  return startOwn(address, dataDir);
}

async function decide(dockerHost) {
  const decision = decideEngine(await look(dockerHost));
  if (decision.kind === 'none') throw new NoEngine(decision.why, decision.advice);
  if (decision.kind === 'refuse') throw new StepFailure(decision.why, decision.advice);
  return decision;
}

/**
 * Makes a Docker Engine available: uses a running one, starts an installed one, or installs the package of the
 * distribution.
 * @param {{ dataDir: string, dockerHost?: string | null, steps: ReturnType<import('./steps.mjs').createSteps> }}
 * options
 * @throws {NoEngine} if this machine cannot have one; {StepFailure} if the user can correct the problem
 */
export async function ensureEngine({ dataDir, dockerHost = process.env.DOCKER_HOST, steps }) {
  const started = performance.now();
  let decision;
  try {
    decision = await decide(dockerHost);
  } catch (error) {
    if (error instanceof StepFailure) steps.failed('container engine', performance.now() - started, error);
    throw error;
  }
  if (decision.kind === 'use') {
    steps.done('container engine', performance.now() - started, `Docker ${decision.version}`);
    return;
  }
  if (decision.kind === 'install') {
    await steps.run('install Docker Engine', async () => {
      // The package starts the engine at once.
      await writeEngineSettings();
      await installWithApt(PACKAGES);
      return PACKAGES.join(', ');
    });
  }
  await steps.run('container engine', async () => {
    return `Docker ${await startEngine(engineAddress(dockerHost), dataDir, decision.systemd)}`;
  });
}
