/**
 * Requests that an instance accepts: the operations in the committed API description, and the list of absent
 * operations.
 */
import { ABSENT_ROUTES } from '@davit/api';
import document from '../../api/openapi.json' with { type: 'json' };

const DOCUMENTED = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} /api${path}`),
);

const matchers = (routes: readonly string[]) =>
  routes.map((route) => new RegExp(`^${route.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`));

const OPERATIONS = matchers(DOCUMENTED);
const ABSENT = matchers(ABSENT_ROUTES);

/**
 * Returns whether a request is in the API description.
 * @param request method and path, such as `GET /api/apps`
 */
export function isDocumented(request: string): boolean {
  return OPERATIONS.some((route) => route.test(request));
}

/** Returns whether a request matches any existing route. */
export function isRoute(request: string): boolean {
  return isDocumented(request) || ABSENT.some((route) => route.test(request));
}
