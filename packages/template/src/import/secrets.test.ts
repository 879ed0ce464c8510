import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { importCompose } from './import.ts';

const STACKS = join(import.meta.dirname, '../../fixtures/stacks');

interface Shape {
  type: string;
  required: boolean;
  generate?: number;
  format?: string;
  bytes?: number | undefined;
}

/** Imports a Compose file and returns its inputs by key, without their labels. */
function inputsOf(compose: string): { inputs: Record<string, Shape>; env: Record<string, string> } {
  const made = importCompose(compose);
  assert.ok(made.ok && made.manifest !== null, made.ok ? JSON.stringify(made.problems) : made.message);
  const { inputs, apps } = made.manifest;
  const shapes = inputs.map(({ key, type, required, generate, format, bytes }): [string, Shape] => [
    key,
    { type, required, ...(generate && { generate }), ...(format && { format, bytes }) },
  ]);
  return { inputs: Object.fromEntries(shapes), env: Object.assign({}, ...apps.map(({ env }) => env)) };
}

const generated = (shape: object) => ({ type: 'secret', required: true, ...shape });

for (const [name, expected] of [
  ['SERVICE_PASSWORD', { generate: 32 }],
  ['SERVICE_PASSWORD_UMAMI', { generate: 32 }],
  ['SERVICE_PASSWORD_64_UMAMI', { generate: 64 }],
  ['SERVICE_PASSWORD_GITLAB', { generate: 32 }],
  ['SERVICE_PASSWORD_JWTSECRET', { generate: 32 }],
  ['SERVICE_PASSWORDWITHSYMBOLS_64_ADMIN', { generate: 64 }],
  ['SERVICE_BASE64_SECRET', { generate: 32 }],
  ['SERVICE_BASE64_128_SECRET', { generate: 128 }],
  ['SERVICE_REALBASE64_APP', { format: 'base64', bytes: 32 }],
  ['SERVICE_REALBASE64_64_APP', { format: 'base64', bytes: 64 }],
  ['SERVICE_HEX_32_EVENTKEY', { format: 'hex', bytes: 32 }],
  ['SESSION_SECRET', { generate: 32 }],
] as const)
  test(`the Compose variable ${name} becomes a generated secret`, () => {
    const { inputs } = inputsOf(`services: { web: { image: a, environment: { VALUE: "$${name}" } } }`);
    assert.deepEqual(Object.values(inputs), [generated(expected)]);
  });

for (const name of ['SERVICE_USER_UMAMI', 'SERVICE_URL_UMAMI', 'SERVICE_FQDN_UMAMI_3000', 'SERVICE_PASSWORDLESS'])
  test(`the Compose variable ${name} does not become a secret`, () => {
    const { inputs } = inputsOf(`services: { web: { image: a, environment: { VALUE: "$${name}" } } }`);
    assert.deepEqual(Object.values(inputs), [{ type: 'text', required: true }]);
  });

test('generated secrets of public Compose files become secret inputs', () => {
  const stack = (name: string) => inputsOf(readFileSync(join(STACKS, name, 'compose.yaml'), 'utf8'));

  const umami = stack('umami');
  assert.deepEqual(umami.inputs.servicePassword64Umami, generated({ generate: 64 }));
  assert.equal(umami.env.APP_SECRET, '${input.servicePassword64Umami}');
  assert.equal(umami.inputs.servicePasswordPostgres, undefined, 'the database has its own password');

  const soketi = stack('soketi');
  assert.deepEqual(soketi.inputs.serviceRealbase6464Soketisecret, generated({ format: 'base64', bytes: 64 }));
  assert.deepEqual(soketi.inputs.serviceUserSoketi, { type: 'text', required: true });

  const homarr = stack('homarr');
  const secrets = Object.values(homarr.inputs).filter(({ type }) => type === 'secret');
  assert.ok(
    secrets.every(({ format }) => format === 'hex'),
    JSON.stringify(secrets),
  );
  assert.notEqual(secrets.length, 0);
});
