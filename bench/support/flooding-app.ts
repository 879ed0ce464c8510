/** An app that writes as fast as its output is read. A request starts it for a number of seconds. */
import type Docker from 'dockerode';
import type { AppParams, Instance } from '../../test/support/instance.ts';
import { TEST_APP_PORT, testAppImage } from '../../test/support/test-app-image.ts';

/**
 * Program that writes lines of 10 bytes, of 100 bytes, and of 20 KiB, which the engine splits. Each size is used for
 * one second in turn. A write waits until the engine has read it. Between two writes, the app answers requests.
 */
const PROGRAM = `
const { createServer } = require('node:http');
const text = (length, total) => ('x'.repeat(length - 1) + '\\n').repeat(total / length);
const texts = [text(10, 10_000), text(100, 50_000), text(20_480, 102_400)];
const linesOf = texts.map((text) => text.split('\\n').length - 1);
let lines = 0;
function write(until, began) {
  const now = performance.now();
  if (now >= until) return console.log('written lines=' + lines);
  const kind = Math.floor((now - began) / 1_000) % texts.length;
  lines += linesOf[kind];
  process.stdout.write(texts[kind], () => setImmediate(write, until, began));
}
createServer((request, response) => {
  const seconds = Number(new URL(request.url, 'http://app').searchParams.get('seconds'));
  const now = performance.now();
  if (seconds > 0) write(now + seconds * 1_000, now);
  response.end('ok');
}).listen(${TEST_APP_PORT}, () => console.log('waiting'));
`;

/** Creates and deploys the app. */
export async function deployFlooder(instance: Instance, docker: Docker, params: AppParams): Promise<void> {
  const image = await testAppImage(docker);
  await instance.createApp(params, { image, port: TEST_APP_PORT, command: ['/bin/node', '-e', PROGRAM] });
  const { status, error } = await instance.deploy(params, 'v1');
  if (status !== 'succeeded') throw new Error(`deploy the app that floods its log: ${error}`);
}
