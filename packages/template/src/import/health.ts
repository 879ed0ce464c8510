import type { Teller } from './notes.ts';
import { at, listOf, textOf, type Values } from './values.ts';
import type { Variables } from './variables.ts';

const REQUESTED_URL =
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
  report: Teller,
): string | undefined {
  const check = at(service, 'healthcheck');
  if (check === undefined || at(check, 'disable') === true) return undefined;
  const words = listOf(at(check, 'test')).map((word) => variables.plain(textOf(word) ?? ''));
  const test = words.join(' ');
  if (test === '' || test === 'NONE') return undefined;
  const [, requestedPort, path = '/'] = REQUESTED_URL.exec(test) ?? [];
  const isHttp = REQUESTED_URL.test(test) && PATH.test(path) && path.length <= 255;
  if (!isHttp) {
    report.leftOut(
      'healthcheck',
      'The health check runs a command, but an instance requests an HTTP path. Set `health` if the app has an HTTP path for health checks.',
    );
    return undefined;
  }
  if (port === undefined || Number(requestedPort ?? 80) !== port) {
    report.leftOut(
      'healthcheck',
      `The health check uses port ${requestedPort ?? 80}, but the port of the app is ${port ?? 'unknown'}.`,
    );
    return undefined;
  }
  report.carried('healthcheck', `Converted to \`health\`: ${path}`);
  return path;
}
