import { CALLS } from '@davit/api';
import { type AppPath, paths } from '../../paths.ts';

const SLUG = /^[a-z0-9][a-z0-9-]*$/;

/**
 * Dashboard pages for audit log entries without a project. An entry links to a page if the path of its API request
 * starts with `prefix`.
 */
const PAGES: readonly (readonly [prefix: string, page: string])[] = [
  ['/certificates', paths.certificates()],
  ['/dns-providers', `${paths.certificates()}?tab=dns`],
  ['/settings', paths.settings()],
  ['/audit', paths.audit()],
  ['/registries', paths.registry()],
  ['/registry', paths.registry()],
  ['/images', paths.registry()],
  ['/volumes', paths.registry()],
];

/**
 * Returns the dashboard page for the target of an audit log entry. Returns `null` if there is no page. The target may
 * have been deleted.
 */
export function pageOfTarget(operation: string, target: string): string | null {
  const path = operation in CALLS ? CALLS[operation as keyof typeof CALLS].path : (operation.split(' ')[1] ?? '');
  const [first = '', second = '', third = '', noun, number] = target.split('/');
  const names = [first, second, third].filter((name) => SLUG.test(name));
  const app: AppPath = { project: first, environment: second, app: third };
  if (path.includes('/users/me') || path.includes('/auth/') || path.includes('/setup')) return null;
  if (path.startsWith('/users')) return first === '' ? paths.users() : paths.user({ user: first });
  if (/\/(apps|repositories)\b/.test(path)) {
    if (names.length < 3) return null;
    return noun === 'deployments' && number ? paths.appDeployment({ ...app, deployment: number }) : paths.app(app);
  }
  if (path.startsWith('/projects')) {
    if (names.length === 0) return null;
    return names.length > 1 && path.includes('/environments') ? paths.environment(app) : paths.project(app);
  }
  return PAGES.find(([prefix]) => path.startsWith(prefix))?.[1] ?? null;
}
