/**
 * Table of the fixtures for the shell blocks of each page: existing resources, steps between blocks, answers at
 * prompts, and the reason for each block or line that cannot run in a test.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bootCatalog } from '@davit/testkit/catalog';
import { until } from '@davit/testkit/waiting';
import { buildHello } from '../../scripts/demo/build-hello.ts';
import { makeExampleRepositories } from '../../scripts/example-catalog.ts';
import { ACCOUNT, type DocHarness, paramsOf } from './doc-place.ts';
import type { PromptAnswer } from './doc-shell.ts';
import { belongingsOf } from './instance-removal.ts';
import { done, pathOf } from './live-database.ts';

export interface DocFixture {
  /** Creates what exists before the first block. */
  prepare?: (place: DocHarness) => Promise<void>;
  /** Steps before a block, by the first command of the block. */
  before?: Record<string, (place: DocHarness) => Promise<void>>;
  /** Checks after a block, by the first command of the block. */
  after?: Record<string, (place: DocHarness) => Promise<void>>;
  /** Answers at prompts, by the first command of the block. Confirmations of deletions need none. */
  answers?: Record<string, (place: DocHarness) => PromptAnswer[]>;
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

const DOCKERFILE = (harness: DocHarness) => `FROM ${harness.web}\nCOPY Dockerfile /Dockerfile\n`;

async function backUp({ client }: DocHarness): Promise<number> {
  await done(client.backUpDatabase({ params: pathOf(MAIN), query: { wait: 'true' }, body: {} }));
  const [newest] = await client.listDatabaseBackups({ params: pathOf(MAIN) });
  return newest?.id ?? 0;
}

/** Builds and pushes an image with the reader's Docker. */
async function push(harness: DocHarness, reference: string, tag: string): Promise<void> {
  const image = `localhost:${harness.instance.registryPort}/${reference}:${tag}`;
  await harness.shell.run(`docker tag ${harness.web} ${image}\ndocker push ${image}\ndocker rmi ${image}`);
}

async function keyId({ client }: DocHarness, user: string, name: string): Promise<number> {
  const keys = await client.listUserKeys({ params: { user } });
  return keys.find((key) => key.name === name)?.id ?? 0;
}

/** Signs a user in as a browser does. */
async function signInAs({ instance }: DocHarness, username: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const body = JSON.stringify({ username, password: SECRET });
  const { status } = await fetch(`${instance.url}/api/auth/login`, { method: 'POST', headers, body });
  if (status !== 200) throw new Error(`sign in as ${username}: ${status}`);
}

/** Moves the database to the trash and uses its id in the examples. */
async function trashed(harness: DocHarness, reference: string): Promise<void> {
  const { client } = harness;
  const params = pathOf(reference);
  await client.deleteDatabase({ params, query: { confirm: params.database } });
  harness.replace(3, (await client.listTrashedDatabases())[0]?.id ?? 0);
}

/** Writes a self-signed certificate for a host. */
const certificate = (host: string) =>
  `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=${host} ` +
  `-addext subjectAltName=DNS:${host} -keyout privkey.pem -out fullchain.pem 2>/dev/null`;

export const DOC_FIXTURES: Record<string, DocFixture> = {
  'docs/tutorials/first-app.md': {
    prepare: async (harness) => {
      await harness.nodeImage('node', '24-alpine');
      await harness.image('nginx', '1.27');
      await harness.enterClone();
    },
    before: {
      'davit up': ({ shell }) => shell.run("sed -i 's/from my app/again/' server.js"),
    },
    answers: { 'npm pack -w davit': login },
    blocks: { 'npm start': STAYS_OPEN, 'ssh -L 3000:127.0.0.1:3000 -L 8080:127.0.0.1:80 root@server': OTHER_SERVER },
  },
  'docs/tutorials/database-with-backups.md': {
    prepare: async (harness) => {
      await harness.app('demo/production/hello');
    },
    answers: { 'davit login http://127.0.0.1:3000': login },
  },
  'docs/tutorials/domain-with-https.md': {
    prepare: async (harness) => {
      await harness.app(WEB);
      harness.replace('https://example.org', harness.instance.url);
    },
    answers: { 'davit login https://example.org': login },
    blocks: { 'dig +short example.org web.production.shop.example.org': 'needs a public domain' },
    lines: { 'curl -I https://shop.example.com/': 'needs a public domain' },
  },
  'docs/how-to/back-up-and-restore-databases.md': {
    prepare: async (harness) => {
      await harness.database(MAIN);
      await harness.environment(paramsOf('shop/staging'));
      await (await harness.objectStore()).link('offsite', 'backups');
      harness.replace(12, await backUp(harness));
    },
    before: {
      'davit backup verify 12': async (harness) => harness.replace(12, await backUp(harness)),
      'davit database restore-to shop/production/main 2026-03-01T09:58:00Z shop/production/before': async (harness) => {
        const latest = await until('a moment can be restored', async () => {
          const coverage = await harness.client.listBackupCoverage();
          return coverage.find(({ database }) => database === MAIN)?.point_in_time?.to ?? null;
        });
        harness.replace('2026-03-01T09:58:00Z', latest);
      },
    },
    lines: {
      'davit backup download 12 - | pg_restore -d shop': 'needs a PostgreSQL server outside of Davit',
      'davit database upgrade shop/production/main 17': FOREIGN_IMAGE,
    },
  },
  'docs/how-to/configure-an-app.md': {
    prepare: async (harness) => {
      await harness.app(WEB);
      await harness.app('shop/production/db');
    },
    before: {
      'davit revision list shop/production/web': async (harness) => {
        await harness.shell.run(`davit env set ${WEB} COLOR=green`);
        const [, former] = await harness.client.listRevisions({ params: paramsOf(WEB) });
        harness.replace(7, former?.number ?? 0);
      },
    },
    answers: { 'davit env set shop/production/web COLOR=blue': secretAt(/DB_PASSWORD/) },
  },
  'docs/how-to/connect-a-domain.md': {
    prepare: async (harness) => {
      await harness.app(WEB);
      await harness.app('shop/production/blog');
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
    prepare: (harness) => harness.app(WEB),
    blocks: {
      'claude mcp add --transport http davit https://davit.example.com/mcp --header "Authorization: Bearer $KEY"':
        'needs another program',
    },
  },
  'docs/how-to/delete-a-project.md': {
    prepare: (harness) => harness.app(WEB),
    // The first block has deleted the project.
    before: { 'davit task list --kind project': (harness) => harness.app(WEB) },
  },
  'docs/how-to/deploy-from-github-actions.md': {
    prepare: async (harness) => {
      await harness.app(WEB, 'v1', '1.4.0');
      await harness.enterClone();
    },
  },
  'docs/how-to/deploy-with-davit-yaml.md': {
    prepare: async (harness) => {
      const { client, shell } = harness;
      await harness.environment(paramsOf(WEB));
      await client.createApp({ body: { ...projectOf(WEB), name: 'web', source: 'registry' } });
      await harness.image('davit-docs/compose', 'v1');
      await shell.write('Dockerfile', DOCKERFILE(harness));
      await shell.write('staging.yaml', 'app: shop/staging/web\nport: 3000\n');
      const service = (name: string, port: number) =>
        `  ${name}:\n    image: davit-docs/compose:v1\n    ports: ["${port}:8080"]\n`;
      await shell.write('compose.yaml', `services:\n${service('web', 8080)}${service('admin', 8081)}`);
      harness.replace('davit plan --exit-code', 'davit plan --exit-code || [ $? = 10 ]');
    },
    answers: { 'davit env set shop/production/web DATABASE_URL --secret': secretAt(/DATABASE_URL/) },
  },
  'docs/how-to/install-a-release.md': {
    blocks: {
      'sh install.sh --from . --key davit-release.gpg --dry-run': 'test/live/release installs on a clean machine',
      'systemctl restart davit': 'needs systemd',
      'sh /opt/davit/current/install.sh --uninstall': 'test/live/release uninstalls on a clean machine',
      'npm run release -- --out release --key secret-key.asc': 'test/live/release builds a release',
    },
  },
  'docs/how-to/install-security-updates.md': {
    lines: { 'davit platform check': 'needs the package repositories of the distribution' },
  },
  'docs/how-to/install-templates.md': {
    prepare: async (harness) => {
      const repositories = join(harness.shell.home, 'repositories');
      await buildHello(null);
      await makeExampleRepositories(repositories);
      const catalog = harness.use(await bootCatalog({ source: repositories }));
      await catalog.passOnce();
      harness.replace('https://templates.example.com', catalog.url);
      const hello = join(import.meta.dirname, '../../examples/templates/davit-examples/hello-template/v1.1.0');
      // The project of the first installation still has the database.
      const file = (await readFile(join(hello, 'template.yaml'), 'utf8')).replace(
        /^project: .*$/m,
        'project: greeting',
      );
      await harness.shell.write('template.yaml', file);
      harness.replace(4, 2);
    },
    lines: {
      'davit template uninstall 1 --delete-data': ALTERNATIVE,
      'davit template install https://github.com/acme/app --release v1.2.0': INTERNET,
    },
  },
  'docs/how-to/let-containers-reach-the-server.md': {},
  'docs/how-to/manage-databases.md': {
    prepare: async (harness) => {
      await harness.app(WEB);
      await harness.database('shop/production/cache', 'redis');
      await harness.environment(paramsOf('shop/staging'));
    },
    before: {
      'davit task follow 7': async (harness) => harness.replace(7, (await harness.client.listTasks())[0]?.id ?? 0),
      'davit database list --trash': async (harness) =>
        harness.replace(3, (await harness.client.listTrashedDatabases())[0]?.id ?? 0),
      'davit database destroy 3': (harness) => trashed(harness, 'shop/staging/main'),
    },
    blocks: { 'davit tunnel shop/production/main': STAYS_OPEN },
    lines: { 'davit database create shop/production/places postgres -v 17 -e pgvector': FOREIGN_IMAGE },
    answers: { 'davit database shell shop/production/main': () => [{ prompt: /main=> $/, text: '\\q' }] },
  },
  'docs/how-to/manage-users-and-api-keys.md': {
    prepare: async (harness) => {
      await harness.app(WEB);
      await harness.client.createUser({ body: { username: 'ada', role: 'admin', password: SECRET } });
    },
    before: {
      'davit user keys grace': async (harness) => {
        await harness.client.createUser({ body: { username: 'grace', role: 'member', password: SECRET } });
        await harness.shell.run(
          `printf '%s\\n' '${SECRET}' | davit login ${harness.instance.url} -u grace --name grace`,
        );
        await harness.signIn();
        await signInAs(harness, 'grace');
        harness.replace(4, (await harness.client.listUserKeys({ params: { user: 'grace' } }))[0]?.id ?? 0);
        harness.replace(7, (await harness.client.listUserSessions({ params: { user: 'grace' } }))[0]?.id ?? 0);
      },
      'davit key create ci --role member --project shop --days 90': async (harness) => {
        await harness.shell.run('davit key create old');
        harness.replace(4, await keyId(harness, ACCOUNT.username, 'old'));
      },
    },
    lines: { 'davit user end-connection grace 3': 'needs a program that signed in with OAuth' },
  },
  'docs/how-to/monitor-an-instance.md': {
    prepare: async (harness) => {
      await harness.app(WEB);
      harness.replace('/etc/prometheus', harness.shell.folder);
    },
  },
  'docs/how-to/publish-a-template.md': {
    prepare: async (harness) => {
      const { shell } = harness;
      const lines = ['services:', '  web:', '    image: ghcr.io/acme/hello:1.2.0', '    ports: ["8080:8080"]', ''];
      await shell.write('docker-compose.yml', lines.join('\n'));
      harness.replace('/tmp/source', join(shell.home, 'source'));
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
    prepare: async (harness) => {
      await harness.environment(paramsOf(WEB));
      await harness.image('ghcr.io/acme/web', '1.4.0');
    },
    blocks: { 'davit credential add ghcr.io ada': INTERNET },
  },
  'docs/how-to/push-and-pull-images.md': {
    prepare: async (harness) => {
      await harness.app('shop/staging/web');
      await harness.shell.write('Dockerfile', DOCKERFILE(harness));
    },
    before: {
      'davit release list shop/production/web': async (harness) => {
        await push(harness, WEB, 'v7');
        await push(harness, WEB, 'v8');
        const params = paramsOf('shop/production/old');
        await harness.client.createApp({ body: { ...projectOf(WEB), name: 'old', source: 'registry' } });
        await push(harness, 'shop/production/old', 'v1');
        // Davit records a push when the registry reports it. Without a record, there is no repository to delete.
        await until('the push is recorded', async () => {
          const releases = await harness.client.listReleases({ params });
          return releases.length > 0 || null;
        });
        await harness.client.deleteApp({ params });
        await until('v8 is live', async () => {
          const deployments = await harness.client.listDeployments({ params: paramsOf(WEB) });
          return deployments.some(({ tag, live }) => tag === 'v8' && live) || null;
        });
      },
    },
  },
  'docs/how-to/read-logs.md': {
    prepare: async (harness) => {
      await harness.app(WEB);
      harness.replace(41, 1);
    },
  },
  'docs/how-to/recover-a-damaged-instance.md': {
    prepare: async (harness) => {
      await harness.app(WEB);
      await harness.image('debian', '12');
      const { docker, id } = harness;
      for (const name of ['v12', 'v13']) {
        const Name = `davit-${id}-${name}`;
        const Labels = { 'davit.instance': id, 'davit.kind': 'volume' };
        await docker.createVolume({ Name, Labels });
        harness.replace(`davit-k3x9w2ab-${name}`, Name);
      }
    },
    blocks: { 'davit instance verify': 'the instance is not in safe mode; safe-mode.test.ts runs the commands' },
    lines: { 'davit instance recover-key': 'the master key is not lost; recovery-key.test.ts runs the command' },
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
    prepare: async (harness) => {
      const catalog = harness.use(await bootCatalog());
      harness.replace('/var/lib/davit-catalog', catalog.dataDir);
      harness.replace('/backup', harness.shell.folder);
      await harness.shell.run(`export DAVIT_CATALOG_DATA_DIR='${catalog.dataDir}'`);
      await harness.shell.enter(join(import.meta.dirname, '../..'));
    },
  },
  'docs/how-to/run-behind-a-load-balancer.md': {
    // Davit refuses the addresses that are reserved for documentation.
    prepare: async (harness) => harness.replace('203.0.113.7', '9.9.9.9'),
  },
  'docs/how-to/run-commands-and-schedules.md': {
    prepare: (harness) => harness.app(WEB),
    blocks: { 'davit tunnel shop/production/web': STAYS_OPEN },
    lines: { 'davit schedule run shop/production/web 1': 'the image of the test does not contain bin/backup' },
    before: {
      'davit runs list shop/production/web': async (harness) => {
        await harness.shell.run(`davit run --detach ${WEB} -- sleep 1000`);
        harness.replace(9, (await harness.client.listRuns({ params: paramsOf(WEB) }))[0]?.id ?? 0);
      },
      'davit shell shop/production/web': async (harness) => {
        const { replicas } = await harness.client.getApp({ params: paramsOf(WEB) });
        harness.replace('12-1', replicas[0]?.name ?? '');
      },
    },
    answers: {
      'davit shell shop/production/web': () => [
        { prompt: /[#$] $/, text: 'exit' },
        { prompt: /[#$] $/, text: 'exit' },
      ],
    },
  },
  'docs/how-to/set-quotas.md': { prepare: (harness) => harness.app(WEB) },
  'docs/how-to/set-up-certificates.md': {
    prepare: async (harness) => {
      await harness.app(WEB);
      await harness.client.addDomain({ params: paramsOf(WEB), body: { host: 'shop.example.org' } });
    },
    before: {
      'davit cert add fullchain.pem privkey.pem': async (harness) => {
        await harness.shell.run(`${certificate('former.example.org')}\ndavit cert add fullchain.pem privkey.pem`);
        const certificates = await harness.client.listCertificates();
        harness.replace(3, certificates.find(({ hosts }) => hosts.includes('former.example.org'))?.id ?? 0);
        await harness.shell.run(`${certificate('former.example.org')}\nmv fullchain.pem new-fullchain.pem`);
        await harness.shell.run('mv privkey.pem new-privkey.pem');
        await harness.shell.run(certificate('shop.example.org'));
      },
    },
    lines: { 'davit cert renew 4': 'needs a certificate from an authority' },
    answers: {
      'davit cert bind kid-123': () => [{ prompt: /HMAC key/, text: Buffer.from(SECRET).toString('base64url') }],
      'davit dns-provider add main cloudflare CF_DNS_API_TOKEN -d example.org': secretAt(/CF_DNS_API_TOKEN/),
    },
  },
  'docs/how-to/solve-common-problems.md': {
    prepare: async (harness) => {
      await harness.app(WEB);
      await harness.client.createUser({ body: { username: 'grace', role: 'viewer', password: SECRET } });
      await harness.client.addDomain({ params: paramsOf(WEB), body: { host: 'shop.example.org' } });
      harness.replace(41, 1);
    },
    answers: { 'davit login http://127.0.0.1:3000': login },
    blocks: { 'dig +short shop.example.org': 'needs a public domain' },
  },
  'docs/how-to/start-stop-and-remove.md': {
    prepare: (harness) => harness.app(WEB),
    before: {
      'davit instance uninstall --data-dir /var/lib/davit --dry-run': async (harness) => {
        harness.replace('/var/lib/davit', harness.instance.dataDir);
      },
    },
    after: {
      'davit instance uninstall --data-dir /var/lib/davit --dry-run': async ({ docker, id }) => {
        const { volumes: _, home: __, ...removed } = await belongingsOf(docker, id);
        const left = Object.values(removed).flat();
        if (left.length > 0) throw new Error(`objects are left: ${JSON.stringify(left)}`);
      },
    },
    blocks: {
      'npm start': STAYS_OPEN,
      'npm start -- --data-dir /srv/davit --http-port 8080': STAYS_OPEN,
      'npm start -- --adopt 1f3a9c20': STAYS_OPEN,
    },
  },
  'docs/how-to/use-object-stores.md': {
    prepare: async (harness) => {
      await harness.app(WEB);
      const { secretKey, link } = await harness.objectStore();
      harness.replace('the secret key', secretKey);
      await link('former', 'pictures');
      await harness.client.deleteObjectStore({ params: { object_store: 'former' }, query: { confirm: 'former' } });
      await harness.shell.write('ship.jpg', 'a picture');
    },
    blocks: {
      'davit object-store create shop/production files --memory 512m': FOREIGN_IMAGE,
      'davit object-store expose files': FOREIGN_IMAGE,
      'davit object-store delete files': FOREIGN_IMAGE,
    },
    answers: {
      'davit object-store providers': (harness) => {
        const text = harness.replaced('the secret key');
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
      'davit object-store attach files pictures shop/production/web --deploy': async (harness) => {
        await harness.client.createBucket({ params: { object_store: 'offsite' }, body: { name: 'pictures' } });
        harness.replace('files pictures', 'offsite pictures');
      },
    },
  },
  'docs/how-to/use-the-command-line.md': {
    prepare: async (harness) => {
      await harness.app(WEB, 'v1', 'v2', 'v42');
      await harness.deploy(WEB, 'v2');
      await harness.enterClone();
    },
    before: {
      'davit context list': async (harness) => {
        await harness.signIn('production');
        await harness.signIn('staging');
      },
      'davit up': async (harness) => {
        const { image } = await harness.client.getApp({ params: paramsOf(WEB) });
        await harness.shell.write('davit.yaml', `app: ${WEB}\nimage: ${image}:v1\n`);
        await harness.shell.enter(harness.shell.folder);
      },
    },
    answers: { 'davit login http://127.0.0.1:3000': login },
  },
};

function projectOf(reference: string): { project: string; environment: string } {
  const { project, environment } = paramsOf(reference);
  return { project, environment };
}
