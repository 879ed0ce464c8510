import assert from 'node:assert/strict';
import test from 'node:test';
import type { Prompter } from '../../prompts/prompter.ts';
import { rulesPatch } from './rules.ts';

const NOTHING = {
  ...{ port: undefined, protocol: undefined, https: undefined, hsts: undefined, redirectTo: undefined },
  ...{ basicAuth: undefined, allow: [], rateLimit: undefined, maintenance: undefined, header: [] },
};
const patchOf = (header: string[]) => rulesPatch({ ...NOTHING, header }, {} as Prompter);

test('rulesPatch sets headers, keeps empty values, and removes all headers with none', async () => {
  assert.deepEqual(await patchOf([]), {});
  assert.deepEqual(await patchOf(['X-A=1', 'Server=']), { headers: { 'X-A': '1', Server: '' } });
  assert.deepEqual(await patchOf(['none']), { headers: null });
});

test('rulesPatch names a header in the error about a header', async () => {
  await assert.rejects(patchOf(['X-A']), /^CliError: "X-A" is not a valid header: write key=value\.$/);
  await assert.rejects(patchOf(['none', 'X-A=1']), /--header none cannot be combined/);
});
