import type { Teller } from './notes.ts';
import { at, listOf, textOf, type Values } from './values.ts';
import type { Variables } from './variables.ts';

const ASKED =
  /\bhttps?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]|[a-zA-Z0-9_.-]+)(?::(\d{1,5}))?(\/[^\s"'?#|&;)]*)?/;
const PATH = /^\/[A-Za-z0-9/\-._~%!$&'()*+,;=:@]*$/;

/**
 * Returns the HTTP path that a Compose health check requests with curl or wget. Returns `undefined` if there is no
 * health check, or if it does not request a path.
 */
export function healthOf(
  service: Values,
  port: number | undefined,
  variables: Variables,
  tell: Teller,
): string | undefined {
  const check = at(service, 'healthcheck');
  if (check === undefined || at(check, 'disable') === true) return undefined;
  const words = listOf(at(check, 'test')).map((word) => variables.plain(textOf(word) ?? ''));
  const test = words.join(' ');
  if (test === '' || test === 'NONE') return undefined;
  const [, asked, path = '/'] = ASKED.exec(test) ?? [];
  const isHttp = ASKED.test(test) && PATH.test(path) && path.length <= 255;
  if (!isHttp) {
    tell.leftOut(
      'healthcheck',
      'The health check runs a command, but an instance requests an HTTP path. Set `health` if the app has an HTTP path for health checks.',
    );
    return undefined;
  }
  if (port === undefined || Number(asked ?? 80) !== port) {
    tell.leftOut(
      'healthcheck',
      `The health check uses port ${asked ?? 80}, but the port of the app is ${port ?? 'unknown'}.`,
    );
    return undefined;
  }
  tell.carried('healthcheck', `Converted to \`health\`: ${path}`);
  return path;
}
