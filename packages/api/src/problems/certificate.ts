import type { ProblemKind } from './problem-kind.ts';

/** All reasons why Davit does not order a TLS certificate, or why an order failed. */
export const CERTIFICATE_PROBLEMS = {
  covered_by_upload: {
    meaning: 'An uploaded certificate covers the host name, so Davit does not request another certificate.',
    action: 'No action is necessary while the uploaded certificate is valid.',
  },
  name_not_public: {
    meaning:
      'The host name exists only on this server or in its network. The certificate authority does not issue certificates for local names.',
    action:
      'Add a domain that you own, upload a certificate for the name, or set the certificate authority of your network in `acme.directory`.',
  },
  contact_missing: {
    meaning: 'The settings have no contact address for the certificate authority.',
    action: 'Set your address: `davit settings set acme.email=you@example.com`.',
  },
  contact_refused: {
    meaning: 'The certificate authority does not accept the contact address.',
    action: 'Change the address: `davit settings set acme.email=you@example.com`.',
  },
  account_unknown: {
    meaning: 'The account of the instance does not exist at the certificate authority any more.',
    action: 'No action is necessary: the instance registers a new account with the next request for a certificate.',
  },
  account_refused: {
    meaning: 'The certificate authority did not accept the account of the instance.',
    action: 'Find the response of the certificate authority in the log of the instance.',
  },
  account_unreadable: {
    meaning:
      'The instance cannot decrypt the key of its account at the certificate authority, because its database or master key was changed outside Davit.',
    action: 'Restore the data directory and its master key from the same backup, or set another `acme.directory`.',
  },
  external_account_required: {
    meaning: 'The certificate authority requires a customer account (external account binding, EAB).',
    action: 'Set the key ID and the HMAC key of the external account in the certificate settings.',
  },
  authority_action_required: {
    meaning: 'The certificate authority requires the operator of the instance to do something first.',
    action: 'Find the response of the certificate authority in the log of the instance.',
  },
  authority_unreachable: {
    meaning: 'The instance cannot reach the certificate authority, or the authority responds with an internal error.',
    action: 'Check `acme.directory` and the network of the server.',
  },
  authority_untrusted: {
    meaning: 'The instance does not trust the TLS certificate of the certificate authority.',
    action: 'For a private certificate authority, set its root certificate in `acme.trusted_ca`.',
  },
  authority_invalid_answer: {
    meaning: 'The server at `acme.directory` does not respond like an ACME certificate authority.',
    action: 'Check `acme.directory` in the settings of the instance.',
  },
  authority_redirects: {
    meaning: 'The certificate authority repeatedly redirects the instance or asks the instance to try again.',
    action: 'Check `acme.directory` in the settings of the instance.',
  },
  authority_not_https: {
    meaning: 'The certificate authority returned an address without HTTPS.',
    action: 'Check `acme.directory` in the settings of the instance.',
  },
  authority_too_slow: {
    meaning: 'The certificate authority did not finish the request in time.',
    action: 'No action is necessary: the instance tries again later.',
  },
  authority_limit: {
    meaning: 'The next request would exceed a known rate limit of the certificate authority.',
    action: 'Wait: the instance requests the certificate when the rate limit allows it.',
  },
  authority_rate_limited: {
    meaning: 'The certificate authority refused the request because of a rate limit.',
    action: 'Wait: the instance tries again later.',
  },
  order_refused: {
    meaning: 'The certificate authority did not accept the request for the certificate.',
    action: 'Find the response of the certificate authority in the log of the instance.',
  },
  name_refused: {
    meaning: 'The certificate authority does not issue certificates for the host name.',
    action: 'Use another host name or another certificate authority.',
  },
  caa_record: {
    meaning:
      'A CAA record in the DNS does not allow the certificate authority to issue certificates for the host name.',
    action: 'Change the CAA record in the DNS.',
  },
  dns_no_address: {
    meaning: 'The certificate authority finds no DNS record with an IP address for the host name.',
    action: 'Add a DNS record that points to the server.',
  },
  dns_provider_failed: {
    meaning: 'The DNS provider did not create the DNS record that proves control of the host name.',
    action: 'Check the credentials of the DNS provider.',
  },
  dns_record_not_found: {
    meaning: 'The certificate authority did not find the DNS record that the DNS provider created.',
    action: 'Check that the name servers of the domain belong to this DNS provider.',
  },
  dns_program_failed: {
    meaning:
      'The program that requests the certificate and creates the DNS records did not start, or stopped too early.',
    action: 'Find the reason in the log of the instance.',
  },
  validation_failed: {
    meaning:
      'A private certificate authority could not validate the host name. Only the log of the instance has the reason.',
    action: 'Point the DNS record directly to the server, without another server in between.',
  },
  validation_unreachable: {
    meaning: 'The certificate authority cannot connect to the server that the host name points to.',
    action: 'Point the host name to the server, and open port 80 to the internet.',
  },
  validation_tls: {
    meaning: 'The certificate authority cannot complete a TLS connection to the server that the host name points to.',
    action: 'Remove the server that handles TLS connections in front of the instance.',
  },
  validation_elsewhere: {
    meaning: 'The certificate authority got a response from another server instead of this instance.',
    action: 'Point the DNS record directly to the server, without another server in between.',
  },
  validation_not_offered: {
    meaning: 'The certificate authority does not validate the host name over HTTP.',
    action: 'Configure a DNS provider for the host name.',
  },
  validation_not_served: {
    meaning: 'The proxy of the instance could not respond to the validation request of the certificate authority.',
    action: 'Check the container of the proxy. The instance tries again later.',
  },
  certificate_unusable: {
    meaning: 'The instance cannot use the certificate that the certificate authority issued.',
    action: 'Find the reason in the log of the instance.',
  },
  order_interrupted: {
    meaning: 'An internal error of the instance interrupted the request for a certificate.',
    action: 'No action is necessary: the instance tries again. The log of the instance has the reason.',
  },
} as const satisfies Record<string, ProblemKind>;

export type CertificateProblemCode = keyof typeof CERTIFICATE_PROBLEMS;

export const CERTIFICATE_PROBLEM_CODES = Object.keys(CERTIFICATE_PROBLEMS) as [
  CertificateProblemCode,
  ...CertificateProblemCode[],
];
