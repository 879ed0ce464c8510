/**
 * Comparison of the image name parser with the requests of a real engine to a real registry. `docker tag` is not
 * suitable, because it keeps the case of a host and leading zeros of a port.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { canonicalReference, formatReference, type ImageReference } from '@davit/api';
import { ownImageSpellings } from '@davit/testkit/image-spellings';
import Docker from 'dockerode';
import fc from 'fast-check';
import { whyNoEngine } from '../../support/live-harness.ts';
import { OpenRegistry } from '../../support/open-registry.ts';
import { IS_LONG } from '../../support/tiers.ts';

/**
 * Image that the engine pulled according to the registry, as `repository@digest`. Null if the engine requested no
 * existing image of this registry.
 */
type Pulled = string | null;

// The tests run one after another, so that each request at the registry belongs to the current pull.
describe('canonicalReference compared with a real engine', { skip: whyNoEngine() ?? false, concurrency: 1 }, () => {
  const docker = new Docker();
  /** Server in front of the registry that records the requests of the engine. */
  let door: Server;
  let registry: OpenRegistry;
  let port = 0;
  const digests: Record<string, string> = {};
  /** Repository of each manifest that was pushed for one pull by its digest. */
  const ownerOf = new Map<string, string>();
  /** Manifests that were requested. */
  let requested: string[] = [];

  before(async () => {
    registry = await OpenRegistry.start(docker);
    const run = randomBytes(4).toString('hex');
    for (const [repository, tag] of IMAGES) {
      const { digest } = await registry.push(repository, tag, Buffer.from(`${repository} ${tag} ${run}`));
      digests[`${repository}:${tag}`] = digest;
    }
    door = createServer(async (request, response) => {
      const [, repository] = /^\/v2\/(.+)\/manifests\/.+$/.exec(request.url ?? '') ?? [];
      const headers = { accept: String(request.headers.accept ?? '*/*') };
      const answer = await fetch(`${registry.url}${request.url}`, { method: request.method ?? 'GET', headers });
      const digest = answer.headers.get('docker-content-digest');
      if (answer.status === 200 && repository !== undefined) requested.push(`${repository}@${digest}`);
      const body = Buffer.from(await answer.arrayBuffer());
      const kept = ['content-type', 'content-length', 'docker-content-digest', 'docker-distribution-api-version'];
      const passed = kept.flatMap((name) =>
        [answer.headers.get(name)].flatMap((value) => (value === null ? [] : [[name, value]])),
      );
      response.writeHead(answer.status, Object.fromEntries(passed));
      response.end(body);
    });
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
    port = (door.address() as AddressInfo).port;
  });
  after(async () => {
    door?.closeAllConnections();
    door?.close();
    await registry?.[Symbol.asyncDispose]();
  });

  /** Makes the engine pull an image by a text. The layers are not archives, so the engine stores nothing. */
  async function pulledBy(text: string): Promise<Pulled> {
    requested = [];
    const [named = '', digest] = text.split('@');
    const hasTag = named.includes(':', named.lastIndexOf('/') + 1);
    const query = digest === undefined && !hasTag ? { fromImage: text, tag: 'latest' } : { fromImage: text };
    const { promise, resolve } = Promise.withResolvers<void>();
    docker.createImage(query, (error: unknown, stream: NodeJS.ReadableStream | undefined) => {
      if (error !== null || stream === undefined) return resolve();
      docker.modem.followProgress(stream, () => resolve());
    });
    await promise;
    return requested.at(-1) ?? null;
  }

  /** Returns the image that the engine should pull according to the parser. */
  function expected(reference: ImageReference | null): Pulled {
    if (reference?.host !== `localhost:${port}`) return null;
    const { repository, tag, digest } = reference;
    if (digest !== null) return ownerOf.get(digest) === repository ? `${repository}@${digest}` : null;
    const found = digests[`${repository}:${tag}`];
    return found === undefined ? null : `${repository}@${found}`;
  }

  /**
   * Replaces a placeholder by the digest of a new manifest in the named repository, because the engine requests each
   * manifest only once.
   */
  async function filled(template: string): Promise<string> {
    const [, before, owner] = /^(.*@)new:(.+)$/s.exec(template) ?? [];
    if (before === undefined || owner === undefined) return template;
    const { digest } = await registry.push(owner, '', randomBytes(32));
    ownerOf.set(digest, owner);
    return `${before}${digest}`;
  }

  async function compare(template: string): Promise<void> {
    const text = await filled(template);
    const reference = canonicalReference(text);
    assert.equal(await pulledBy(text), expected(reference), `what the engine pulls for ${JSON.stringify(text)}`);

    const canonical = canonicalReference(await filled(template));
    if (canonical?.host !== `localhost:${port}`) return;
    const form = formatReference(canonical);
    assert.equal(await pulledBy(form), expected(canonical), `what the engine pulls for ${form}`);
  }

  it('returns the image that the engine pulls, for any spelling', async () => {
    const repository = fc.constantFrom(
      ...IMAGES.map(([name]) => name),
      'none',
      'Team/shop',
      'team//shop',
      'team/shop/',
      './team/shop',
    );
    const host = fc.constantFrom(
      'localhost',
      'LOCALHOST',
      'LocalHost',
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.1',
      '0.0.0.0',
      'localhost.',
      '[::1]',
      'u@localhost',
      'localhos%74',
    );
    const at = fc.constantFrom('', '0', '000', '00000000', '+', ' ').map((zeros) => `:${zeros}${port}`);
    // A colon without a tag is excluded, because the API interprets it as all tags of a repository.
    const ending = fc.constantFrom(
      '',
      ':v1',
      ':v2',
      ':V1',
      ':latest',
      ...IMAGES.flatMap(([owner]) => [`@new:${owner}`, `:v1@new:${owner}`, `:none@new:${owner}`]),
      `@sha256:${'A'.repeat(64)}`,
      '@sha256:ab',
    );
    const texts = fc
      .tuple(host, at, repository, ending)
      .map(([name, where, path, end]) => `${name}${where}/${path}${end}`);
    await fc.assert(fc.asyncProperty(texts, compare), { numRuns: IS_LONG ? 1_500 : 150 });
  });

  it('returns the image that the engine pulls, for hostile spellings', async () => {
    const spellings = ownImageSpellings({ port, domain: 'invalid', repository: 'team/prod/shop' });
    // The other names need a slow DNS lookup, which has no result here.
    const local = spellings.filter((text) => !/registry\.invalid/i.test(text));
    const some = local.filter((_, index) => index % (IS_LONG ? 3 : 60) === 0);
    for (const text of some) await compare(`${text}:v1`);
    assert.ok(some.length >= 50, `${some.length} spellings`);
  });
});

const IMAGES = [
  ['shop', 'v1'],
  ['shop', 'latest'],
  ['library/shop', 'v1'],
  ['team/shop', 'v1'],
  ['team/shop', 'v2'],
  ['team/prod/shop', 'v1'],
] as const;
