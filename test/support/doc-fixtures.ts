/**
 * What the shell blocks of each page need, in one table: existing resources, steps between blocks that the text
 * describes, answers at prompts, and the reason for each block or line that cannot run in a test.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bootCatalog } from '@davit/testkit/catalog';
import { until } from '@davit/testkit/waiting';
import { buildHello } from '../../scripts/demo/build-hello.ts';
import { makeExampleRepositories } from '../../scripts/example-catalog.ts';
import { ACCOUNT, type DocPlace, paramsOf } from './doc-place.ts';
import type { PromptAnswer } from './doc-shell.ts';
import { belongingsOf } from './instance-removal.ts';
import { done, pathOf } from './live-database.ts';

export interface DocFixture {
  /** Creates what exists before the first block. */
  prepare?: (place: DocPlace) => Promise<void>;
  /** Steps before a block, by the first command of the block. */
  before?: Record<string, (place: DocPlace) => Promise<void>>;
  /** Checks after a block, by the first command of the block. */
  after?: Record<string, (place: DocPlace) => Promise<void>>;
  /** Answers at prompts, by the first command of the block. Confirmations of deletions need none. */
  answers?: Record<string, (place: DocPlace) => PromptAnswer[]>;
  /** Reasons why blocks cannot run, by the first command of the block. */
  blocks?: Record<string, string>;
  /** Reasons why single lines cannot run, by the command of the line. */
  lines?: Record<string, string>;
}

const WEB = 'shop/production/web';
const MAIN = 'shop/production/main';
const SECRET = 'correct horse battery';

const STAYS_OPEN = 'the command runs until it is stopped; other tests start it';
const OTHER_SERVER = 'needs a second computer';
const INTERNET = 'needs the internet';
const FOREIGN_IMAGE = 'needs an image from the internet';
const ALTERNATIVE = 'an alternative to another line of the block';

/** Answers of the first user at `davit login`. */
const LOGIN: PromptAnswer[] = [
  { prompt: /Sign in with/, text: '' },
  { prompt: /User name:/, text: ACCOUNT.username },
  { prompt: /Password of/, text: ACCOUNT.password },
];
const login = () => LOGIN;
const secretAt = (prompt: RegExp) => () => [{ prompt, text: SECRET }];

const DOCKERFILE = (place: DocPlace) => `FROM ${place.web}\nCOPY Dockerfile /Dockerfile\n`;

async function backUp({ client }: DocPlace): Promise<number> {
  await done(client.backUpDatabase({ params: pathOf(MAIN), query: { wait: 'true' }, body: {} }));
  const [newest] = await client.listDatabaseBackups({ params: pathOf(MAIN) });
  return newest?.id ?? 0;
}

/** Builds and pushes an image with the reader's Docker. */
async function push(place: DocPlace, reference: string, tag: string): Promise<void> {
  const image = `localhost:${place.instance.registryPort}/${reference}:${tag}`;
  await place.shell.run(`docker tag ${place.web} ${image}\ndocker push ${image}\ndocker rmi ${image}`);
}

async function keyId({ client }: DocPlace, user: string, name: string): Promise<number> {
  const keys = await client.listUserKeys({ params: { user } });
  return keys.find((key) => key.name === name)?.id ?? 0;
}

/** Signs a user in as a browser does. */
async function signInAs({ instance }: DocPlace, username: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const body = JSON.stringify({ username, password: SECRET });
  const { status } = await fetch(`${instance.url}/api/auth/login`, { method: 'POST', headers, body });
  if (status !== 200) throw new Error(`sign in as ${username}: ${status}`);
}

/** Moves the database to the trash and uses its id in the examples. */
async function trashed(place: DocPlace, reference: string): Promise<void> {
  const { client } = place;
  const params = pathOf(reference);
  await client.deleteDatabase({ params, query: { confirm: params.database } });
  place.replace(3, (await client.listTrashedDatabases())[0]?.id ?? 0);
}

/** Writes a self-signed certificate for a host. */
const certificate = (host: string) =>
  `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=${host} ` +
  `-addext subjectAltName=DNS:${host} -keyout privkey.pem -out fullchain.pem 2>/dev/null`;

export const DOC_FIXTURES: Record<string, DocFixture> = {
  'docs/tutorials/first-app.md': {
    prepare: async (place) => {
      await place.nodeImage('node', '24-alpine');
      await place.image('nginx', '1.27');
      await place.enterClone();
    },
    before: {
      'davit up': ({ shell }) => shell.run("sed -i 's/from my app/again/' server.js"),
    },
    answers: { 'npm pack -w davit': login },
    blocks: { 'npm start': STAYS_OPEN, 'ssh -L 3000:127.0.0.1:3000 -L 8080:127.0.0.1:80 root@server': OTHER_SERVER },
  },
  'docs/tutorials/database-with-backups.md': {
    prepare: async (place) => {
      await place.app('demo/production/hello');
      await place.program('psql', 'davit/postgres:15');
    },
    answers: { 'davit login http://127.0.0.1:3000': login },
    blocks: { 'apt-get install -y postgresql-client': 'changes the packages of the server' },
  },
  'docs/tutorials/domain-with-https.md': {
    prepare: async (place) => {
      await place.app(WEB);
      place.replace('https://example.org', place.instance.url);
    },
    answers: { 'davit login https://example.org': login },
    blocks: { 'dig +short example.org web.production.shop.example.org': 'needs a public domain' },
    lines: { 'curl -I https://shop.example.com/': 'needs a public domain' },
  },
  'docs/how-to/back-up-and-restore-databases.md': {
    prepare: async (place) => {
      await place.database(MAIN);
      await place.environment(paramsOf('shop/staging'));
      await (await place.objectStore()).link('offsite', 'backups');
      place.replace(12, await backUp(place));
    },
    before: {
      'davit backup verify 12': async (place) => place.replace(12, await backUp(place)),
      'davit database restore-to shop/production/main 2026-03-01T09:58:00Z shop/production/before': async (place) => {
        const latest = await until('a moment can be restored', async () => {
          const coverage = await place.client.listBackupCoverage();
          return coverage.find(({ database }) => database === MAIN)?.point_in_time?.to ?? null;
        });
        place.replace('2026-03-01T09:58:00Z', latest);
      },
    },
    lines: {
      'davit backup download 12 - | pg_restore -d shop': 'needs a PostgreSQL server outside of Davit',
      'davit database upgrade shop/production/main 17': FOREIGN_IMAGE,
    },
  },
  'docs/how-to/configure-an-app.md': {
    prepare: async (place) => {
      await place.app(WEB);
      await place.app('shop/production/db');
    },
    before: {
      'davit revision list shop/production/web': async (place) => {
        await place.shell.run(`davit env set ${WEB} COLOR=green`);
        const [, former] = await place.client.listRevisions({ params: paramsOf(WEB) });
        place.replace(7, former?.number ?? 0);
      },
    },
    answers: { 'davit env set shop/production/web COLOR=blue': secretAt(/DB_PASSWORD/) },
  },
  'docs/how-to/connect-a-domain.md': {
    prepare: async (place) => {
      await place.app(WEB);
      await place.app('shop/production/blog');
    },
    before: {
      'davit settings set domain=shop.example.org --confirm shop.example.org': async ({ shell }) => {
        await shell.run(`davit domain remove ${WEB} shop.example.org --yes`);
        await shell.run('davit domain remove shop/production/blog shop.example.org/blog --yes');
      },
    },
    answers: { "davit domain set shop/production/web shop.example.org --maintenance 'Back at five.'": secretAt(/ada/) },
  },
  'docs/how-to/connect-ai-clients-with-mcp.md': {
    prepare: (place) => place.app(WEB),
    blocks: {
      'claude mcp add --transport http davit https://davit.example.com/mcp --header "Authorization: Bearer $KEY"':
        'needs another program',
    },
  },
  'docs/how-to/deploy-from-github-actions.md': {
    prepare: async (place) => {
      await place.app(WEB, 'v1', '1.4.0');
      await place.enterClone();
    },
  },
  'docs/how-to/deploy-with-davit-yaml.md': {
    prepare: async (place) => {
      const { client, shell } = place;
      await place.environment(paramsOf(WEB));
      await client.createApp({ body: { ...projectOf(WEB), name: 'web', source: 'registry' } });
      await place.image('davit-docs/compose', 'v1');
      await shell.write('Dockerfile', DOCKERFILE(place));
      await shell.write('staging.yaml', 'app: shop/staging/web\nport: 3000\n');
      const service = (name: string, port: number) =>
        `  ${name}:\n    image: davit-docs/compose:v1\n    ports: ["${port}:8080"]\n`;
      await shell.write('compose.yaml', `services:\n${service('web', 8080)}${service('admin', 8081)}`);
      place.replace('davit plan --exit-code', 'davit plan --exit-code || [ $? = 10 ]');
    },
    answers: { 'davit env set shop/production/web DATABASE_URL --secret': secretAt(/DATABASE_URL/) },
  },
  'docs/how-to/install-security-updates.md': {},
  'docs/how-to/install-templates.md': {
    prepare: async (place) => {
      const repositories = join(place.shell.home, 'repositories');
      await buildHello(null);
      await makeExampleRepositories(repositories);
      const catalog = place.use(await bootCatalog({ source: repositories }));
      await catalog.passOnce();
      place.replace('https://templates.example.com', catalog.url);
      const hello = join(import.meta.dirname, '../../examples/templates/davit-examples/hello-template/v1.1.0');
      // The project of the first installation still has the database.
      const file = (await readFile(join(hello, 'template.yaml'), 'utf8')).replace(
        /^project: .*$/m,
        'project: greeting',
      );
      await place.shell.write('template.yaml', file);
      place.replace(4, 2);
    },
    lines: {
      'davit template uninstall 1 --delete-data': ALTERNATIVE,
      'davit template install https://github.com/acme/app --release v1.2.0': INTERNET,
    },
  },
  'docs/how-to/let-containers-reach-the-server.md': {},
  'docs/how-to/manage-databases.md': {
    prepare: async (place) => {
      await place.app(WEB);
      await place.database('shop/production/cache', 'redis');
      await place.environment(paramsOf('shop/staging'));
    },
    before: {
      'davit task follow 7': async (place) => place.replace(7, (await place.client.listTasks())[0]?.id ?? 0),
      'davit database list --trash': async (place) =>
        place.replace(3, (await place.client.listTrashedDatabases())[0]?.id ?? 0),
      'davit database destroy 3': (place) => trashed(place, 'shop/staging/main'),
    },
    lines: { 'davit database create shop/production/places postgres -v 17 -e pgvector': FOREIGN_IMAGE },
  },
  'docs/how-to/manage-users-and-api-keys.md': {
    prepare: async (place) => {
      await place.app(WEB);
      await place.client.createUser({ body: { username: 'ada', role: 'admin', password: SECRET } });
    },
    before: {
      'davit user keys grace': async (place) => {
        await place.client.createUser({ body: { username: 'grace', role: 'member', password: SECRET } });
        await place.shell.run(`printf '%s\\n' '${SECRET}' | davit login ${place.instance.url} -u grace --name grace`);
        await place.signIn();
        await signInAs(place, 'grace');
        place.replace(4, (await place.client.listUserKeys({ params: { user: 'grace' } }))[0]?.id ?? 0);
        place.replace(7, (await place.client.listUserSessions({ params: { user: 'grace' } }))[0]?.id ?? 0);
      },
      'davit key create ci --role member --project shop --days 90': async (place) => {
        await place.shell.run('davit key create old');
        place.replace(4, await keyId(place, ACCOUNT.username, 'old'));
      },
    },
    lines: { 'davit user end-connection grace 3': 'needs a program that signed in with OAuth' },
  },
  'docs/how-to/monitor-an-instance.md': {
    prepare: async (place) => {
      await place.app(WEB);
      place.replace('/etc/prometheus', place.shell.folder);
    },
  },
  'docs/how-to/publish-a-template.md': {
    prepare: async (place) => {
      const { shell } = place;
      const lines = ['services:', '  web:', '    image: ghcr.io/acme/hello:1.2.0', '    ports: ["8080:8080"]', ''];
      await shell.write('docker-compose.yml', lines.join('\n'));
      place.replace('/tmp/source', join(shell.home, 'source'));
    },
    before: {
      'git tag -a v1.0.0 -m "Hello 1.2"': ({ shell }) =>
        shell.run(
          'git init -q -b main . && git add . && git commit -qm first\n' +
            'git init -q --bare ../origin.git && git remote add origin ../origin.git',
        ),
    },
    blocks: {
      'curl -s https://templates.example.com/api/v1/templates/acme/hello-template/releases |':
        'needs a catalog with a rejected release',
    },
    lines: {
      'davit template check https://github.com/acme/hello-template': INTERNET,
      'gh release create v1.0.0 --title "Hello 1.2" --notes-from-tag': INTERNET,
      'DAVIT_CATALOG_SOURCE=dir:/tmp/source npm run catalog': STAYS_OPEN,
    },
  },
  'docs/how-to/pull-from-another-registry.md': {
    prepare: async (place) => {
      await place.environment(paramsOf(WEB));
      await place.image('ghcr.io/acme/web', '1.4.0');
    },
    blocks: { 'davit credential add ghcr.io ada': INTERNET },
  },
  'docs/how-to/push-and-pull-images.md': {
    prepare: async (place) => {
      await place.app('shop/staging/web');
      await place.shell.write('Dockerfile', DOCKERFILE(place));
    },
    before: {
      'davit release list shop/production/web': async (place) => {
        await push(place, WEB, 'v7');
        await push(place, WEB, 'v8');
        const params = paramsOf('shop/production/old');
        await place.client.createApp({ body: { ...projectOf(WEB), name: 'old', source: 'registry' } });
        await push(place, 'shop/production/old', 'v1');
        // Davit records a push when the registry reports it. Without a record, there is no repository to delete.
        await until('the push is recorded', async () => {
          const releases = await place.client.listReleases({ params });
          return releases.length > 0 || null;
        });
        await place.client.deleteApp({ params });
        await until('v8 is live', async () => {
          const deployments = await place.client.listDeployments({ params: paramsOf(WEB) });
          return deployments.some(({ tag, live }) => tag === 'v8' && live) || null;
        });
      },
    },
  },
  'docs/how-to/read-logs.md': {
    prepare: async (place) => {
      await place.app(WEB);
      place.replace(41, 1);
    },
  },
  'docs/how-to/recover-a-damaged-instance.md': {
    prepare: async (place) => {
      await place.app(WEB);
      await place.image('debian', '12');
      const { docker, id } = place;
      for (const name of ['v12', 'v13']) {
        const Name = `davit-${id}-${name}`;
        const Labels = { 'davit.instance': id, 'davit.kind': 'volume' };
        await docker.createVolume({ Name, Labels });
        place.replace(`davit-k3x9w2ab-${name}`, Name);
      }
    },
  },
  'docs/how-to/run-a-catalog-from-github.md': {
    blocks: {
      'DAVIT_CATALOG_SOURCE=github DAVIT_CATALOG_GITHUB_TOKEN_FILE=/etc/davit/token npm run catalog': STAYS_OPEN,
      'DAVIT_CATALOG_SOURCE=github DAVIT_CATALOG_GITHUB_TOKEN_FILE=/etc/davit/token \\': STAYS_OPEN,
    },
  },
  'docs/how-to/run-a-catalog.md': {
    blocks: {
      'npm run catalog': STAYS_OPEN,
      'export DAVIT_CATALOG_URL=https://templates.example.com': STAYS_OPEN,
    },
    prepare: async (place) => {
      const catalog = place.use(await bootCatalog());
      place.replace('/var/lib/davit-catalog', catalog.dataDir);
      place.replace('/backup', place.shell.folder);
      await place.shell.run(`export DAVIT_CATALOG_DATA_DIR='${catalog.dataDir}'`);
      await place.shell.enter(join(import.meta.dirname, '../..'));
    },
  },
  'docs/how-to/run-behind-a-load-balancer.md': {
    // Davit refuses the addresses that are reserved for documentation.
    prepare: async (place) => place.replace('203.0.113.7', '9.9.9.9'),
  },
  'docs/how-to/run-commands-and-schedules.md': {
    prepare: (place) => place.app(WEB),
    before: {
      'davit runs list shop/production/web': async (place) => {
        await place.shell.run(`davit run --detach ${WEB} -- sleep 1000`);
        place.replace(9, (await place.client.listRuns({ params: paramsOf(WEB) }))[0]?.id ?? 0);
      },
      'davit shell shop/production/web': async (place) => {
        const { replicas } = await place.client.getApp({ params: paramsOf(WEB) });
        place.replace('12-1', replicas[0]?.name ?? '');
      },
    },
    answers: {
      'davit shell shop/production/web': () => [
        { prompt: /[#$] $/, text: 'exit' },
        { prompt: /[#$] $/, text: 'exit' },
      ],
    },
  },
  'docs/how-to/set-quotas.md': { prepare: (place) => place.app(WEB) },
  'docs/how-to/set-up-certificates.md': {
    prepare: async (place) => {
      await place.app(WEB);
      await place.client.addDomain({ params: paramsOf(WEB), body: { host: 'shop.example.org' } });
    },
    before: {
      'davit cert add fullchain.pem privkey.pem': async (place) => {
        await place.shell.run(`${certificate('former.example.org')}\ndavit cert add fullchain.pem privkey.pem`);
        const certificates = await place.client.listCertificates();
        place.replace(3, certificates.find(({ hosts }) => hosts.includes('former.example.org'))?.id ?? 0);
        await place.shell.run(`${certificate('former.example.org')}\nmv fullchain.pem new-fullchain.pem`);
        await place.shell.run('mv privkey.pem new-privkey.pem');
        await place.shell.run(certificate('shop.example.org'));
      },
    },
    lines: { 'davit cert renew 4': 'needs a certificate from an authority' },
    answers: {
      'davit cert bind kid-123': () => [{ prompt: /HMAC key/, text: Buffer.from(SECRET).toString('base64url') }],
      'davit dns-provider add main cloudflare CF_DNS_API_TOKEN -d example.org': secretAt(/CF_DNS_API_TOKEN/),
    },
  },
  'docs/how-to/solve-common-problems.md': {
    prepare: async (place) => {
      await place.app(WEB);
      await place.client.createUser({ body: { username: 'grace', role: 'viewer', password: SECRET } });
      await place.client.addDomain({ params: paramsOf(WEB), body: { host: 'shop.example.org' } });
      place.replace(41, 1);
    },
    answers: { 'davit login http://127.0.0.1:3000': login },
    blocks: { 'dig +short shop.example.org': 'needs a public domain' },
  },
  'docs/how-to/start-stop-and-remove.md': {
    prepare: (place) => place.app(WEB),
    before: {
      'data=/var/lib/davit': async (place) => {
        await place.instance.stop();
        place.replace('/var/lib/davit', place.instance.dataDir);
      },
    },
    after: {
      'data=/var/lib/davit': async ({ docker, id }) => {
        const left = Object.values(await belongingsOf(docker, id)).flat();
        if (left.length > 0) throw new Error(`objects are left: ${JSON.stringify(left)}`);
      },
    },
    blocks: {
      'npm start': STAYS_OPEN,
      'npm start -- --data-dir /srv/davit --http-port 8080': STAYS_OPEN,
      'npm start -- --adopt 1f3a9c20': STAYS_OPEN,
      'systemctl daemon-reload': 'needs systemd',
    },
  },
  'docs/how-to/use-object-stores.md': {
    prepare: async (place) => {
      await place.app(WEB);
      const { secretKey, link } = await place.objectStore();
      place.replace('the secret key', secretKey);
      await link('former', 'pictures');
      await place.client.deleteObjectStore({ params: { object_store: 'former' }, query: { confirm: 'former' } });
      await place.shell.write('ship.jpg', 'a picture');
    },
    blocks: {
      'davit object-store create shop/production files --memory 512m': FOREIGN_IMAGE,
      'davit object-store expose files': FOREIGN_IMAGE,
      'davit object-store delete files': FOREIGN_IMAGE,
    },
    answers: {
      'davit object-store providers': (place) => {
        const text = place.replaced('the secret key');
        return [
          { prompt: /Secret key:/, text },
          { prompt: /Linked[\s\S]*Secret key:/, text },
        ];
      },
    },
    before: {
      'davit object-store create-bucket offsite pictures': async ({ client }) => {
        await client.deleteBucket({
          params: { object_store: 'offsite', bucket: 'pictures' },
          query: { confirm: 'pictures' },
        });
      },
      'davit object-store attach files pictures shop/production/web --deploy': async (place) => {
        await place.client.createBucket({ params: { object_store: 'offsite' }, body: { name: 'pictures' } });
        place.replace('files pictures', 'offsite pictures');
      },
    },
  },
  'docs/how-to/use-the-command-line.md': {
    prepare: async (place) => {
      await place.app(WEB, 'v1', 'v2', 'v42');
      await place.deploy(WEB, 'v2');
      await place.enterClone();
    },
    before: {
      'davit context list': async (place) => {
        await place.signIn('production');
        await place.signIn('staging');
      },
      'davit up': async (place) => {
        const { image } = await place.client.getApp({ params: paramsOf(WEB) });
        await place.shell.write('davit.yaml', `app: ${WEB}\nimage: ${image}:v1\n`);
        await place.shell.enter(place.shell.folder);
      },
    },
    answers: { 'davit login http://127.0.0.1:3000': login },
  },
};

function projectOf(reference: string): { project: string; environment: string } {
  const { project, environment } = paramsOf(reference);
  return { project, environment };
}
