/**
 * Generates TypeScript code from the OpenAPI documents with two code generators and their default options. The code
 * must compile strictly, and have the fields and names that clients need.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { catalogDocument } from '@davit/api/catalog/openapi.ts';
import { openApiDocument } from '@davit/api/openapi.ts';
import { createClient } from '@hey-api/openapi-ts';
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
  lib: ['esnext', 'dom', 'dom.iterable'],
};

/** Code of an API client. It does not compile if a field with a default value is required, or if a type is missing. */
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

const SDK_CALL = `
import { createApp } from './sdk.gen';
import type { App } from './types.gen';
export async function create(): Promise<Error | App | undefined> {
  const { data, error } = await createApp({ body: app });
  return error === undefined ? data : new Error(error.detail);
}
`;

describe('code that is generated from the OpenAPI documents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'davit-types-'));
  after(() => rmSync(folder, { recursive: true }));

  /** Compiles the files in a folder. Fails with the output of the TypeScript compiler. */
  const compile = (project: string, files: string[]) => {
    const config = join(project, 'tsconfig.json');
    writeFileSync(config, JSON.stringify({ compilerOptions: OPTIONS, files }));
    const { status, stdout } = spawnSync(process.execPath, [COMPILER, '-p', config], { encoding: 'utf8' });
    assert.equal(status, 0, stdout.slice(0, 4_000));
  };

  it('compiles strictly with openapi-typescript', async () => {
    const project = join(folder, 'openapi-typescript');
    mkdirSync(project);
    for (const [name, document] of DOCUMENTS)
      writeFileSync(join(project, `${name}.ts`), astToString(await openapiTS(JSON.stringify(document))));
    const types = NAMES.map((name) => `type ${name} = components['schemas']['${name}'];`);
    const client = `import type { components } from './instance';\n${types.join('\n')}\n${CLIENT}`;
    writeFileSync(join(project, 'client.ts'), client);
    compile(project, ['client.ts', 'catalog.ts']);
  });

  for (const [name, document] of DOCUMENTS)
    it(`compiles strictly with Hey API: ${name}`, async () => {
      const project = join(folder, `hey-api-${name}`);
      const input = join(folder, `${name}.json`);
      writeFileSync(input, JSON.stringify(document));
      await createClient({ input, output: project, logs: { level: 'silent' } });
      const client = `import type { ${NAMES.join(', ')} } from './types.gen';\n${CLIENT}${SDK_CALL}`;
      writeFileSync(join(project, 'client.ts'), name === 'instance' ? client : '');
      compile(project, ['index.ts', 'sdk.gen.ts', 'client.ts']);
    });
});
