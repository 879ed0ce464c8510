import type { ProblemKind } from './problem-kind.ts';

/** Closed list of reasons why a certificate is not ordered or was not issued. */
export const CERTIFICATE_PROBLEMS = {
  covered_by_upload: {
    meaning: 'An uploaded certificate covers the name, so none is ordered.',
    action: 'Nothing, as long as the uploaded certificate is valid.',
  },
  name_not_public: {
    meaning: 'The name exists only on this server or in its network, and the authority does not issue for such names.',
    action: 'Use a public name, or set another authority.',
  },
  contact_missing: {
    meaning: 'The settings have no contact for the authority.',
    action: 'Set `acme.email` in the settings of the instance.',
  },
  contact_refused: {
    meaning: 'The authority does not accept the contact.',
    action: 'Change `acme.email` in the settings of the instance.',
  },
  account_unknown: {
    meaning: 'The authority does not know the account of the instance anymore.',
    action: 'Nothing: the instance registers a new account with the next order.',
  },
  account_refused: {
    meaning: 'The authority did not accept the account of the instance.',
    action: 'Find the response of the authority in the log of the instance.',
  },
  account_unreadable: {
    meaning: 'The stored account was changed outside Davit.',
    action: 'Restore the data and the master key of one backup, or set another `acme.directory`.',
  },
  external_account_required: {
    meaning: 'The authority requires an external account.',
    action: 'Set its key id and HMAC key in the settings of certificates.',
  },
  authority_action_required: {
    meaning: 'The authority requires an action of the operator.',
    action: 'Find the response of the authority in the log of the instance.',
  },
  authority_unreachable: {
    meaning: 'The authority cannot be reached, or responds with an internal error.',
    action: 'Check `acme.directory` and the network of the server.',
  },
  authority_untrusted: {
    meaning: 'The TLS certificate of the authority is not trusted.',
    action: 'Set `acme.trusted_ca` if it is a private authority.',
  },
  authority_invalid_answer: {
    meaning: 'The server at `acme.directory` does not respond as a certificate authority.',
    action: 'Check `acme.directory` in the settings of the instance.',
  },
  authority_redirects: {
    meaning: 'The authority sends too many redirects or requests to try again.',
    action: 'Check `acme.directory` in the settings of the instance.',
  },
  authority_not_https: {
    meaning: 'The authority names an address without HTTPS.',
    action: 'Check `acme.directory` in the settings of the instance.',
  },
  authority_too_slow: {
    meaning: 'The authority did not finish the order in time.',
    action: 'Nothing: the instance tries again later.',
  },
  authority_limit: {
    meaning: 'One more order would exceed a known limit of the authority.',
    action: 'Wait: the instance orders when the limit allows it.',
  },
  authority_rate_limited: {
    meaning: 'The authority refused the order because of a rate limit.',
    action: 'Wait: the instance tries again later.',
  },
  order_refused: {
    meaning: 'The authority did not accept the order.',
    action: 'Find the response of the authority in the log of the instance.',
  },
  name_refused: {
    meaning: 'The authority does not issue certificates for the name.',
    action: 'Use another name or another authority.',
  },
  caa_record: {
    meaning: 'A CAA record does not allow the authority to issue for the name.',
    action: 'Change the record.',
  },
  dns_no_address: {
    meaning: 'The authority finds no address of the name.',
    action: 'Add a DNS record that points to the server.',
  },
  dns_provider_failed: {
    meaning: 'The DNS provider did not set the record.',
    action: 'Check the credentials of the DNS provider.',
  },
  dns_record_not_found: {
    meaning: 'The authority did not find the record that the DNS provider set.',
    action: 'Check that the provider serves the domain.',
  },
  dns_program_failed: {
    meaning: 'The program that sets DNS records cannot run or ended without a certificate.',
    action: 'Find the reason in the log of the instance.',
  },
  validation_failed: {
    meaning: 'A private authority could not validate the name. Only the log of the instance has the reason.',
    action: 'Point the DNS record directly to the server, without another server in between.',
  },
  validation_unreachable: {
    meaning: 'The authority cannot connect to the name.',
    action: 'Point the name to the server, and open port 80 to the internet.',
  },
  validation_tls: {
    meaning: 'The authority cannot complete a TLS connection to the name.',
    action: 'Remove the server that handles TLS connections in front of the instance.',
  },
  validation_elsewhere: {
    meaning: 'Another server responded to the authority.',
    action: 'Point the DNS record directly to the server, without another server in between.',
  },
  validation_not_offered: {
    meaning: 'The authority does not validate the name over HTTP.',
    action: 'Configure a DNS provider for the name.',
  },
  validation_not_served: {
    meaning: 'The proxy of the instance could not serve the response for the authority.',
    action: 'Check the proxy. The instance tries again later.',
  },
  certificate_unusable: {
    meaning: 'The certificate that the authority issued cannot be used.',
    action: 'Find the reason in the log of the instance.',
  },
  order_interrupted: {
    meaning: 'A fault of the instance interrupted the order.',
    action: 'Nothing: the instance tries again. The log of the instance has the reason.',
  },
} as const satisfies Record<string, ProblemKind>;

export type CertificateProblemCode = keyof typeof CERTIFICATE_PROBLEMS;

export const CERTIFICATE_PROBLEM_CODES = Object.keys(CERTIFICATE_PROBLEMS) as [
  CertificateProblemCode,
  ...CertificateProblemCode[],
];
