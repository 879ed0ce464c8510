import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CatalogError } from '@davit/api/catalog/errors.ts';
import type { Position } from '../store/types.ts';
import type { ListRequest } from './query.ts';

/** What a cursor belongs to: it goes on with this order of these templates and with no other. */
export type CursorScope = Pick<ListRequest, 'q' | 'tag' | 'sort'>;

const VERSION = 1;
const SEAL_BYTES = 16;
const SEAL_AT = 1 + 8 + 8;
/** A multiple of three bytes: no two texts of base64 stand for the same. */
const FORM = /^[A-Za-z0-9_-]{44}$/;
const KEY_BYTES = 32;

/**
 * Cursors are opaque: a version, the key and the id where the page ended, and a seal over these and the scope. Whoever
 * changes one, or uses it for something else, has none.
 */
export class Cursors {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  write({ key, id }: Position, scope: CursorScope): string {
    const bytes = Buffer.alloc(SEAL_AT + SEAL_BYTES);
    bytes[0] = VERSION;
    bytes.writeBigInt64BE(BigInt(key), 1);
    bytes.writeBigInt64BE(BigInt(id), 9);
    this.#seal(bytes, scope).copy(bytes, SEAL_AT);
    return bytes.toString('base64url');
  }

  /** @throws CatalogError invalid_query */
  read(text: string, scope: CursorScope): Position {
    const bytes = FORM.test(text) ? Buffer.from(text, 'base64url') : null;
    if (bytes === null || !timingSafeEqual(bytes.subarray(SEAL_AT), this.#seal(bytes, scope)))
      throw new CatalogError(
        'invalid_query',
        'The parameter cursor must be the next_cursor of a page with the same q, tag and sort.',
      );
    return { key: Number(bytes.readBigInt64BE(1)), id: Number(bytes.readBigInt64BE(9)) };
  }

  #seal(bytes: Buffer, { q, tag, sort }: CursorScope): Buffer {
    return createHmac('sha256', this.#key)
      .update(bytes.subarray(0, SEAL_AT))
      .update(JSON.stringify([sort, q, tag]))
      .digest()
      .subarray(0, SEAL_BYTES);
  }
}

/**
 * The key of a data directory's cursors, made at the first start: cursors outlive a restart, and several servers that
 * have the same file understand each other's.
 * @throws Error naming the file, when it holds anything else
 */
export function cursorKey(dataDir: string): Uint8Array {
  const file = join(dataDir, 'cursor.key');
  const key = read(file) ?? make(file);
  if (key.length !== KEY_BYTES)
    throw new Error(`The file ${file} must hold ${KEY_BYTES} bytes in base64: remove it, and another is made.`);
  return key;
}

function read(file: string): Uint8Array | null {
  try {
    return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Complete or not there, also when the process dies meanwhile. */
function make(file: string): Uint8Array {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    // Another process was first: its key is the one.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return read(file) ?? Buffer.alloc(0);
}
