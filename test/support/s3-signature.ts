/**
 * Verification of version 4 signatures like an object store. The verification is implemented from the specification,
 * independently of Davit's signing code.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface SignedRequest {
  method: string;
  /** URL with its query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Keys {
  accessKey: string;
  secretKey: string;
  region: string;
}

/** Error response of the object store: code, status, and additional XML. */
export interface Denial {
  status: number;
  code: string;
  more?: string;
}

const SKEW_MS = 15 * 60_000;
const denied = (status: number, code: string, more = ''): Denial => ({ status, code, more });

interface Claim {
  credential: string;
  signedHeaders: string;
  signature: string;
  time: string;
  payload: string;
  expiresS: number | null;
}

/**
 * Verifies a request.
 * @returns null if the signature matches the keys, the bytes and the time
 */
export function judge(request: SignedRequest, keys: Keys, now: number): Denial | null {
  const url = new URL(request.url, 'http://host');
  const claim = claimOf(request, url.searchParams);
  if (claim === null) return denied(403, 'AccessDenied');
  const [accessKey = '', day = '', region = '', service = '', end = ''] = claim.credential.split('/');
  if (accessKey !== keys.accessKey) return denied(403, 'InvalidAccessKeyId');
  if (region !== keys.region || service !== 's3' || end !== 'aws4_request') {
    return denied(400, 'AuthorizationHeaderMalformed', `<Region>${keys.region}</Region>`);
  }
  const late = timeDenial(claim, now);
  if (late) return late;
  if (!claim.signedHeaders.split(';').includes('host')) return denied(403, 'SignatureDoesNotMatch');
  const expected = signatureOf(request, claim, keys, day);
  const given = Buffer.from(claim.signature);
  if (given.length !== expected.length || !timingSafeEqual(given, Buffer.from(expected)))
    return denied(403, 'SignatureDoesNotMatch');
  return payloadDenial(claim, request.body);
}

function claimOf({ headers }: SignedRequest, query: URLSearchParams): Claim | null {
  const presigned = query.get('X-Amz-Signature');
  if (presigned !== null) {
    return {
      credential: query.get('X-Amz-Credential') ?? '',
      signedHeaders: query.get('X-Amz-SignedHeaders') ?? '',
      signature: presigned,
      time: query.get('X-Amz-Date') ?? '',
      payload: 'UNSIGNED-PAYLOAD',
      expiresS: Number(query.get('X-Amz-Expires')),
    };
  }
  const found = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
    headers.authorization ?? '',
  );
  if (found === null) return null;
  const [, credential = '', signedHeaders = '', signature = ''] = found;
  const time = String(headers['x-amz-date'] ?? '');
  return {
    credential,
    signedHeaders,
    signature,
    time,
    payload: String(headers['x-amz-content-sha256']),
    expiresS: null,
  };
}

function timeDenial({ time, expiresS }: Claim, now: number): Denial | null {
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (expiresS !== null) {
    if (!(expiresS >= 1 && expiresS <= 604_800)) return denied(400, 'AuthorizationQueryParametersError');
    return now > at + expiresS * 1_000 ? denied(403, 'AccessDenied') : null;
  }
  return Math.abs(now - at) <= SKEW_MS ? null : denied(403, 'RequestTimeTooSkewed');
}

function payloadDenial({ payload, expiresS }: Claim, body: Buffer): Denial | null {
  if (expiresS !== null) return null;
  return payload === sha256(body) ? null : denied(400, 'XAmzContentSHA256Mismatch');
}

function signatureOf(request: SignedRequest, claim: Claim, keys: Keys, day: string): string {
  const names = claim.signedHeaders.split(';');
  const headers = names.map(
    (name) =>
      `${name}:${String(request.headers[name] ?? '')
        .trim()
        .replace(/ +/g, ' ')}\n`,
  );
  const canonical = [
    request.method,
    request.url.split('?')[0],
    canonicalQuery(request.url.split('?')[1] ?? ''),
    headers.join(''),
    claim.signedHeaders,
    claim.payload,
  ].join('\n');
  const scope = `${day}/${keys.region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', claim.time, scope, sha256(canonical)].join('\n');
  const ofDay = hmac(`AWS4${keys.secretKey}`, day);
  const key = hmac(hmac(hmac(ofDay, keys.region), 's3'), 'aws4_request');
  return hmac(key, text).toString('hex');
}

function canonicalQuery(query: string): string {
  const pairs = [...new URLSearchParams(query)].filter(([name]) => name !== 'X-Amz-Signature');
  const written = pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return written.sort().join('&');
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
