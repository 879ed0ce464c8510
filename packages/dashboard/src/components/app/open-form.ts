import { useSearch } from '@tanstack/react-router';

const FORMS = ['deploy', 'rollback', 'promote', 'restart', 'stop'] as const;
export type AppForm = (typeof FORMS)[number];

/**
 * Returns the name of the dialog that is open on an app page, or `null` if no dialog is open. The URL contains this
 * name.
 */
export function useOpenForm(): AppForm | null {
  const search: Record<string, unknown> = useSearch({ strict: false });
  return FORMS.find((name) => search[name] !== undefined && search[name] !== null) ?? null;
}
