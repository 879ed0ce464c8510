import assert from 'node:assert/strict';
import test from 'node:test';
import { AppSpec } from '../schemas/app.ts';
import { SETTINGS_OF_THE_APP } from './app-limits.ts';

test('the settings that belong to the app are settings of apps', () => {
  for (const name of SETTINGS_OF_THE_APP) assert.ok(Object.hasOwn(AppSpec.shape, name), name);
});
