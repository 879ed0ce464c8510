/** Rules of this repository that no other tool enforces. Each failure names the file and the required change. */
import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import test, { describe } from 'node:test';

const ROOT = join(import.meta.dirname, '..');

interface Source {
  path: string;
  text: string;
  /** Imported modules: packages by name, files of the repository by path from the root. */
  imports: string[];
}

const SOURCES: Source[] = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: ROOT })
  .filter((path) => !/\.test\.tsx?$/.test(path))
  .map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const imports = [...text.matchAll(/(?:from|import\(?)\s*'([^']+)'/g)].map(([, name = '']) =>
      name.startsWith('.') ? relative(ROOT, join(ROOT, dirname(path), name)) : name,
    );
    return { path, text, imports };
  });

/** Packages of this repository that each package may import. */
const PACKAGES: Record<string, string[]> = {
  api: [],
  service: ['api'],
  template: ['api'],
  daemon: ['api', 'service', 'template'],
  catalog: ['api', 'service', 'template'],
  testkit: ['api', 'service', 'daemon', 'catalog'],
  cli: ['api', 'template'],
  dashboard: ['api'],
};

/**
 * Folders of a package that each folder may import, besides itself. Files at the top of the package may import every
 * folder.
 */
const FOLDERS: Record<string, Record<string, string[]>> = {
  'packages/catalog/src': {
    source: [],
    icons: [],
    config: [],
    store: ['source'],
    indexer: ['store', 'source', 'icons', 'config'],
    // From source/, only the functions for URLs of the source host.
    http: ['store', 'config', 'source'],
    pages: ['store', 'config', 'http'],
  },
  'packages/dashboard/src': {
    util: [],
    ui: ['util'],
    live: ['util'],
    // From components/, only the names of settings to which the command palette links.
    layout: ['util', 'ui', 'live', 'components'],
    components: ['util', 'ui', 'live', 'layout'],
    pages: ['util', 'ui', 'live', 'layout', 'components'],
  },
};

/**
 * Folders of the daemon, in rows. Each folder may import only folders in lower rows, and no other folder of its own
 * row.
 */
const DAEMON_ORDER = [
  'offline',
  'composition',
  'mcp',
  'http',
  'reconcilers',
  'resources/instance resources/templates',
  'resources/projects',
  'resources/backups resources/environments resources/platform-images resources/unrecorded',
  'resources/databases resources/object-stores',
  'managed-services',
  'resources/revisions resources/tcp-ports resources/volumes',
  'resources/apps resources/attachments resources/schedules',
  'resources/domains resources/pushes resources/runs resources/variables',
  'resources/certificates resources/deployments resources/releases',
  'resources/dns-providers resources/events resources/images resources/registry resources/registry-credentials resources/tasks resources/users',
  'resources/audit resources/logs resources/metrics resources/shells',
  'authorization image-references quotas routing trash',
  'input',
  'app-spec',
  'auth',
  'workflow',
  'safe-mode',
  'config time',
  'adapters',
  'db streams',
].map((line) => line.split(' '));

/** Folders of the command line, in rows like those of the daemon. `commands/*` stands for each folder of a resource. */
const CLI_ORDER = [
  'program',
  'commands',
  'commands/*',
  'completion init login logs terminal up',
  'plan progress',
  'arguments client views',
  'davit-yaml env-file',
  'declaration',
  'credentials prompts',
  'output',
  'errors process',
].map((line) => line.split(' '));

/** Packages whose folders are in rows. `byNoun` is the top folder with one subfolder for each resource. */
const ORDERS: Record<string, { name: string; order: string[][]; byNoun: string }> = {
  'packages/daemon/src': { name: 'DAEMON_ORDER', order: DAEMON_ORDER, byNoun: 'resources' },
  'packages/cli/src': { name: 'CLI_ORDER', order: CLI_ORDER, byNoun: 'commands' },
};

/** Folders of `packages/cli/src/commands` without a folder of the same name in the daemon's `resources/`. */
const CLI_NOUNS: Record<string, string> = {
  'api-keys': 'the daemon keeps them in auth/',
  contexts: 'the command line alone has them',
  settings: 'the daemon keeps them in resources/instance/',
};

/** Maximum number of source files in a folder, without tests and subfolders. */
const MAX_FILES = 40;

/** Folders with one file for each resource, whose number of files grows with the number of resources. */
const ONE_FILE_A_NOUN = [
  'packages/api/src/operations',
  'packages/api/src/schemas',
  'packages/daemon/src/db/migrations',
  'packages/daemon/src/db/tables',
  'packages/daemon/src/http/routes',
];

/** Files at the top of a package that every folder of it may import. */
const SHARED: Record<string, string[]> = {
  'packages/daemon/src': ['version.ts'],
  'packages/cli/src': ['version.ts'],
  'packages/catalog/src': ['version.ts'],
  // Requests to the instance, the signed-in user and URLs, and the arguments of page loaders.
  'packages/dashboard/src': [
    ...['api.ts', 'account.ts', 'earlier.ts', 'reach.ts', 'session.ts', 'signed-in.ts'],
    ...['load-args.ts', 'paths.ts'],
  ],
};

/** Modules that only some files may import, with the reason. */
const ONLY: { what: RegExp; where: RegExp; because: string }[] = [
  {
    what: /^node:sqlite$/,
    where: /src\/(db|store)\/|service\/src\/(database|lock)\.ts/,
    because: 'SQL lives in db/',
  },
  {
    what: /^dockerode$/,
    where: /src\/adapters\/engine\/docker\//,
    because: 'only the Docker adapter speaks to Docker',
  },
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
    what: /src\/adapters\/engine\/memory\//,
    where: /src\/(composition\/adapters\.ts|adapters\/engine\/memory\/)|testkit/,
    because: 'only composition/adapters.ts chooses an engine',
  },
  {
    what: /src\/adapters\/engine\/docker\//,
    // The proxy, the registry and the program that writes DNS records run as containers of the same engine.
    where: /src\/(composition\/adapters\.ts|adapters\/(engine\/docker|proxy\/haproxy|registry\/distribution|lego)\/)/,
    because: 'only composition/adapters.ts chooses an engine',
  },
  {
    what: /src\/adapters\/proxy\/(haproxy|memory)\//,
    where: /src\/(composition\/adapters\.ts|adapters\/proxy\/(haproxy|memory)\/)|testkit/,
    because: 'only composition/adapters.ts chooses a proxy',
  },
  {
    what: /src\/adapters\/registry\/(distribution|memory)\//,
    where: /src\/(composition\/adapters\.ts|adapters\/registry\/(distribution|memory)\/)|testkit/,
    because: 'only composition/adapters.ts chooses a registry',
  },
  {
    what: /^node:child_process$/,
    /*
     * The command line has no engine, so it starts the user's Docker client. The resolver is notified through a named
     * pipe, which mkfifo creates, and systemd through its own program, because Node cannot. The catalog reads
     * repositories through git, in a process separate from the server, because the contents are untrusted.
     */
    where:
      /src\/adapters\/engine\/docker\/(made\/debian-|names\/folder\.ts$)|daemon\/src\/notify-ready\.ts$|packages\/cli\/src\/process\/programs\.ts$|catalog\/src\/(source\/directory|icons|indexer)\//,
    because: 'the engine is spoken to through its API',
  },
];

describe('subnets of tests and benchmarks outside the range of an instance', () => {
  test('each belong to one file, because Docker refuses a subnet that another network uses', () => {
    const users = new Map<string, Set<string>>();
    for (const path of globSync('{bench,test,packages/*/test}/**/*.ts', { cwd: ROOT })) {
      for (const [subnet] of readFileSync(join(ROOT, path), 'utf8').matchAll(/\b10\.199\.\d{1,3}\b/g))
        users.set(subnet, (users.get(subnet) ?? new Set()).add(path));
    }
    const shared = [...users].filter(([, paths]) => paths.size > 1);
    assert.ok(users.size > 1, 'the pattern finds no subnet');
    assert.deepEqual(shared, [], 'give each file a subnet of its own');
  });
});

describe('source folders', () => {
  test(`hold at most ${MAX_FILES} source files`, () => {
    const counts = new Map<string, number>();
    for (const { path } of SOURCES) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    const larger = [...counts].flatMap(([folder, count]) => (count > MAX_FILES ? [folder] : []));
    assert.deepEqual(
      larger.filter((folder) => !ONE_FILE_A_NOUN.includes(folder)).sort(),
      [],
      `divide a folder of more than ${MAX_FILES} files by what they are about`,
    );
  });

  test('of CLI commands have the same name as their daemon resource', () => {
    const nouns = readdirSync(join(ROOT, 'packages/daemon/src/resources'));
    const folders = readdirSync(join(ROOT, 'packages/cli/src/commands'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    assert.deepEqual(
      folders.filter((folder) => !nouns.includes(folder)).sort(),
      Object.keys(CLI_NOUNS),
      'name the folder as in packages/daemon/src/resources, or say in CLI_NOUNS why there is none',
    );
  });
});

describe('import dependencies', () => {
  test('between packages follow the allowed directions', () => {
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

  for (const root of Object.keys(ORDERS)) {
    test(`between the folders of ${root} follow the declared order`, () => demandOrder(root));
  }

  for (const name of Object.keys(PACKAGES)) {
    const root = `packages/${name}/src`;
    test(`between the files of ${root} contain no cycle`, () => {
      const cycle = cycleIn(root);
      assert.deepEqual(cycle, [], 'move what these files need of each other into a file below them');
    });
  }

  test('in deps.ts files are limited to eight members of their own', () => {
    const found = SOURCES.filter(({ path }) => path.startsWith(DAEMON) && path.endsWith('/deps.ts'));
    assert.ok(found.length > 30, `${found.length} files`);
    for (const { path, text } of found) {
      const members = [...text.matchAll(/^ {2}\w+: /gm)].length;
      assert.ok(
        members <= 8,
        `${path} names ${members} things: the folder does too much, or a folder below it has some of them`,
      );
    }
  });

  for (const [root, folders] of Object.entries(FOLDERS)) {
    test(`between the folders of ${root} follow the declared list`, () => demandDirection(root, folders));
  }

  test('to restricted modules come only from allowed folders', () => {
    for (const { path, imports } of SOURCES) {
      for (const { what, where, because } of ONLY) {
        const found = imports.find((name) => what.test(name));
        assert.ok(!found || where.test(path), `${path} imports ${found}: ${because}`);
      }
    }
  });
});

test('an exported name of the daemon has a single meaning', () => {
  const own = SOURCES.filter(({ path }) => path.startsWith(DAEMON));
  // A function of db/ may have the same name as the function that validates the request before it.
  const inDb = ({ path }: { path: string }) => path.startsWith(`${DAEMON}db/`) && !path.includes('/migrations/');
  const others = own.filter(({ path }) => !path.startsWith(`${DAEMON}db/`));
  const shared = [own.filter(inDb), others].flatMap((sources) => {
    const homes = new Map<string, string[]>();
    for (const { path, text } of sources) {
      const names = [...text.matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm)];
      for (const [, name = ''] of names) homes.set(name, [...new Set([...(homes.get(name) ?? []), path])]);
    }
    return [...homes].filter(([, paths]) => paths.length > 1 && !areAlternatives(paths));
  });
  assert.deepEqual(shared, [], 'say in each name what it is, or keep the rule in one file');
});

test('daemon code does not compare names of database engines', () => {
  const engine = "'(?:postgres|mysql|mariadb|redis|mongodb)'";
  const compared = new RegExp(`[=!]== ${engine}|case ${engine}:`);
  const found = SOURCES.filter(({ path, text }) => path.startsWith(DAEMON) && compared.test(text));
  assert.deepEqual(
    found.map(({ path }) => path),
    [],
    'ask for a property of the Dialect instead of comparing the name of its engine',
  );
});

test('each program reads its environment variables in a single file', () => {
  // A string with `process.env` is JavaScript for another program, such as `mongosh`.
  const readers = SOURCES.filter(({ text }) => /^[^'"`]*\bprocess\.env\b/m.test(text))
    .map(({ path }) => path)
    .sort();
  assert.deepEqual(readers, [
    'packages/catalog/src/config/env.ts',
    'packages/cli/src/process/env.ts',
    'packages/daemon/src/config/env.ts',
  ]);
});

/** Files of the daemon that need to know whether an address is public, and that connect to no address from a user. */
const KNOW_PUBLIC = [
  'packages/daemon/src/resources/certificates/public-address.ts',
  'packages/daemon/src/resources/instance/settings.ts',
];

test('only listed daemon files use isPublicAddress', () => {
  const found = SOURCES.filter(
    ({ path, text }) => path.startsWith('packages/daemon/') && /\bisPublicAddress\b/.test(text),
  );
  assert.deepEqual(
    found.map(({ path }) => path).sort(),
    KNOW_PUBLIC,
    'a public address may be the server’s own: use openAddresses or Base.isOpenAddress',
  );
});

/** Files that send requests without `responseTo`, with the reason. */
const SENT_OTHERWISE: Record<string, string> = {
  'packages/cli/src/client/unix-fetch.ts': 'imports nothing of the servers, and request-fetch.ts rejects on `close`',
  'packages/daemon/src/adapters/engine/docker/client/client.ts': 'requests upgrades, and rejects on `close` itself',
};

test('HTTP requests wait for the response with responseTo, except in listed files', () => {
  const found = SOURCES.filter(({ path, text }) => {
    const sends = /import \{[^}]*\b(request|get)\b[^}]*\} from 'node:https?'/.test(text);
    return sends && !path.startsWith('packages/testkit/') && !/\bresponseTo\(/.test(text);
  });
  assert.deepEqual(
    found.map(({ path }) => path).sort(),
    Object.keys(SENT_OTHERWISE).sort(),
    'wait for the response with responseTo of @davit/service: Node emits no error for status 101',
  );
});

/** Functions of `node:fs` that create, write or rename a file. */
const WRITES = /^(writeFile|appendFile|copyFile|cp|rename|link|open|mkdir|write|createWriteStream)(Sync)?$/;

/** Files that write files without durable-files.ts, with the reason. */
const WRITTEN_OTHERWISE: Record<string, string> = {
  'packages/service/src/durable-files.ts': 'the home of the rule',
  'packages/daemon/src/config/data-folder.ts': 'the data directory, whose name is synced when its database is made',
  'packages/daemon/src/adapters/lego/debian-lego.ts': 'a folder for one order, removed with it',
  'packages/daemon/src/adapters/engine/docker/made/debian-packages.ts':
    'an image that is built, begun again after a crash',
  'packages/daemon/src/adapters/engine/docker/made/debian-files.ts':
    'an image that is built, begun again after a crash',
  'packages/daemon/src/adapters/engine/docker/made/debian-apt.ts': 'package lists, written again by the next check',
  'packages/daemon/src/adapters/engine/docker/usage/cgroup.ts': 'reads alone',
  'packages/daemon/src/adapters/engine/docker/names/folder.ts':
    'opens a pipe, and writes files through durable-files.ts',
  'packages/service/src/wal.ts': 'reads alone',
  'packages/daemon/src/adapters/proxy/haproxy/files.ts': 'a folder of files, synced before the link to it is renamed',
  'packages/daemon/src/resources/logs/read-start.ts': 'reads alone',
  'packages/daemon/src/resources/logs/segment.ts': 'appends blocks with a checksum, each synced',
  'packages/daemon/src/resources/logs/tail-file.ts': 'the newest lines of apps, which a power loss may take',
};

test('daemon files are written through durable-files, except in listed files', () => {
  const found = SOURCES.filter(({ path }) => /^packages\/(daemon|service)\//.test(path)).flatMap(({ path, text }) => {
    const imported = [...text.matchAll(/import \{([^}]+)\} from 'node:fs(?:\/promises)?'/g)].flatMap(([, names = '']) =>
      names.split(',').map((name) => name.trim().replace(/^type .*| as .*/g, '')),
    );
    const whole = /import \* as \w+ from 'node:fs|from 'fs|import \w+ from 'node:fs/.test(text);
    return whole || imported.some((name) => WRITES.test(name)) ? [path] : [];
  });
  assert.deepEqual(
    found.sort(),
    Object.keys(WRITTEN_OTHERWISE).sort(),
    'write it with @davit/service/durable-files, or say here why it may be lost',
  );
});

test('SQL statements run only in db/ and store/ folders', () => {
  const found = SOURCES.filter(
    ({ path, text }) => !/\/(db|store)\//.test(path) && /\b(tx|store|db)\.(run|get|all)\(/.test(text),
  );
  assert.deepEqual(
    found.map(({ path }) => path),
    [],
    'put the statement into db/tables/<noun>.ts (of the catalog: store/<noun>.ts) and call that',
  );
});

test('rows of the daemon’s database are typed by its schema', () => {
  const found = SOURCES.filter(
    ({ path, text }) =>
      path.startsWith(DAEMON) &&
      !path.endsWith('/db/select.ts') &&
      (/import \{[^}]*\bunchecked\b[^}]*\} from '[^']*select\.ts'|\b(tx|store|db)\.(get|all)</.test(text) ||
        (path.startsWith(`${DAEMON}db/`) && /\bas [A-Z]\w*Row\b|interface \w+Row\b/.test(text))),
  );
  assert.deepEqual(
    found.map(({ path }) => path),
    [],
    'select the columns with db/select.ts: unchecked statements are for tests and tools',
  );
});

/**
 * Only adapters interpret messages of other programs. Each adapter maps message patterns to codes and has tests for the
 * patterns.
 */
const READS_WORDS =
  /^packages\/(daemon\/src\/(adapters|resources\/backups\/tools|resources\/databases\/dialects)|catalog\/src\/source|testkit\/src)\//;

/** Other files that parse messages, with the reason. */
const MESSAGES_READ: Record<string, string> = {
  'packages/service/src/json.ts': 'the runtime tells where JSON is wrong in its message alone, and the place is shown',
  'packages/template/src/yaml/syntax.ts':
    'the YAML parser has one code for all that is missing; a hint is chosen by it',
  'packages/cli/src/program/parse.ts':
    'shows the words of the parser of command lines as a sentence, and decides nothing',
};

const READ = '(startsWith|endsWith|includes|match(All)?|search|(last)?[iI]ndexOf|split|replace(All)?|localeCompare)';
/** Patterns for code that reads an error message or the output of a program. Collapsing whitespace is allowed. */
const READING: readonly RegExp[] = [
  new RegExp(`\\b([mM]essage|stderr|stdout)\\b[)?!]*\\.${READ}\\((?!/\\\\s\\+/g, ' ')`),
  /\.(test|exec)\((?:[^()]|\([^()]*\))*\b([mM]essage|stderr|stdout)\b/,
  /(?<!typeof [\w.?]{0,40})\b[mM]essage\b\)*\s*[!=]==?\s*['"`](?!['"`])/,
  /\bswitch \([^)]*\b[mM]essage\)/,
  /\bString\((error|cause|thrown|failure|reason)\)\s*\./,
];

test('code does not decide by the text of an error message', () => {
  const found = SOURCES.filter(({ path }) => !READS_WORDS.test(path)).flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, i) => (READING.some((pattern) => pattern.test(line)) ? [{ path, at: i + 1 }] : [])),
  );
  const others = found.filter(({ path }) => !(path in MESSAGES_READ));
  assert.deepEqual(
    others.map(({ path, at }) => `${path}:${at}`),
    [],
    'give the error a code or fields, and decide by those; what another program writes is read in its adapter',
  );
  for (const path of Object.keys(MESSAGES_READ))
    assert.ok(
      found.some((one) => one.path === path),
      `${path} reads no message any more: take it off the list`,
    );
});

test('dashboard pages create forms only with ui/form.tsx', () => {
  const found = SOURCES.filter(({ path, text }) => path.startsWith('packages/dashboard/') && /<form\b/.test(text));
  assert.deepEqual(
    found.map(({ path }) => path),
    ['packages/dashboard/src/ui/form.tsx'],
    'use Form, which is not sent while something is missing or on its way',
  );
});

test('only entry files handle signals and exit the process', () => {
  const found = SOURCES.filter(({ text }) => /process\.(exit\(|on\(|once\()/.test(text))
    .map(({ path }) => path)
    .sort();
  // Each entry file is the first file of a process.
  const catalog = ['catalog/src/icons/child', 'catalog/src/indexer/main', 'catalog/src/main'];
  const entries = [...catalog, 'cli/src/main', 'daemon/src/main'];
  assert.deepEqual(
    found,
    entries.map((entry) => `packages/${entry}.ts`),
  );
});

test('source code never runs a command through a shell', () => {
  for (const { path, text } of SOURCES) {
    assert.doesNotMatch(
      text,
      /shell:\s*true|\bexecSync\(|from 'node:child_process'.*\bexec\b[^F]/,
      `${path}: run a program with an argument array instead`,
    );
  }
});

test('repository files contain no local paths or registry addresses', () => {
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

test('the lock file contains no download addresses', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { resolved?: string }>;
  };
  const addresses = Object.values(lock.packages).flatMap(({ resolved }) =>
    resolved?.includes('://') ? [resolved] : [],
  );
  assert.deepEqual(addresses, [], 'run npm with omit-lockfile-registry-resolved=true');
});

test('every runtime dependency is justified in a decision document', () => {
  const text = readFileSync(join(ROOT, 'docs/decisions/0011-dependencies.md'), 'utf8');
  for (const file of globSync('packages/*/package.json', { cwd: ROOT })) {
    // Bundled packages are development dependencies, but their code is part of the running program.
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

const DAEMON = 'packages/daemon/src/';

/**
 * Returns whether the files are in different adapters of `adapters/`, which implement the same interface for different
 * programs.
 */
function areAlternatives(paths: readonly string[]): boolean {
  const folders = paths.map((path) => /\/adapters\/(\w+\/\w+)\//.exec(path)?.[1]);
  return !folders.includes(undefined) && new Set(folders).size === folders.length;
}

/** Checks that each folder imports only folders in lower rows. */
function demandOrder(root: string): void {
  const { name, order, byNoun } = ORDERS[root] ?? assert.fail(root);
  const lineOf = (folder: string) =>
    order.findIndex((line) => line.includes(folder) || line.includes(folder.replace(/\/.*/, '/*')));
  for (const { path, imports } of SOURCES.filter((source) => source.path.startsWith(`${root}/`))) {
    const own = nounFolderOf(root, path, byNoun);
    if (own === null) continue;
    assert.ok(lineOf(own) >= 0, `${path} is in a folder without a line: add ${own} to ${name}`);
    for (const file of imports.filter((imported) => imported.startsWith(`${root}/`))) {
      const other = nounFolderOf(root, file, byNoun);
      if (other === own || SHARED[root]?.includes(file.slice(root.length + 1))) continue;
      const isBelow: boolean = other !== null && lineOf(other) > lineOf(own);
      assert.ok(isBelow, `${path} imports ${file}: ${own} may import what is below it in ${name}`);
    }
  }
}

/**
 * Returns the folder of a file within `root`: two levels within `byNoun`, otherwise the first level. Returns null for a
 * file at the top.
 */
function nounFolderOf(root: string, path: string, byNoun: string): string | null {
  const [first = '', second = '', ...rest] = path.slice(root.length + 1).split('/');
  if (second === '') return null;
  return first === byNoun && rest.length > 0 ? `${first}/${second}` : first;
}

/**
 * Returns the files of one import cycle below `root`, in the order of the imports, or an empty array if there is no
 * cycle.
 */
function cycleIn(root: string): string[] {
  const own = SOURCES.filter(({ path }) => path.startsWith(`${root}/`));
  const importsOf = new Map(own.map(({ path, imports }) => [path, imports]));
  const checked = new Set<string>();
  const follow = (path: string, trail: readonly string[]): string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (checked.has(path)) return [];
    for (const imported of importsOf.get(path) ?? []) {
      const cycle = follow(imported, [...trail, path]);
      if (cycle.length > 0) return cycle;
    }
    checked.add(path);
    return [];
  };
  for (const { path } of own) {
    const cycle = follow(path, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

/** Checks that each folder imports only folders that its entry lists. */
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

/** Returns the top folder of a file within `root`, or null for a file at the top. */
function folderOf(root: string, path: string): string | null {
  const rest = path.slice(root.length + 1).split('/');
  return rest.length > 1 ? (rest[0] ?? null) : null;
}
