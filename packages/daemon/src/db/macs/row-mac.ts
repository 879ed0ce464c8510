import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SQLOutputValue } from 'node:sqlite';
import type { ProtectedTable } from './protected.ts';

/** Length of a MAC in bytes. An attacker cannot guess 128 bits. */
const MAC_BYTES = 16;

/** Returns the MAC of a row. JSON distinguishes numbers, texts and `null`, and separates the values. */
export function macOf(key: Buffer, { name }: ProtectedTable, values: readonly SQLOutputValue[]): Buffer {
  const text = JSON.stringify([name, ...values]);
  return createHmac('sha256', key).update(text).digest().subarray(0, MAC_BYTES);
}

export function isMacOf(
  mac: SQLOutputValue | undefined,
  key: Buffer,
  table: ProtectedTable,
  values: readonly SQLOutputValue[],
): boolean {
  return mac instanceof Uint8Array && mac.length === MAC_BYTES && timingSafeEqual(mac, macOf(key, table, values));
}
