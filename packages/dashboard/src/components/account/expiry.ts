import type { Option } from '../../ui/field.tsx';

export type Expiry = 'never' | '7' | '30' | '90' | '365' | 'day';

export const EXPIRIES: readonly Option<Expiry>[] = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In one year' },
  { value: 'day', label: 'On a date' },
  { value: 'never', label: 'Never' },
];

const DAY_MS = 86_400_000;

/**
 * Returns the expiry time of an API key in the format of the API.
 * @param day last valid day in local time, such as `2026-11-30`
 */
export function expiryOf(expiry: Expiry, day: string, now: number): string | null {
  if (expiry === 'never') return null;
  if (expiry !== 'day') return new Date(now + Number(expiry) * DAY_MS).toISOString();
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date, 23, 59, 59).toISOString();
}
