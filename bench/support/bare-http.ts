/** A minimal `node:http` server in a separate process that answers every request with the same bytes. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

const PROGRAM = `
process.once('message', (body) => {
  const bytes = Buffer.from(body);
  const server = require('node:http').createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
    response.end(bytes);
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
process.once('disconnect', () => process.exit(0));
`;

export interface BareHttp extends Disposable {
  url: string;
}

export async function startBareHttp(body: string): Promise<BareHttp> {
  const child: ChildProcess = fork('-', {
    execArgv: ['--eval', PROGRAM],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.send(body);
  const [port] = (await once(child, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => void child.kill() };
}
