/**
 * `npm start`: sets up the machine and starts the instance with the pinned runtime. Deploys the example at the first
 * start, and runs the catalog of example templates. The command runs in the foreground until it is stopped. The command
 * needs only Node 20 or newer. Flags are those of the instance (`--data-dir`, `--http-port`, …).
 */
import { request } from 'node:http';
import { join } from 'node:path';
import { dataDirOf } from '../packages/daemon/src/config/data-dir.mjs';
import { bannerLines, safeModeLines, urlOf } from './lib/banner.mjs';
import { startReporting } from './lib/child.mjs';
import { execute } from './lib/command.mjs';
import { chooseAddress, namesCatalog, startExampleCatalog } from './lib/example-catalog.mjs';
import { daemonCommand, runtimePath } from './lib/runtime.mjs';
import { startServer, stopSignal, watchOver } from './lib/server.mjs';
import { createSteps, StepFailure } from './lib/steps.mjs';
import { ROOT, setUp } from './setup.mjs';

const EXAMPLE_PATH = '/api/apps/demo/production/hello';

const flags = process.argv.slice(2);
const dataDir = dataDirOf(flags);
const logFile = join(dataDir, 'davit.log');
const steps = createSteps();

/** Returns the host of the example if an earlier start deployed it, otherwise null. */
function findExample(socketPath) {
  return new Promise((resolve) => {
    const clientRequest = request({ socketPath, path: EXAMPLE_PATH, timeout: 2000 }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => {
        const app = response.statusCode === 200 ? JSON.parse(body) : { live_deployment: null };
        resolve(app.live_deployment === null ? null : app.suggested_host);
      });
    });
    // A failure only omits an address from a list.
    clientRequest.on('error', () => resolve(null));
    clientRequest.on('timeout', () => clientRequest.destroy());
    clientRequest.end();
  });
}

/** Deploys the example. A failure is never fatal, because an instance works without the example. */
async function deployExample(stopping) {
  const command = [runtimePath(ROOT), join(ROOT, 'scripts/demo.ts'), ...flags];
  const started = performance.now();
  const stopClock = steps.waiting('deploy the example');
  let host = null;
  let reason = null;
  const onMessage = (message) => {
    if (message.kind === 'step') steps.done(message.name, message.ms);
    if (message.kind === 'deployed') host = message.host;
    if (message.kind === 'failed') reason = message.message;
  };
  const { child, ended } = await startReporting(command, { logFile, onMessage });
  const end = () => child.kill('SIGTERM');
  stopping.addEventListener('abort', end);
  const { words } = await ended;
  stopping.removeEventListener('abort', end);
  stopClock();
  if (host === null && !stopping.aborted) {
    const advice = 'The instance runs without it; try again with "npm run demo".';
    const error = new StepFailure(reason ?? 'It ended before its time.', advice, reason === null ? words : '');
    steps.failed('deploy the example', performance.now() - started, error);
  }
  return host;
}

/**
 * Creates the recovery key. Returns null if the output is not a terminal, because logs must not contain the key. A
 * failure is never fatal, because the user can create the key later.
 */
async function createRecoveryKey() {
  if (!process.stdout.isTTY) return null;
  const args = [join(ROOT, 'packages/cli/src/main.ts'), 'instance', 'recovery-key', '--local', '--quiet'];
  const { code, stdout } = await execute(runtimePath(ROOT), args, { env: { DAVIT_DATA_DIR: dataDir } });
  return code === 0 ? stdout.trim() : null;
}

/**
 * Waits for the end of the instance and reports it.
 * @returns the exit code of this command
 */
function watchInstance(ended, stopping, simulated) {
  const serving = simulated ? '' : 'apps and proxy keep serving';
  return watchOver(ended, { name: 'instance', logFile, again: 'npm start', serving, steps, stopping });
}

async function showReady(ready, stopping, catalog) {
  const first = ready.firstRun && ready.demo;
  // Both run concurrently.
  const [host, { url: catalogUrl }, recoveryKey] = await Promise.all([
    first ? deployExample(stopping) : findExample(ready.socket),
    catalog,
    ready.firstRun ? createRecoveryKey() : null,
  ]);
  if (stopping.aborted) return;
  const exampleUrl = host === null || ready.engine.simulated ? null : urlOf(host, ready.httpPort);
  const ms = process.uptime() * 1000;
  for (const text of bannerLines(ready, { exampleUrl, catalogUrl, recoveryKey, logFile, ms })) steps.line(text);
}

/** Runs the catalog. The catalog ends with the instance in every case. */
async function startCatalog(instanceEnded, address, stopping) {
  if (address === null) return { url: null, ended: Promise.resolve() };
  const over = new AbortController();
  void instanceEnded.then(() => over.abort());
  return startExampleCatalog({
    root: ROOT,
    dataDir,
    address,
    steps,
    stopping: AbortSignal.any([stopping, over.signal]),
  });
}

async function main() {
  await setUp('start', flags, steps);
  const stopping = stopSignal();
  const address = namesCatalog(flags) ? null : await chooseAddress();
  const own = address === null ? [] : ['--catalog-url', `http://${address}`];
  const command = [...daemonCommand(ROOT), ...flags, ...own];
  const { ended, outcome: first, next } = await startServer(command, { name: 'instance', logFile, steps, stopping });
  let outcome = first;
  while (outcome.kind === 'safe mode') {
    for (const text of safeModeLines(outcome, logFile)) steps.line(text);
    outcome = await next();
  }
  switch (outcome.kind) {
    case 'ready': {
      const end = watchInstance(ended, stopping, outcome.engine.simulated);
      const catalog = startCatalog(ended, address, stopping);
      await Promise.race([showReady(outcome, stopping, catalog), end]);
      const code = await end;
      await (await catalog).ended;
      return code;
    }
    case 'running':
      steps.line(`\n  Davit is already running on ${dataDir}: ${outcome.api}\n`);
      await ended;
      return 0;
    case 'failed':
      steps.failed('start the instance', null, new StepFailure(outcome.message));
      await ended;
      return 1;
    default:
      return watchInstance(ended, stopping, true);
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof StepFailure)) console.error(error);
  process.exitCode = 1;
}
