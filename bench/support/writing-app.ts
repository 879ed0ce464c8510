/** An app that writes numbered lines of 100 bytes at a constant rate. A request starts it for a number of seconds. */
import { request } from 'node:http';
import type Docker from 'dockerode';
import type { AppParams, Instance } from '../../test/support/instance.ts';
import { TEST_APP_PORT, testAppImage } from '../../test/support/test-app-image.ts';

export const WRITTEN_LINES_PER_S = 10_000;

/** Program that catches up after delays, so that the rate is also constant on a busy machine. */
const PROGRAM = `
const { createServer } = require('node:http');
const pad = 'request served to a client somewhere in the world with nothing out of the ordinary about it';
const line = (n) => ('n=' + n + ' ' + pad).padEnd(99, '.').slice(0, 99) + '\\n';
let next = 0;
function write(total, began) {
  const due = Math.min(total, Math.floor((performance.now() - began) * ${WRITTEN_LINES_PER_S / 1000}));
  while (next < due) {
    let text = '';
    for (const end = Math.min(next + 500, due); next < end; next += 1) text += line(next);
    process.stdout.write(text);
  }
  if (next < total) setTimeout(write, 10, total, began);
  else console.log('written');
}
createServer((request, response) => {
  const seconds = Number(new URL(request.url, 'http://app').searchParams.get('seconds'));
  if (seconds > 0) write(seconds * ${WRITTEN_LINES_PER_S}, performance.now());
  response.end('ok');
}).listen(${TEST_APP_PORT}, () => console.log('waiting'));
`;

/** Creates and deploys the app. */
export async function deployWriter(instance: Instance, docker: Docker, params: AppParams): Promise<void> {
  const image = await testAppImage(docker);
  await instance.createApp(params, { image, port: TEST_APP_PORT, command: ['/bin/node', '-e', PROGRAM] });
  const { status, error } = await instance.deploy(params, 'v1');
  if (status !== 'succeeded') throw new Error(`deploy the app that writes lines: ${error}`);
}

/** Makes the app write for a number of seconds. */
export function beginWriting(instance: Instance, params: AppParams, seconds: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const to = { host: '127.0.0.1', port: instance.httpPort, path: `/?seconds=${seconds}`, agent: false as const };
  const clientRequest = request({ ...to, headers: { host: instance.hostOf(params) } }, (response) => {
    response.resume();
    if (response.statusCode === 200) resolve();
    else reject(new Error(`start to write: ${response.statusCode}`));
  });
  clientRequest.on('error', reject);
  clientRequest.end();
  return promise;
}
