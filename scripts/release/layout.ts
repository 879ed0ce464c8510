/** Collects the files of a release: its programs, the files that they read, and the documents. */
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import daemonPackage from '../../packages/daemon/package.json' with { type: 'json' };
import { bundleCommand } from '../bundle/command.ts';
import { licensesOf } from '../bundle/packages.ts';
import type { ReleaseFile } from './archive.ts';
import { launcher } from './launchers.ts';
import type { Lock } from './lock.ts';
import { type Architecture, filesOfPackage, loadedPackages, packageFolder, runtimePackage } from './packages.ts';
import { sbomOf } from './sbom.ts';
import { bundleServers, releasePath, type Servers } from './servers.ts';

const DAEMON = 'packages/daemon/src/release.mjs';
const CATALOG = 'packages/catalog/src/main.mjs';
const DASHBOARD = 'packages/dashboard/dist';
/** Files of the build of the dashboard that no browser requests. */
const NOT_SERVED = ['built-from.txt', 'packages.json'];

/** Files that install and start a release. */
const PACKAGING = [
  { path: 'install.sh', from: 'install.sh', executable: true },
  { path: 'bin/davit-supervise', from: 'davit-supervise', executable: true },
  { path: 'share/davit.service', from: 'davit.service' },
  { path: 'share/ready.mjs', from: 'ready.mjs' },
];

/** Parts of a release that are the same for each architecture. */
export interface Common {
  root: string;
  version: string;
  lock: Lock;
  servers: Servers;
  files: ReleaseFile[];
  /** Folders of the npm packages in the bundles and the dashboard. */
  packages: string[];
}

/**
 * Builds the parts of a release that are the same for each architecture.
 * @param scratch empty folder for the bundle of the command line
 */
export async function buildCommon(root: string, version: string, lock: Lock, scratch: string): Promise<Common> {
  const servers = await bundleServers(root, [DAEMON, CATALOG]);
  const cli = await bundleCommand(join(root, 'packages/cli'), scratch);
  const dashboard: string[] = JSON.parse(await readFile(join(root, DASHBOARD, 'packages.json'), 'utf8'));
  const files = [
    ...programs(),
    ...PACKAGING.map(({ path, from, executable = false }) => {
      return { path, executable, contents: { file: join(root, 'packaging', from) } };
    }),
    ...[...servers.bundles].map(([path, code]) => ({ path, contents: Buffer.from(code) })),
    ...filesIn(scratch).map((path) => ({ path: `lib/cli/${path}`, contents: { file: join(scratch, path) } })),
    ...readFiles(root, servers.files),
    ...(await ownPackageFiles(root, servers.packageFiles)),
    { path: 'lib/package.json', contents: Buffer.from('{ "type": "module" }\n') },
    { path: 'LICENSE', contents: { file: join(root, 'LICENSE') } },
    { path: 'VERSION', contents: Buffer.from(`${version}\n`) },
  ];
  const packages = [...servers.packages, ...cli, ...dashboard.map((folder) => join(root, folder))];
  return { root, version, lock, servers, files, packages: [...new Set(packages)].sort() };
}

/** Returns all files of a release for an architecture, and its bill of materials. */
export async function collectFiles(
  common: Common,
  arch: Architecture,
): Promise<{ files: ReleaseFile[]; sbom: string }> {
  const { root, version, lock } = common;
  const loaded: [name: string, folder: string, patterns: string[]][] = [];
  for (const [name, patterns] of Object.entries(loadedPackages(arch)))
    loaded.push([name, await packageFolder(root, lock, name), patterns]);
  const runtime = await packageFolder(root, lock, runtimePackage(arch));
  const files = (
    await Promise.all(loaded.map(([name, folder, patterns]) => filesOfPackage(folder, name, patterns)))
  ).flat();
  const names = [runtimePackage(arch), ...loaded.map(([name]) => name)];
  const sbom = sbomOf(
    lock,
    [...common.packages.map((folder) => relative(root, folder)), ...names.map((name) => `node_modules/${name}`)],
    version,
  );
  const licenses = await licensesOf(
    [...new Set([...common.packages, runtime, ...loaded.map(([, folder]) => folder)])],
    await readFile(join(root, 'LICENSE'), 'utf8'),
  );
  return {
    sbom,
    files: [
      ...common.files,
      ...files,
      { path: 'runtime/node', executable: true, contents: { file: join(runtime, 'bin/node') } },
      { path: 'sbom.cdx.json', contents: Buffer.from(sbom) },
      { path: 'LICENSES.txt', contents: Buffer.from(licenses) },
    ],
  };
}

function programs(): ReleaseFile[] {
  const { environment, nodeFlags } = daemonPackage.config;
  const scripts = {
    davit: launcher({ script: 'lib/cli/davit.mjs' }),
    davitd: launcher({ script: releasePath(DAEMON), environment, nodeFlags }),
    'davit-catalog': launcher({ script: releasePath(CATALOG) }),
  };
  return Object.entries(scripts).map(([name, script]) => ({
    path: `bin/${name}`,
    executable: true,
    contents: Buffer.from(script),
  }));
}

/** Returns the files that match the patterns. @throws Error if a pattern matches no file */
function readFiles(root: string, patterns: Iterable<string>): ReleaseFile[] {
  const found = [...patterns].flatMap((pattern) => {
    const paths = globSync(pattern, { cwd: root });
    if (paths.length === 0) throw new Error(`collect files: no file matches ${pattern}`);
    return paths;
  });
  return [...new Set(found)].map((path) => ({ path: releasePath(path), contents: { file: join(root, path) } }));
}

/** Returns the files of Davit's own packages that the servers find by the name of the package. */
async function ownPackageFiles(root: string, imports: Iterable<string>): Promise<ReleaseFile[]> {
  const files: ReleaseFile[] = [];
  for (const path of imports) {
    const [, name = '', file = ''] = /^@davit\/([^/]+)\/(.+)$/.exec(path) ?? [];
    const folder = join(root, 'packages', name);
    const at = `lib/node_modules/@davit/${name}`;
    const { name: full, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    files.push({ path: `${at}/package.json`, contents: Buffer.from(`${JSON.stringify({ name: full, version })}\n`) });
    if (file !== 'package.json') files.push({ path: `${at}/${file}`, contents: { file: join(folder, file) } });
  }
  const dist = join(root, DASHBOARD);
  const served = filesIn(dist).filter((path) => !NOT_SERVED.includes(path));
  const at = 'lib/node_modules/@davit/dashboard/dist';
  return [...files, ...served.map((path) => ({ path: `${at}/${path}`, contents: { file: join(dist, path) } }))];
}

function filesIn(folder: string): string[] {
  const found = globSync('**', { cwd: folder, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
