/** Computes the differences between the object stores of two template releases. */
import { isDeepStrictEqual } from 'node:util';
import type { Wanted, WantedStore } from './wanted.ts';

export interface StoreChange {
  from: WantedStore;
  to: WantedStore;
  /** Whether the limits of the object store differ between the installed release and the new release. */
  isLimited: boolean;
  /**
   * Buckets that the new release adds. An update does not delete buckets that are missing in the new release, because
   * they contain data.
   */
  buckets: string[];
}

export function storeChangeOf(
  from: Wanted,
  to: Wanted,
  [was, next]: readonly [WantedStore, WantedStore],
): StoreChange[] {
  const there = new Set(bucketsIn(from, was));
  const buckets = bucketsIn(to, next).filter((bucket) => !there.has(bucket));
  const isLimited = !isDeepStrictEqual(was.limits, next.limits);
  return isLimited || buckets.length > 0 ? [{ from: was, to: next, isLimited, buckets }] : [];
}

/** Returns the object stores whose limits differ in the new release. The result contains the new limits. */
export function storesWithNewLimits(changes: readonly StoreChange[]): WantedStore[] {
  return changes.flatMap(({ to, isLimited }) => (isLimited ? [to] : []));
}

/** Returns all buckets that an object store needs: the buckets in the template, and the buckets that apps use. */
export function bucketsIn({ apps }: Wanted, { key, buckets }: WantedStore): string[] {
  const attached = apps.flatMap(({ attach }) => attach).filter((one) => one.kind === 'store' && one.key === key);
  return [...new Set([...buckets, ...attached.flatMap(({ bucket }) => bucket ?? [])])];
}

export function wordsOfStore({ isLimited, buckets }: StoreChange): string {
  return [...(isLimited ? ['limits'] : []), ...buckets.map((bucket) => `creates the bucket ${bucket}`)].join(', ');
}
