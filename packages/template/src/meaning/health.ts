import type { Path } from '../diagnostic.ts';
import type { Scope } from './scope.ts';

const HEALTH_PATH = /^\/[A-Za-z0-9/\-._~%!$&'()*+,;=:@]*$/;
const LONGEST = 255;

/** Checks that the health check path (`health`) of an app is valid and has no query. */
export function checkHealth({ error }: Scope, health: string | undefined, path: Path): void {
  if (health === undefined || (HEALTH_PATH.test(health) && health.length <= LONGEST)) return;
  const message = `\`health\` must be a path of at most ${LONGEST} characters that starts with / and has no query.`;
  error('health.path', [...path, 'health'], message, 'Write a path such as `/healthz`.');
}
