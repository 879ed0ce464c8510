/**
 * Public Compose stacks on a real engine, through the command line. Each image of an app is replaced by one that
 * listens on all ports of these stacks, because the real images are not on this machine. Everything else is real: the
 * databases, the files beside the Compose file, the domains and the proxy.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '@davit/testkit/ports';
import { DavitFolder } from '../../support/davit-command.ts';
import { customImage } from '../../support/docker-images.ts';
import { CASES_AT_ONCE, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

const STACKS = join(import.meta.dirname, '../../../packages/template/fixtures/stacks');
const PORTS = [80, 3000, 5000, 5044, 5601, 9090, 9200, 9300, 9600];

/**
 * Script that serves a page with the port on each port, whatever arguments the script gets. The script also serves the
 * health path of Elasticsearch, the environment of the app, and the folders into which the stacks mount files. A shell
 * drops variables whose names contain a dot, so the script reads the environment from the kernel.
 */
const SERVE = [
  `for port in ${PORTS.join(' ')}; do`,
  'root=/www/$port; mkdir -p $root/_cluster $root/usr;',
  'echo $port > $root/index.html; echo green > $root/_cluster/health; tr "\\0" "\\n" < /proc/$$/environ > $root/environ;',
  'ln -s /etc $root/etc; ln -s /usr/share $root/usr/share; ln -s /home $root/home;',
  'httpd -p $port -h $root;',
  'done; exec sleep 1000000',
].join(' ');

interface Stack {
  /** Port that answers at each domain, by the input of the domain. */
  domains: Record<string, number>;
  /** Files of the stack at the path of the container, by the input of the domain. */
  files?: Record<string, [path: string, file: string]>;
  /** Lines in the environment of the first app, which show that the app has the address of the managed database. */
  environment?: RegExp[];
}

/** Stacks of `npm test`: one with several domains, files and a public port, and one with a managed database. */
const QUICK = ['elasticsearch-logstash-kibana', 'gitea-postgres'];

const CASES: Record<string, Stack> = {
  'elasticsearch-logstash-kibana': {
    domains: {
      elasticsearchDomain: 9200,
      ...{ logstashDomain: 5000, logstashDomain5044: 5044, logstashDomain9600: 9600 },
      kibanaDomain: 5601,
    },
    environment: [/^discovery\.type=single-node$/m],
    files: {
      logstashDomain: ['/usr/share/logstash/pipeline/logstash-nginx.config', 'logstash/pipeline/logstash-nginx.config'],
      logstashDomain9600: ['/home/nginx.log', 'logstash/nginx.log'],
    },
  },
  'gitea-postgres': { domains: { domain: 3000 }, environment: [/^DB_HOST=.*db\..*:5432$/m, /^DB_NAME=gitea$/m] },
  'nextcloud-postgres': { domains: { domain: 80 }, environment: [/^POSTGRES_HOST=.*db\./m] },
  'prometheus-grafana': {
    domains: { prometheusDomain: 9090, grafanaDomain: 3000 },
    files: {
      prometheusDomain: ['/etc/prometheus/prometheus.yml', 'prometheus/prometheus.yml'],
      grafanaDomain: ['/etc/grafana/provisioning/datasources/datasource.yml', 'grafana/datasource.yml'],
    },
  },
  'wordpress-mysql': { domains: { domain: 80 }, environment: [/^WORDPRESS_DB_HOST=.*db\./m] },
};

describe('public Compose stacks on a real engine', { skip: whyNoEngine() ?? false, concurrency: CASES_AT_ONCE }, () => {
  let harness: LiveHarness;
  let image: string;

  before(async () => {
    harness = await LiveHarness.create();
    const serve = `ENTRYPOINT ${JSON.stringify(['sh', '-c', SERVE])}`;
    image = await customImage(harness.docker, 'compose-stack', [
      'RUN ["/bin/sh", "-c", "mkdir -p /home /usr/share"]',
      serve,
    ]);
  });
  after(() => harness?.[Symbol.asyncDispose]());

  for (const [name, stack] of Object.entries(CASES))
    it(`${name} serves requests at all domains, and a second run changes nothing`, tierOf(name), () =>
      deploys(name, stack),
    );

  function tierOf(name: string): { skip?: string | boolean } {
    return QUICK.includes(name) ? {} : inLong;
  }

  async function deploys(name: string, { domains, files = {}, environment = [] }: Stack): Promise<void> {
    await using folder = await DavitFolder.make(harness.instance, join(STACKS, name));
    const tcpPort = await freePort();
    await folder.write('compose.yaml', standIns(await readFile(join(STACKS, name, 'compose.yaml'), 'utf8'), tcpPort));
    const hostOf = (input: string) => `${input.toLowerCase()}.${name}.test`;
    const answers = Object.keys(domains).flatMap((input) => ['-i', `${input}=${hostOf(input)}`]);
    const up = () => folder.run(['up', '-f', 'compose.yaml', '-p', name, ...answers]);

    const first = await up();

    assert.equal(first.code, 0, first.stderr);
    for (const [input, port] of Object.entries(domains)) {
      const { status, text } = await harness.get(hostOf(input));
      assert.deepEqual([status, text.trim()], [200, String(port)], input);
    }
    for (const [input, [path, file]] of Object.entries(files))
      assert.equal(
        (await harness.get(hostOf(input), path)).text,
        await readFile(join(folder.path, file), 'utf8'),
        path,
      );
    const [main = ''] = Object.keys(domains);
    const variables = environment.length === 0 ? '' : (await harness.get(hostOf(main), '/environ')).text;
    for (const line of environment) assert.match(variables, line);
    if (name.startsWith('elasticsearch')) assert.equal(await pageAt(tcpPort), '9300');

    const before = await deployments(name);
    const second = await up();
    assert.deepEqual([second.code, /nothing to do/.test(second.stdout)], [0, true], second.stderr);
    assert.deepEqual(await deployments(name), before);
  }

  /**
   * Replaces the images of the apps and the public TCP port. The version of PostgreSQL is the one that an instance can
   * build without a registry.
   */
  function standIns(compose: string, tcpPort: number): string {
    return compose
      .replaceAll(/^( +image: *)(?!postgres|mariadb)\S+$/gm, `$1${image}`)
      .replaceAll(/^( +image: *)postgres:alpine$/gm, '$1postgres:15-alpine')
      .replace('"9300:9300"', `"${tcpPort}:9300"`);
  }

  /** Returns the page at a public TCP port. */
  async function pageAt(port: number): Promise<string> {
    return (await (await fetch(`http://127.0.0.1:${port}/`)).text()).trim();
  }

  /** Returns the ids of all deployments of the apps of a project. */
  async function deployments(project: string): Promise<number[]> {
    const { client } = harness;
    const apps = (await client.listApps()).filter((app) => app.project === project);
    const lists = await Promise.all(
      apps.map(({ environment, name: app }) => client.listDeployments({ params: { project, environment, app } })),
    );
    return lists.flat().map(({ id }) => id);
  }
});
