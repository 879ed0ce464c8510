/**
 * Tests an object store with its access key. The result has one sentence for each step of the test. If a step fails,
 * the result contains the failure, and no error is thrown.
 */
import { randomUUID } from 'node:crypto';
import { DavitError, type ObjectStoreCheck } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import type { StoreRow } from '../../db/tables/object-store.ts';
import { noteStoreChecked, storeById } from '../../db/tables/object-store.ts';
import { bucketsOf, demandOwn } from './bucket.ts';
import type { ObjectClient } from './client.ts';
import type { ObjectStoresDeps } from './deps.ts';
import { withStoreClient } from './request.ts';

type Step = ObjectStoreCheck['steps'][number];

/** Key prefix of test objects, so that lifecycle rules can distinguish test objects from other objects. */
const PROBES = '.davit-check/';

/**
 * Tests the access to an object store. Tests the bucket `named`, or the bucket to which the access key is limited. If
 * there is no such bucket, only lists the buckets.
 * @param named name of the bucket to test
 * @throws DavitError not_found if the access key cannot use the bucket `named`
 */
export async function checkObjectStore(
  core: ObjectStoresDeps,
  _ctx: OpContext,
  row: StoreRow,
  named: string | undefined,
): Promise<ObjectStoreCheck> {
  const startedAt = performance.now();
  const bucket = named ?? row.bucket;
  if (bucket !== null) demandOwn(row, bucket);
  const steps = bucket === null ? [await buckets(core, row)] : await probe(core, row, bucket);
  const ok = steps.every((step) => step.ok);
  core.store.tx((tx) => {
    core.store.trail.about({ target: row.name, ...(row.project_id !== null && { projectId: row.project_id }) });
    if (ok && storeById(tx, row.id)) noteStoreChecked(tx, row.id, core.now());
  });
  return { ok, steps, duration_ms: Math.round(performance.now() - startedAt) };
}

function buckets(core: ObjectStoresDeps, row: StoreRow): Promise<Step> {
  return step('buckets', async () => {
    const found = await withStoreClient(core, row, (client, signal) => bucketsOf(row, client, signal));
    return `The keys are valid for ${found.length === 1 ? 'one bucket' : `${found.length} buckets`}.`;
  });
}

/** Writes, reads, lists and deletes a test object. The object is deleted even if reading or listing fails. */
async function probe(core: ObjectStoresDeps, row: StoreRow, bucket: string): Promise<Step[]> {
  const key = `${PROBES}${randomUUID()}`;
  const text = `Test object of Davit: ${key}`;
  const requestWith = (work: (client: ObjectClient, signal: AbortSignal) => Promise<string>) => () =>
    withStoreClient(core, row, work);
  const write = await step(
    'write',
    requestWith(async (client, signal) => {
      await client.put(bucket, key, oneChunk(text), signal);
      return `Davit wrote a test object to the bucket “${bucket}”.`;
    }),
  );
  if (!write.ok) return [write];
  const read = await step(
    'read',
    requestWith(async (client, signal) => {
      const { body } = await client.get(bucket, key, signal);
      if ((await textOf(body)) !== text)
        throw new DavitError(
          'conflict',
          'Davit wrote a test object, but the object store returned different content for it. Check the object store.',
        );
      return 'Davit read the test object, and its content is correct.';
    }),
  );
  const list = await step(
    'list',
    requestWith(async (client, signal) => {
      const { items } = await client.list(bucket, { prefix: key, limit: 1 }, signal);
      if (items[0]?.key !== key)
        throw new DavitError(
          'conflict',
          'Davit wrote a test object, but the list of objects does not contain it. Check that the keys have the permission to list objects.',
        );
      return 'Davit found the test object in the list of objects.';
    }),
  );
  const gone = await step(
    'delete',
    requestWith(async (client, signal) => {
      await client.delete(bucket, key, signal);
      return 'Davit deleted the test object that it wrote for this check.';
    }),
  );
  return [write, read, list, gone];
}

async function step(name: Step['step'], work: () => Promise<string>): Promise<Step> {
  try {
    return { step: name, ok: true, message: await work() };
  } catch (error) {
    if (!(error instanceof DavitError)) throw error;
    return { step: name, ok: false, message: error.message };
  }
}

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
