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

describe('the arguments of a build', () => {
  it('are the folder and the file, and where the id goes', () => {
    assert.deepEqual(buildArguments(NO_BUILD, { context: '/src', dockerfile: '/src/Dockerfile' }, null, '/tmp/id'), [
      ...['build', '--file', '/src/Dockerfile', '--iidfile', '/tmp/id', '/src'],
    ]);
  });

  it('are all that davit.yaml says, each a word of its own', () => {
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

describe('the tag of a build', () => {
  it('is the commit, with the image where files differ from it, and the image alone without one', () => {
    const commit = { short: '3f2a91c', full: 'x', isDirty: false };
    assert.equal(tagFor(commit, DIGEST), '3f2a91c');
    assert.equal(tagFor({ ...commit, isDirty: true }, DIGEST), '3f2a91c-dirty-abababab');
    assert.equal(tagFor(null, DIGEST), 'build-abababab');
  });
});

describe('the registry that is pushed to', () => {
  const ports = { http: 80, https: 443, registry: 5000 };
  for (const [url, https, host] of [
    ['http://127.0.0.1:3000', 443, 'localhost:5000'],
    ['http://localhost:3000', 443, 'localhost:5000'],
    ['http://[::1]:3000', 443, 'localhost:5000'],
    ['https://davit.example.com', 443, 'registry.example.com'],
    ['https://davit.example.com:8443', 8443, 'registry.example.com:8443'],
  ] as const) {
    it(`of an instance at ${url} is ${host}`, () =>
      assert.equal(registryHost(url, { domain: 'example.com', ports: { ...ports, https } }), host));
  }
});

describe('what was pushed', () => {
  it('is what the client says last', () => {
    assert.equal(digestIn(['abc: Pushed', `v1: digest: ${DIGEST} size: 528`]), DIGEST);
    assert.equal(digestIn(['abc: Pushed']), null);
  });
});

describe('the story of a failure', () => {
  it('says what was done before, and keeps what the failure is', () => {
    const story = new Story();
    story.add('the app was created');
    const refused = story.failure(new DavitError('conflict', 'It is not possible.'), never);
    const failed = story.failure(new CliError('failed', 'It broke'), never);

    assert.ok(refused instanceof DavitError && failed instanceof CliError);
    assert.equal(refused.code, 'conflict');
    assert.equal(
      refused.message,
      'It is not possible. Before that, the app was created; nothing was deployed. Run `davit up` again: completed steps are skipped.',
    );
    assert.match(failed.message, /^It broke\. Before that, the app was created/);
  });

  it('does not say that nothing is deployed once the image is there', () => {
    const story = new Story();
    story.pushed('v1');
    const error = story.failure(new CliError('unreachable', 'It did not answer.'), never);

    assert.match(
      String(error),
      /the image was pushed as v1; the instance deploys the image automatically, unless the app has a pinned tag/,
    );
  });

  it('adds nothing where nothing was done', () => {
    const error = new CliError('usage', 'No.');
    assert.equal(new Story().failure(error, never), error);
  });
});
