/** Formats a number of bytes in MiB, with at most one decimal place. */
export function mebibytes(bytes: number): string {
  return `${Math.round((bytes / 2 ** 20) * 10) / 10} MiB`;
}
