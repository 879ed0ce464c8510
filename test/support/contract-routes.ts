/** What an instance may be asked: the operations of the document that is committed, and the absent list. */
import { ABSENT_ROUTES } from '@davit/api';
import document from '../../api/openapi.json' with { type: 'json' };

const DOCUMENTED = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} /api${path}`),
);

const matchers = (routes: readonly string[]) =>
  routes.map((route) => new RegExp(`^${route.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`));

const OPERATIONS = matchers(DOCUMENTED);
const ABSENT = matchers(ABSENT_ROUTES);

/** Whether a request is one that the document has. @param asked such as `GET /api/apps` */
export function isDocumented(asked: string): boolean {
  return OPERATIONS.some((route) => route.test(asked));
}

/** Whether a request is to any route that there is. */
export function isRoute(asked: string): boolean {
  return isDocumented(asked) || ABSENT.some((route) => route.test(asked));
}
