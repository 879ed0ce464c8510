/**
 * A generator makes TypeScript types from the OpenAPI documents, without options. The types compile strictly, and have
 * the fields and names that clients need.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { catalogDocument } from '@davit/api/catalog/openapi.ts';
import { openApiDocument } from '@davit/api/openapi.ts';
import openapiTS, { astToString } from 'openapi-typescript';

const DOCUMENTS = Object.entries({ instance: openApiDocument('1.0.0'), catalog: catalogDocument('1.0.0') });
const COMPILER = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');
const OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'esnext',
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
};

/** A client of the instance. It does not compile if a field with a default is required, or if a name is missing. */
const CLIENT = `
export const app: AppCreate = { project: 'shop', name: 'web', source: 'registry' };
export const schedule: BackupSchedulePut = { cron: '@daily', destination: { kind: 'disk' } };
export const settings: SettingsPatch = { public_address: null };
export const source: AppSource = app.source;
export function roleOf(user: User): Role {
  return user.role;
}
export function bucketOf(destination: BackupDestination): string | null {
  return destination.kind === 'object_store' ? destination.bucket : null;
}
export function replicasOf(answer: AppOrDeployPlan): number | null {
  return 'scale' in answer ? answer.scale : null;
}
`;
const NAMES = [...new Set(CLIENT.match(/\b(?:App|Backup|Settings|User|Role)[A-Za-z]*\b/g))];

describe('types that are generated from the OpenAPI documents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'davit-types-'));
  after(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

  /** Compiles files of the folder. Fails with the output of the compiler. */
  const compile = (...files: string[]) => {
    const project = join(folder, `${files[0]}.json`);
    writeFileSync(project, JSON.stringify({ compilerOptions: OPTIONS, files }));
    const { status, stdout } = spawnSync(process.execPath, [COMPILER, '-p', project], { encoding: 'utf8' });
    assert.equal(status, 0, stdout.slice(0, 4_000));
  };

  it('compile strictly with openapi-typescript', async () => {
    for (const [name, document] of DOCUMENTS)
      write(`${name}.ts`, astToString(await openapiTS(JSON.stringify(document))));
    const types = NAMES.map((name) => `type ${name} = components['schemas']['${name}'];`);
    write('client.ts', `import type { components } from './instance';\n${types.join('\n')}\n${CLIENT}`);
    compile('client.ts', 'catalog.ts');
  });
});
