/**
 * Why agents do not have an operation as a tool. Every operation either is one, by the mark in its declaration, or has its
 * reason here: whoever adds an operation decides.
 */
import type { OperationId } from './operations/index.ts';

/** The reasons, in full sentences. */
export const NO_TOOL_REASONS = {
  replaces:
    'It replaces a whole, and what is left out is lost: a slip would be expensive. There is a tool that changes.',
  secrets: 'It takes or gives away what others are let in with.',
  accounts: 'Who may do what is for people to decide.',
  instance: 'It is about everybody’s instance, and for its operators.',
  data: 'It ends data, or what could be gone back to, for good.',
  trash: 'What is in the trash is for people to bring back.',
  exposes: 'It opens the machine to the world past the proxy.',
  stream: 'It is a stream. The tools that wait tell what happens as progress.',
  listed: 'The list says the same.',
} as const;

export const NO_TOOL: Partial<Record<OperationId, keyof typeof NO_TOOL_REASONS>> = {
  putApp: 'replaces',
  replaceProjectEnv: 'replaces',
  replaceEnvironmentEnv: 'replaces',
  replaceAppEnv: 'replaces',

  listRegistries: 'secrets',
  getRegistry: 'secrets',
  addRegistry: 'secrets',
  patchRegistry: 'secrets',
  removeRegistry: 'secrets',
  listDnsProviders: 'secrets',
  getDnsProvider: 'secrets',
  addDnsProvider: 'secrets',
  patchDnsProvider: 'secrets',
  removeDnsProvider: 'secrets',
  uploadCertificate: 'secrets',
  replaceCertificate: 'secrets',
  removeCertificate: 'secrets',
  bindExternalAccount: 'secrets',
  unbindExternalAccount: 'secrets',

  listUsers: 'accounts',
  getUser: 'accounts',
  createUser: 'accounts',
  patchUser: 'accounts',
  deleteUser: 'accounts',
  listUserKeys: 'accounts',
  revokeUserKey: 'accounts',
  listUserSessions: 'accounts',
  endUserSession: 'accounts',

  getSettings: 'instance',
  patchSettings: 'instance',
  putSettings: 'instance',
  getAuthority: 'instance',
  renewCertificate: 'instance',
  listImages: 'instance',
  collectImages: 'instance',
  collectRegistry: 'instance',
  verifyAudit: 'instance',

  deleteDeployment: 'data',
  deleteRelease: 'data',
  deleteRepository: 'data',
  removeVolume: 'data',
  deleteVolume: 'data',
  restoreVolume: 'trash',

  deleteBackup: 'data',
  upgradeDatabase: 'data',
  removeBackupSchedule: 'data',
  downloadBackup: 'secrets',
  deleteDatabase: 'data',
  destroyDatabase: 'data',
  restoreDatabase: 'trash',
  listTrashedDatabases: 'trash',
  getDatabaseCredentials: 'secrets',
  exposeDatabase: 'exposes',
  unexposeDatabase: 'exposes',

  linkStore: 'secrets',
  patchStore: 'secrets',
  getStoreCredentials: 'secrets',
  presignObject: 'secrets',
  deleteStore: 'data',
  deleteBucket: 'data',
  deleteObject: 'data',
  deleteFolder: 'data',
  restoreStore: 'trash',
  exposeStore: 'exposes',
  unexposeStore: 'exposes',

  addTcpPort: 'exposes',
  removeTcpPort: 'exposes',

  followEvents: 'stream',
  followDeployment: 'stream',

  getProject: 'listed',
  getBackup: 'listed',
  getBackupSchedule: 'listed',
  getEnvironment: 'listed',
  getDomain: 'listed',
  getAppVolume: 'listed',
  getTcpPort: 'listed',
  getSchedule: 'listed',
  getRelease: 'listed',
  getCertificate: 'listed',
  listTemplateTags: 'listed',
  getBucket: 'listed',
  listStoreProviders: 'secrets',

  getTemplateInstallSecrets: 'secrets',
};
