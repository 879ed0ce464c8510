/** Formats a duration such as `0.4 s`, `59.9 s` or `2 min 05 s`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const rest = String(whole % 60).padStart(2, '0');
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${rest} s`;
  return `${Math.floor(whole / 3_600)} h ${String(Math.floor((whole % 3_600) / 60)).padStart(2, '0')} min`;
}
