import assert from 'node:assert/strict';
import test from 'node:test';
import { makeConfig } from '../../../daemon/src/config/config.ts';
import { readRawSettings } from '../../../daemon/src/config/settings.ts';
import { environmentOfProcess } from './env.ts';

test('environmentOfProcess and the instance use the same data directory', () => {
  const isRoot = process.getuid?.() === 0;
  const tried: Record<string, string>[] = [
    {},
    { XDG_DATA_HOME: '/data/home' },
    { DAVIT_DATA_DIR: '/srv/davit' },
    { DAVIT_DATA_DIR: '' },
  ];
  for (const variables of tried) {
    const { dataDir } = makeConfig(readRawSettings(variables, []), { isRoot, xdgDataHome: variables.XDG_DATA_HOME });
    assert.equal(environmentOfProcess(variables).dataDir, dataDir, JSON.stringify(variables));
  }
});

test('environmentOfProcess uses XDG_CONFIG_HOME or the home folder for credentials', () => {
  assert.equal(environmentOfProcess({ HOME: '/home/ada' }).configDir, '/home/ada/.config/davit');
  assert.equal(environmentOfProcess({ HOME: '/home/ada', XDG_CONFIG_HOME: '/config' }).configDir, '/config/davit');
});

test('environmentOfProcess treats empty variables as unset', () => {
  const { url, apiKey, context, noColor, forceColor } = environmentOfProcess({
    DAVIT_URL: '',
    DAVIT_API_KEY: '',
    DAVIT_CONTEXT: '',
    NO_COLOR: '',
    FORCE_COLOR: '0',
  });
  assert.deepEqual([url, apiKey, context, noColor, forceColor], [undefined, undefined, undefined, false, false]);
});
