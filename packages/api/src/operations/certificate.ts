import { z } from 'zod';
import { operation } from '../operation.ts';
import { Authority, Certificate, CertificateUpload, ExternalAccount } from '../schemas/certificate.ts';
import { paging } from './parameters.ts';

const tag = 'Certificates';
const path = '/certificates';
const CertificatePath = z.object({ certificate: z.string().describe('ID of the certificate.') });

export const listCertificates = operation({
  id: 'listCertificates',
  method: 'GET',
  path,
  tag,
  summary: 'List certificates',
  description:
    'Returns the certificates of hosts that the caller can access. Callers with access to all projects get all certificates.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'Certificates, sorted by ID.', schema: z.array(Certificate) } },
  tool: {},
});

export const uploadCertificate = operation({
  id: 'uploadCertificate',
  method: 'POST',
  path,
  tag,
  summary: 'Upload a certificate',
  description:
    'Davit uses the certificate immediately for every host that the certificate covers. While the uploaded certificate is valid, Davit requests no certificate for these hosts from the certificate authority. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  body: CertificateUpload,
  responses: {
    201: { description: 'The new certificate.', schema: Certificate, headers: { Location: 'URL of the certificate.' } },
  },
  errors: ['conflict'],
});

export const getCertificate = operation({
  id: 'getCertificate',
  method: 'GET',
  path: `${path}/{certificate}`,
  tag,
  summary: 'Get a certificate',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  params: CertificatePath,
  responses: { 200: { description: 'The certificate without its private key.', schema: Certificate } },
  errors: ['not_found'],
});

export const replaceCertificate = operation({
  id: 'replaceCertificate',
  method: 'PUT',
  path: `${path}/{certificate}`,
  tag,
  summary: 'Replace an uploaded certificate',
  description:
    'Davit uses the new certificate immediately. Open connections stay open. Only uploaded certificates can be replaced, not certificates from the certificate authority. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  params: CertificatePath,
  body: CertificateUpload,
  responses: { 200: { description: 'The new certificate.', schema: Certificate } },
  errors: ['not_found', 'conflict'],
});

export const removeCertificate = operation({
  id: 'removeCertificate',
  method: 'DELETE',
  path: `${path}/{certificate}`,
  tag,
  summary: 'Delete a certificate',
  description:
    'You can delete every uploaded certificate. You can delete an issued certificate only if no host uses it. If the deletion leaves a host without a certificate, Davit requests a new one. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  params: CertificatePath,
  responses: { 204: { description: 'The certificate was deleted.' } },
  errors: ['not_found', 'conflict'],
});

export const renewCertificate = operation({
  id: 'renewCertificate',
  method: 'POST',
  path: `${path}/{certificate}/renew`,
  tag,
  summary: 'Renew a certificate',
  description:
    'Davit immediately requests a new certificate, without waiting for the next automatic attempt. The rate limits of the certificate authority still apply. The field `problem` of the certificate is `null` until the renewal fails. Hosts use the current certificate until the new certificate is available. Uploaded certificates cannot be renewed. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  params: CertificatePath,
  responses: {
    202: { description: 'The renewal is in progress. The response is the current certificate.', schema: Certificate },
  },
  errors: ['not_found', 'conflict'],
});

export const getAuthority = operation({
  id: 'getAuthority',
  method: 'GET',
  path: `${path}/authority`,
  tag,
  summary: 'Get the certificate authority',
  description:
    'Returns the certificate authority that issues certificates for this instance, its rate limits, and how much of each limit is used.',
  permission: 'administer',
  scope: 'instance',
  effect: 'read',
  responses: {
    200: {
      description: 'The certificate authority that issues certificates for this instance, and its rate limits.',
      schema: Authority,
    },
  },
});

export const bindExternalAccount = operation({
  id: 'bindExternalAccount',
  method: 'PUT',
  path: `${path}/authority/external-account`,
  tag,
  summary: 'Connect your account at the certificate authority (external account binding)',
  description:
    'Some certificate authorities require a connection to your customer account (external account binding, EAB). Davit stores the credentials for the certificate authority in the setting `acme.directory`. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  body: ExternalAccount,
  responses: { 200: { description: 'The certificate authority, with your connected account.', schema: Authority } },
});

export const unbindExternalAccount = operation({
  id: 'unbindExternalAccount',
  method: 'DELETE',
  path: `${path}/authority/external-account`,
  tag,
  summary: 'Disconnect your account at the certificate authority (external account binding)',
  description: 'Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  responses: {
    204: {
      description:
        'Davit deleted the credentials of your account at the certificate authority. Davit keeps the ACME account that it created with these credentials.',
    },
  },
});
