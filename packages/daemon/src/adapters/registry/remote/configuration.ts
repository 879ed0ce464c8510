/** Reads the layer digests from the configuration of an image. */
import { DavitError } from '@davit/api';
import { parseJsonObject } from '@davit/service';
import { z } from 'zod';
import { folded } from './folded-name.ts';
import type { Blob } from './manifest.ts';
import { RemoteProblem } from './problem.ts';
import { type OpenBlob, verified } from './verified.ts';

/**
 * Maximum size of an image configuration in bytes. An image configuration normally has a few kilobytes. With a long
 * history and many labels, it can have a few hundred kilobytes.
 */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_VALUES = 100_000;

const Configuration = z.object({
  rootfs: z.object({ diff_ids: z.array(z.string().regex(/^sha256:[0-9a-f]{64}$/)) }),
});

/**
 * Downloads and verifies the configuration of an image.
 * @returns digests of the decompressed layers, lowest layer first
 * @throws RemoteProblem, or the abort reason
 */
export async function diffIdsOf(open: OpenBlob, config: Blob, signal: AbortSignal): Promise<string[]> {
  if (config.size > MAX_BYTES) throw invalid(`an image configuration has more than ${MAX_BYTES} bytes`);
  const parts: Buffer[] = [];
  for await (const chunk of verified(open, config, signal)) parts.push(chunk);
  const json = parse(Buffer.concat(parts));
  const { success, data } = Configuration.safeParse(json);
  if (!success || !isOnly(json, 'rootfs') || !isOnly(json.rootfs as object, 'diff_ids'))
    throw invalid('the image configuration must contain the list “rootfs.diff_ids” exactly once');
  return data.rootfs.diff_ids;
}

/**
 * Parses an image configuration. Ambiguous JSON, such as duplicate fields, is rejected. In ambiguous JSON, Docker could
 * find other layers than the checked layers.
 */
function parse(bytes: Buffer): Record<string, unknown> {
  try {
    return parseJsonObject(bytes, MAX_VALUES);
  } catch (cause) {
    if (cause instanceof DavitError)
      throw invalid('the image configuration is not valid JSON, repeats a field, or is too large', cause);
    throw cause;
  }
}

/**
 * Returns `false` if another field name differs from `name` only in upper and lower case. Docker ignores case, so it
 * could use the other field.
 */
function isOnly(object: object, name: string): boolean {
  return Object.keys(object).every((key) => key === name || folded(key) !== name);
}

function invalid(message: string, cause?: unknown): RemoteProblem {
  return new RemoteProblem('registry_answer_invalid', message, { cause });
}
