import { z } from 'zod';
import { CA_FILE, PEM_TYPE } from '../ca-file.ts';
import { operation } from '../operation.ts';
import { Instance, PlatformCheck } from '../schemas/instance.ts';
import { InstanceChecks, InstanceRepair, RecoveryKeyInput } from '../schemas/instance-check.ts';

export const getInstance = operation({
  id: 'getInstance',
  method: 'GET',
  path: '/instance',
  tag: 'Instance',
  summary: 'Get the state of the instance',
  description: 'Returns the version, domain, limits, disk use and warnings of the instance, and the state of Docker.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  responses: { 200: { description: 'The state and the limits of the instance.', schema: Instance } },
  tool: {},
});

export const getInstanceCa = operation({
  id: 'getInstanceCa',
  method: 'GET',
  path: '/instance/ca.pem',
  tag: 'Instance',
  summary: 'Get the CA certificate of the instance',
  description: `Returns the certificate of the certificate authority (CA) of the instance. The CA signs the certificates of databases. Database clients outside the instance verify a database with this file. The connection lines of a database expect the file name \`${CA_FILE}\`. The certificate is not a secret. It changes only if Davit cannot decrypt the key of the CA. Davit then creates a new CA, and clients need its certificate.`,
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  responses: {
    200: {
      description: 'The CA certificate in PEM format.',
      schema: z.string(),
      contentType: PEM_TYPE,
      headers: { 'Content-Disposition': 'File name of the certificate.' },
    },
  },
});

export const checkPlatformImages = operation({
  id: 'checkPlatformImages',
  method: 'POST',
  path: '/instance/platform-images/check',
  tag: 'Instance',
  summary: 'Check for security updates of the proxy, registry, DNS and database images',
  description:
    'Davit checks the platform images for newer packages. Platform images are the images of the proxy, registry, DNS resolver and databases. Davit also checks them every day, unless the setting `platform_images.check` is off. Davit installs newer packages immediately. The proxy loses no connections; the registry and the DNS resolver restart within a second. Databases restart in the maintenance window. `GET /instance` shows the progress. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  responses: { 202: { description: 'The check is in progress.', schema: PlatformCheck } },
});

export const checkInstance = operation({
  id: 'checkInstance',
  method: 'GET',
  path: '/instance/checks',
  tag: 'Instance',
  summary: 'Check the instance',
  description:
    'Checks the database of Davit, Docker, the proxy, the registry, the ports, the disk, the clock, certificates, the DNS records of domains, backups, platform images and orphaned volumes. The check reads the whole database of Davit, which takes about 15 s per GiB. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'read',
  readsElsewhere: true,
  responses: { 200: { description: 'The results of all checks.', schema: InstanceChecks } },
});

export const repairInstance = operation({
  id: 'repairInstance',
  method: 'POST',
  path: '/instance/checks/repair',
  tag: 'Instance',
  summary: 'Repair the instance',
  description:
    'Checks the instance, and starts the repairs that cannot delete data of users. Davit starts missing containers, configures the proxy and the firewall again, requests failed certificates again, and starts overdue backups. If the disk is nearly full, Davit removes unused images. Then Davit repeats the checks. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  responses: { 200: { description: 'The repairs, and the results of the checks after them.', schema: InstanceRepair } },
});

export const replaceRecoveryKey = operation({
  id: 'replaceRecoveryKey',
  method: 'PUT',
  path: '/instance/recovery-key',
  tag: 'Instance',
  summary: 'Replace the recovery key',
  description:
    'Replaces the recovery key, which can restore a lost master key (`davit instance recover-key`). Your client creates the recovery key and sends only its public part. With this part, Davit encrypts a copy of the master key, and stores the copy in the data directory. An earlier recovery key stops working. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  body: RecoveryKeyInput,
  responses: { 204: { description: 'The recovery key was replaced.' } },
});
