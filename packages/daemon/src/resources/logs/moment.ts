import type { LogMoment } from './logs.ts';

/** Compares the times of two log lines. Returns a negative number if `a` is earlier than `b`. */
export function compareMoments(a: LogMoment, b: LogMoment): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}

/** @param text RFC 3339 time with any number of decimals */
export function parseMoment(text: string): LogMoment {
  const [, whole = '', fraction = '', zone = ''] = /^([^.]*?)(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)$/i.exec(text) ?? [];
  return {
    seconds: Math.floor(Date.parse(`${whole}${zone}`) / 1000),
    nanos: Number(fraction.padEnd(9, '0').slice(0, 9)),
  };
}

let lastSecond = { seconds: -1, text: '' };

/**
 * Formats a time as RFC 3339 in UTC with nine decimals. All results have the same length. So the order as text is also
 * the order by time.
 */
export function formatMoment(seconds: number, nanos: number): string {
  // Cache the formatted text of the last second, because consecutive log lines often have the same second.
  if (lastSecond.seconds !== seconds) {
    lastSecond = { seconds, text: new Date(seconds * 1000).toISOString().slice(0, 20) };
  }
  return `${lastSecond.text.slice(0, 19)}.${String(nanos).padStart(9, '0')}Z`;
}
