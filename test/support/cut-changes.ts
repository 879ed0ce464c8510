/** Acknowledged changes of an instance, and checks whether a copy of its disk contains them. */
import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client, Deployment } from '@davit/api';
import type { AppParams } from './instance.ts';

/** Changes that were answered with success, in their order. */
export interface Acknowledged {
  projects: string[];
  /** Ids of successful deployments, with the host that they serve. */
  deployments: { params: AppParams; id: number; host: string }[];
  /** Secret variables with their value. */
  secrets: { params: AppParams; value: string }[];
  backups: { id: string; bytes: number }[];
  /** Hosts whose certificate is served. */
  certificates: string[];
}

export function nothingYet(): Acknowledged {
  return { projects: [], deployments: [], secrets: [], backups: [], certificates: [] };
}

/** Number of checked changes of each kind. Older changes were on the disk at an earlier cut. */
const NEWEST = 20;

/** Returns the newest changes up to now. A change that is answered during the power loss may be on the disk or not. */
export function soFar({ projects, deployments, secrets, backups, certificates }: Acknowledged): Acknowledged {
  return {
    projects: projects.slice(-NEWEST),
    deployments: deployments.slice(-NEWEST),
    secrets: secrets.slice(-NEWEST),
    backups: backups.slice(-NEWEST),
    certificates: certificates.slice(-NEWEST),
  };
}

/** Pattern for files of a data directory that must never be empty. */
const WHOLE =
  /^(ballast|master\.key|setup-token|instance-id|proxy\/(current\/.*\.cfg|certs\/.*\.pem)|registry\/config\/.*|names\/[\d.]+\/hosts|backups\/.*)$/;
const HOSTS = /^names\/[\d.]+\/hosts$/;
const DRAFT = /(^|\/)\.[^/]*\.new$|\.partial$/;

/** Returns the files that a copy of a data directory lacks, before an instance starts with the copy. */
export async function missingFiles(
  dataDir: string,
  { deployments, backups, certificates }: Acknowledged,
): Promise<string[]> {
  const problems: string[] = [];
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(dataDir.length + 1))
    .filter((name) => !DRAFT.test(name) && !name.startsWith('registry/storage/'));
  const sizes = new Map<string, number>();
  for (const name of files) sizes.set(name, (await stat(join(dataDir, name))).size);
  for (const [name, size] of sizes) if (WHOLE.test(name) && size === 0) problems.push(`${name} is empty`);
  for (const { id, bytes } of backups) {
    const isThere = [...sizes].some(([name, size]) => name.startsWith('backups/') && size === bytes);
    if (!isThere) problems.push(`no file has the ${bytes} bytes of backup ${id}`);
  }
  if (deployments.length > 0) {
    const proxy = await textOf(join(dataDir, 'proxy/current'));
    for (const { host } of deployments)
      if (!proxy.includes(host)) problems.push(`the proxy's files do not name ${host}`);
    for (const host of certificates) if (!proxy.includes(host)) problems.push(`no certificate is listed for ${host}`);
    for (const [, pem = ''] of proxy.matchAll(/^\S*\/(certs\/\S+\.pem)/gm))
      if (!(sizes.get(join('proxy', pem)) ?? 0)) problems.push(`${pem} is listed and not there`);
    if (!sizes.keys().some((name) => HOSTS.test(name))) problems.push('no file of internal names is there');
  }
  return problems;
}

async function textOf(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => []);
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
}

/** Returns the records that an instance with a copy of the disk lacks. */
export async function missingRecords(client: Client, acknowledged: Acknowledged): Promise<string[]> {
  const problems: string[] = [];
  const found = async (
    what: string,
    read: () => Promise<unknown>,
    check: (answer: unknown) => void = () => undefined,
  ) => {
    try {
      check(await read());
    } catch (error) {
      problems.push(`${what}: ${(error as Error).message}`);
    }
  };
  for (const slug of acknowledged.projects) await found(slug, () => client.getProject({ params: { project: slug } }));
  for (const { params, id } of acknowledged.deployments) {
    const read = () => client.getDeployment({ params: { ...params, deployment: String(id) } });
    await found(`deployment ${id}`, read, (answer) => assert.equal((answer as Deployment).status, 'succeeded'));
  }
  for (const { params, value } of acknowledged.secrets) {
    const read = () => client.getAppEnv({ params });
    await found(`secret ${value}`, read, (answer) =>
      assert.ok(JSON.stringify(answer).includes(value), 'it has another value'),
    );
  }
  // The download decrypts the whole backup, which detects every changed byte.
  for (const { id } of acknowledged.backups)
    await found(`backup ${id}`, () => client.downloadBackup({ params: { backup: id } }));
  return problems;
}
