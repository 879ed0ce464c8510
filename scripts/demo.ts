/**
 * Deploys the example app. Builds two releases of `examples/hello` with the local engine, and deploys the first release
 * through the API of the instance as its local operator. A second run finds the existing objects and changes nothing.
 *
 * The script accepts the settings of the instance (`--data-dir`, `--docker-host`, …). If the parent process listens
 * (`npm start`), it reports to the parent instead of the terminal.
 */
import { join } from 'node:path';
import { EXAMPLE_LABEL } from '@davit/api';
import { configFromProcess } from '../packages/daemon/src/config/env.ts';
import { buildHello } from './demo/build-hello.ts';
import { type Answer, sendRequest } from './demo/local-api.ts';
import { answersThroughProxy } from './demo/through-proxy.ts';

const APP = {
  ...{ project: 'demo', environment: 'production', name: 'hello', source: 'image', image: 'davit-hello' },
  labels: { [EXAMPLE_LABEL]: '' },
};
const PORT = 8080;
const FIRST_RELEASE = '1.0';

const report = (message: Record<string, unknown>, line: string) => {
  if (process.send) process.send(message);
  else console.log(line);
};

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  const ms = Math.round(performance.now() - started);
  report({ kind: 'step', name, ms }, `✓ ${name} (${ms} ms)`);
  return result;
}

/** Checks that an object was created now or earlier. */
function expectMade(what: string, { status, text }: Answer): void {
  if (status !== 201 && status !== 409) throw new Error(`${what}: the API answered ${status}: ${text}`);
}

async function expectRead(socket: string, path: string): Promise<Answer> {
  const answer = await sendRequest(socket, 'GET', path);
  if (answer.status !== 200) throw new Error(`read ${path}: the API answered ${answer.status}: ${answer.text}`);
  return answer;
}

/**
 * Deploys the example.
 * @returns the host of the app
 */
async function deployHello(socket: string): Promise<string> {
  expectMade('create the project "demo"', await sendRequest(socket, 'POST', '/api/projects', { slug: APP.project }));
  expectMade('create the app "hello"', await sendRequest(socket, 'POST', '/api/apps', { ...APP, port: PORT }));
  const path = `/api/apps/${APP.project}/${APP.environment}/${APP.name}`;
  const { live_deployment: live, suggested_host: host } = JSON.parse((await expectRead(socket, path)).text);
  if (live === null) await deploy(socket, path);
  return host;
}

async function deploy(socket: string, path: string): Promise<void> {
  const { status, text } = await sendRequest(socket, 'POST', `${path}/deploy?wait=true`, { tag: FIRST_RELEASE });
  if (status !== 200) throw new Error(`deploy the app "hello": the API answered ${status}: ${text}`);
  const record = JSON.parse(text);
  if (record.status === 'succeeded') return;
  const log = record.log?.length > 0 ? `\n${record.log.join('\n')}` : '';
  throw new Error(`deploy the app "hello": ${record.status}: ${record.error}${log}`);
}

async function main(): Promise<void> {
  const { dataDir, dockerHost } = configFromProcess();
  const socket = join(dataDir, 'davit.sock');
  const { engine, ports } = JSON.parse((await expectRead(socket, '/api/instance')).text);
  if (!engine.simulated) await step('build the example', () => buildHello(dockerHost));
  const host = await step('deploy the example', () => deployHello(socket));
  if (!engine.simulated) await step('the example answers', () => answersThroughProxy(host, ports.http));
  report({ kind: 'deployed', host }, `The example is at http://${host}${ports.http === 80 ? '' : `:${ports.http}`}/`);
}

try {
  await main();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  report({ kind: 'failed', message }, `✗ ${message}`);
  process.exitCode = 1;
}
process.disconnect?.();
