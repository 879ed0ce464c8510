/**
 * Texts of the responses that HAProxy itself sends to clients. The texts contain escapes such as `\n`, because they are
 * quoted strings in HAProxy's configuration.
 */

export const TEXT = 'text/plain; charset=utf-8';
export const HTML = 'text/html; charset=utf-8';

export const SENTENCE = {
  noApp: 'No app has this host name. Check the spelling, or add the host name to an app as a domain.\\n',
  noDaemon: 'The Davit daemon does not respond, but the apps continue to run. Start the daemon, or try again later.\\n',
  noRegistry: 'The registry of this instance does not respond. Try again later.\\n',
  noTunnel: 'The proxy does not support the method CONNECT. Send the request without a tunnel.\\n',
  longHeaders: 'The headers of this request are longer than 32 KiB. Delete cookies of this host, then try again.\\n',
  badHost: 'The Host header of this request is not valid or missing. Send a host name, with a port if necessary.\\n',
  badPath:
    'The path of this request is ambiguous. Send a path that starts with one slash, without dot segments, control characters or double encoding.\\n',
  notAllowed:
    'Requests from your IP address to this host name are not allowed. Ask the operator of the app to allow your address.\\n',
  tooMany: 'Your IP address has reached the limit of requests per minute. Wait a minute, then try again.\\n',
  signIn: 'This host name requires a user name and a password. Send them, then try again.\\n',
} as const;

/**
 * HTML of the maintenance page. The page uses no external resources. HAProxy replaces `%[…]` with a text that a user
 * has set.
 */
export const MAINTENANCE_PAGE = [
  "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>",
  "<meta name='robots' content='noindex'><title>Maintenance</title><style>body{font:1.125rem/1.6 system-ui,sans-serif;",
  'max-width:36rem;margin:20vh auto;padding:0 1.5rem;color:#222;background:#fff}@media(prefers-color-scheme:dark)',
  '{body{color:#ddd;background:#181818}}</style><h1>Back soon</h1><p>%[var(txn.page)]</p></html>\\n',
].join('');

export function httpErrors(): string[] {
  const sentences: [number, string, string][] = [
    [400, 'This request is not valid HTTP. Send it again with another client.', ''],
    [408, 'The request did not arrive in time. Send it again.', ''],
    [
      500,
      'The proxy could not handle this request because of an internal error. Try again, or read the log of the proxy.',
      '',
    ],
    [502, 'The app closed the connection without a valid response. Read the log of the app.', ''],
    [503, 'The app at this host name is not running. Try again later.', ' hdr Retry-After 5'],
    [504, 'The app did not respond in time. Read the log of the app.', ''],
  ];
  return sentences.map(
    ([status, sentence, header]) =>
      `  http-error status ${status} content-type "${TEXT}" string "${sentence}\\n"${header}`,
  );
}
