import type { AppDomain, DomainCreate, DomainPatch } from '@davit/api';
import { typedNumber } from './typed-number.ts';

export interface UserDraft {
  name: string;
  /** New password for HTTP basic authentication. An empty field keeps the stored password of an existing user. */
  password: string;
  isThere: boolean;
}

export interface DomainDraft {
  host: string;
  path: string;
  port: string;
  protocol: 'http' | 'h2c';
  https: 'auto' | 'only' | 'both';
  redirect: string;
  hsts: boolean;
  hstsSeconds: string;
  hstsSubdomains: boolean;
  hstsPreload: boolean;
  users: readonly UserDraft[];
  /** IP addresses or networks that may send requests to the domain, one per line. */
  allow: string;
  rate: string;
  maintenance: boolean;
  message: string;
  /** HTTP headers that the proxy adds to responses, in the form `name: value`, one per line. */
  headers: string;
}

const HALF_A_YEAR_S = 15_768_000;

export function draftOf(domain: AppDomain | null): DomainDraft {
  const { hsts = null, basic_auth = null, maintenance = null, rate_limit = null } = domain ?? {};
  return {
    host: domain?.host ?? '',
    path: domain?.path ?? '',
    port: String(domain?.port ?? ''),
    protocol: domain?.protocol ?? 'http',
    https: domain?.https ?? 'auto',
    redirect: domain?.redirect_to ?? '',
    hsts: hsts !== null,
    hstsSeconds: String(hsts?.max_age_s ?? HALF_A_YEAR_S),
    hstsSubdomains: hsts?.include_subdomains ?? false,
    hstsPreload: hsts?.preload ?? false,
    users: (basic_auth?.users ?? []).map((name) => ({ name, password: '', isThere: true })),
    allow: (domain?.allow ?? []).join('\n'),
    rate: String(rate_limit?.requests_per_minute ?? ''),
    maintenance: maintenance !== null,
    message: maintenance?.message ?? '',
    headers: Object.entries(domain?.headers ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
  };
}

export function createOf(draft: DomainDraft): DomainCreate {
  const fields = fieldsOf(draft, draftOf(null), []);
  return { host: draft.host.trim(), ...fields } as DomainCreate;
}

/** Returns the changed fields of a domain as a JSON merge patch. */
export function patchOf(draft: DomainDraft, before: AppDomain): DomainPatch {
  return fieldsOf(draft, draftOf(before), Object.keys(before.headers)) as DomainPatch;
}

function fieldsOf(now: DomainDraft, was: DomainDraft, headers: readonly string[]): Record<string, unknown> {
  const differs = (...names: (keyof DomainDraft)[]) =>
    names.some((name) => JSON.stringify(now[name]) !== JSON.stringify(was[name]));
  const message = now.message.trim();
  const patch: Record<string, unknown> = {
    path: differs('path') ? now.path.trim() || null : undefined,
    port: differs('port') ? numberOrNull(now.port) : undefined,
    protocol: differs('protocol') ? now.protocol : undefined,
    https: differs('https') ? now.https : undefined,
    redirect_to: differs('redirect') ? now.redirect.trim() || null : undefined,
    hsts: differs('hsts', 'hstsSeconds', 'hstsSubdomains', 'hstsPreload') ? hstsOf(now) : undefined,
    basic_auth: differs('users') ? usersOf(now.users, was.users) : undefined,
    allow: differs('allow') ? lines(now.allow) : undefined,
    rate_limit: differs('rate') ? rateOf(now.rate) : undefined,
    maintenance: differs('maintenance', 'message')
      ? now.maintenance
        ? message
          ? { message }
          : {}
        : null
      : undefined,
    headers: differs('headers') ? headersOf(now.headers, headers) : undefined,
  };
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}

function numberOrNull(text: string): number | null {
  return text.trim() === '' ? null : typedNumber(text);
}

function lines(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim() || []);
}

function rateOf(text: string) {
  return text.trim() === '' ? null : { requests_per_minute: typedNumber(text) };
}

function hstsOf(draft: DomainDraft) {
  if (!draft.hsts) return null;
  const { hstsSeconds, hstsSubdomains, hstsPreload } = draft;
  return { max_age_s: typedNumber(hstsSeconds), include_subdomains: hstsSubdomains, preload: hstsPreload };
}

/**
 * Returns the JSON merge patch for the users of HTTP basic authentication. The patch contains new passwords, and `null`
 * for each removed user.
 */
function usersOf(now: readonly UserDraft[], was: readonly UserDraft[]) {
  if (now.length === 0) return null;
  const gone = was
    .filter(({ name }) => !now.some((user) => user.name === name))
    .map(({ name }) => [name, null] as const);
  const set = now
    .filter(({ password, isThere }) => !isThere || password !== '')
    .map(({ name, password }) => [name.trim(), password] as const);
  return { users: Object.fromEntries([...gone, ...set]) };
}

/**
 * Parses HTTP headers from text with one `name: value` per line. If a line has no `:`, the whole line becomes a header
 * name. The server rejects this name with an error message.
 */
function headersOf(text: string, was: readonly string[]) {
  const now = lines(text).map((line) => {
    const colon = line.indexOf(':');
    return colon < 0
      ? ([line, ''] as const)
      : ([line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const);
  });
  return Object.fromEntries([...was.map((name) => [name, null] as const), ...now]);
}
