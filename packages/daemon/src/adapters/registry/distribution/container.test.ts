import assert from 'node:assert/strict';
import test from 'node:test';
import { renderConfig } from './config.ts';
import { onceRequest, recipeOf, servingRequest } from './create-request.ts';
import { versionOf } from './image.ts';
import { explainStart } from './start-reasons.ts';

const SETTINGS = {
  davitId: 'abcd1234',
  imageId: 'sha256:1',
  folders: { config: '/data/registry/config', storage: '/data/registry/storage' },
  owner: { uid: 0, gid: 0 },
};
const SETUP = {
  port: 5000,
  realm: 'http://127.0.0.1:3000/v2/token',
  service: 'davit',
  issuer: 'davit-abcd1234',
  certificate: 'PEM',
  hook: { url: 'http://127.0.0.1:3000/hooks/registry', secret: 's3cret' },
};
const FILES = renderConfig(SETUP, false);

test('the recipe depends on image and configuration and not on the registry version', () => {
  const recipe = recipeOf(SETTINGS, FILES);

  assert.notEqual(recipeOf({ ...SETTINGS, imageId: 'sha256:2' }, FILES), recipe);
  assert.notEqual(recipeOf(SETTINGS, renderConfig(SETUP, true)), recipe);
  assert.equal(servingRequest(SETTINGS, FILES, '2.8.2').Labels['davit.recipe'], recipe);
  assert.equal(servingRequest(SETTINGS, FILES, '3.0.0').Labels['davit.recipe'], recipe);
});

test('servingRequest contains no secret and no certificate', () => {
  const text = JSON.stringify(servingRequest(SETTINGS, FILES, '2.8.2'));

  assert.doesNotMatch(text, /s3cret|PEM/);
});

test('servingRequest drops all capabilities, runs as the owner, and always restarts', () => {
  const { HostConfig, User, Cmd } = servingRequest({ ...SETTINGS, owner: { uid: 1000, gid: 998 } }, FILES, '2.8.2');

  assert.equal(User, '1000:998');
  assert.deepEqual(Cmd, ['serve', '/etc/davit-registry/config.yml']);
  assert.deepEqual(HostConfig.CapDrop, ['ALL']);
  assert.deepEqual(HostConfig.RestartPolicy, { Name: 'always' });
});

test('onceRequest mounts the same files and has no network', () => {
  const once = onceRequest(SETTINGS, ['--version']);

  assert.deepEqual(once.HostConfig.Mounts, servingRequest(SETTINGS, FILES, '').HostConfig.Mounts);
  assert.equal(once.HostConfig.NetworkMode, 'none');
});

test('versionOf reads the version and refuses an old or unknown program', () => {
  assert.equal(versionOf('/usr/bin/docker-registry github.com/docker/distribution 2.8.2+ds1\n'), '2.8.2+ds1');
  assert.equal(versionOf('registry github.com/distribution/distribution/v3 v3.0.0\n'), '3.0.0');
  assert.throws(
    () => versionOf('registry github.com/docker/distribution 2.7.1\n'),
    /2\.7\.1 is too old.*DAVIT_REGISTRY/,
  );
  assert.throws(
    () => versionOf('nginx version: nginx/1.22.1\n'),
    /not contain the registry program CNCF Distribution.*DAVIT_REGISTRY_IMAGE/,
  );
});

test('explainStart explains a failed start of the registry and suggests a solution', () => {
  const bind = '{"level":"fatal","msg":"listen tcp 127.0.0.2:5000: bind: address already in use"}';

  assert.match(explainStart(bind, 5000).message, /cannot listen on 127\.0\.0\.2:5000.*DAVIT_REGISTRY_PORT/);
  assert.match(explainStart('{"msg":"write: no space left on device"}', 5000).message, /disk is full/);
  assert.match(explainStart('configuration error: yaml: line 3', 5000).message, /configuration error: yaml: line 3/);
  assert.match(explainStart('', 5000).message, /printed no error message/);
});
