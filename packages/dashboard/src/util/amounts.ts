/** Formats numbers as short text, such as `1.3 k`, so that users can compare the numbers in a table column. */

/** Formats a percentage, such as `0.3 %` or `42 %`. */
export function percent(value: number): string {
  return `${digits(value)} %`;
}

/** Formats a rate with few digits, such as `0`, `< 0.1`, `0.4`, `12` or `1.3 k`. Only a rate of 0 is shown as `0`. */
export function rate(value: number): string {
  if (value > 0 && value < 0.05) return '< 0.1';
  return value < 1_000 ? digits(value) : `${digits(value / 1_000)} k`;
}

function digits(value: number): string {
  return value === 0 || value >= 10 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '');
}
