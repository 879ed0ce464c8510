/** Amounts as people read them, in few digits, so that columns of them can be compared. */

const BYTES = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** «0 B», «1.5 KB», «120 MB». Steps of 1,000, as disks and the engine's own tools count. */
export function bytes(count: number): string {
  const step = count < 1 ? 0 : Math.min(Math.floor(Math.log10(count) / 3), BYTES.length - 1);
  return `${digits(count / 1_000 ** step)} ${BYTES[step]}`;
}

/** «0.3 %», «42 %». */
export function percent(value: number): string {
  return `${digits(value)} %`;
}

/** «0», «0.4», «12», «1.3 k». */
export function rate(value: number): string {
  return value < 1_000 ? digits(value) : `${digits(value / 1_000)} k`;
}

function digits(value: number): string {
  return value === 0 || value >= 10 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '');
}

/** «1 app», «3 apps». */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}
