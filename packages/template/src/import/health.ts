import type { Teller } from './notes.ts';
import { at, listOf, textOf, type Values } from './values.ts';
import type { Variables } from './variables.ts';

// A colon without a port, as in `http://web:/`, must not match. An unset Compose variable can cause such a colon.
const URL_TAIL = '(?::(\\d{1,5}))?(?![:\\w.-])(/[^\\s"\'?#|&;)]*)?';
const OWN_HOST = '(?:localhost|127\\.0\\.0\\.1|0\\.0\\.0\\.0|\\[::1?\\])';
/** Matches a URL in the command of a health check. */
const WITH_SCHEME = new RegExp(`\\b(https?)://(${OWN_HOST}|[a-zA-Z0-9_.-]+)${URL_TAIL}`);
/** Matches an address without a scheme in the arguments of curl or wget, such as `localhost:80/up`. */
const WITHOUT_SCHEME = new RegExp(`\\b(?:curl|wget)\\b[^|&;]*?\\s["']?(${OWN_HOST})${URL_TAIL}`);
const PATH = /^\/[A-Za-z0-9/\-._~%!$&'()*+,;=:@]*$/;

/**
 * Maximum length in characters of a command in which the import searches for a URL. A long text with many words `curl`
 * would take minutes.
 */
const LONGEST_TEST = 2_000;

interface HealthRequest {
  host: string;
  port: number;
  path: string;
  isTls: boolean;
}

/**
 * Returns the HTTP path that a Compose health check requests with curl or wget. Returns `undefined` if the Compose
 * service has no such health check.
 */
export function healthOf(
  service: Values,
  port: number | undefined,
  variables: Variables,
  report: Teller,
): string | undefined {
  const test = testOf(service, variables);
  if (test === null) {
    const isOff = at(service, 'healthcheck') !== undefined;
    if (isOff) report.changed('healthcheck', 'The instance always checks an app. It connects to the port of the app.');
    return undefined;
  }
  const request = requestIn(test);
  if (request === null) {
    report.leftOut(
      'healthcheck',
      'The health check runs a command, but an instance requests an HTTP path. Set `health` if the app has an HTTP path for health checks.',
    );
    return undefined;
  }
  if (request.isTls) {
    report.leftOut('healthcheck', 'The health check uses HTTPS, but an instance connects to apps with HTTP.');
    return undefined;
  }
  if (request.port !== port) {
    report.leftOut(
      'healthcheck',
      `The health check uses port ${request.port}, but the port of the app is ${port ?? 'unknown'}.`,
    );
    return undefined;
  }
  report.carried('healthcheck', `Converted to \`health\`: ${request.path}`);
  return request.path;
}

/**
 * Returns the container port that the health check of a Compose service requests, or `null`. Services behind a reverse
 * proxy often have no `ports` key. The health check then shows on which port the service listens.
 */
export function healthPort(service: Values, variables: Variables): number | null {
  const request = requestIn(testOf(service, variables) ?? '');
  if (request === null || request.isTls || !IS_OWN_HOST.test(request.host)) return null;
  return request.port >= 1 && request.port <= 65_535 ? request.port : null;
}

const IS_OWN_HOST = new RegExp(`^${OWN_HOST}$`);

/** Returns the command of a health check as one line. Returns `null` if the health check is missing or disabled. */
function testOf(service: Values, variables: Variables): string | null {
  const check = at(service, 'healthcheck');
  if (check === undefined || at(check, 'disable') === true) return null;
  const words = listOf(at(check, 'test')).map((word) => variables.plain(textOf(word) ?? ''));
  const test = words.join(' ');
  return test === '' || test === 'NONE' ? null : test;
}

function requestIn(test: string): HealthRequest | null {
  if (test.length > LONGEST_TEST) return null;
  const [, scheme = 'http', host = '', port, path = '/'] =
    WITH_SCHEME.exec(test) ?? WITHOUT_SCHEME.exec(test)?.toSpliced(1, 0, 'http') ?? [];
  if (host === '' || !PATH.test(path) || path.length > 255) return null;
  const isTls = scheme === 'https';
  return { host, port: Number(port ?? (isTls ? 443 : 80)), path, isTls };
}
