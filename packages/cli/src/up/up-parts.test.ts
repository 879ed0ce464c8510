import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DavitError } from '@davit/api';
import { CliError } from '../errors/exit.ts';
import { buildArguments, NO_BUILD } from './build.ts';
import { digestIn } from './push.ts';
import { registryHost } from './registry-host.ts';
import { Story } from './story.ts';
import { tagFor } from './tag.ts';

const DIGEST = `sha256:${'ab'.repeat(32)}`;
const never = new AbortController().signal;

describe('buildArguments', () => {
  it('contains the Dockerfile, the context and the file for the image ID', () => {
    assert.deepEqual(buildArguments(NO_BUILD, { context: '/src', dockerfile: '/src/Dockerfile' }, null, '/tmp/id'), [
      ...['build', '--file', '/src/Dockerfile', '--iidfile', '/tmp/id', '/src'],
    ]);
  });

  it('contains all build settings of davit.yaml as separate arguments', () => {
    const build = {
      context: 'web',
      dockerfile: 'prod.Dockerfile',
      args: { V: 'a b; rm -rf /' },
      target: 'run',
      platform: 'linux/arm64',
    };
    const commit = { short: 'abc', full: 'abcdef', isDirty: false };

    const paths = { context: '/src/web', dockerfile: '/src/web/prod.Dockerfile' };

    assert.deepEqual(buildArguments(build, paths, commit, '/tmp/id'), [
      ...['build', '--file', '/src/web/prod.Dockerfile', '--iidfile', '/tmp/id', '--build-arg', 'V=a b; rm -rf /'],
      ...[
        '--label',
        'org.opencontainers.image.revision=abcdef',
        '--target',
        'run',
        '--platform',
        'linux/arm64',
        '/src/web',
      ],
    ]);
  });
});

describe('tagFor', () => {
  it('returns the commit, the commit with the digest, or the digest alone', () => {
    const commit = { short: '3f2a91c', full: 'x', isDirty: false };
    assert.equal(tagFor(commit, DIGEST), '3f2a91c');
    assert.equal(tagFor({ ...commit, isDirty: true }, DIGEST), '3f2a91c-dirty-abababab');
    assert.equal(tagFor(null, DIGEST), 'build-abababab');
  });
});

describe('registryHost', () => {
  const ports = { http: 80, https: 443, registry: 5000 };
  for (const [url, https, host] of [
    ['http://127.0.0.1:3000', 443, 'localhost:5000'],
    ['http://localhost:3000', 443, 'localhost:5000'],
    ['http://[::1]:3000', 443, 'localhost:5000'],
    ['https://davit.example.com', 443, 'registry.example.com'],
    ['https://davit.example.com:8443', 8443, 'registry.example.com:8443'],
  ] as const) {
    it(`maps an instance at ${url} to ${host}`, () =>
      assert.equal(registryHost(url, { domain: 'example.com', ports: { ...ports, https } }), host));
  }
});

describe('digestIn', () => {
  it('returns the digest from the output of docker push, or null', () => {
    assert.equal(digestIn(['abc: Pushed', `v1: digest: ${DIGEST} size: 528`]), DIGEST);
    assert.equal(digestIn(['abc: Pushed']), null);
  });
});

describe('Story', () => {
  it('adds the completed steps to an error and keeps its code', () => {
    const story = new Story();
    story.add('the app was created');
    const refused = story.failure(new DavitError('conflict', 'It is not possible.'), never);
    const failed = story.failure(new CliError('failed', 'It broke'), never);

    assert.ok(refused instanceof DavitError && failed instanceof CliError);
    assert.equal(refused.code, 'conflict');
    assert.equal(
      refused.message,
      'It is not possible. Before that, the app was created; nothing was deployed. Solve the problem, then run `davit up` again: completed steps are skipped.',
    );
    assert.match(failed.message, /^It broke\. Before that, the app was created/);
  });

  it('mentions the automatic deployment if the image was already pushed', () => {
    const story = new Story();
    story.pushed('v1');
    const error = story.failure(new CliError('unreachable', 'It did not answer.'), never);

    assert.match(
      String(error),
      /the image was pushed as v1; the instance deploys the image automatically, unless the app has a pinned tag/,
    );
  });

  it('says whether the user must solve a problem before the next run', () => {
    const story = new Story();
    story.add('the app was created');
    const advice = (error: Error) =>
      /(Solve the problem, then run|Run) `davit up` again/.exec(String(story.failure(error, never)))?.[1];

    assert.equal(advice(new CliError('unreachable', 'It did not answer.')), 'Run');
    assert.equal(advice(new DavitError('engine_unavailable', 'Docker does not respond.')), 'Run');
    assert.equal(advice(new DavitError('quota_exceeded', 'Too many.')), 'Solve the problem, then run');
    assert.equal(advice(new CliError('failed', 'The build failed.')), 'Solve the problem, then run');
  });

  it('returns the error unchanged if no step was completed', () => {
    const error = new CliError('usage', 'No.');
    assert.equal(new Story().failure(error, never), error);
  });
});
