/**
 * The rules of this repository that no tool enforces. Each failure names the file and what to do about it.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import test, { describe } from 'node:test';

const ROOT = join(import.meta.dirname, '..');

interface Source {
  path: string;
  text: string;
  /** What it imports: packages as named, own files as paths from the root. */
  imports: string[];
}

const SOURCES: Source[] = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: ROOT })
  .filter((path) => !/\.test\.tsx?$/.test(path))
  .map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const imports = [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, name = '']) =>
      name.startsWith('.') ? relative(ROOT, join(ROOT, dirname(path), name)) : name,
    );
    return { path, text, imports };
  });

/** Which of our packages each may import. */
const PACKAGES: Record<string, string[]> = {
  api: [],
  service: ['api'],
  template: [],
  daemon: ['api', 'service', 'template'],
  catalog: ['api', 'service', 'template'],
  testkit: ['api', 'service', 'daemon', 'catalog'],
  cli: ['api', 'template'],
  dashboard: ['api'],
};

/** Which folders of a package each may import, besides itself. Files at the top put the parts together. */
const FOLDERS: Record<string, Record<string, string[]>> = {
  'packages/catalog/src': {
    source: [],
    icons: [],
    config: [],
    store: ['source'],
    indexer: ['store', 'source', 'icons', 'config'],
    // Of source/ only the addresses on the source host.
    http: ['store', 'config', 'source'],
    pages: ['store', 'config', 'http'],
  },
  'packages/daemon/src': {
    store: [],
    engine: [],
    proxy: ['engine'],
    registry: ['engine'],
    config: ['store'],
    release: ['store', 'engine', 'proxy', 'registry'],
    deploy: ['release', 'store', 'engine', 'proxy', 'registry'],
    certificates: ['release', 'store', 'engine', 'proxy'],
    logs: ['release', 'store', 'engine'],
    metrics: ['release', 'store', 'engine', 'proxy'],
    auth: ['store', 'registry'],
    tasks: ['deploy', 'release', 'store', 'engine'],
    residents: ['tasks', 'deploy', 'release', 'store', 'engine'],
    objects: ['residents', 'tasks', 'deploy', 'release', 'store', 'engine'],
    databases: ['residents', 'tasks', 'auth', 'deploy', 'release', 'store', 'engine'],
    backups: ['databases', 'objects', 'residents', 'tasks', 'release', 'store', 'engine'],
    core: [
      'backups',
      'tasks',
      'databases',
      'objects',
      'residents',
      'installs',
      'auth',
      'deploy',
      'certificates',
      'logs',
      'metrics',
      'release',
      'store',
      'engine',
      'proxy',
      'registry',
    ],
    background: ['residents', 'databases', 'release', 'store', 'engine', 'proxy', 'registry'],
    // The catalog of templates, what a manifest comes to, and no rule of this instance.
    installs: [],
    http: ['core', 'auth', 'logs', 'metrics', 'release', 'store', 'engine', 'proxy', 'registry', 'config', 'deploy'],
    // A tool is asked as a request is; nothing of http/ knows of tools.
    mcp: ['http', 'core', 'auth', 'release', 'store'],
  },
  'packages/dashboard/src': {
    util: [],
    ui: ['util'],
    live: ['util'],
    // Of components/ only the names of settings that the palette leads to.
    layout: ['util', 'ui', 'live', 'components'],
    components: ['util', 'ui', 'live', 'layout'],
    pages: ['util', 'ui', 'live', 'layout', 'components'],
  },
};

/** Files at the top of a package that every folder of it may import. */
const SHARED: Record<string, string[]> = {
  'packages/catalog/src': ['version.ts'],
  // Who asks, and what the product is called.
  'packages/daemon/src': ['context.ts', 'version.ts'],
  // The ways to the instance, who is signed in, and addresses; of the routes what a page's loader gets.
  'packages/dashboard/src': [
    ...['api.ts', 'account.ts', 'earlier.ts', 'reach.ts', 'session.ts'],
    ...['paths.ts', 'routes.tsx'],
  ],
};

/** What only some may import, with the reason why. */
const ONLY: { what: RegExp; where: RegExp; because: string }[] = [
  {
    what: /^node:sqlite$/,
    where: /src\/store\/|service\/src\/(database|lock)\.ts/,
    because: 'SQL lives in store/',
  },
  { what: /^dockerode$/, where: /src\/engine\/docker\//, because: 'only the Docker adapter speaks to Docker' },
  {
    what: /^(hono|@hono)/,
    where: /src\/http\/|packages\/service\/|catalog\/src\/pages\//,
    because: 'nothing below http/ knows of HTTP',
  },
  {
    what: /^@modelcontextprotocol\//,
    where: /daemon\/src\/mcp\//,
    because: 'only mcp/ speaks the protocol of agents',
  },
  {
    what: /dashboard\/src\/(api|account|earlier)\.ts$/,
    where: /dashboard\/src\/(?!ui\/|util\/)/,
    because: 'ui/ and util/ know of no answer',
  },
  {
    what: /src\/engine\/memory\//,
    where: /src\/(adapters\.ts|engine\/memory\/)|testkit/,
    because: 'only adapters.ts chooses an engine',
  },
  {
    what: /src\/engine\/docker\//,
    // The proxy, the registry and what writes records of domains run as containers of the same engine.
    where: /src\/(adapters\.ts|engine\/docker\/|proxy\/haproxy\/|registry\/distribution\/|certificates\/lego\/)/,
    because: 'only adapters.ts chooses an engine',
  },
  {
    what: /src\/proxy\/(haproxy|memory)\//,
    where: /src\/(adapters\.ts|proxy\/(haproxy|memory)\/)|testkit/,
    because: 'only adapters.ts chooses a proxy',
  },
  {
    what: /src\/registry\/(distribution|memory)\//,
    where: /src\/(adapters\.ts|registry\/(distribution|memory)\/)|testkit/,
    because: 'only adapters.ts chooses a registry',
  },
  {
    what: /^node:child_process$/,
    // The command line has no engine of its own to speak to: it asks the user's Docker client.
    // The catalog reads repositories through git, and keeps what strangers wrote away from the process that serves.
    where:
      /src\/engine\/docker\/debian-|packages\/cli\/src\/programs\.ts$|catalog\/src\/(source\/directory|icons|indexer)\//,
    because: 'the engine is spoken to through its API',
  },
];

describe('dependencies point one way', () => {
  test('between packages', () => {
    for (const { path, imports } of SOURCES) {
      const own = path.split('/')[1] ?? '';
      const others = imports
        .flatMap((name) => /^@davit\/([a-z]+)/.exec(name)?.[1] ?? [])
        .filter((name) => name !== own);
      for (const other of others) {
        assert.ok(
          PACKAGES[own]?.includes(other),
          `${path} imports @davit/${other}: ${own} may import ${PACKAGES[own]?.join(', ') || 'none of ours'}`,
        );
      }
    }
  });

  for (const [root, folders] of Object.entries(FOLDERS)) {
    test(`between the folders of ${root}`, () => demandDirection(root, folders));
  }

  test('to what only few may know', () => {
    for (const { path, imports } of SOURCES) {
      for (const { what, where, because } of ONLY) {
        const found = imports.find((name) => what.test(name));
        assert.ok(!found || where.test(path), `${path} imports ${found}: ${because}`);
      }
    }
  });
});

test('the environment is read in one file of each program', () => {
  const readers = SOURCES.filter(({ text }) => /process\.env\b/.test(text))
    .map(({ path }) => path)
    .sort();
  assert.deepEqual(readers, [
    'packages/catalog/src/config/env.ts',
    'packages/cli/src/env.ts',
    'packages/daemon/src/config/env.ts',
  ]);
});

test('SQL is written in store/ alone', () => {
  const found = SOURCES.filter(
    ({ path, text }) => !path.includes('/store/') && /\b(tx|store|db)\.(run|get|all)\(/.test(text),
  );
  assert.deepEqual(
    found.map(({ path }) => path),
    [],
    'put the statement into store/<noun>.ts and call that',
  );
});

test('signals and the end of the process are handled in the entry alone', () => {
  const found = SOURCES.filter(({ text }) => /process\.(exit\(|on\(|once\()/.test(text))
    .map(({ path }) => path)
    .sort();
  // Each is the first file of a process.
  const catalog = ['catalog/src/icons/child', 'catalog/src/indexer/main', 'catalog/src/main'];
  const entries = [...catalog, 'cli/src/main', 'daemon/src/main'];
  assert.deepEqual(
    found,
    entries.map((entry) => `packages/${entry}.ts`),
  );
});

test('no command is ever handed to a shell', () => {
  for (const { path, text } of SOURCES) {
    assert.doesNotMatch(
      text,
      /shell:\s*true|\bexecSync\(|from 'node:child_process'.*\bexec\b[^F]/,
      `${path}: run a program with an argument array instead`,
    );
  }
});

test('nothing of ours speaks of the places it was made in', () => {
  const files = globSync(['**/*.{ts,tsx,mjs,css,html,md,json,yaml}', '.ci/*'], {
    cwd: ROOT,
    exclude: (path) => /node_modules|package-lock\.json|^\.git$/.test(path),
  });
  for (const path of files.filter((file) => file !== relative(ROOT, import.meta.filename))) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const found = /\/work\/(main|shared)|registry\.npmjs\.org|deb\.debian\.org/.exec(text)?.[0];
    assert.equal(found, undefined, `${path}: leave out paths of a machine and addresses of registries`);
  }
});

test('the lock file names no download addresses', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { resolved?: string }>;
  };
  const addresses = Object.values(lock.packages).flatMap(({ resolved }) =>
    resolved?.includes('://') ? [resolved] : [],
  );
  assert.deepEqual(addresses, [], 'run npm with omit-lockfile-registry-resolved=true');
});

test('a run-time dependency is justified in a decision', () => {
  const text = readFileSync(join(ROOT, 'docs/decisions/0011-dependencies.md'), 'utf8');
  for (const file of globSync('packages/*/package.json', { cwd: ROOT })) {
    // What is bundled into a package is installed in development only, and runs all the same.
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as {
      dependencies?: Record<string, string>;
      devDependencies?: Record<string, string>;
    };
    const names = Object.keys({ ...dependencies, ...devDependencies });
    for (const name of names.filter((name) => !name.startsWith('@davit/'))) {
      assert.ok(
        text.includes(`\`${name}\``),
        `${file}: say in docs/decisions/0011-dependencies.md why ${name} is needed`,
      );
    }
  }
});

/** The folder of a daemon's file; null at the top. */
function demandDirection(root: string, folders: Record<string, string[]>): void {
  for (const { path, imports } of SOURCES.filter((source) => source.path.startsWith(`${root}/`))) {
    const own = folderOf(root, path);
    if (own === null) continue;
    assert.ok(
      folders[own],
      `${path} is in a folder that has no place in the direction: add it to FOLDERS here and to ARCHITECTURE.md`,
    );
    for (const file of imports.filter((name) => name.startsWith(`${root}/`))) {
      const other = folderOf(root, file);
      const isAllowed: boolean | undefined =
        other === null
          ? SHARED[root]?.includes(file.slice(root.length + 1))
          : other === own || folders[own]?.includes(other);
      assert.ok(isAllowed, `${path} imports ${file}: ${own}/ may import ${folders[own]?.join('/, ')}/`);
    }
  }
}

function folderOf(root: string, path: string): string | null {
  const rest = path.slice(root.length + 1).split('/');
  return rest.length > 1 ? (rest[0] ?? null) : null;
}
