/**
 * Rights of an admin of some projects for operations that concern the whole instance or require the role admin. Each
 * such operation has a manually written verdict. An operation without a verdict fails the test of the rights matrix.
 */
import type { OperationId } from '@davit/api';

/** A valid request, so that only the rights of the caller can cause a refusal. */
export interface ValidRequest {
  method: string;
  path: string;
  body?: object;
}

/**
 * Verdict for an operation.
 *
 * - `all projects`: every user with limited projects gets 403; `request` proves it.
 * - `own`: returns, changes or counts only what belongs to the caller's projects.
 * - `found`: acts on one resource, which is looked up in the caller's projects; 404 for all others.
 * - `shared`: the response is the same for all callers with the role; `why` says why it is harmless.
 */
export type Verdict =
  | { verdict: 'all projects'; request: ValidRequest }
  | { verdict: 'own' }
  | { verdict: 'found' }
  | { verdict: 'shared'; why: string };

const all = (method: string, path: string, body?: object): Verdict => ({
  verdict: 'all projects',
  request: { method, path: `/api${path}`, ...(body && { body }) },
});
const own: Verdict = { verdict: 'own' };
const found: Verdict = { verdict: 'found' };
const shared = (why: string): Verdict => ({ verdict: 'shared', why });

const PEM = { certificate: 'certificate', key: 'key' };
const PROVIDER = {
  name: 'mine',
  provider: 'cloudflare',
  credentials: { CF_DNS_API_TOKEN: 'token' },
  domains: ['example.com'],
};
const CATALOG = 'Public data of the catalog.';

export const INSTANCE_WIDE: Partial<Record<OperationId, Verdict>> = {
  createProject: all('POST', '/projects', { slug: 'mine' }),
  patchSettings: all('PATCH', '/settings', { logs: { days: 1 } }),
  putSettings: all('PUT', '/settings', {}),
  addRegistry: all('POST', '/registries', { host: 'r.io', username: 'a', password: 'b' }),
  patchRegistry: found,
  removeRegistry: found,
  checkPlatformImages: all('POST', '/instance/platform-images/check', {}),
  checkInstance: all('GET', '/instance/checks'),
  repairInstance: all('POST', '/instance/checks/repair', {}),
  replaceRecoveryKey: all('PUT', '/instance/recovery-key', { public_key: 'a'.repeat(43) }),
  addDnsProvider: all('POST', '/dns-providers', PROVIDER),
  patchDnsProvider: all('PATCH', '/dns-providers/1', { name: 'other' }),
  removeDnsProvider: all('DELETE', '/dns-providers/1'),
  uploadCertificate: all('POST', '/certificates', PEM),
  replaceCertificate: all('PUT', '/certificates/1', PEM),
  removeCertificate: all('DELETE', '/certificates/1'),
  renewCertificate: all('POST', '/certificates/1/renew'),
  bindExternalAccount: all('PUT', '/certificates/authority/external-account', { kid: 'kid', hmac_key: 'a'.repeat(43) }),
  unbindExternalAccount: all('DELETE', '/certificates/authority/external-account'),
  collectImages: all('POST', '/images/collect?dry_run=true'),
  listUnrecorded: all('GET', '/unrecorded'),
  adoptUnrecorded: all('POST', '/unrecorded/adopt', { name: 'volume', project: 'own-project' }),
  deleteUnrecorded: all('DELETE', '/unrecorded?name=volume&confirm=volume'),
  collectRegistry: all('POST', '/registry/collect?dry_run=true'),
  putProjectQuota: all('PUT', '/projects/own-project/quota', { replicas: 5 }),
  patchProjectQuota: all('PATCH', '/projects/own-project/quota', { replicas: null }),
  verifyAudit: all('POST', '/audit/verify'),

  listProjects: own,
  listApps: own,
  createApp: own,
  listRecentDeployments: own,
  listVolumes: own,
  listObjectStores: own,
  // Allowed only at a public address; see the cases about private ones.
  linkObjectStore: own,
  listDatabases: own,
  createDatabase: own,
  listTrashedDatabases: own,
  listBackups: own,
  listBackupCoverage: own,
  listTasks: own,
  listScheduleTimes: own,
  listImages: own,
  listRepositories: own,
  listCertificates: own,
  listTemplateInstalls: own,
  listUsers: own,
  createUser: own,
  listAudit: own,
  followEvents: own,
  getMe: own,
  // Allowed only into projects of the caller, because creating a project requires access to all projects.
  installTemplate: own,
  installTemplateFile: own,

  getCertificate: found,
  deleteVolume: found,
  restoreVolume: found,
  restoreDatabase: found,
  destroyDatabase: found,
  deleteRepository: found,
  getUser: found,
  patchUser: found,
  deleteUser: found,
  listUserKeys: found,
  revokeUserKey: found,
  listUserSessions: found,
  endUserSession: found,
  listUserConnections: found,
  endUserConnection: found,

  // Operations on a resource of one project, which the scope of the operation looks up.
  deleteProject: found,
  previewProjectDeletion: found,
  deleteProjectWithContents: found,
  createObjectStore: found,
  restoreObjectStore: found,
  exposeObjectStore: found,
  unexposeObjectStore: found,
  patchObjectStore: found,
  deleteObjectStore: found,
  deleteBucket: found,
  addTcpPort: found,
  removeTcpPort: found,
  removeVolume: found,
  deleteDatabase: found,
  exposeDatabase: found,
  unexposeDatabase: found,
  rotateDatabasePassword: found,
  addDatabaseExtensions: found,
  cloneDatabase: found,
  upgradeDatabase: found,
  restoreDatabaseTo: found,
  restoreBackup: found,
  downloadBackup: found,
  deleteBackup: found,
  putBackupSchedule: found,
  removeBackupSchedule: found,
  updateTemplateInstall: found,
  rollbackTemplateInstall: found,
  uninstallTemplate: found,
  retryTemplateInstall: found,

  getInstance: shared('Version, address and state of the instance: every viewer needs them.'),
  getInstanceCa: shared('Public certificate of the instance: every client of a database needs it.'),
  getSettings: shared('Settings without secrets: they explain limits that every app has.'),
  getInstanceMetrics: shared('Use of the server as a whole, without names of projects.'),
  getOwnRegistry: shared('Address and state of the registry that every project pushes to.'),
  getAuthority: shared('The certificate authority and how much of its limits is used.'),
  listRegistries: own,
  getRegistry: found,
  listDnsProviders: own,
  getDnsProvider: found,
  listObjectStoreProviders: shared('A fixed list.'),
  listDatabaseEngines: shared('A fixed list.'),
  importTemplate: shared('Converts the text of the request and reads nothing else.'),
  listTemplates: shared(CATALOG),
  listTemplateTags: shared(CATALOG),
  getTemplate: shared(CATALOG),
  listTemplateReleases: shared(CATALOG),
  getTemplateManifest: shared(CATALOG),
};
