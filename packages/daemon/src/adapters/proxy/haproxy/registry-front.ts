/**
 * Pure functions that create the HAProxy configuration for the registry of the Davit instance. Two frontends receive
 * registry requests.
 */
import { API_BACKEND, REGISTRY_BACKEND } from './names.ts';
import { SENTENCE, TEXT } from './sentences.ts';

/** Address for registry clients on this server. Docker connects to this address without TLS. */
export const LOCAL_ADDRESS = '127.0.0.1';

/** Name of HAProxy's frontend for registry clients on this server. */
export const LOCAL_FRONTEND = 'registry-local';

/**
 * HAProxy condition for requests that list the tags of an app's repository. The daemon responds to these requests. The
 * registry responds to all other requests, so pushes and pulls work without the daemon. The first two conditions only
 * make the check faster.
 */
const LISTS_TAGS =
  "{ path_end /tags/list } { method GET HEAD } { path -m reg '^/v2(/[a-z0-9][a-z0-9._-]*){3}/tags/list$' }";

/** HAProxy condition that is true if the public frontend has selected the registry for a host and path. */
const IS_REGISTRY = `{ var(txn.backend) -m str ${REGISTRY_BACKEND} }`;

/**
 * HAProxy rules of the public frontend for the header `WWW-Authenticate`. The rules put the host name of the request
 * into the token URL of the header. The rules are not in the registry's backend, because tag lists from the daemon also
 * have this header.
 */
export const PUBLIC_CHALLENGE = `  http-request set-var(txn.asked) 'req.hdr(host),lower,regsub([^a-z0-9.:-],,g)' if ${IS_REGISTRY}
  http-response replace-header WWW-Authenticate '^(.*)realm="[^"]*"(.*)$' '\\1realm="%[so_name]://%[var(txn.asked)]/v2/token"\\2' if { status 401 } { var(txn.asked) -m found }`;

/** HAProxy rule of the public frontend that forwards requests for tag lists to the daemon. */
export const PUBLIC_TAGS = `  use_backend ${API_BACKEND} if ${IS_REGISTRY} ${LISTS_TAGS}`;

/** HAProxy backend for the registry. */
export const REGISTRY = `
backend ${REGISTRY_BACKEND} from base
  retries 0
  http-error status 503 content-type "${TEXT}" string "${SENTENCE.noRegistry}" hdr Retry-After 5`;

/** Returns the configuration line that makes HAProxy listen on the registry's local port. */
export function localBind(port: number): string {
  return `bind ${LOCAL_ADDRESS}:${port}`;
}

/**
 * Returns HAProxy's frontend for registry clients on this server:
 * - The frontend has no routes, so a worker that is shutting down can still handle its connections.
 * - `timeout client`: A slow client may pause while it compresses a layer or writes to its disk.
 * - `timeout http-keep-alive`: Go programs close unused connections after 90 seconds. HAProxy waits longer. Otherwise,
 * a client could send a request at the moment when HAProxy closes the connection.
 * @param forwardingHeaders regular expression for headers that clients can forge
 */
export function localFrontend(port: number, forwardingHeaders: string): string {
  return `frontend ${LOCAL_FRONTEND} from heard
  ${localBind(port)}
  timeout client 1h
  timeout http-keep-alive 120s
  option idle-close-on-response
  http-request del-header Forwarded
  http-request del-header '${forwardingHeaders}' -m reg
  http-request set-header X-Forwarded-For %[src]
  http-request set-header X-Forwarded-Proto http
  use_backend ${API_BACKEND} if ${LISTS_TAGS}
  default_backend ${REGISTRY_BACKEND}`;
}
