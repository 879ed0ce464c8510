import { useSearch } from '@tanstack/react-router';

const FORMS = ['deploy', 'rollback', 'promote', 'restart', 'stop'] as const;
export type AppForm = (typeof FORMS)[number];

/** Returns which form is open over an app page according to the URL, or `null` if none is open. */
export function useOpenForm(): AppForm | null {
  const search: Record<string, unknown> = useSearch({ strict: false });
  return FORMS.find((name) => search[name] !== undefined && search[name] !== null) ?? null;
}
