import { useSearch } from '@tanstack/react-router';

const FORMS = ['deploy', 'rollback', 'promote', 'restart', 'stop'] as const;
export type AppForm = (typeof FORMS)[number];

/**
 * Returns which dialog of an app page is open, or `null` if none is open. The URL of the page contains the name of the
 * dialog.
 */
export function useOpenForm(): AppForm | null {
  const search: Record<string, unknown> = useSearch({ strict: false });
  return FORMS.find((name) => search[name] !== undefined && search[name] !== null) ?? null;
}
