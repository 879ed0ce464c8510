/**
 * Adds 50 domains whose certificates are already uploaded, one after another, while HTTPS clients send requests to
 * another domain. Counts the failed requests of these clients and the proxy processes that a reload replaced. Also
 * measures the time until each new host answers over TLS with its certificate.
 */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { makeCertificate } from '../packages/daemon/test/support/make-certificate.ts';
import { type AppParams, type Instance, startInstance } from '../test/support/instance.ts';
import { startLoad } from '../test/support/proxy-load.ts';
import { TEST_APP_PORT, testAppImage } from '../test/support/test-app-image.ts';
import { conclude, formOf, median, quantile, rounded, say } from './support/result.ts';

const DOMAINS = { short: 5, usual: 50, long: 200 };
const SERVED = 'shop.example.org';
const PARAMS: AppParams = { project: 'bench', environment: 'production', app: 'shop' };
/** The benchmark fails if a new host does not answer within this time. */
const GIVE_UP_MS = 30_000;
/** Number of responses that each kind of client must get before the first domain is added, and again after the last. */
const RESPONSES_AROUND = 50;

/** The app responds with the number of received bytes, so that the load detects truncated request bodies. */
const PROGRAM = `
require('node:http').createServer(async (request, response) => {
  let bytes = 0;
  for await (const chunk of request) bytes += chunk.length;
  response.end(JSON.stringify({ bytes }));
}).listen(${TEST_APP_PORT});
`;

const form = formOf();
await using instance = await startInstance();
const image = await testAppImage(instance.docker);
await instance.createApp(PARAMS, { image, port: TEST_APP_PORT, command: ['/bin/node', '-e', PROGRAM] });
await instance.deploy(PARAMS, 'v1');
const servedCertificate = await upload(SERVED);
await instance.client.addDomain({ params: PARAMS, body: { host: SERVED } });
await firstAnswer(SERVED, servedCertificate);

const before = await proxyProcesses(instance);
const load = startLoad(instance.httpsPort, SERVED, true);
await load.more(RESPONSES_AROUND);
const added: number[] = [];
const answered: number[] = [];
for (let n = 1; n <= DOMAINS[form]; n += 1) {
  const host = `shop${n}.example.org`;
  const trusted = await upload(host);
  const from = performance.now();
  await instance.client.addDomain({ params: PARAMS, body: { host } });
  const at = performance.now();
  added.push(at - from);
  await firstAnswer(host, trusted);
  answered.push(performance.now() - at);
  await load.more(1);
}
await load.more(RESPONSES_AROUND);
const { failures } = await load.stop();
const after = await proxyProcesses(instance);
const reloads = after.filter((pid) => !before.includes(pid)).length;
say(`from the API response to the first 200 of the new host: ${answered.map((ms) => ms.toFixed(0)).join(' ')} ms`);

await conclude(
  {
    name: 'add-domain',
    promise: `Requests lost while ${DOMAINS[form]} domains with certificates are added under load`,
    limit: '0, no reload',
    value: failures.length,
    unit: 'requests',
    ok: failures.length === 0 && reloads === 0,
    details: {
      proxy_processes_replaced: reloads,
      until_the_first_200_p50_ms: rounded(median(answered)),
      until_the_first_200_p99_ms: rounded(quantile(answered, 0.99)),
      add_domain_p50_ms: rounded(median(added)),
      clients: 'HTTPS to another domain: new connections, persistent connections, POST of 64 KiB',
      ...(failures.length > 0 && { first_failures: failures.slice(0, 10) }),
    },
  },
  form,
);

/**
 * Uploads a new self-signed certificate for a host.
 * @returns the certificate, which clients must trust to verify the connection
 */
async function upload(host: string): Promise<string> {
  const { certificate, key } = await makeCertificate([host]);
  await instance.client.uploadCertificate({ body: { certificate, key } });
  return certificate;
}

async function firstAnswer(host: string, trusted: string): Promise<void> {
  const deadline = performance.now() + GIVE_UP_MS;
  for (;;) {
    try {
      return await sendRequest(host, trusted);
    } catch (error) {
      if (performance.now() > deadline) throw new Error(`no 200 from ${host} in time`, { cause: error });
    }
  }
}

/**
 * Sends a request over a new connection.
 * @throws Error if the host has another certificate or does not answer with 200
 */
async function sendRequest(host: string, trusted: string): Promise<void> {
  const to = {
    host: '127.0.0.1',
    port: instance.httpsPort,
    servername: host,
    headers: { host },
    agent: false as const,
  };
  const clientRequest = request({ ...to, ca: trusted }).end();
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
  response.resume();
  if (response.statusCode !== 200) throw new Error(`status code ${response.statusCode}`);
}

/** Returns the process ids of the proxy. A reload starts a new process. */
async function proxyProcesses({ docker, id }: Instance): Promise<string[]> {
  const filters = { label: [`davit.instance=${id}`, 'davit.kind=proxy'] };
  const containers = await docker.listContainers({ filters });
  const tops = await Promise.all(containers.map(({ Id }) => docker.getContainer(Id).top()));
  return tops.flatMap(({ Titles, Processes }) => Processes.map((row: string[]) => row[Titles.indexOf('PID')] ?? ''));
}
