/**
 * Adding a domain whose certificate is there already, under load: what fails of another domain's clients, how often the
 * proxy is reloaded for it, and how long the new host takes to answer over TLS with the right certificate.
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
/** A host that does not answer by then never will. */
const GIVE_UP_MS = 30_000;
/** Answers of each kind of client before the first domain and after the last. */
const AROUND = 50;

/** Says how much arrived, so that what is cut off is seen. */
const PROGRAM = `
require('node:http').createServer(async (asked, answer) => {
  let bytes = 0;
  for await (const chunk of asked) bytes += chunk.length;
  answer.end(JSON.stringify({ bytes }));
}).listen(${TEST_APP_PORT});
`;

const form = formOf();
await using instance = await startInstance();
const image = await testAppImage(instance.docker);
await instance.createApp(PARAMS, { image, port: TEST_APP_PORT, command: ['/bin/node', '-e', PROGRAM] });
await instance.deploy(PARAMS, 'v1');
const own = await upload(SERVED);
await instance.client.addDomain({ params: PARAMS, body: { host: SERVED } });
await firstAnswer(SERVED, own);

const workers = await proxyProcesses(instance);
const load = startLoad(instance.httpsPort, SERVED, true);
await load.more(AROUND);
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
await load.more(AROUND);
const { failures } = await load.stop();
const after = await proxyProcesses(instance);
const reloads = after.filter((pid) => !workers.includes(pid)).length;
say(`from the API's answer to the first good one: ${answered.map((ms) => ms.toFixed(0)).join(' ')} ms`);

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
      until_the_first_good_answer_p50_ms: rounded(median(answered)),
      until_the_first_good_answer_p99_ms: rounded(quantile(answered, 0.99)),
      add_domain_p50_ms: rounded(median(added)),
      clients: 'HTTPS of another domain: fresh connections, kept ones, 64 KiB posted',
      ...(failures.length > 0 && { first_failures: failures.slice(0, 10) }),
    },
  },
  form,
);

/** @returns who has to be trusted to be answered: the certificate itself */
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
      if (performance.now() > deadline) throw new Error(`ask ${host}`, { cause: error });
    }
  }
}

/** Asks on a connection of its own. @throws Error for another certificate, and for any answer but 200 */
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
  if (response.statusCode !== 200) throw new Error(`it answered ${response.statusCode}`);
}

/** The processes of the proxy: a reload starts a new one. */
async function proxyProcesses({ docker, id }: Instance): Promise<string[]> {
  const filters = { label: [`davit.instance=${id}`, 'davit.kind=proxy'] };
  const containers = await docker.listContainers({ filters });
  const tops = await Promise.all(containers.map(({ Id }) => docker.getContainer(Id).top()));
  return tops.flatMap(({ Titles, Processes }) => Processes.map((row: string[]) => row[Titles.indexOf('PID')] ?? ''));
}
