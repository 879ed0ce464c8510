/**
 * Speaks to an authority in a thread of its own: what the client library takes of memory goes with the thread, a few
 * seconds each time, and the daemon stays small.
 */
import { generateKeyPairSync } from 'node:crypto';
import { Agent } from 'node:https';
import { rootCertificates } from 'node:tls';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type Authorization, axios, Client, crypto } from 'acme-client';
import type { AcmeAccess, AcmeFailure, FromAcme, ToAcme } from './messages.ts';

const access = workerData as AcmeAccess;
// There is one: this file is never run but as a thread.
const port = parentPort as MessagePort;

/** How often an authority is asked whether it has made up its mind: a minute and a half in all. */
const POLLING = { backoffAttempts: 22, backoffMin: 250, backoffMax: 5_000 };

const REQUEST_MS = 30_000;

/** For one order, patience and refused nonces included: the library asks without an end where it is led in a circle. */
const MOST_REQUESTS = 300;

const GARBLED = 'What it answered is none of an authority’s answers.';

/** Of a reason, in characters: some send a page. */
const LONGEST = 1_000;

/** What an authority does that is not accepted here. */
class Refusal extends Error {
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** What was answered last, for what the library does not tell of a refusal. */
const NOTHING = { status: 0, type: '', retryAfter: '' };
let last = NOTHING;
let requests = 0;
let stage: AcmeFailure['stage'] = 'register';

// The library waits inside of a request when it is asked for patience, and loses what came in the way of another.
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
  if (requests > MOST_REQUESTS) throw new Refusal('circle', 'The authority leads in a circle.');
  demandHttps(request.url ?? '');
  return request;
});
axios.interceptors.response.use((response) => {
  const problem = response.data as { type?: unknown; error?: { type?: unknown } } | undefined;
  const type = String(problem?.error?.type ?? problem?.type ?? '');
  last = { status: response.status, type, retryAfter: String(response.headers['retry-after'] ?? '') };
  return response;
});

/** The directory is asked over HTTPS, and is not to lead anywhere else. */
function demandHttps(url: string): void {
  if (URL.parse(url)?.protocol === 'https:') return;
  throw new Refusal('not_https', 'The authority names an address that is none of HTTPS.');
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
  void tell(message.kind === 'register' ? register() : order(message.name));
});

async function tell(work: Promise<FromAcme>): Promise<void> {
  port.postMessage(await work.catch((error: unknown): FromAcme => ({ kind: 'failed', failure: failureOf(error) })));
}

/** Makes the account, or tells it the present contact. */
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

/** @returns false: the authority has forgotten the account, and has to make it again */
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
  const asked = await client.createOrder({ identifiers: [{ type: 'dns', value: name }] });
  stage = 'validate';
  for (const authorization of await client.getAuthorizations(asked)) await prove(authorization);
  stage = 'issue';
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const [, request] = await crypto.createCsr({ altNames: [name] }, key);
  const chain = await client.getCertificate(await client.finalizeOrder(asked, request));
  return { kind: 'issued', chain, key };
}

async function prove(authorization: Authorization): Promise<void> {
  // The authority may still know that the name is ours.
  if (authorization.status === 'valid') return;
  const challenge = authorization.challenges.find(({ type }) => type === 'http-01');
  if (challenge === undefined) throw new Refusal('no_http_proof', 'The authority does not offer a proof over HTTP.');
  const answer = await client.getChallengeKeyAuthorization(challenge);
  const { promise, resolve } = Promise.withResolvers<void>();
  answered = resolve;
  port.postMessage({ kind: 'challenge', token: challenge.token, answer } satisfies FromAcme);
  await promise;
  await client.completeChallenge(challenge);
  await client.waitForValidStatus(challenge);
}

/** Our own code, the runtime's, or the last part of the type of the authority's error. */
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
  // The library stumbles over what is not shaped as it has to be.
  const words = error instanceof TypeError ? GARBLED : message || code || 'It gave no reason.';
  const said = { stage, code: codeOf(error), message: words.slice(0, LONGEST), retryAfterS };
  // Only what never got an answer has a code of the system's: a refusal is a plain error with the authority's words.
  if (code !== undefined || last.status >= 500) return { ...said, cause: 'unreached' };
  const isLimited = last.status === 429 || last.type.endsWith(':rateLimited');
  return { ...said, cause: isLimited ? 'limited' : 'refused' };
}
