import { z } from 'zod';
import { operation } from '../operation.ts';
import { Authority, Certificate, CertificateUpload, ExternalAccount } from '../schemas/certificate.ts';
import { paging } from './parameters.ts';

const tag = 'Certificates';
const path = '/certificates';
const CertificatePath = z.object({ certificate: z.string().describe('The certificate’s number.') });

export const listCertificates = operation({
  id: 'listCertificates',
  method: 'GET',
  path,
  tag,
  summary: 'List certificates',
  description: 'Those that are presented for something the caller sees; to who sees every project, all of them.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'The certificates, by number.', schema: z.array(Certificate) } },
  tool: {},
});

export const uploadCertificate = operation({
  id: 'uploadCertificate',
  method: 'POST',
  path,
  tag,
  summary: 'Upload a certificate',
  description:
    'It is presented at once for every host that it covers, before any that was ordered; while it is valid none is ordered for them.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  body: CertificateUpload,
  responses: {
    201: { description: 'The certificate.', schema: Certificate, headers: { Location: 'Where it is.' } },
  },
  errors: ['conflict'],
});

export const getCertificate = operation({
  id: 'getCertificate',
  method: 'GET',
  path: `${path}/{certificate}`,
  tag,
  summary: 'Read a certificate',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  params: CertificatePath,
  responses: { 200: { description: 'The certificate, without its key.', schema: Certificate } },
  errors: ['not_found'],
});

export const replaceCertificate = operation({
  id: 'replaceCertificate',
  method: 'PUT',
  path: `${path}/{certificate}`,
  tag,
  summary: 'Replace an uploaded certificate',
  description: 'The new one is presented at once; no connection is closed for it.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  params: CertificatePath,
  body: CertificateUpload,
  responses: { 200: { description: 'The certificate.', schema: Certificate } },
  errors: ['not_found', 'conflict'],
});

export const removeCertificate = operation({
  id: 'removeCertificate',
  method: 'DELETE',
  path: `${path}/{certificate}`,
  tag,
  summary: 'Remove a certificate',
  description: 'An uploaded one, or an ordered one that no host is served with. Hosts that want one get one ordered.',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  params: CertificatePath,
  responses: { 204: { description: 'It is gone.' } },
  errors: ['not_found', 'conflict'],
});

export const renewCertificate = operation({
  id: 'renewCertificate',
  method: 'POST',
  path: `${path}/{certificate}/renew`,
  tag,
  summary: 'Renew an ordered certificate now',
  description:
    'The present one is served until the new one is in. Waiting after failures ends; the authority’s limits are kept.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  params: CertificatePath,
  responses: { 202: { description: 'It is being renewed; the certificate as it is.', schema: Certificate } },
  errors: ['not_found', 'conflict'],
});

export const getAuthority = operation({
  id: 'getAuthority',
  method: 'GET',
  path: `${path}/authority`,
  tag,
  summary: 'Read who certificates are ordered from, and what of its limits is used',
  permission: 'administer',
  scope: 'instance',
  effect: 'read',
  responses: { 200: { description: 'The authority of the settings.', schema: Authority } },
});

export const bindExternalAccount = operation({
  id: 'bindExternalAccount',
  method: 'PUT',
  path: `${path}/authority/external-account`,
  tag,
  summary: 'Name the account at the authority that ours is bound to',
  description: 'For authorities that ask for it. It belongs to the directory that is in the settings now.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  body: ExternalAccount,
  responses: { 200: { description: 'The authority.', schema: Authority } },
});

export const unbindExternalAccount = operation({
  id: 'unbindExternalAccount',
  method: 'DELETE',
  path: `${path}/authority/external-account`,
  tag,
  summary: 'Forget the account at the authority that ours is bound to',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  responses: { 204: { description: 'It is forgotten; an account that was made with it stays.' } },
});
