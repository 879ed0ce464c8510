import { useSearch } from '@tanstack/react-router';

const FORMS = ['deploy', 'rollback', 'promote', 'restart', 'stop'] as const;
export type AppForm = (typeof FORMS)[number];

/** Returns the form that the URL opens over an app page. Returns `null` if the URL names no form. */
export function useOpenForm(): AppForm | null {
  const search: Record<string, unknown> = useSearch({ strict: false });
  return FORMS.find((name) => search[name] !== undefined && search[name] !== null) ?? null;
}
