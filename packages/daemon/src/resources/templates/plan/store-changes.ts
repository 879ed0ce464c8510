/** What is different of object stores between two releases of a template. */
import { isDeepStrictEqual } from 'node:util';
import type { Wanted, WantedStore } from './wanted.ts';

export interface StoreChange {
  from: WantedStore;
  to: WantedStore;
  /** Whether it is given other limits. */
  isLimited: boolean;
  /** Those that the release has anew; what it does not have any more has data in it, and stays. */
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

/** What of them is given other limits, as the release has it. */
export function storesWithNewLimits(changes: readonly StoreChange[]): WantedStore[] {
  return changes.flatMap(({ to, isLimited }) => (isLimited ? [to] : []));
}

/** Those that are declared, and those that apps are attached to without it. */
export function bucketsIn({ apps }: Wanted, { key, buckets }: WantedStore): string[] {
  const attached = apps.flatMap(({ attach }) => attach).filter((one) => one.kind === 'store' && one.key === key);
  return [...new Set([...buckets, ...attached.flatMap(({ bucket }) => bucket ?? [])])];
}

export function wordsOfStore({ isLimited, buckets }: StoreChange): string {
  return [...(isLimited ? ['limits'] : []), ...buckets.map((bucket) => `makes the bucket ${bucket}`)].join(', ');
}
