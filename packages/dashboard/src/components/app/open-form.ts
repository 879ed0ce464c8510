import { useSearch } from '@tanstack/react-router';

const FORMS = ['deploy', 'rollback', 'promote', 'restart', 'stop'] as const;
export type AppForm = (typeof FORMS)[number];

/** Returns the name of the dialog that the URL opens over an app page, or `null` if the URL opens none. */
export function useOpenForm(): AppForm | null {
  const search: Record<string, unknown> = useSearch({ strict: false });
  return FORMS.find((name) => search[name] !== undefined && search[name] !== null) ?? null;
}
