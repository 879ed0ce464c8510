import { type AbsentRoute, type OperationId, PAGES, type Role } from '@davit/api';

/**
 * Who may do what, written down by hand: this table says what is wanted, and the contract is held against it. An
 * operation that is not in here fails the test; so does one that is here and no longer there.
 *
 * - `project`: of a project. Who does not see that project is told that there is no such thing, whatever his role.
 * - `instance`: of no project. The role alone decides, but that only who sees all projects makes one, changes settings
 *   and stores credentials of registries.
 * - `account`: of a user. Who is no admin is told so, whether there is such a user or not; an admin who is limited to
 *   some projects knows of nobody who sees another.
 */
export interface Rule {
  least: Role;
  of: 'project' | 'instance' | 'account';
}

const rule = (least: Role, of: Rule['of']): Rule => ({ least, of });

export const WHO_MAY: Record<OperationId, Rule> = {
  listProjects: rule('viewer', 'instance'),
  createProject: rule('admin', 'instance'),
  getProject: rule('viewer', 'project'),
  deleteProject: rule('admin', 'project'),
  listEnvironments: rule('viewer', 'project'),
  getEnvironment: rule('viewer', 'project'),
  createEnvironment: rule('member', 'project'),
  deleteEnvironment: rule('member', 'project'),
  promoteEnvironment: rule('member', 'project'),

  listApps: rule('viewer', 'instance'),
  createApp: rule('member', 'instance'),
  getApp: rule('viewer', 'project'),
  patchApp: rule('member', 'project'),
  putApp: rule('member', 'project'),
  deleteApp: rule('member', 'project'),
  restartApp: rule('member', 'project'),
  startApp: rule('member', 'project'),
  stopApp: rule('member', 'project'),

  deployApp: rule('member', 'project'),
  rollbackApp: rule('member', 'project'),
  listDeployments: rule('viewer', 'project'),
  listRecentDeployments: rule('viewer', 'instance'),
  getDeployment: rule('viewer', 'project'),
  followDeployment: rule('viewer', 'project'),
  cancelDeployment: rule('member', 'project'),
  deleteDeployment: rule('member', 'project'),
  listRevisions: rule('viewer', 'project'),
  getRevision: rule('viewer', 'project'),
  compareRevisions: rule('viewer', 'project'),
  restoreRevision: rule('member', 'project'),

  getProjectEnv: rule('viewer', 'project'),
  setProjectEnv: rule('member', 'project'),
  replaceProjectEnv: rule('member', 'project'),
  getEnvironmentEnv: rule('viewer', 'project'),
  setEnvironmentEnv: rule('member', 'project'),
  replaceEnvironmentEnv: rule('member', 'project'),
  getAppEnv: rule('viewer', 'project'),
  setAppEnv: rule('member', 'project'),
  replaceAppEnv: rule('member', 'project'),

  listDomains: rule('viewer', 'project'),
  addDomain: rule('member', 'project'),
  getDomain: rule('viewer', 'project'),
  patchDomain: rule('member', 'project'),
  removeDomain: rule('member', 'project'),

  listVolumes: rule('viewer', 'instance'),
  listAppVolumes: rule('viewer', 'project'),
  getAppVolume: rule('viewer', 'project'),
  addVolume: rule('member', 'project'),
  removeVolume: rule('admin', 'project'),
  deleteVolume: rule('admin', 'instance'),
  restoreVolume: rule('admin', 'instance'),

  listStores: rule('viewer', 'instance'),
  listStoreProviders: rule('viewer', 'instance'),
  linkStore: rule('admin', 'instance'),
  getStore: rule('viewer', 'project'),
  patchStore: rule('admin', 'project'),
  deleteStore: rule('admin', 'project'),
  getStoreCredentials: rule('member', 'project'),
  checkStore: rule('member', 'project'),
  createStore: rule('admin', 'project'),
  startStore: rule('member', 'project'),
  stopStore: rule('member', 'project'),
  restoreStore: rule('admin', 'project'),
  exposeStore: rule('admin', 'project'),
  unexposeStore: rule('admin', 'project'),
  listBuckets: rule('viewer', 'project'),
  createBucket: rule('member', 'project'),
  getBucket: rule('viewer', 'project'),
  deleteBucket: rule('admin', 'project'),
  listObjects: rule('member', 'project'),
  deleteObject: rule('member', 'project'),
  deleteFolder: rule('member', 'project'),
  presignObject: rule('member', 'project'),

  listTcpPorts: rule('viewer', 'project'),
  getTcpPort: rule('viewer', 'project'),
  addTcpPort: rule('admin', 'project'),
  removeTcpPort: rule('admin', 'project'),

  listDatabaseEngines: rule('viewer', 'instance'),
  listDatabases: rule('viewer', 'instance'),
  createDatabase: rule('admin', 'instance'),
  getDatabase: rule('viewer', 'project'),
  patchDatabase: rule('member', 'project'),
  deleteDatabase: rule('admin', 'project'),
  getDatabaseCredentials: rule('member', 'project'),
  startDatabase: rule('member', 'project'),
  stopDatabase: rule('member', 'project'),
  restartDatabase: rule('member', 'project'),
  exposeDatabase: rule('admin', 'project'),
  unexposeDatabase: rule('admin', 'project'),
  getDatabaseLogs: rule('viewer', 'project'),
  getDatabaseMetrics: rule('viewer', 'project'),
  listTrashedDatabases: rule('viewer', 'instance'),
  restoreDatabase: rule('admin', 'instance'),
  destroyDatabase: rule('admin', 'instance'),

  listTasks: rule('viewer', 'instance'),
  getTask: rule('viewer', 'project'),
  cancelTask: rule('member', 'project'),

  runInApp: rule('member', 'project'),
  listRuns: rule('viewer', 'project'),
  getRun: rule('viewer', 'project'),
  cancelRun: rule('member', 'project'),
  listScheduleTimes: rule('viewer', 'instance'),
  listSchedules: rule('viewer', 'project'),
  getSchedule: rule('viewer', 'project'),
  listScheduleRuns: rule('viewer', 'project'),
  createSchedule: rule('member', 'project'),
  patchSchedule: rule('member', 'project'),
  removeSchedule: rule('member', 'project'),
  runSchedule: rule('member', 'project'),

  getAppLogs: rule('viewer', 'project'),
  getAppMetrics: rule('viewer', 'project'),
  getInstanceMetrics: rule('viewer', 'instance'),
  followEvents: rule('viewer', 'instance'),

  getInstance: rule('viewer', 'instance'),
  getSettings: rule('viewer', 'instance'),
  patchSettings: rule('admin', 'instance'),
  putSettings: rule('admin', 'instance'),
  listRegistries: rule('admin', 'instance'),
  getRegistry: rule('admin', 'instance'),
  addRegistry: rule('admin', 'instance'),
  patchRegistry: rule('admin', 'instance'),
  removeRegistry: rule('admin', 'instance'),
  listImages: rule('viewer', 'instance'),
  collectImages: rule('admin', 'instance'),

  getOwnRegistry: rule('viewer', 'instance'),
  listRepositories: rule('viewer', 'instance'),
  deleteRepository: rule('admin', 'instance'),
  collectRegistry: rule('admin', 'instance'),
  listReleases: rule('viewer', 'project'),
  getRelease: rule('viewer', 'project'),
  deleteRelease: rule('member', 'project'),

  getMe: rule('viewer', 'instance'),
  listUsers: rule('admin', 'instance'),
  createUser: rule('admin', 'instance'),
  getUser: rule('admin', 'account'),
  patchUser: rule('admin', 'account'),
  deleteUser: rule('admin', 'account'),
  listUserKeys: rule('admin', 'account'),
  revokeUserKey: rule('admin', 'account'),
  listUserSessions: rule('admin', 'account'),
  endUserSession: rule('admin', 'account'),
  listDnsProviders: rule('admin', 'instance'),
  addDnsProvider: rule('admin', 'instance'),
  getDnsProvider: rule('admin', 'instance'),
  patchDnsProvider: rule('admin', 'instance'),
  removeDnsProvider: rule('admin', 'instance'),
  listCertificates: rule('viewer', 'instance'),
  uploadCertificate: rule('admin', 'instance'),
  getCertificate: rule('viewer', 'instance'),
  replaceCertificate: rule('admin', 'instance'),
  removeCertificate: rule('admin', 'instance'),
  renewCertificate: rule('admin', 'instance'),
  getAuthority: rule('admin', 'instance'),
  bindExternalAccount: rule('admin', 'instance'),
  unbindExternalAccount: rule('admin', 'instance'),

  listTemplates: rule('viewer', 'instance'),
  listTemplateTags: rule('viewer', 'instance'),
  getTemplate: rule('viewer', 'instance'),
  listTemplateReleases: rule('viewer', 'instance'),
  getTemplateManifest: rule('viewer', 'instance'),
  installTemplate: rule('admin', 'instance'),
  installTemplateFile: rule('admin', 'instance'),
  importTemplate: rule('admin', 'instance'),
  listTemplateInstalls: rule('viewer', 'instance'),
  getTemplateInstall: rule('viewer', 'project'),
  getTemplateInstallSecrets: rule('member', 'project'),
  previewTemplateUpdate: rule('viewer', 'project'),
  updateTemplateInstall: rule('admin', 'project'),
  rollbackTemplateInstall: rule('admin', 'project'),
  uninstallTemplate: rule('admin', 'project'),
  retryTemplateInstall: rule('admin', 'project'),

  listAudit: rule('admin', 'instance'),
  verifyAudit: rule('admin', 'instance'),
};

/**
 * Who may ask the routes that are not in the document.
 *
 * - `everybody`: also who is nobody. - `signed in`: whoever has shown who he is. - `own rule`: their protocol's or their
 *   own; a test of theirs says which. - a rule: as for an operation.
 */
/** `page`: shown to everybody, whatever stands in its query. */
export const WHO_MAY_ASK: Record<AbsentRoute, 'everybody' | 'signed in' | 'page' | 'own rule' | Rule> = {
  'GET /healthz': 'everybody',
  'GET /readyz': 'everybody',
  'GET /openapi.json': 'everybody',
  'GET /docs': 'everybody',
  'GET /docs/{file}': 'everybody',
  ...(Object.fromEntries(PAGES.map((page) => [`GET ${page}`, 'page'])) as Record<
    `GET ${(typeof PAGES)[number]}`,
    'page'
  >),
  'GET /assets/{file}': 'everybody',
  'GET /icon.svg': 'everybody',
  'GET /theme.js': 'everybody',
  'GET /metrics': 'own rule',
  'POST /mcp': 'own rule',
  'GET /.well-known/oauth-protected-resource': 'everybody',
  'GET /.well-known/oauth-protected-resource/mcp': 'everybody',
  'GET /.well-known/oauth-authorization-server': 'everybody',
  'POST /oauth/token': 'own rule',
  'POST /oauth/revoke': 'own rule',
  'POST /api/oauth/review': 'own rule',
  'POST /api/oauth/consent': 'own rule',
  'GET /api/users/me/connections': 'signed in',
  'DELETE /api/users/me/connections/{connection}': 'signed in',
  'GET /v2/token': 'own rule',
  'POST /hooks/registry': 'own rule',
  'GET /api/apps/{project}/{environment}/{app}/shell': rule('member', 'project'),
  'GET /api/template-icons/{repository}/{file}': 'own rule',
  'GET /api/setup': 'everybody',
  'POST /api/setup': 'everybody',
  'POST /api/auth/login': 'everybody',
  'POST /api/auth/logout': 'signed in',
  'GET /api/users/me/api-keys': 'signed in',
  'POST /api/users/me/api-keys': 'signed in',
  'DELETE /api/users/me/api-keys/{key}': 'signed in',
  'POST /api/users/me/api-keys/{key}/rotate': 'signed in',
  'GET /api/users/me/sessions': 'signed in',
  'DELETE /api/users/me/sessions/{session}': 'signed in',
  'PUT /api/users/me/password': 'signed in',
};

/**
 * What stands in an address for each of its names. `0` and `none` are nobody's: whether a number is one is asked after
 * everything that this table is about.
 */
export const NAMES = {
  domain: '1',
  revision: '1',
  volume: '1',
  tag: 'v1',
  tcp_port: '1',
  run: '1',
  schedule: '1',
  registry: '1',
  provider: '1',
  certificate: '1',
  key: '1',
  session: '1',
  connection: '1',
  file: 'page.js',
} as const;
