/** Formats numbers as short text, such as `1.5 KB`, so that users can compare the numbers in a table column. */

const BYTES = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** Formats a number of bytes, such as `0 B`, `1.5 KB` or `120 MB`. Units are powers of 1,000, as Docker uses them. */
export function bytes(count: number): string {
  const step = count < 1 ? 0 : Math.min(Math.floor(Math.log10(count) / 3), BYTES.length - 1);
  return `${digits(count / 1_000 ** step)} ${BYTES[step]}`;
}

/** Formats a percentage, such as `0.3 %` or `42 %`. */
export function percent(value: number): string {
  return `${digits(value)} %`;
}

/** Formats a rate or a count with few digits, such as `0`, `0.4`, `12` or `1.3 k`. */
export function rate(value: number): string {
  return value < 1_000 ? digits(value) : `${digits(value / 1_000)} k`;
}

function digits(value: number): string {
  return value === 0 || value >= 10 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '');
}
