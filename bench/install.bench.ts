/**
 * Measures the time from a bare Debian without Docker and Node until the first app answers, with two commands:
 * `install.sh --from` and `davit up`. Between the commands, requests create the first user and an API key, as a user
 * does in the dashboard. The packages of Docker come from a package server. The time of `davit up` includes the build
 * and the push of the app's image.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CleanMachine } from '../test/support/clean-machine.ts';
import { buildRelease, makeSigningKey } from '../test/support/release-build.ts';
import { conclude, formOf, say } from './support/result.ts';

const LIMIT_S = 120;
const URL_OF_API = 'http://127.0.0.1:3000';
const TEXT = 'Hello from a bare machine';
const DOCKERFILE = `FROM scratch
COPY busybox /busybox
COPY index.html /www/index.html
USER 65534
EXPOSE 8080
CMD ["/busybox", "httpd", "-f", "-p", "8080", "-h", "/www"]
`;
const SETTINGS = `app: shop/production/web
port: 8080
health: { path: / }
`;
const COMMANDS = {
  install: 'sh install.sh --from . --key davit-release.gpg',
  deploy: 'davit up --yes',
};

/** Program that creates a user with the requests of the dashboard, and prints an API key. */
const CREATE = `
const post = async (path, body, headers = {}) => {
  const sent = { 'content-type': 'application/json', origin: '${URL_OF_API}', ...headers };
  const response = await fetch('${URL_OF_API}' + path, { method: 'POST', headers: sent, body });
  if (!response.ok) throw new Error(await response.text());
  return response;
};
const { headers } = await post('/api/setup', process.argv[1]);
const cookie = headers.getSetCookie()[0].split(';')[0];
const response = await post('/api/users/me/api-keys', '{"name":"install"}', { cookie });
console.log((await response.json()).key);
`;

await using machine = await CleanMachine.create();
const media = join(machine.root, 'media');
await mkdir(join(media, 'keys'));
await using release = await buildRelease(['--key', await makeSigningKey(join(media, 'keys'))]);
for (const name of await readdir(release.folder)) await copyFile(join(release.folder, name), join(media, name));
const app = join(machine.root, 'root/web');
await mkdir(app);
await copyFile('/usr/bin/busybox', join(app, 'busybox'));
await writeFile(join(app, 'Dockerfile'), DOCKERFILE);
await writeFile(join(app, 'index.html'), TEXT);
await writeFile(join(app, 'davit.yaml'), SETTINGS);

const from = performance.now();
const installS = await step('/media', COMMANDS.install);
const key = await createUser();
const deployS = await step('/root/web', COMMANDS.deploy, { DAVIT_URL: URL_OF_API, DAVIT_API_KEY: key });
const body = await read('web.production.shop.localhost');
if (!body.includes(TEXT)) throw new Error(`the app answered with: ${body.slice(0, 200)}`);
const seconds = (performance.now() - from) / 1_000;

await conclude(
  {
    name: 'install',
    promise: 'Time from a bare Debian until the first app answers, with two commands',
    limit: `≤ ${LIMIT_S} s`,
    value: Math.round(seconds * 10) / 10,
    unit: 's',
    ok: seconds <= LIMIT_S,
    details: {
      [COMMANDS.install]: `${installS.toFixed(1)} s`,
      [COMMANDS.deploy]: `${deployS.toFixed(1)} s`,
      package_server: 'a mirror near this machine',
    },
  },
  formOf(),
);

/** Runs a command in a folder of the machine. @returns its duration in seconds */
async function step(folder: string, command: string, env: Record<string, string> = {}): Promise<number> {
  const begun = performance.now();
  const { code, output } = await machine.run(['sh', '-c', `cd ${folder} && ${command}`], env);
  say(output);
  if (code !== 0) throw new Error(`${command} ended with exit code ${code}`);
  return (performance.now() - begun) / 1_000;
}

/** Creates the first user with the setup token. @returns an API key of the user */
async function createUser(): Promise<string> {
  const token = (await readFile(join(machine.root, 'var/lib/davit/setup-token'), 'utf8')).trim();
  const account = { token, username: 'ada', password: randomBytes(12).toString('hex') };
  const node = '/opt/davit/current/runtime/node';
  const { code, output } = await machine.run([node, '--input-type=module', '--eval', CREATE, JSON.stringify(account)]);
  if (code !== 0) throw new Error(`the first user could not be created: ${output}`);
  return output.trim();
}

/** Returns the response of the app through the proxy. */
async function read(host: string): Promise<string> {
  const outgoing = request({ host: machine.address, port: 80, headers: { host }, agent: false });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return text(response);
}
