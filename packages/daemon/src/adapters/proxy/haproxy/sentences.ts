/** Texts of the proxy's own responses to clients, escaped for quoted strings of the configuration. */

export const TEXT = 'text/plain; charset=utf-8';
export const HTML = 'text/html; charset=utf-8';

export const SENTENCE = {
  noApp: 'There is no app at this host name; check its spelling, or add it to an app as a domain.\\n',
  noDaemon: 'The Davit daemon does not answer, while apps go on being served; start it, or try again soon.\\n',
  noRegistry: 'The registry of this instance does not answer at the moment; try again soon.\\n',
  noTunnel: 'The proxy opens no tunnels; send the request itself, and not CONNECT.\\n',
  badHost: 'The Host header of this request is not a host name; send the name alone, with a port if it needs one.\\n',
  badPath:
    'The path of this request could be read in two ways; send one slash at its start, no dot segments and no odd escapes.\\n',
  notAllowed: 'Your address is not among those that may use this host name; ask whoever runs the app to add it.\\n',
  tooMany: 'Your address has sent more requests than this host name takes in a minute; wait a minute and try again.\\n',
  signIn: 'This host name asks for a user name and a password; send them and try again.\\n',
} as const;

/** Maintenance page. The page loads no other resources. `%[…]` is replaced by the user's text. */
export const MAINTENANCE_PAGE = [
  "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>",
  "<meta name='robots' content='noindex'><title>Maintenance</title><style>body{font:1.125rem/1.6 system-ui,sans-serif;",
  'max-width:36rem;margin:20vh auto;padding:0 1.5rem;color:#222;background:#fff}@media(prefers-color-scheme:dark)',
  '{body{color:#ddd;background:#181818}}</style><h1>Back soon</h1><p>%[var(txn.page)]</p></html>\\n',
].join('');

/** Returns the configuration lines of error responses. */
export function httpErrors(): string[] {
  const sentences: [number, string, string][] = [
    [400, 'This request is not valid HTTP; send it again with another client.', ''],
    [408, 'The request did not arrive in time; send it again.', ''],
    [500, 'The proxy could not handle this request; try again, and look at its log if it stays.', ''],
    [502, 'The app closed the connection without a valid answer; look at its log.', ''],
    [503, 'The app at this host name is not running at the moment; try again soon.', ' hdr Retry-After 5'],
    [504, 'The app did not answer in time; look at its log.', ''],
  ];
  return sentences.map(
    ([status, sentence, header]) =>
      `  http-error status ${status} content-type "${TEXT}" string "${sentence}\\n"${header}`,
  );
}
