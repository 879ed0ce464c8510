/**
 * Error messages for failed certificate orders. Davit writes the original messages of certificate authorities and DNS
 * providers only to the log. Users must not see these messages, because they can contain the names of internal servers.
 */
import type { CertificateProblemCode } from '@davit/api';
import type { AcmeFailure } from './acme/messages.ts';

const IN_LOG = 'Find the details in the log of the instance.';

const SENTENCES: Record<OrderProblemCode, (name: string) => string> = {
  account_unknown: () => 'The certificate authority does not know the account of this instance any more.',
  caa_record: (name) =>
    `A CAA record does not allow this certificate authority to issue certificates for ${name}. Change the record.`,
  validation_unreachable: (name) =>
    `The certificate authority cannot connect to ${name}. Point its DNS record to this server, and open port 80 to the internet.`,
  dns_no_address: (name) =>
    `The certificate authority finds no address of ${name}. Add a DNS record that points to this server.`,
  external_account_required: () =>
    'The certificate authority requires external account binding (EAB). Set the key id and the HMAC key under acme.external_account in the settings.',
  contact_refused: () =>
    'The certificate authority does not accept the e-mail address. Change it with `davit settings set acme.email=you@example.com`.',
  authority_rate_limited: () => 'The certificate authority’s rate limit for this instance or domain is reached.',
  name_refused: (name) => `The certificate authority does not issue certificates for ${name}.`,
  validation_tls: (name) => `The certificate authority cannot complete a TLS connection to ${name}.`,
  validation_elsewhere: (name) =>
    `Another server answered for ${name}. Point its DNS record directly to this server, without a proxy that answers instead.`,
  validation_failed: (name) =>
    `The certificate authority could not validate ${name}; find the reason in the log of the instance. Point its DNS record directly to this server, without a proxy that answers instead.`,
  authority_action_required: () =>
    `The certificate authority requires an operator to do something first, for example to accept new terms. ${IN_LOG}`,
  authority_redirects: () =>
    'The certificate request failed, because it needed too many redirects or retries. Check acme.directory in the settings.',
  authority_invalid_answer: () =>
    'The server at the address in acme.directory is not an ACME server. Check acme.directory in the settings.',
  authority_too_slow: () => 'The certificate authority did not issue the certificate in time.',
  authority_not_https: () => 'The certificate authority uses an address without HTTPS, which Davit refuses.',
  validation_not_offered: (name) =>
    `The certificate authority does not validate ${name} over HTTP. Add a DNS provider for it.`,
  account_refused: () => `The certificate authority did not accept the account of this instance. ${IN_LOG}`,
  order_refused: (name) => `The certificate authority did not accept the certificate request for ${name}. ${IN_LOG}`,
  dns_provider_failed: (name) =>
    `The DNS provider did not set the record for ${name}; find the reason in the log of the instance. Check the credentials of the DNS provider.`,
  dns_record_not_found: (name) =>
    `The certificate authority did not find the DNS record for ${name}. Check that the DNS provider serves this domain.`,
};

type OrderProblemCode = Exclude<
  CertificateProblemCode,
  // Other modules contain the messages for these error codes, because these modules detect the errors.
  | 'covered_by_upload'
  | 'name_not_public'
  | 'contact_missing'
  | 'account_unreadable'
  | 'authority_unreachable'
  | 'authority_untrusted'
  | 'authority_limit'
  | 'dns_program_failed'
  | 'validation_not_served'
  | 'certificate_unusable'
  | 'order_interrupted'
>;

/**
 * Map from an ACME error type (RFC 8555, section 6.7) to an error code of Davit. The map also contains the errors that
 * Davit itself detects.
 */
const BY_TYPE: Record<string, OrderProblemCode> = {
  accountDoesNotExist: 'account_unknown',
  caa: 'caa_record',
  connection: 'validation_unreachable',
  dns: 'dns_no_address',
  externalAccountRequired: 'external_account_required',
  incorrectResponse: 'validation_elsewhere',
  invalidContact: 'contact_refused',
  rateLimited: 'authority_rate_limited',
  rejectedIdentifier: 'name_refused',
  tls: 'validation_tls',
  unauthorized: 'validation_elsewhere',
  unsupportedContact: 'contact_refused',
  userActionRequired: 'authority_action_required',

  circle: 'authority_redirects',
  garbled: 'authority_invalid_answer',
  late: 'authority_too_slow',
  not_https: 'authority_not_https',
  no_http_proof: 'validation_not_offered',
};

/**
 * Map from an ACME error type to an error code of Davit, for orders with a DNS-01 challenge. For these orders, a
 * validation error means that the DNS record is wrong.
 */
const OVER_DNS: Record<string, OrderProblemCode> = {
  ...BY_TYPE,
  dns: 'dns_record_not_found',
  unauthorized: 'dns_record_not_found',
  incorrectResponse: 'dns_record_not_found',
};

/** Pattern for Node.js error codes that mean that the TLS certificate of the ACME server is not trusted. */
const UNTRUSTED = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT)/;

/** ACME error types whose messages contain what the authority found at the address of a host or in its DNS records. */
const FOUND = ['caa', 'connection', 'dns', 'incorrectResponse', 'tls', 'unauthorized'];
/**
 * Codes of errors that Davit itself detects. Users may see these errors, because they contain no information about the
 * server of a host name.
 */
const OWN = ['circle', 'garbled', 'no_http_proof', 'not_https'];

export interface OrderProblem {
  code: CertificateProblemCode;
  message: string;
}

/**
 * Returns the reason why a certificate was not issued, as a message for users.
 * @param isPublic whether the certificate authority is on the internet
 */
export function orderProblemOf(failure: AcmeFailure, name: string, isPublic: boolean): OrderProblem {
  const { stage, cause, code } = failure;
  /*
   * For an authority in a private network, the details of a validation error could reveal internal services. So all
   * these errors get the same code.
   */
  if (!isPublic && isOfName(failure)) return worded('validation_failed', name);
  const known = code === null ? undefined : BY_TYPE[code];
  if (known !== undefined) return worded(known, name);
  if (cause === 'limited') return worded('authority_rate_limited', name);
  if (cause === 'unreached') return whyUnreached(code);
  return worded(stage === 'register' ? 'account_refused' : 'order_refused', name);
}

function isOfName({ stage, cause, code }: AcmeFailure): boolean {
  if (code !== null && FOUND.includes(code)) return true;
  return stage === 'validate' && cause === 'refused' && !OWN.includes(code ?? '');
}

/**
 * Returns the reason why a certificate order with a DNS-01 challenge failed, as a message for users.
 * @param code ACME error type, or `null` for an error of the DNS provider
 */
export function dnsProblemOf(code: string | null, name: string): OrderProblem {
  return worded(code === null ? 'dns_provider_failed' : (OVER_DNS[code] ?? 'order_refused'), name);
}

function worded(code: OrderProblemCode, name: string): OrderProblem {
  return { code, message: SENTENCES[code](name) };
}

function whyUnreached(code: string | null): OrderProblem {
  if (code === null) {
    const message = `The certificate authority answered with an internal error. ${IN_LOG}`;
    return { code: 'authority_unreachable', message };
  }
  if (UNTRUSTED.test(code)) {
    return {
      code: 'authority_untrusted',
      message: `The certificate authority cannot be reached: its own TLS certificate is not trusted (${code}). Set acme.trusted_ca if the certificate authority is private.`,
    };
  }
  return {
    code: 'authority_unreachable',
    message: `The certificate authority cannot be reached (${code}). Check acme.directory and the network of this server.`,
  };
}
