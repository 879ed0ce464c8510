/**
 * Worker thread that sends requests to an ACME authority. The ACME library needs much memory for a few seconds. When
 * the thread ends, Node.js frees this memory.
 */
import { generateKeyPairSync } from 'node:crypto';
import { Agent } from 'node:https';
import { rootCertificates } from 'node:tls';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type Authorization, axios, Client, crypto } from 'acme-client';
import type { AcmeAccess, AcmeFailure, FromAcme, ToAcme } from './messages.ts';

const access = workerData as AcmeAccess;
// `parentPort` is never `null` here, because this file runs only in a worker thread.
const port = parentPort as MessagePort;

/**
 * Intervals in milliseconds between requests for the state of an ACME validation or order. The sum of all intervals is
 * 90 seconds.
 */
const POLLING = { backoffAttempts: 22, backoffMin: 250, backoffMax: 5_000 };

const REQUEST_MS = 30_000;

/**
 * Maximum number of HTTP requests for one ACME order, including polling and retries. The limit is necessary, because
 * the ACME library does not limit redirects and retries.
 */
const MOST_REQUESTS = 300;

const GARBLED = 'The certificate authority sent a response that is not valid.';

/**
 * Maximum length of an error message in characters. The length is limited, because some ACME authorities send a whole
 * HTML page as an error message.
 */
const LONGEST = 1_000;

/** Error for a response of the ACME authority that Davit does not accept. */
class Refusal extends Error {
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Status and headers of the last HTTP response from the ACME server. The errors of the ACME library do not contain
 * these values.
 */
const NOTHING = { status: 0, type: '', retryAfter: '' };
let last = NOTHING;
let requests = 0;
let stage: AcmeFailure['stage'] = 'register';

// Remove the HTTP interceptors of the ACME library, because they delay requests and hide errors of other requests.
axios.interceptors.request.clear();
axios.interceptors.response.clear();
axios.defaults.timeout = REQUEST_MS;
axios.defaults.maxContentLength = 1024 * 1024;
axios.defaults.beforeRedirect = ({ href }) => demandHttps(String(href));
if (access.trustedCa !== null) {
  axios.defaults.httpsAgent = new Agent({ ca: [...rootCertificates, access.trustedCa] });
}
axios.interceptors.request.use((request) => {
  last = NOTHING;
  requests += 1;
  if (requests > MOST_REQUESTS) throw new Refusal('circle', 'The certificate authority redirects in a loop.');
  demandHttps(request.url ?? '');
  return request;
});
axios.interceptors.response.use((response) => {
  const problem = response.data as { type?: unknown; error?: { type?: unknown } } | undefined;
  const type = String(problem?.error?.type ?? problem?.type ?? '');
  last = { status: response.status, type, retryAfter: String(response.headers['retry-after'] ?? '') };
  return response;
});

/** Checks that a URL of the ACME authority uses HTTPS. The check also applies to redirects. */
function demandHttps(url: string): void {
  if (URL.parse(url)?.protocol === 'https:') return;
  throw new Refusal('not_https', 'The certificate authority uses an address without HTTPS.');
}

function connect(accountUrl: string | null): Client {
  return new Client({
    directoryUrl: access.directory,
    accountKey: access.accountKey,
    ...(accountUrl !== null && { accountUrl }),
    ...(access.externalAccount !== null && { externalAccountBinding: access.externalAccount }),
    ...POLLING,
  });
}

let client = connect(access.accountUrl);
let isRegistered = false;
let answered: () => void = () => undefined;

port.on('message', (message: ToAcme) => {
  if (message.kind === 'answered') {
    answered();
    return;
  }
  requests = 0;
  void postResult(message.kind === 'register' ? register() : order(message.name));
});

async function postResult(work: Promise<FromAcme>): Promise<void> {
  port.postMessage(await work.catch((error: unknown): FromAcme => ({ kind: 'failed', failure: failureOf(error) })));
}

async function register(): Promise<FromAcme> {
  stage = 'register';
  if (!isRegistered) {
    const contact = [`mailto:${access.email}`];
    const isKnown = access.accountUrl !== null && (await update(contact));
    if (!isKnown) await client.createAccount({ termsOfServiceAgreed: true, contact });
    isRegistered = true;
  }
  return { kind: 'registered', accountUrl: client.getAccountUrl() };
}

/**
 * Updates the contact address of the ACME account.
 * @returns `false` if the authority does not have the account, so that Davit must register a new account
 */
async function update(contact: string[]): Promise<boolean> {
  try {
    await client.updateAccount({ contact });
    return true;
  } catch (error) {
    if (!last.type.endsWith(':accountDoesNotExist')) throw error;
    client = connect(null);
    return false;
  }
}

async function order(name: string): Promise<FromAcme> {
  port.postMessage(await register());
  stage = 'order';
  const acmeOrder = await client.createOrder({ identifiers: [{ type: 'dns', value: name }] });
  stage = 'validate';
  for (const authorization of await client.getAuthorizations(acmeOrder)) await prove(authorization);
  stage = 'issue';
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const [, request] = await crypto.createCsr({ altNames: [name] }, key);
  const chain = await client.getCertificate(await client.finalizeOrder(acmeOrder, request));
  return { kind: 'issued', chain, key };
}

async function prove(authorization: Authorization): Promise<void> {
  /*
   * The certificate authority has already validated this host name for an earlier order, so no new challenge is
   * necessary.
   */
  if (authorization.status === 'valid') return;
  const challenge = authorization.challenges.find(({ type }) => type === 'http-01');
  if (challenge === undefined)
    throw new Refusal('no_http_proof', 'The certificate authority does not offer an HTTP-01 challenge.');
  const answer = await client.getChallengeKeyAuthorization(challenge);
  const { promise, resolve } = Promise.withResolvers<void>();
  answered = resolve;
  port.postMessage({ kind: 'challenge', token: challenge.token, answer } satisfies FromAcme);
  await promise;
  await client.completeChallenge(challenge);
  await client.waitForValidStatus(challenge);
}

/**
 * Returns the error code. The code is a code of Davit, a Node.js error code, or the last part of the ACME error type.
 */
function codeOf(error: unknown): string | null {
  if (error instanceof Refusal) return error.reason;
  const { code, cause } = error as Error & { code?: string; cause?: unknown };
  if (cause instanceof Refusal) return cause.reason;
  if (error instanceof TypeError) return 'garbled';
  return code ?? /^urn:ietf:params:acme:error:([A-Za-z]{1,40})$/.exec(last.type)?.[1] ?? null;
}

function failureOf(error: unknown): AcmeFailure {
  const { message, code } = error as Error & { code?: string };
  const seconds = Number.parseInt(last.retryAfter, 10);
  const date = Date.parse(last.retryAfter);
  const untilDate = Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1_000));
  const retryAfterS = /^\d+$/.test(last.retryAfter) ? seconds : untilDate;
  // The ACME library throws a TypeError for a response with an unexpected structure.
  const words = error instanceof TypeError ? GARBLED : message || code || 'The certificate authority gave no reason.';
  const said = { stage, code: codeOf(error), message: words.slice(0, LONGEST), retryAfterS };
  /*
   * If the error has a Node.js error code, the server did not respond. If the server sent an error response, the error
   * has no code.
   */
  if (code !== undefined || last.status >= 500) return { ...said, cause: 'unreached' };
  const isLimited = last.status === 429 || last.type.endsWith(':rateLimited');
  return { ...said, cause: isLimited ? 'limited' : 'refused' };
}
