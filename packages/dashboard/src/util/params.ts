import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { AppPath, DatabasePath, EnvironmentPath, ProjectPath, TemplatePath } from '../paths.ts';

/**
 * Returns the route parameters of the current page. A parameter is `undefined` if the route of the page does not have
 * it.
 */
function useNames(): Record<string, string | undefined> {
  return useParams({ strict: false });
}

export function useProjectPath(): ProjectPath {
  return { project: useNames().project ?? '' };
}

export function useEnvironmentPath(): EnvironmentPath {
  const { project = '', environment = '' } = useNames();
  return { project, environment };
}

export function useAppPath(): AppPath {
  const { project = '', environment = '', app = '' } = useNames();
  return { project, environment, app };
}

export function useDatabasePath(): DatabasePath {
  const { project = '', environment = '', database = '' } = useNames();
  return { project, environment, database };
}

export function useTemplatePath(): TemplatePath {
  const { owner = '', name = '' } = useNames();
  return { owner, name };
}

export function useName(name: 'user' | 'deployment' | 'object_store' | 'task' | 'install' | 'page'): string {
  return useNames()[name] ?? '';
}

/**
 * Returns a URL query parameter and its setter. `null` means that the query parameter is absent. Filters and dialogs
 * are stored in the URL, so that a copied link shows them.
 */
export function useSearchText(name: string): [text: string | null, set: (text: string | null) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const value = search[name];
  const set = (text: string | null) => {
    const next = (before: Record<string, unknown>) => ({ ...before, [name]: text ?? undefined });
    // Replace the current history entry, because a changed query parameter is not a new page.
    void navigate({ to: '.', search: next as never, replace: true });
  };
  return [value === undefined || value === null ? null : String(value), set];
}

/** Returns a function that sets several query parameters of the URL. `null` removes a query parameter. */
export function useSearchChange(): (change: Record<string, string | null>) => void {
  const navigate = useNavigate();
  return (change) => {
    const gone = Object.fromEntries(Object.entries(change).map(([name, text]) => [name, text ?? undefined]));
    const next = (before: Record<string, unknown>) => ({ ...before, ...gone });
    void navigate({ to: '.', search: next as never, replace: true });
  };
}
