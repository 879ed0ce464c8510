import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CatalogError } from '@davit/api/catalog/errors.ts';
import type { Position } from '../store/types.ts';
import type { ListRequest } from './query.ts';

/** Query parameters of a template list. A pagination cursor is valid only with the same values of these parameters. */
export type CursorScope = Pick<ListRequest, 'q' | 'tag' | 'sort'>;

const VERSION = 1;
const SEAL_BYTES = 16;
const SEAL_AT = 1 + 8 + 8;
/**
 * Matches a pagination cursor in base64url. The length of a cursor in bytes is a multiple of three, so each cursor has
 * exactly one base64url encoding.
 */
const FORM = /^[A-Za-z0-9_-]{44}$/;
const KEY_BYTES = 32;

/**
 * Encodes and decodes pagination cursors. Each cursor contains an HMAC, so the server rejects a changed cursor or a
 * cursor from another query.
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

  /**
   * Decodes a pagination cursor.
   * @throws CatalogError invalid_query
   */
  read(text: string, scope: CursorScope): Position {
    const bytes = FORM.test(text) ? Buffer.from(text, 'base64url') : null;
    if (bytes === null || !timingSafeEqual(bytes.subarray(SEAL_AT), this.#seal(bytes, scope)))
      throw new CatalogError(
        'invalid_query',
        'The parameter cursor is not valid. Send the next_cursor of a page with the same q, tag and sort.',
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
 * Returns the HMAC key for pagination cursors. Catalog servers with the same key file accept each other's cursors.
 * @throws Error if the key file is invalid
 */
export function cursorKey(dataDir: string): Uint8Array {
  const file = join(dataDir, 'cursor.key');
  const key = read(file) ?? make(file);
  if (key.length !== KEY_BYTES)
    throw new Error(
      `The file ${file} does not contain ${KEY_BYTES} bytes in base64. Delete the file; the catalog then creates a new one.`,
    );
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

/** Creates the file of the HMAC key atomically. A crash never leaves an incomplete key file. */
function make(file: string): Uint8Array {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    // Another process created the key file first. This process uses the key from that file.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return read(file) ?? Buffer.alloc(0);
}
